"""Custom rules: that they play as they should, and that there are no tables of them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from reference import moves as twin
from reference import rules as twin_rules
from reference.oracles import PerftRow, perft_rows, read_fen
from small_tables import DRAUGHTS

import dame_fast
import dame_fast._native as _native
from dame_fast import Board, Move, Rules, find_rules, perft
from dame_fast.build import builder, plan
from dame_fast.errors import ArgumentError, MoveError, PositionError, VariantError
from dame_fast.game.game import Game
from dame_fast.position.squares import squares_in
from dame_fast.rules.mover import mover_of
from dame_fast.rules.rules import WHITE, switches_of
from dame_fast.rules.switches import MOVE_SWITCHES

POSITIONS = 150
LEAVES = 3_000_000  # of one row of perft

Key = tuple[int, int, frozenset[int], bool]


def derive(base: str | Rules, **switches: object) -> Rules:
    return Rules.derive(base, name="house", **cast(Any, switches))


def slow(rules: Rules) -> _native.CustomRules:
    """What makes moves by any rules, also where there is a compiled rule set of the same moves."""
    return _native.CustomRules(rules.base or rules.id, switches_of(rules))


def slow_moves(rules: Rules, board: Board) -> set[Move]:
    found = _native.legal_moves(slow(rules), board.position)
    moves = [Move(path, squares_in(captured), crowned, by_king) for path, captured, crowned, by_king in found]
    assert len({key(move) for move in moves}) == len(moves)
    return set(moves)


def key(move: Move) -> Key:
    return move.origin, move.target, frozenset(move.captured), move.crowned


def random_boards(rules: Rules, count: int) -> Iterator[Board]:
    """Draw positions of all sorts: few pieces and many, men and kings."""
    moments = Random(f"positions of {rules.id}")
    for _ in range(count):
        share = moments.choice((0.0, 0.2, 0.5, 1.0))
        texts: dict[str, list[str]] = {"W": [], "B": []}
        counts = [moments.randint(1, rules.men_at_start) for _ in "WB"]
        squares = moments.sample(range(1, rules.squares + 1), sum(counts))
        for number, square in enumerate(squares):
            side = "W" if number < counts[0] else "B"
            king = moments.random() < share or rules.is_crown_square(square, "W" if side == "W" else "B")
            texts[side].append(f"K{square}" if king else str(square))
        yield Board(f"{moments.choice('WB')}:W{','.join(texts['W'])}:B{','.join(texts['B'])}", rules)


# ---- moves ----


EQUAL: list[tuple[str, dict[str, object], str]] = [
    ("english", {"capture_optional": True}, "english_optional"),
    ("english", {"misere": True}, "english_giveaway"),
    ("dame_meister", {"men_capture_backwards": False}, "german_schmidt"),
    ("dame_meister", {"capture_optional": True}, "dame_meister_optional"),
    ("german_schmidt", {"landing": "next"}, "german_ass"),
    ("german_schmidt", {"priority": "king_first"}, "czech"),
    ("russian", {"crowning": "goes_man"}, "pool"),
    ("pool", {"priority": "most"}, "brazilian"),
    ("brazilian", {"priority": "free"}, "pool"),
    ("dame_meister", {"flying_kings": False, "men_capture_backwards": False}, "dame_meister_american"),
    ("english", {"flying_kings": True}, "german_noris"),
    ("german_ass", {"removal": "at_once"}, "thai12"),
    ("italian", {"men_capture_kings": True, "flying_kings": True, "priority": "most_kings"}, "spanish"),
]


@pytest.mark.parametrize(("base", "switches", "compiled"), EQUAL, ids=lambda value: str(value))
def test_equals_a_compiled_rule_set(base: str, switches: dict[str, object], compiled: str) -> None:
    """Over random positions, in moves; the rules themselves agree in all switches of moves."""
    house = derive(base, **switches)
    assert all(getattr(house, switch) == getattr(find_rules(compiled), switch) for switch in MOVE_SWITCHES)
    for board in random_boards(house, POSITIONS):
        other = Board(board.fen(), compiled)
        assert board.legal_moves == other.legal_moves
        assert {key(move) for move in slow_moves(house, board)} == {key(move) for move in other.legal_moves}
        assert board.winner() == (other.winner() if house.misere == other.rules.misere else other.turn)


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_every_rule_set_by_the_slow_way(variant: str) -> None:
    rules = find_rules(variant)
    for board in random_boards(rules, 40):
        assert {key(move) for move in slow_moves(rules, board)} == {key(move) for move in board.legal_moves}


def published() -> list[PerftRow]:
    """Return the largest count of each position, rule set and convention that is not too large."""
    largest: dict[tuple[str, str, str], PerftRow] = {}
    for row in perft_rows():
        if row.variant in DRAUGHTS and row.leaves <= LEAVES:
            place = row.variant, row.fen, row.convention
            if place not in largest or row.depth > largest[place].depth:
                largest[place] = row
    return list(largest.values())


@pytest.mark.parametrize("variant", sorted({row.variant for row in published()}))
def test_published_perft(variant: str) -> None:
    rules = find_rules(variant)
    mover = slow(rules)
    rows = [row for row in published() if row.variant == variant]
    for row in rows:
        board = Board(None if row.fen == "start" else row.fen, variant)
        keep = row.convention == "keep"
        assert _native.perft(mover, board.position, row.depth, keep, _native.Cancel()) == row.leaves, row


def twin_of(rules: Rules) -> twin_rules.Rules:
    words: dict[str, Any] = {
        "landing": rules.landing,
        "removal": rules.removal.replace("_", " ").removeprefix("at end") or "end",
        "crowning": {"stops": "stop", "goes_man": "man", "goes_king": "king"}[rules.crowning],
        "priority": {"most": "quantity", "most_kings": "quantity+kings"}.get(
            rules.priority, rules.priority.replace("_", " ")
        ),
    }
    return replace(
        twin_rules.RULES[rules.base or rules.id],
        men_capture_back=rules.men_capture_backwards,
        men_capture_kings=rules.men_capture_kings,
        flying_king=rules.flying_kings,
        go_on=rules.must_go_on,
        capture_optional=rules.capture_optional,
        giveaway=rules.misere,
        **words,
    )


def random_rules(moments: Random) -> Rules:
    """Draw switches until they fit together."""
    words = {
        "landing": ("next", "any"),
        "removal": ("at_end", "at_once"),
        "crowning": ("stops", "goes_man", "goes_king"),
        "priority": ("free", "most", "most_kings", "italian", "king_first"),
    }
    while True:
        base = moments.choice(("english", "italian", "international"))
        switches: dict[str, object] = {}
        for switch in MOVE_SWITCHES:
            if moments.random() < 0.6:
                switches[switch] = moments.choice(words.get(switch, (False, True)))
        try:
            return derive(base, **switches)
        except ArgumentError:
            continue


@pytest.mark.parametrize("seed", range(60))
def test_the_slow_twin_agrees(seed: int) -> None:
    """Any switches on every board, along games and in random positions."""
    moments = Random(seed)
    rules = random_rules(moments)
    boards = [board for board in random_boards(rules, 60) if len(board.pieces) <= 24][:20]
    game = Board(variant=rules)
    while game.legal_moves and game.ply < 60:
        game.push(moments.choice(game.legal_moves))
        boards.append(game.copy())
    for board in boards:
        expected = twin.legal_moves(read_fen(board.fen()), twin_of(rules))
        assert {key(move) for move in board.legal_moves} == {move.key for move in expected}, (rules.about, board)


def test_perft_is_the_sum_over_moves() -> None:
    board = Board(variant=derive("russian", must_go_on=False, capture_optional=True))
    assert not isinstance(mover_of(board.rules), str)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, 5, paths=False)
        board.pop()
    assert total == perft(board, 6, paths=False)


def test_quantity_for_german_players() -> None:
    fen = "W:W23,31:B18,19,26"
    assert {str(move) for move in Board(fen, "german_schmidt").legal_moves} == {"31x22x15", "23x16", "23x14"}
    assert [str(move) for move in Board(fen, derive("german_schmidt", priority="most")).legal_moves] == ["31x22x15"]


def test_too_many_ways_to_capture() -> None:
    """A king that pieces vanish before, on a board full of kings: refused, not waited for."""
    rules = derive("international", priority="free", must_go_on=False, removal="at_once")
    black = (7, 8, 9, 10, 17, 18, 19, 20, 21, 23, 30, 32, 33, 37, 39, 40, 41, 43)
    fen = f"W:WK5,K13,K50:B{','.join(f'K{square}' for square in black)}"
    assert Board(fen, derive("international", priority="free", must_go_on=False)).legal_moves
    for call in (lambda: Board(fen, rules).legal_moves, lambda: perft(Board(fen, rules), 3)):
        with pytest.raises(PositionError, match="^there are too many ways to capture$"):
            call()


# ---- boards and games ----


def test_a_board_with_custom_rules() -> None:
    rules = derive("english", capture_optional=True, draw_plies=5)
    board = Board(variant=rules)
    assert (board.variant, board.rules) == ("house", rules)
    assert repr(Board("W:WK1:B5", rules)) == "Board('W:WK1:B5', variant=<custom rules 'house'>)"
    assert board == board.copy() == Board(variant=derive("english", capture_optional=True, draw_plies=5))
    assert board != Board(variant="english_optional")
    assert board != Board(variant=Rules.derive("english", name="home", capture_optional=True, draw_plies=5))
    move = board.push_pdn("11-15")
    assert board.pop() == move
    assert Board(variant=find_rules("russian")) == Board(variant="russian")


def test_pdn_of_an_optional_capture() -> None:
    board = Board("W:W22,30:B18", derive("german_schmidt", capture_optional=True))
    assert sorted(board.pdn(move) for move in board.legal_moves) == ["22-17", "22x15", "30-25", "30-26"]
    assert board.parse_pdn("22x15").captured == (18,)
    with pytest.raises(MoveError):
        board.parse_pdn("22x17")


def test_games_end_by_custom_rules() -> None:
    rules = derive("english", misere=True, draw_plies=3)
    board = Board("W:WK1:BK32", rules)
    game = Game(board, draw_plies=board.rules.draw_plies)
    for text in ("1-6", "32-27", "6-1"):
        assert game.ending is None
        game.push(game.board.parse_pdn(text))
    assert str(game.ending) == "Draw: 3 plies without capture and man move"
    assert Board("W:W:B1", rules).winner() == WHITE


# ---- no tables ----


def test_tables_are_refused(tmp_path: Path) -> None:
    rules = derive("english", draw_plies=80)
    refused = "^no tables for custom rules 'house'$"
    with pytest.raises(VariantError, match=refused):
        dame_fast.open_tablebase(variant=rules)
    with pytest.raises(VariantError, match=refused):
        dame_fast.open_tablebase(tmp_path, variant=rules)
    with pytest.raises(VariantError, match=refused):
        builder.build(tmp_path, variant=rules, pieces=2)
    with pytest.raises(VariantError, match=refused):
        plan.make_plan(rules, 2)
    board = Board("W:WK1:BK32", rules)
    with dame_fast.open_tablebase(variant=find_rules("english")) as tables:
        assert tables.variant == "english"
        player = dame_fast.PerfectPlayer(tables)
        calls = (tables.probe_wdl, tables.get_wdl, tables.probe_dtw, tables.moves, tables.best_move, tables.mainline)
        for call in (*calls, player, tables.__contains__):
            with pytest.raises(VariantError, match=refused):
                call(board)
        with pytest.raises(VariantError, match="^the board is of russian, the tables are of english$"):
            player(Board("W:WK1:BK32", "russian"))
    assert list(tmp_path.iterdir()) == []


def test_a_draw_rule_of_tables_is_no_custom_rule(tmp_path: Path) -> None:
    with pytest.raises(dame_fast.MissingTableError):
        dame_fast.open_tablebase(tmp_path, variant=find_rules("english"), draw_plies=80)


# ---- the door to the core ----


def test_facts_that_are_none() -> None:
    facts = switches_of(find_rules("english"))
    with pytest.raises(VariantError, match="^unknown variant 'house'$"):
        _native.CustomRules("house", facts)
    with pytest.raises(ValueError):  # noqa: PT011
        _native.CustomRules("english", facts | {"landing": "far"})
    with pytest.raises(KeyError):
        _native.CustomRules("english", {})
    mover = _native.CustomRules("english", facts)
    for position in ((1 << 32, 0, 1, 0, 0), (1, 1, 2, 0, 0), (1 << 63, 0, 1, 0, 0)):
        with pytest.raises(PositionError):
            _native.legal_moves(mover, position)
        with pytest.raises(PositionError):
            _native.perft(mover, position, 3, False, _native.Cancel())


def test_perft_can_be_cancelled() -> None:
    cancel = _native.Cancel()
    cancel.set()
    mover = slow(find_rules("russian"))
    with pytest.raises(_native.Cancelled):
        _native.perft(mover, Board(variant="russian").position, 30, False, cancel)
