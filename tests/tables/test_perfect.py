"""Perfect play: exactly as long as promised with distances, and never in circles without them."""

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_tables import no_table
from twin_tables import SAMPLE, Twin, TwinLibrary, TwinTables, board_of

import dame_fast._native as _native
from dame_fast import (
    ArgumentError,
    Board,
    MissingTableError,
    Move,
    MoveResult,
    PerfectPlayer,
    Tablebase,
    open_tablebase,
)
from dame_fast.build.builder import build
from dame_fast.position.position import Position
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.tables.perfect import best_move, mainline, ranked_moves
from dame_fast.tables.places import SHIPPED

Policy = Callable[[Board], Move]


def play(board: Board, policies: tuple[Policy, Policy]) -> Iterator[Board]:
    """Play to the end by two policies in turn, give the board after each move, and refuse to go in circles."""
    seen = {board.position}
    number = 0
    while not board.is_game_over():
        board.push(policies[number % 2](board))
        number += 1
        assert board.position not in seen, board.fen()
        seen.add(board.position)
        yield board


def random_policy(seed: int) -> Policy:
    chance = random.Random(seed)
    return lambda board: chance.choice(board.legal_moves)


def check_promise(twin: Twin, pieces: int) -> None:
    """Both sides at their best: the line is as long as dtw says, and every move says what is left."""
    tables = twin.tables("dtw", "dtz")
    for position in twin.decided(pieces):
        result, plies = twin.dtw[position]
        assert plies is not None
        line = mainline(tables, board_of(position))
        signs = [result * (-1) ** ply for ply in range(plies)]
        assert [move.dtw for move in line] == [sign * (plies - ply) for ply, sign in enumerate(signs)]
        board = board_of(position)
        for move in line:
            assert move.dtz is not None
            assert (move.dtw == tables.probe_dtw(board), abs(move.dtz) <= abs(move.dtw or 0)) == (True, True)
            board.push(move.move)
        assert board.is_game_over()


def test_play_lasts_as_long_as_promised(two: Twin) -> None:
    check_promise(two, 2)


@pytest.mark.slow
def test_play_lasts_as_long_as_promised_with_three_pieces(three: Twin) -> None:
    check_promise(three, 3)


def check_bad_opponents(twin: Twin, pieces: int) -> None:
    """The winner needs no longer against bad defence; the loser holds out no shorter against bad attack,
    unless he wins."""
    player = PerfectPlayer(twin.tables("dtw"))
    for number, position in enumerate(twin.decided(pieces)[:: 20 if pieces == 2 else 2]):
        result, plies = twin.dtw[position]
        assert plies is not None
        board = board_of(position)
        if result == 1:
            played = sum(1 for _ in play(board, (player, random_policy(number))))
            assert played <= plies
            assert board.turn != board.winner()
            assert played % 2 == 1
        else:
            chance, side = random_policy(number), board.turn
            while board.ply < plies and not board.is_game_over():
                board.push((chance if board.ply % 2 else player)(board))
            assert board.ply == plies or board.winner() == side


def test_opponents_who_play_badly(two: Twin) -> None:
    check_bad_opponents(two, 2)


@pytest.mark.slow
def test_opponents_who_play_badly_with_three_pieces(three: Twin) -> None:
    check_bad_opponents(three, 3)


def check_progress(twin: Twin, pieces: int, *metrics: str) -> None:
    """Without distances to the end: every won position is won, against the longest defence and against chance."""
    defence = PerfectPlayer(twin.tables("dtw"))
    won = twin.sample(pieces, 1, None if pieces == 2 else SAMPLE)
    for policy in (defence, random_policy(pieces)):
        player = PerfectPlayer(twin.tables(*metrics))
        for position in won:
            board = board_of(position)
            winner = board.turn
            for _ in play(board, (player, policy)):
                pass
            assert board.winner() == winner


@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_no_circles(two: Twin, metric: str) -> None:
    check_progress(two, 2, metric)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_no_circles_with_three_pieces(three: Twin, metric: str) -> None:
    check_progress(three, 3, metric)


@pytest.mark.slow
def test_mixed_tables(three: Twin) -> None:
    """Results of 3 pieces and distances of 2; distances of one metric for each number of pieces."""
    for tables in (three.tables(wdl=3, dtw=2), three.tables(dtz=3, dtw=2), three.tables(wdl=3, dtz=2)):
        player = PerfectPlayer(tables)
        for position in three.sample(3, 1, SAMPLE):
            board = board_of(position)
            winner = board.turn
            for _ in play(board, (player, PerfectPlayer(three.tables("dtw")))):
                pass
            assert board.winner() == winner


def test_lines_without_distances_have_those_worked_out(two: Twin) -> None:
    for position in two.sample(2, 1, 50):
        for by_results, by_distances in zip(
            mainline(two.tables("wdl"), board_of(position)),
            mainline(two.tables("dtz"), board_of(position)),
            strict=True,
        ):
            assert (by_results.dtz, by_results.dtw) == (by_distances.dtz, None)


def test_order_of_moves(two: Twin) -> None:
    """Wins by length, then draws, then losses by length; `best_move` is the first."""
    tables = two.tables("dtw")
    for position in list(two.dtw)[::7]:
        board = board_of(position)
        results = ranked_moves(tables, board)
        order = [(-(result.wdl or 0), result.dtw or 0) for result in results]
        assert order == sorted(order)
        assert best_move(tables, board) == (results[0].move if results else None)
        assert (results[0].dtw if results else 0) == tables.probe_dtw(board)


@pytest.mark.slow
def test_draws_with_traps_come_first(three: Twin) -> None:
    tables = three.tables("wdl")
    several = 0
    for position in three.sample(3, 0, 500):
        board = board_of(position)
        counts = []
        for result in ranked_moves(tables, board):
            if result.wdl == 0:
                board.push(result.move)
                counts.append(sum(reply.wdl == -1 for reply in ranked_moves(tables, board)))
                board.pop()
        assert counts == sorted(counts, reverse=True)
        several += len(set(counts)) > 1
    assert several > 4


def test_a_drawn_line_ends_where_it_repeats(two: Twin) -> None:
    for position in two.sample(2, 0, 50):
        line = mainline(two.tables("dtw"), board_of(position))
        board = board_of(position)
        seen = [board.position]
        for result in line:
            assert (result.wdl, result.dtw, result.dtz) == (0, None, None)
            board.push(result.move)
            seen.append(board.position)
        assert len(set(seen[:-1])) == len(seen) - 1
        assert seen[-1] in seen[:-1]


def test_the_end_of_the_game(two: Twin) -> None:
    over = Board("B:WK18:B")
    assert ranked_moves(two.tables("wdl"), over) == mainline(two.tables("wdl"), over) == []
    assert best_move(two.tables("wdl"), over) is None
    with pytest.raises(ArgumentError) as caught:
        PerfectPlayer(two.tables("wdl")).choose(over)
    assert str(caught.value) == "the game is over in B:WK18:B"


def test_results_of_moves_count_from_before(two: Twin) -> None:
    """A man one step from its crown: the move is zeroing, the game lasts longer."""
    board = Board("W:W6:BK32")
    results = ranked_moves(two.tables("dtw", "dtz"), board)
    assert all(result.zeroing for result in results)
    board = Board("W:WK15:BK11")
    (result,) = ranked_moves(two.tables("dtw", "dtz"), board)
    assert result == MoveResult(board.legal_moves[0], "15x8", "win", 1, 1, 1, None, capture=True, zeroing=True)


@pytest.mark.parametrize("draw_plies", [1, 4])
def test_a_full_counter_ends_the_game(two: Twin, draw_plies: int) -> None:
    """Drawn, and no line, whatever the moves would lead to; who has no move has lost nevertheless."""
    rule = DrawRule("draw_plies", draw_plies)
    for tables in (two.with_rule(draw_plies, "wdl", "dtz"), two.with_rule(draw_plies, "wdl")):
        for position in list(two.dtw)[::29]:
            board = board_of(position)
            lost = not board.legal_moves
            assert tables.probe_wdl(board, clock=draw_plies) == -lost == board.result_at_end(rule, draw_plies)
            assert tables.moves(board, clock=draw_plies) == tables.mainline(board, clock=draw_plies) == []
            assert tables.best_move(board, clock=draw_plies) is None
            assert board.result_at_end(rule, draw_plies - 1) == (-1 if lost else None)


def test_a_player_does_not_go_on_after_the_draw(two: Twin) -> None:
    tables = two.with_rule(4, "wdl", "dtz")
    board = Board("W:WK15,21:B:H4")
    assert (tables.probe_wdl(board), tables.moves(board), tables.mainline(board)) == (0, [], [])
    with pytest.raises(ArgumentError) as caught:
        PerfectPlayer(tables).choose(board)
    assert str(caught.value) == "the game is over in W:WK15,21:B"


def check_core(
    tables: Tablebase, twin: TwinTables, positions: list[Position], clock: int = 0, *, ordered: bool = True
) -> None:
    """Not `ordered`: the core knows a little more of the replies to draws, so these come in another order."""
    for position in positions:
        board = board_of(position)
        found, wanted = tables.moves(board, clock=clock), twin.moves(board, clock=clock)
        if not ordered:
            found, wanted = (sorted(results, key=lambda result: result.move.path) for results in (found, wanted))
        assert found == wanted, (board.fen(), clock)


def test_the_core_agrees_with_the_twin(two: Twin) -> None:
    with open_tablebase() as tables:
        check_core(tables, two.tables("wdl", "dtw"), list(two.dtw))


@pytest.mark.slow
def test_the_core_agrees_with_the_twin_on_three_pieces(three: Twin) -> None:
    with open_tablebase() as tables:
        check_core(tables, three.tables("wdl", "dtw"), list(three.dtw)[::13])


@pytest.mark.parametrize("draw_plies", [None, 4])
def test_the_core_agrees_with_the_twin_on_phases(two: Twin, tmp_path: Path, draw_plies: int | None) -> None:
    """With distances to zeroing moves and, under the rule, without."""
    build(tmp_path, pieces=2, metric="dtz", draw_plies=draw_plies, threads=1)
    twins = (two.with_rule(4, "wdl", "dtz"), two.with_rule(4, "wdl")) if draw_plies else (two.tables("wdl", "dtz"),)
    for twin in twins:
        with open_tablebase(tmp_path, draw_plies=draw_plies) as tables:
            has_distances = "dtz" in tables.metrics
            for clock in range((draw_plies or 0) + 1):
                check_core(tables, twin, list(two.dtw)[::7], clock, ordered=has_distances)
        for path in tmp_path.glob("*.dtz"):
            path.unlink()


def test_moves_without_tables_are_unknown(two: Twin) -> None:
    board = Board("W:WK32:BK1,K2,K3")
    tables = two.tables("wdl")
    assert [(result.pdn, result.category, result.wdl, result.missing) for result in tables.moves(board)] == [
        ("32-28", "unknown", None, "no wdl table of 4 pieces"),
        ("32-27", "unknown", None, "no wdl table of 4 pieces"),
    ]
    for call in (tables.best_move, tables.mainline, PerfectPlayer(tables)):
        with pytest.raises(MissingTableError) as caught:
            call(board)
        assert str(caught.value) == "after 32-28: no wdl table of 4 pieces"


LEFT_OUT = ("KvK", "KvM", "MvK", "KKvK", "KvKM", "MMvM")


@pytest.fixture(scope="module")
def with_gaps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped tables of 2 and 3 pieces, but for some slices."""
    directory = tmp_path_factory.mktemp("gaps")
    for path in sorted((SHIPPED / "english").iterdir()):
        name = path.stem
        if path.suffix in (".wdl", ".dtw") and len(name) < 5 and name not in LEFT_OUT:
            shutil.copy(path, directory)
    return directory


def three_pieces_by_chance(count: int) -> Iterator[Board]:
    chance = random.Random(3)
    while count:
        white, black, other = chance.sample(range(5, 29), 3)
        men = [chance.choice(("", "K")) for _ in range(3)]
        yield Board(f"{chance.choice('WB')}:W{men[0]}{white},{men[2]}{other}:B{men[1]}{black}")
        count -= 1


def test_what_is_proved_stands(with_gaps: Path) -> None:
    """Known moves are as with all tables, the unknown come last, and the best move is never a guess."""
    proved = refused = 0
    with open_tablebase() as whole, open_tablebase(with_gaps) as tables:
        for board in three_pieces_by_chance(3000):
            full = {result.move: result for result in whole.moves(board)}
            found = tables.moves(board)
            known = [result for result in found if result.wdl is not None]
            assert {result.move for result in found} == full.keys()
            assert found[: len(known)] == known
            for result in known:
                assert (result.wdl, result.missing) == (full[result.move].wdl, None)
                assert result.dtw in (None, full[result.move].dtw)
            for result in found[len(known) :]:
                assert (result.category, result.dtw, result.dtz) == ("unknown", None, None)
                assert (result.missing or "").startswith("no table of ")
            assert tables.get_wdl(board) in (None, whole.probe_wdl(board))
            try:
                move = tables.best_move(board)
            except MissingTableError:
                refused += 1
                continue
            best = whole.moves(board)[:1]
            proved += len(known) < len(found)
            assert (move is None) == (not best)
            if move is not None:
                assert full[move].wdl == best[0].wdl
                assert full[move].wdl != -1 or full[move].dtw == best[0].dtw
    assert min(proved, refused) > 50


def test_one_capture_that_wins_is_enough(tmp_path: Path) -> None:
    """Of two captures one leads to a table that is there, and is known to win, or not to."""
    for name in ("KvK", "KvKK"):
        shutil.copy(SHIPPED / "english" / f"{name}.wdl", tmp_path)
    with open_tablebase(tmp_path) as tables:
        won, open_still = Board("W:WK6,K20:BK9,10"), Board("W:WK6:BK9,10")
        assert tables.probe_wdl(won) == 1
        assert [(result.pdn, result.category) for result in tables.moves(won)] == [("6x15", "win"), ("6x13", "unknown")]
        assert str(tables.best_move(won)) == "6x15"
        assert [(result.pdn, result.category) for result in tables.moves(open_still)] == [
            ("6x15", "draw"),
            ("6x13", "unknown"),
        ]
        text = no_table("MvK", tmp_path, 3, "--pieces 2")
        for call, before in ((tables.probe_wdl, ""), (tables.best_move, "after 6x13: ")):
            with pytest.raises(MissingTableError) as caught:
                call(open_still)
            assert str(caught.value) == before + text


def test_proved_wins_that_go_round_in_a_circle(two: Twin) -> None:
    """The only move that gets on is unknown: no line is made of the others."""
    tables = two.tables("wdl", "dtw")
    won = Board("W:WK6,K9:BK15")
    back = _native.MoveValue(1, (None, 5, None, None), 0, 0, False, None)

    def values(position: Position, clock: int = 0) -> list[_native.MoveValue]:
        count = len(_native.legal_moves("english", position))
        return [back._replace(wdl=1 if position[4] == won.position[4] else -1)] * count

    tables.move_values = values  # type: ignore[method-assign]
    with pytest.raises(MissingTableError) as caught:
        tables.mainline(won)
    assert str(caught.value) == f"no table shows the way to the end from {won.fen()}"


def test_results_come_from_distances_as_well(two: Twin) -> None:
    board = Board("W:WK1:BK32")
    for metric in ("dtw", "dtz"):
        tables = two.tables(metric)
        assert (tables.metrics, tables.probe_wdl(board)) == (frozenset({metric}), two.dtw[board.position][0])
        with pytest.raises(MissingTableError):
            TwinTables(TwinLibrary({}, {}, {metric: 1})).probe_wdl(board)


def test_distances_have_a_sign(two: Twin) -> None:
    tables = two.tables("dtw", "dtz")
    for position, (result, plies) in two.dtw.items():
        signed = None if plies is None else result * plies
        assert tables.probe_dtw(board_of(position)) == signed
        assert (signed is not None and signed > 0) == (result == 1)
