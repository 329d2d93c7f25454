"""Perft of the compiled core against known counts (tests/data/perft.tsv); `tools/check_perft.py` does the rest.

Counts of more than 64 bits: walks of two kings, counted ply by ply over all positions in whole numbers of Python.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from reference.moves import Position, legal_moves, play
from reference.oracles import PerftRow, perft_rows, read_fen
from reference.rules import RULES
from small_tables import DRAUGHTS

from dame_fast import ArgumentError, Board, Rules, find_rules, perft, variants
from dame_fast.board.perft import divide

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
        total += perft(board, 5, paths=False)
        board.pop()
    assert total == perft(board, 6, paths=False)


def test_depth_zero_is_one_leaf() -> None:
    assert perft(Board(), 0) == 1


def test_negative_depth() -> None:
    with pytest.raises(ArgumentError, match="^depth must be 0 to 1000, not -1$"):
        perft(Board(), -1)


def test_without_being_told_counts_are_the_published_ones() -> None:
    """By paths, but by moves on 10x10 boards and in altdeutsch."""
    assert {name for name, rules in variants().items() if rules.perft_by_moves} == {
        *("international", "international_giveaway", "altdeutsch", "altdeutsch_giveaway")
    }
    for row in ROWS:
        by_moves = find_rules(row.variant).perft_by_moves
        if row.leaves <= QUICK and row.convention == ("drop" if by_moves else "keep"):
            board = Board(None if row.fen == "start" else row.fen, row.variant)
            assert perft(board, row.depth) == row.leaves


@pytest.mark.slow
def test_the_published_count_of_twelve_plies() -> None:
    assert perft(Board(), 12) == perft(Board(), 12, paths=True) == 388_623_673
    assert perft(Board(), 12, paths=False) == 388_617_999


TURNS = {
    "english": "W:WK22:B9,10,17,18,1",
    "russian": "W:WK22:B9,10,17,18,1",
    "bashni": "W:WK22:B9,10,17,18,1",
    "altdeutsch": "W:WKd4:Bd5,e6,f5,e4,a8",
}
"""Positions in which one capture has several orders of jumps."""


@pytest.mark.parametrize("variant", TURNS)
@pytest.mark.parametrize("paths", [False, True, None])
def test_parts_of_the_moves_add_up(variant: str, paths: bool | None) -> None:
    board = Board(TURNS[variant], variant)
    for depth in range(1, 5):
        parts = divide(board, depth, paths=paths)
        assert [move for move, _ in parts] == list(board.legal_moves)
        assert sum(leaves for _, leaves in parts) == perft(board, depth, paths=paths)


def test_parts_of_moves_of_several_orders() -> None:
    board = Board(TURNS["english"])
    assert perft(board, 1) == 2
    assert [leaves for _, leaves in divide(board, 1)] == [2]
    assert [leaves for _, leaves in divide(board, 1, paths=False)] == [1]
    house = Rules.derive("english", name="house", capture_optional=True, flying_kings=True)
    board = Board(TURNS["english"], house)
    assert sum(leaves for _, leaves in divide(board, 2)) == perft(board, 2)


KINGS = "W:WK29:BK4"


def walks(fen: str, variant: str, depth: int) -> list[int]:
    """The leaves below a position at depths 0 to `depth`: how many walks of the slow twin end at each position."""
    ends = Counter({read_fen(fen): 1})
    after: dict[Position, list[Position]] = {}
    found = [1]
    for _ in range(depth):
        further: Counter[Position] = Counter()
        for position, times in ends.items():
            if position not in after:
                after[position] = [play(position, move) for move in legal_moves(position, RULES[variant])]
            for one in after[position]:
                further[one] += times
        ends = further
        found.append(sum(ends.values()))
    return found


@pytest.mark.parametrize(
    ("fen", "variant", "depth"),
    [
        (KINGS, "english", 75),
        (KINGS, "italian", 75),
        ("W:WK29:BK3", "russian", 35),
        ("W:WK29:BK3", "thai", 35),
    ],
)
def test_counts_of_more_than_64_bits(fen: str, variant: str, depth: int) -> None:
    board = Board(fen, variant)
    for plies, right in enumerate(walks(fen, variant, depth)):
        if plies % 8 == depth % 8:
            assert perft(board, plies, cache_bytes=2**25) == right
    assert 2**65 < right < 2**128


def test_a_count_that_is_known() -> None:
    assert perft(Board(KINGS), 41, cache_bytes=2**24) == 54162940427457128308


def test_counts_of_more_than_128_bits_are_refused() -> None:
    with pytest.raises(ArgumentError, match="^depth 90: the count does not fit into 128 bits$"):
        perft(Board(KINGS), 90, cache_bytes=2**24)


SMALL_STACK = """
import threading
from dame_fast import ArgumentError, Board, perft
threading.stack_size(131072)
for depth in (9, 500, 1000):
    try:
        print(perft(Board() if depth == 9 else Board("W:WK29:BK4"), depth, cache_bytes=2**25))
    except ArgumentError as error:
        print(error)
print(perft(Board(variant="bashni"), 4))
print(perft(Board("W:W12:B3,8"), 1000))
"""


def test_threads_with_a_small_stack(tmp_path: Path) -> None:
    """In a process of its own: what overflows a stack ends it."""
    command = [sys.executable, "-c", SMALL_STACK]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "3963680",
        "depth 500: the count does not fit into 128 bits",
        "depth 1000: the count does not fit into 128 bits",
        "1469",
        "0",
    ]
