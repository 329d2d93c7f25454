"""The files of tests/data as typed records.

tests/data/README.md says what the columns mean and where they come from.
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from reference.moves import Position, start_position
from reference.rules import RULES
from reference.solver import Counts, Material

DATA = Path(__file__).resolve().parent.parent / "data"

MoveKey = tuple[int, int, frozenset[int], bool]
"""Origin, end, captured squares, crowned: what makes a move (rule 2.6)."""


class PerftRow(NamedTuple):
    variant: str
    fen: str
    """A FEN, or "start" for the starting position, whoever begins."""
    depth: int
    leaves: int
    """The column "count"."""
    convention: Literal["keep", "drop"]
    source: str


class RulePosition(NamedTuple):
    variant: str
    fen: str
    expected: tuple[str, ...]
    """The moves in PDN. Compare `keys` instead: a path is one of several possible ones."""
    note: str
    keys: frozenset[MoveKey]


class SliceRow(NamedTuple):
    material: Material
    counts: Counts


class EnglishPosition(NamedTuple):
    fen: str
    result: Literal["win", "draw", "loss"]
    """For the side to move."""
    dtw_plies: int | None
    """None for a draw."""
    name: str
    source: str


def read_fen(fen: str) -> Position:
    """A position from a plain FEN, as the data has them: no ranges, no final dot, letters only K."""
    turn, *lists = fen.split(":")
    assert turn in ("W", "B"), fen
    squares: dict[str, list[int]] = {"W": [], "WK": [], "B": [], "BK": []}
    assert sorted(one[0] for one in lists) == ["B", "W"], fen
    for one in lists:
        for item in filter(None, one[1:].split(",")):
            match = re.fullmatch(r"(K?)(\d+)", item)
            assert match is not None, fen
            squares[one[0] + match[1]].append(int(match[2]))
    groups = [frozenset(squares[group]) for group in ("W", "WK", "B", "BK")]
    assert len(frozenset().union(*groups)) == sum(map(len, squares.values())), fen
    return Position(groups[0], groups[1], groups[2], groups[3], "W" if turn == "W" else "B")


def perft_position(row: PerftRow) -> Position:
    """The position a perft row starts from, for a variant that the twin knows."""
    return start_position(RULES[row.variant]) if row.fen == "start" else read_fen(row.fen)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            yield from csv.DictReader(file)
        else:
            yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _convention(text: str) -> Literal["keep", "drop"]:
    assert text in ("keep", "drop"), text
    return "keep" if text == "keep" else "drop"


def perft_rows(path: Path = DATA / "perft.tsv") -> list[PerftRow]:
    """Counts of lines of play, in the order of the file."""
    return [
        PerftRow(
            row["variant"],
            row["fen"],
            int(row["depth"]),
            int(row["count"]),
            _convention(row["convention"]),
            row["source"],
        )
        for row in _rows(path)
    ]


def _move_key(text: str, captured: str, crowned: str) -> MoveKey:
    assert crowned in ("y", "n"), crowned
    numbers = [int(number) for number in re.split("[-x]", text)]
    taken = frozenset() if captured == "-" else frozenset(int(number) for number in captured.split(","))
    return numbers[0], numbers[-1], taken, crowned == "y"


def rule_positions() -> list[RulePosition]:
    """Positions with all their legal moves, in the order of the file."""
    records = []
    for row in _rows(DATA / "rule_positions.tsv"):
        expected = () if row["expected"] == "-" else tuple(row["expected"].split(" "))
        # Without a move the other two columns hold a dash as well.
        captured = row["captured"].split(" ") if expected else []
        crowned = row["crowned"].split(" ") if expected else []
        moves = zip(expected, captured, crowned, strict=True)
        keys = frozenset(_move_key(*move) for move in moves)
        assert len(keys) == len(expected), row["fen"]
        records.append(RulePosition(row["variant"], row["fen"], expected, row["note"], keys))
    return records


def _slice_row(row: dict[str, str]) -> SliceRow:
    def longest(text: str) -> int | None:
        return int(text) if text else None

    return SliceRow(
        Material(int(row["sm"]), int(row["sk"]), int(row["om"]), int(row["ok"])),
        Counts(
            int(row["positions"]),
            int(row["win"]),
            int(row["draw"]),
            int(row["loss"]),
            longest(row["max_win_plies"]),
            longest(row["max_loss_plies"]),
        ),
    )


def english_slices() -> list[SliceRow]:
    """Counts and longest distances of the English slices of 2 to 5 pieces."""
    return [_slice_row(row) for row in _rows(DATA / "english_wdl_dtw.csv")]


def variant_slices() -> dict[str, list[SliceRow]]:
    """The same for the slices of 2 and 3 pieces of other rule sets."""
    found: dict[str, list[SliceRow]] = {}
    for row in _rows(DATA / "variants_wdl.csv"):
        found.setdefault(row["variant"], []).append(_slice_row(row))
    return found


def _result(text: str) -> Literal["win", "draw", "loss"]:
    assert text in ("win", "draw", "loss"), text
    return "win" if text == "win" else "draw" if text == "draw" else "loss"


def english_positions() -> list[EnglishPosition]:
    """Named endings with result and distance."""
    return [
        EnglishPosition(
            row["fen"],
            _result(row["result"]),
            int(row["dtw_plies"]) if row["dtw_plies"] else None,
            row["name"],
            row["source"],
        )
        for row in _rows(DATA / "english_positions.tsv")
    ]
