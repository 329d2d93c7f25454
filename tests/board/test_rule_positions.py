"""Positions from rule books with the complete list of legal moves (tests/data/rule_positions.tsv), and random ones."""

import random

import pytest
from reference.moves import legal_moves, legal_paths
from reference.oracles import RulePosition, read_fen, rule_positions
from reference.positions import random_fen
from reference.rules import RULES
from small_tables import DRAUGHTS

from dame_fast import Board, Move, perft, variants

Key = tuple[int, int, frozenset[int], bool]

ROWS = rule_positions()
RANDOM_POSITIONS = 60
GAMES, PLIES = 2, 90


def key(move: Move) -> Key:
    """What makes two moves the same: origin, end, captured pieces, crowning (rule book, section 2.6)."""
    return move.origin, move.target, frozenset(move.captured), move.crowned


def same_moves(board: Board) -> bool:
    """Whether the slow twin has the same moves, and the same number of paths."""
    position, rules = read_fen(board.fen()), RULES[board.variant]
    same_paths = perft(board, 1, paths=True) == len(legal_paths(position, rules))
    return same_paths and {key(move) for move in board.legal_moves} == {
        move.key for move in legal_moves(position, rules)
    }


def test_how_many_there_are() -> None:
    assert len(ROWS) == 98
    assert {row.variant for row in ROWS} <= set(variants())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.variant}-{row.fen}")
def test_exactly_the_listed_moves(row: RulePosition) -> None:
    board = Board(row.fen, row.variant)
    moves = board.legal_moves
    assert len({key(move) for move in moves}) == len(moves)
    assert {key(move) for move in moves} == row.keys


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.variant}-{row.fen}")
def test_the_slow_twin_agrees(row: RulePosition) -> None:
    assert same_moves(Board(row.fen, row.variant))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.variant}-{row.fen}")
def test_giveaway_forms_have_the_same_moves(row: RulePosition) -> None:
    variant = f"{row.variant}_giveaway"
    if variant in variants():
        board = Board(row.fen, variant)
        assert {key(move) for move in board.legal_moves} == row.keys
        side = board.turn
        assert board.winner() == (None if row.keys else side)


def random_board(moments: random.Random, variant: str) -> Board:
    """A position with no side too large; half of its pieces are kings, so that captures are long."""
    rules = variants()[variant]
    pieces = moments.randint(2, rules.men_at_start + 1)
    return Board(random_fen(moments, pieces, rules.squares, rules.columns), variant)


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_the_slow_twin_agrees_in_random_positions(variant: str) -> None:
    moments = random.Random(variant)
    for _ in range(RANDOM_POSITIONS):
        board = random_board(moments, variant)
        assert same_moves(board), board


@pytest.mark.slow
@pytest.mark.parametrize("variant", [variant for variant in DRAUGHTS if not variant.endswith("_giveaway")])
def test_the_slow_twin_agrees_in_many_random_positions(variant: str) -> None:
    moments = random.Random(variant[::-1])
    for _ in range(40 * RANDOM_POSITIONS):
        board = random_board(moments, variant)
        assert same_moves(board), board


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_the_slow_twin_agrees_along_games(variant: str) -> None:
    """Both generators, and making and taking back moves, along games of pseudo-random moves."""
    moments = random.Random(variant)
    for _ in range(GAMES):
        board = Board(variant=variant)
        for _ in range(PLIES):
            assert same_moves(board), board
            if not board.legal_moves:
                assert board.is_game_over()
                break
            move = moments.choice(board.legal_moves)
            before, turn = board.fen(), board.turn
            board.push(move)
            assert board.turn != turn
            assert board.pop() == move
            assert board.fen() == before
            board.push(move)
