"""Positions from rule books with the complete list of legal moves (tests/data/rule_positions.tsv)."""

import pytest
from reference.moves import legal_moves
from reference.oracles import RulePosition, read_fen, rule_positions
from reference.rules import RULES

from dame_fast import Board, Move

VARIANTS = ("english", "russian", "international")

Key = tuple[int, int, frozenset[int], bool]


def rows() -> list[RulePosition]:
    return [row for row in rule_positions() if row.variant in VARIANTS]


def key(move: Move) -> Key:
    """What makes two moves the same: origin, end, captured pieces, crowning (rule book, section 2.6)."""
    return move.origin, move.target, frozenset(move.captured), move.crowned


def test_how_many_there_are() -> None:
    assert {variant: sum(row.variant == variant for row in rows()) for variant in VARIANTS} == {
        "english": 10,
        "russian": 8,
        "international": 21,
    }


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.variant}-{row.fen}")
def test_exactly_the_listed_moves(row: RulePosition) -> None:
    board = Board(row.fen, row.variant)
    moves = board.legal_moves
    assert len({key(move) for move in moves}) == len(moves)
    assert {key(move) for move in moves} == row.keys


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.variant}-{row.fen}")
def test_the_slow_twin_agrees(row: RulePosition) -> None:
    board = Board(row.fen, row.variant)
    twin = legal_moves(read_fen(row.fen), RULES[row.variant])
    assert {key(move) for move in board.legal_moves} == {move.key for move in twin}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_slow_twin_agrees_along_games(variant: str) -> None:
    """Both generators, and making and taking back moves, along games of pseudo-random moves."""
    state = 7
    for _ in range(20):
        board = Board(variant=variant)
        for _ in range(120):
            moves = board.legal_moves
            twin = legal_moves(read_fen(board.fen()), RULES[variant])
            assert {key(move) for move in moves} == {move.key for move in twin}
            if not moves:
                assert board.is_game_over()
                break
            state = state * 48271 % 2147483647
            move = moves[state % len(moves)]
            before, turn = board.fen(), board.turn
            board.push(move)
            assert board.turn != turn
            assert board.pop() == move
            assert board.fen() == before
            board.push(move)
