"""The tables that come with the package: complete, right, and reproducible to the byte."""

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference.oracles import EnglishPosition, SliceRow, english_positions, english_slices
from reference.positions import random_fen

import dame_fast
import dame_fast._native as _native
from dame_fast import Board, Tablebase, open_tablebase
from dame_fast.build.blocks import compression
from dame_fast.build.builder import build
from dame_fast.tables.material import Material, slices

DIRECTORY = Path(dame_fast.__file__).parent / "databases" / "english"
REBUILT_PIECES = DISTANCE_PIECES = 4
RESULTS = {"win": 1, "draw": 0, "loss": -1}


@pytest.fixture(scope="module")
def tablebase() -> Iterator[Tablebase]:
    with open_tablebase() as opened:
        yield opened


def test_two_to_five_pieces_are_there(tablebase: Tablebase) -> None:
    assert set(tablebase.materials) == {material for pieces in range(2, 6) for material in slices(pieces)}
    assert len(tablebase) == 85 + 41  # distances of 2 to 4 pieces besides
    assert tablebase.largest == 5
    assert tablebase.metrics == {"wdl", "dtw"}


def test_they_are_small() -> None:
    assert sum(path.stat().st_size for path in DIRECTORY.rglob("*.*")) < 3_000_000


@pytest.mark.parametrize("row", english_slices(), ids=lambda row: Material(*row.material).name)
def test_counts_equal_the_oracle(row: SliceRow) -> None:
    facts = _native.peek(str(DIRECTORY / f"{Material(*row.material).name}.wdl"))
    assert (facts["win"], facts["draw"], facts["loss"]) == (row.counts.win, row.counts.draw, row.counts.loss)


@pytest.mark.parametrize("row", english_positions(), ids=lambda row: row.fen)
def test_named_endings(tablebase: Tablebase, row: EnglishPosition) -> None:
    board = Board(row.fen)
    assert tablebase.probe_wdl(board) == RESULTS[row.result]
    if len(board.pieces) <= DISTANCE_PIECES:
        plies = None if row.dtw_plies is None else RESULTS[row.result] * row.dtw_plies
        assert tablebase.probe_dtw(board) == plies


def test_building_again_gives_the_same_files(tmp_path: Path) -> None:
    """The same bytes with the same zstd, the same values with another one."""
    build(tmp_path, pieces=REBUILT_PIECES, metric="dtw")
    made_with = json.loads((DIRECTORY / "manifest.json").read_text())["compression"]
    rebuilt = [material for pieces in range(2, REBUILT_PIECES + 1) for material in slices(pieces)]
    names = [f"{material.name}.{metric}" for material in rebuilt for metric in ("wdl", "dtw")]
    assert len(names) == 82
    for name in names:
        if made_with == compression():
            assert (tmp_path / name).read_bytes() == (DIRECTORY / name).read_bytes(), name
        assert values(tmp_path / name) == values(DIRECTORY / name), name


def test_statistics_of_eight_pieces() -> None:
    """Counts of a full build; those of 2 to 5 pieces equal the oracle, all add up to the number of placements."""
    with (DIRECTORY / "statistics" / "wdl_2_to_8_pieces.csv").open() as file:
        rows = list(csv.DictReader(file))
    found = {Material(*(int(row[key]) for key in ("sm", "sk", "om", "ok"))): row for row in rows}
    assert set(found) == {material for pieces in range(2, 9) for material in slices(pieces)}
    assert sum(int(row["positions"]) for row in rows) == 440_005_309_505
    for material, row in found.items():
        counts = [int(row[key]) for key in ("win", "draw", "loss")]
        assert sum(counts) == int(row["positions"]) == material.positions(), material.name
    for slice_row in english_slices():
        row, counted = found[Material(*slice_row.material)], slice_row.counts
        assert [int(row[key]) for key in ("win", "draw", "loss")] == [counted.win, counted.draw, counted.loss]


def values(path: Path) -> bytearray:
    table = _native.Table(str(path), "english")
    return table.read(0, table.facts["values"], _native.Cancel())[1]


@pytest.mark.parametrize("pieces", [4, 5])
def test_values_follow_from_the_moves(tablebase: Tablebase, pieces: int) -> None:
    """Random legal positions, captures pending or not: the value is the best of those after each move."""
    moments = random.Random(pieces)
    captures = 0
    for _ in range(3000):
        board = Board(random_fen(moments, pieces))
        captures += any(move.is_capture for move in board.legal_moves)
        best = -1
        for move in board.legal_moves:
            board.push(move)
            best = max(best, -tablebase.probe_wdl(board))
            board.pop()
        assert tablebase.probe_wdl(board) == best, board.fen()
    assert captures > 400
