"""Perft of the compiled core against known counts (tests/data/perft.tsv); `tools/check_perft.py` does the rest."""

import pytest
from reference.oracles import PerftRow, perft_rows
from small_tables import DRAUGHTS

from dame_fast import ArgumentError, Board, perft, variants

QUICK, THOROUGH = 10_000_000, 300_000_000
"""Leaves of the largest row in the tier of seconds and in the slow one."""

ROWS = [row for row in perft_rows() if row.variant in DRAUGHTS]


def row_id(row: PerftRow) -> str:
    return f"{row.variant}-{row.fen}-{row.depth}-{row.convention}"


def check(row: PerftRow) -> None:
    board = Board(None if row.fen == "start" else row.fen, row.variant)
    assert perft(board, row.depth, paths=row.convention == "keep") == row.leaves


@pytest.mark.parametrize("row", [row for row in ROWS if row.leaves <= QUICK], ids=row_id)
def test_perft(row: PerftRow) -> None:
    check(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if QUICK < row.leaves <= THOROUGH], ids=row_id)
def test_deeper_perft(row: PerftRow) -> None:
    check(row)


def test_how_many_rows_there_are() -> None:
    assert len(ROWS) == 906
    assert sum(row.leaves <= QUICK for row in ROWS) == 776
    assert {row.variant for row in ROWS} == {
        *("english", "english_optional", "german_schmidt", "german_ass", "russian", "pool", "brazilian"),
        *("dame_meister", "dame_meister_no_back", "dame_meister_optional", "international"),
        *("italian", "spanish", "czech", "thai", "thai12"),
    }


@pytest.mark.parametrize(
    ("variant", "base"),
    [
        ("checkers_page", "english"),
        ("dame_meister_american", "english"),
        ("german_noris", "german_schmidt"),
        ("dame_meister_no_back", "german_schmidt"),
        ("dame_meister_russian", "russian"),
        ("portuguese", "spanish"),
        *((variant, variant.removesuffix("_giveaway")) for variant in DRAUGHTS if variant.endswith("_giveaway")),
    ],
)
def test_perft_of_rule_sets_with_the_same_moves(variant: str, base: str) -> None:
    for fen in (None, "W:W21,22,23,30,K6,K11:B8,9,14,19,K27,K32", "B:W25,26,K3:B7,10,12,16,K31"):
        assert perft(Board(fen, variant), 5) == perft(Board(fen, base), 5)


@pytest.mark.parametrize("variant", variants())
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
