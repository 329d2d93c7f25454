"""The board: making moves and taking them back, the clock, the end of a game."""

import copy
import pickle
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import DRAUGHTS

import dame_fast
from dame_fast import ALGEBRAIC, BLACK, WHITE, Board, Move, Rules, perft
from dame_fast.errors import ArgumentError, MoveError, PositionError, VariantError
from dame_fast.rules.registry import known_variants

FIRST_POSITION = "W:WK19,K23:B12,K28"


def test_start() -> None:
    start = Board()
    assert (start.variant, start.turn, start.ply, start.clock) == ("english", BLACK, 0, 0)
    assert start.position == (0xFFF, 0, 0xFFF00000, 0, 0)
    assert sorted(map(str, start.legal_moves)) == [
        "10-14",
        "10-15",
        "11-15",
        "11-16",
        "12-16",
        "9-13",
        "9-14",
    ]
    assert Board(variant="russian").turn == WHITE
    assert len(Board(variant="international").pieces) == 40


def test_position_is_seen_by_the_side_to_move() -> None:
    assert Board(FIRST_POSITION).position == (0, 0x440000, 0x800, 0x8000000, 1)
    assert Board("B" + FIRST_POSITION[1:]).position == (0x800, 0x8000000, 0, 0x440000, 0)


@pytest.mark.parametrize("variant", DRAUGHTS)
@settings(max_examples=25, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_pop_undoes_push(variant: str, random: Random) -> None:
    played = Board(variant=variant)
    history = []
    while played.legal_moves and played.ply < 80:
        history.append((played.fen(), played.position, played.clock))
        before = played.pieces
        move = random.choice(played.legal_moves)
        played.push(move)
        check_pieces(before, move, played.pieces)
        assert played.clock == (0 if move.is_zeroing else history[-1][2] + 1)
        assert Board(played.fen(), variant) == played
        assert len(played.move_stack) == played.ply == len(history)
    for fen, position, clock in reversed(history):
        last = played.move_stack[-1]
        assert played.pop() == last
        assert (played.fen(), played.position, played.clock) == (fen, position, clock)


def check_pieces(before: dict[int, str], move: Move, after: dict[int, str]) -> None:
    """The pieces after a move, from the squares that the move names alone."""
    expected = {square: piece for square, piece in before.items() if square not in move.captured}
    piece = expected.pop(move.origin)
    assert move.by_king == piece.isupper()
    assert all(before[square].lower() != piece.lower() for square in move.captured)
    assert move.target not in expected
    expected[move.target] = piece.upper() if move.crowned else piece
    assert after == dict(sorted(expected.items()))


def test_clock_counts_quiet_plies_of_kings() -> None:
    played = Board("W:WK1,32:BK4,5:H6")
    assert played.clock == 6
    played.push_pdn("1-6")
    assert played.clock == 7
    played.push_pdn("4-8")
    assert played.clock == 8
    played.push_pdn("32-28")
    assert played.clock == 0
    played.pop()
    assert played.clock == 8


def test_crowning() -> None:
    played = Board("W:W11:B7,6")
    assert played.push_pdn("11x2") == Move((11, 2), (7,), crowned=True)
    assert played.fen() == "B:WK2:B6"
    assert played.turn == BLACK


def test_moves_are_refused_and_the_board_stays() -> None:
    played = Board(FIRST_POSITION)
    with pytest.raises(MoveError) as caught:
        played.push(Move((11, 15)))
    assert str(caught.value) == "11-15 is not a legal move in W:WK19,K23:B12,K28"
    with pytest.raises(MoveError) as caught:
        played.pdn(Move((19, 15)))  # the right squares, but not by a king
    assert str(caught.value) == "19-15 is not a legal move in W:WK19,K23:B12,K28"
    with pytest.raises(MoveError) as caught:
        played.push_pdn("19-14")
    assert str(caught.value) == "'19-14' is not legal: the piece on 19 cannot go there"
    with pytest.raises(MoveError) as caught:
        played.pop()
    assert str(caught.value) == "there is no move to take back"
    assert (played.fen(), played.ply) == (FIRST_POSITION, 0)


def test_bad_arguments() -> None:
    with pytest.raises(PositionError) as bad_fen:
        Board("W:W31:B33")
    assert str(bad_fen.value) == "square 33 is not on the board (1-32)"
    with pytest.raises(VariantError) as bad_variant:
        Board(variant="xyz")
    assert str(bad_variant.value) == f"unknown variant 'xyz' (known: {known_variants()})"


@pytest.mark.parametrize(
    ("variant", "fen", "winner"),
    [
        ("english", "B:W16,19:B12", WHITE),
        ("english", "W:W:B12", BLACK),
        ("english", "B:W18:B", WHITE),
        ("international", "B:WK7:B", WHITE),
        ("russian", "W:W:BK7", BLACK),
        ("english", "W:W18:B", None),
        ("english", FIRST_POSITION, None),
    ],
)
def test_end_of_the_game(variant: str, fen: str, winner: str | None) -> None:
    ended = Board(fen, variant)
    assert ended.is_game_over() == (winner is not None)
    assert ended.winner() == winner


def test_a_copy_is_independent() -> None:
    played = Board(FIRST_POSITION)
    played.push_pdn("19-15")
    other = played.copy()
    assert other == played
    assert (other.move_stack, other.clock) == (played.move_stack, played.clock)
    other.pop()
    assert other != played
    assert other.fen() == FIRST_POSITION
    assert played.ply == 1


@pytest.mark.parametrize(
    "duplicate", [Board.copy, copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
@pytest.mark.parametrize(
    ("variant", "fen", "moves"),
    [
        ("english", FIRST_POSITION, ["19-15", "28-32"]),
        ("international", "W:WK4:B13,20,32,37", ["4x27x38x15"]),
        (Rules.derive("english", name="house", men_capture_backwards=True), "W:W18:B23,1", ["18x27"]),
        ("bashni", "W:W22[b]:B18[WB],9", ["c3xe5"]),
        ("altdeutsch", "W:Wd4:Be4,g4,h5", ["d4xh6"]),
    ],
)
def test_copies_have_a_history_of_their_own(
    duplicate: Callable[[Board], Board], variant: str | Rules, fen: str, moves: list[str]
) -> None:
    original = Board(f"{fen}:H3", variant)
    for move in moves:
        original.push(move)
    fen_after, stack = original.fen(), original.move_stack
    other = duplicate(original)
    assert (other, other.rules, other.clock, other.move_stack) == (original, original.rules, original.clock, stack)
    assert other.capture_clock == original.capture_clock
    assert other.legal_moves == original.legal_moves
    for _ in moves:
        other.pop()
    assert (other.fen(), other.clock, other.ply) == (Board(fen, variant).fen(), 3, 0)
    assert other.capture_clock == 3
    assert (original.fen(), original.move_stack) == (fen_after, stack)
    with pytest.raises(MoveError):
        other.pop()
    assert original.pop() == stack[-1]


def test_a_copy_of_a_subclass_is_one() -> None:
    class Diary(Board):
        pass

    assert type(Diary().copy()) is type(copy.copy(Diary())) is Diary


def test_moves_may_be_texts() -> None:
    played = Board(FIRST_POSITION)
    played.push("19-15")
    played.push("28-32")
    assert played.fen() == "W:WK15,K23:B12,K32"
    assert played.pdn("15-10", ALGEBRAIC) == "e5-d6"
    assert played.pdn("e5-d6") == "15-10"
    with pytest.raises(MoveError) as caught:
        played.push("15-20")
    assert str(caught.value) == "'15-20' is not legal: the piece on 15 cannot go there"
    with pytest.raises(MoveError) as caught:
        played.pdn("")
    assert str(caught.value) == "cannot read move ''"


def test_a_move_of_a_larger_board_is_refused() -> None:
    with pytest.raises(MoveError) as caught:
        Board(FIRST_POSITION).push(Move((50, 64)))
    assert str(caught.value) == "50-64 is not a legal move in W:WK19,K23:B12,K28"


def test_repetitions() -> None:
    played = Board("W:WK1:BK32")
    for times in (1, 2, 3):
        assert played.repetitions == times
        for move in ("1-6", "32-28", "6-1", "28-32"):
            played.push(move)
            assert played.repetitions == (times + 1 if move == "28-32" else times)
    assert Board("W:WK1:BK32:H9").repetitions == 1


def test_equality() -> None:
    start = Board("W:W18:BK1:H5")
    assert start == Board("W:W18:BK1")
    assert start != Board("B:W18:BK1")
    assert start != Board("W:W18:BK1", variant="russian")
    assert start != "W:W18:BK1"
    with pytest.raises(TypeError, match="unhashable"):
        hash(start)


def test_text() -> None:
    shown = Board("W:W30,K6:B12,K29")
    assert repr(shown) == "Board('W:WK6,30:B12,K29', variant='english')"
    assert str(shown).splitlines() == [
        "  .   .   .   .",
        ".   W   .   .",
        "  .   .   .   b",
        ".   .   .   .",
        "  .   .   .   .",
        ".   .   .   .",
        "  .   .   .   .",
        "B   w   .   .",
    ]
    assert len(str(Board(variant="international")).splitlines()) == 10


@pytest.mark.parametrize(
    ("variant", "counts"),
    [
        ("english", [1, 7, 49, 302, 1469]),
        ("international", [1, 9, 81, 658, 4265]),
        ("russian", [1, 7, 49, 302, 1469]),
    ],
)
def test_perft(variant: str, counts: list[int]) -> None:
    start = Board(variant=variant)
    assert [perft(start, depth) for depth in range(len(counts))] == counts
    assert start == Board(variant=variant)


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_perft_agrees_with_making_every_move(variant: str) -> None:
    def count(played: Board, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in played.legal_moves:
            played.push(move)
            total += count(played, depth - 1)
            played.pop()
        return total

    for fen in (None, "W:W21,22,23,30,K6,K11:B8,9,14,19,K27,K32"):
        start = Board(fen, variant)
        assert count(start, 4) == perft(start, 4, paths=False)


def test_perft_of_paths() -> None:
    circle = Board("W:WK22:B9,10,17,18")
    assert perft(circle, 1) == perft(circle, 1, paths=True) == 2
    assert perft(circle, 1, paths=False) == 1


def test_perft_refuses_other_depths() -> None:
    with pytest.raises(ArgumentError) as caught:
        perft(Board(), -1)
    assert str(caught.value) == "depth must be 0 to 1000, not -1"
    with pytest.raises(ArgumentError) as caught:
        perft(Board(), 2.5)  # type: ignore[arg-type]
    assert str(caught.value) == "depth must be an integer, not 2.5"


def test_exported() -> None:
    assert all(hasattr(dame_fast, name) for name in dame_fast.__all__)
    assert dame_fast.Board is Board
