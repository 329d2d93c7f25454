"""Distances to the next capture, and tables that are exact where N plies without a capture are a draw."""

from functools import cache
from pathlib import Path

import pytest
from reference import moves as twin
from reference.rules import RULES
from reference.solver import Value, solve_captures
from small_tables import Command
from twin_tables import count_pieces, native_position

import dame_fast._native as _native
from dame_fast import Board, CorruptTableError, Game, MissingTableError, PerfectPlayer, open_tablebase
from dame_fast.build.builder import build
from dame_fast.position.position import Position
from dame_fast.rules.find import find_rules
from dame_fast.tables.files import table_files
from dame_fast.tables.material import Material

RULE = 10
"""Plies without a capture that are a draw in some of the tables here."""


@cache
def values(variant: str, pieces: int, draw_captures: int | None = None) -> dict[Position, Value]:
    """Those of the slow twin, either side to move, of positions with pieces on both sides."""
    rules = RULES[variant]
    return {
        native_position(placed): value
        for position, value in solve_captures(pieces, rules, draw_captures).items()
        for placed in (position, twin.turned(position, rules))
        if position.black_men or position.black_kings
    }


@pytest.fixture(scope="module")
def under_rule(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("rule")
    build(directory, pieces=3, metric="dtc", draw_captures=RULE)
    return directory


@pytest.mark.parametrize("variant", ["english", "russian", "italian", "english_giveaway"])
@pytest.mark.parametrize("pieces", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_every_distance_equals_the_slow_twin(tmp_path: Path, variant: str, pieces: int) -> None:
    build(tmp_path, variant=variant, pieces=pieces, metric="dtc")
    expected = values(variant, pieces)
    with open_tablebase(tmp_path, variant=variant, preload=pieces, resolve=True) as tables:
        for position, value in expected.items():
            assert tables.probe_position(position, "dtc") == value, position
            assert tables.probe_position(position, "wdl")[0] == value[0], position
    assert len(expected) == 2 * sum(
        material.positions(variant) for number in range(2, pieces + 1) for material in _slices(number)
    )


def _slices(pieces: int) -> list[Material]:
    return [Material(*material) for material in _native.slices(pieces)]


@pytest.mark.parametrize("clock", [0, 1, RULE // 2, RULE - 1])
def test_every_value_under_a_rule_equals_the_slow_twin(under_rule: Path, clock: int) -> None:
    """A win or loss stands if the capture comes within the plies that are left."""
    expected = values("english", 2, RULE)
    with open_tablebase(under_rule, draw_captures=RULE) as tables:
        for position, (result, plies) in expected.items():
            stands = plies is not None and clock + plies <= RULE
            value = (result, plies) if stands else (0, None)
            assert tables.probe_position(position, "dtc", clock) == value
            assert tables.probe_position(position, "wdl", clock)[0] == value[0]


@pytest.mark.slow
def test_every_value_of_three_pieces_under_a_rule(under_rule: Path) -> None:
    with open_tablebase(under_rule, draw_captures=RULE, preload=3, resolve=True) as tables:
        for position, value in values("english", 3, RULE).items():
            assert tables.probe_position(position, "dtc") == value, position


def test_a_rule_takes_wins_away(under_rule: Path, tmp_path: Path, command: Command) -> None:
    """Moves of men do not save a win that takes too long: First Position with less on the board."""
    assert command("verify", under_rule, "--full").status == 0
    build(tmp_path, pieces=3, metric="dtc")
    wins = {}
    for directory, rule in ((tmp_path, None), (under_rule, RULE)):
        with open_tablebase(directory, draw_captures=rule) as tables:
            headers = tables._library.headers if tables._library is not None else []
            wins[rule] = sum(header["win"] for header in headers if header["metric"] == "wdl")
            longest = max(header["max_win"] or 0 for header in headers)
            assert (rule is None) == (longest > RULE)
    assert 0 < wins[RULE] < (wins[None] or 0)


def test_names_of_files_and_what_a_header_says(under_rule: Path) -> None:
    names = {path.name for path in table_files(under_rule)}
    assert {"KKvK.c10.dtc", "KKvK.c10.wdl"} <= names
    assert len(names) == 32
    header = _native.peek(str(under_rule / "KKvK.c10.wdl"))
    assert (header["draw_captures"], header["draw_plies"], header["metric"]) == (RULE, None, "wdl")
    raw = (under_rule / "KKvK.c10.wdl").read_bytes()
    assert (raw[10], raw[12:14], raw[15]) == (0, b"\x0a\x00", 1)
    assert (under_rule / "KKvK.c10.dtc").read_bytes()[10:12] == b"\x03\x02"


def test_other_rules_are_not_mixed(under_rule: Path, tmp_path: Path) -> None:
    with pytest.raises(
        MissingTableError, match="^no tables for a draw after 10 plies without capture and man move in "
    ):
        open_tablebase(under_rule, draw_plies=RULE)
    (tmp_path / "KvK.n10.wdl").write_bytes((under_rule / "KvK.c10.wdl").read_bytes())
    with pytest.raises(CorruptTableError, match="holds a table for a draw after 10 plies without a capture$"):
        open_tablebase(tmp_path, draw_plies=RULE)


def test_a_game_under_the_rule_is_won_in_time(under_rule: Path) -> None:
    """The winner brings every game to its end before the counter is full, men's moves or not."""
    played = 0
    with open_tablebase(under_rule, draw_captures=RULE) as tables:
        assert (tables.draw_captures, tables.draw_plies) == (RULE, None)
        player = PerfectPlayer(tables)
        for position, (result, plies) in list(values("english", 2, RULE).items())[::9]:
            if result != 1 or plies == 0:
                continue
            board = Board()
            board._position = position
            game = Game(board, draw_captures=RULE)
            winner = board.turn
            while game.ending is None:
                game.push(player(game.board))
            assert game.ending.winner == winner, board.fen()
            played += 1
    assert played > 20


def test_moves_and_line_by_distances_to_a_capture(under_rule: Path) -> None:
    with open_tablebase(under_rule, draw_captures=RULE) as tables:
        for position, (result, plies) in list(values("english", 2, RULE).items())[::17]:
            board = Board()
            board._position = position
            moves = tables.moves(board)
            assert tables.probe_dtc(board) == (None if plies is None else result * plies)
            if moves:
                assert (moves[0].wdl, moves[0].dtc) == (result, None if plies is None else result * plies)
                assert moves[0].dtw is moves[0].dtz is None
            if result and moves:
                line = tables.mainline(board)
                assert line[-1].wdl in (1, -1)
                assert tables.best_move(board) == line[0].move
        full = Board("W:WK19,K23:BK28")
        assert (tables.probe_wdl(full, clock=RULE), tables.moves(full, clock=RULE)) == (0, [])


def test_results_alone_do_not_suffice_under_the_rule(tmp_path: Path) -> None:
    """The search on the spot is one for phases that a move of a man ends as well."""
    build(tmp_path, pieces=2, metric="dtc", draw_captures=RULE)
    for path in tmp_path.glob("*.dtc"):
        path.unlink()
    board = Board()
    board._position = next(p for p, (_, plies) in values("english", 2, RULE).items() if plies is not None and plies > 3)
    with open_tablebase(tmp_path, draw_captures=RULE) as tables:
        assert tables.probe_wdl(board) != 0
        assert {result.missing[-11:] for result in tables.moves(board) if result.missing is not None} == {" metric dtc"}
        with pytest.raises(MissingTableError, match=r"^after \S+: no table of \w+ with the metric dtc$"):
            tables.best_move(board)


def test_counters_of_a_board() -> None:
    board = Board("W:WK1,21:BK32:H3:F9")
    assert (board.clock, board.capture_clock) == (3, 3)
    board.push_pdn("21-17")
    assert (board.clock, board.capture_clock) == (0, 4)
    copy = board.copy()
    copy.push(copy.legal_moves[0])
    assert (copy.clock, copy.capture_clock) == (1, 5)
    board.pop()
    assert (board.clock, board.capture_clock) == (3, 3)
    board = Board("W:WK18:BK15,K1:H3:F9")
    board.push_pdn("18x11")
    assert (board.clock, board.capture_clock) == (0, 0)


def test_a_game_is_drawn_by_plies_without_a_capture() -> None:
    rules = find_rules("checkers_page")
    assert (rules.draw_plies, rules.draw_captures) == (None, 100)
    game = Game(Board("W:WK1,21:BK32"), draw_captures=2)
    game.push(game.board.parse_pdn("21-17"))
    assert game.ending is None
    game.push(game.board.legal_moves[0])
    assert str(game.ending) == "Draw: 2 plies without a capture"
    game.pop()
    assert game.ending is None


def test_commands(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "tables"
    assert command("build", "--pieces", "2", "--metric", "dtc", "--draw-captures", "10", "--out", out).status == 0
    status, text, _ = command("probe", "W:WK14:BK10", "--db", out, "--draw-captures", "10")
    assert (status, text.splitlines()[0]) == (0, "White to move wins, next capture in 1 ply")
    status, text, _ = command("line", "W:WK14:BK10", "--db", out, "--draw-captures", "10")
    assert (status, text) == (0, "14x7  1c\nWhite wins in 1 ply\n")
    status, text, _ = command("longest", "MvM", "--metric", "dtc", "--db", out, "--draw-captures", "10", "--limit", "1")
    assert (status, text.splitlines()[0].split("  ")[:2]) == (0, ["MvM", "9 plies"])
    status, text, _ = command("stats", out)
    assert "english, dtc, drawn after 10 plies without a capture" in text
    wrong = command("build", "--pieces", "2", "--metric", "dtz", "--draw-captures", "10", "--out", tmp_path / "other")
    assert wrong.err == "dame-fast: a draw after 10 plies without a capture needs the metric dtc, not dtz\n"
    both = command("probe", "W:WK14:BK10", "--draw-captures", "10", "--draw-plies", "10")
    assert both.err == "dame-fast: only one draw rule at a time, not draw_plies and draw_captures\n"


def test_positions_are_all_there() -> None:
    assert {count_pieces(position) for position in values("english", 2)} == {2}
