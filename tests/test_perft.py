"""Perft of the compiled core against published counts (tests/data/perft.tsv)."""

import pytest
from reference.oracles import PerftRow, perft_rows

from dame_fast import ArgumentError, Board, perft

VARIANTS = ("english", "russian", "international")
START_DEPTH = {"english": 11, "russian": 9, "international": 8}
LEAVES = 100_000_000  # of one row from another position


def rows() -> list[PerftRow]:
    return [
        row
        for row in perft_rows()
        if row.variant in VARIANTS
        and (row.depth <= START_DEPTH[row.variant] if row.fen == "start" else row.leaves <= LEAVES)
    ]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.variant}-{row.fen}-{row.depth}-{row.convention}")
def test_perft(row: PerftRow) -> None:
    board = Board(None if row.fen == "start" else row.fen, row.variant)
    assert perft(board, row.depth, paths=row.convention == "keep") == row.leaves


def test_the_deepest_rows_are_among_them() -> None:
    deepest = {(row.variant, row.convention): row.depth for row in rows() if row.fen == "start"}
    for variant, depth in START_DEPTH.items():
        assert deepest[variant, "keep"] == deepest[variant, "drop"] == depth


@pytest.mark.parametrize("variant", VARIANTS)
def test_divide_adds_up(variant: str) -> None:
    board = Board(variant=variant)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, 5)
        board.pop()
    assert total == perft(board, 6)


def test_depth_zero_is_one_leaf() -> None:
    assert perft(Board(), 0) == 1


def test_negative_depth() -> None:
    with pytest.raises(ArgumentError, match="^depth must be 0 to 1000, not -1$"):
        perft(Board(), -1)
