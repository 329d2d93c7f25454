"""Many positions at once: arrays of any integers, and what is wrong with a row."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from small_tables import no_table

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, MissingTableError, PositionError, Tablebase, open_tablebase

BLOCKED = "B:W16,19:B12"
"""Black to move has lost."""


@pytest.fixture
def tables(three_pieces: Path) -> Iterator[Tablebase]:
    with open_tablebase(three_pieces) as opened:
        yield opened


def test_many_empty(tables: Tablebase) -> None:
    results = tables.probe_many(np.empty((0, 5), dtype=np.uint64))
    assert results.shape == (0,)
    assert results.dtype == np.int8


@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.uint64])
def test_many_of_any_integers(tables: Tablebase, dtype: type[np.integer]) -> None:
    boards = [Board("W:WK1:BK6"), Board("B:WK1:BK32"), Board(BLOCKED)]
    rows = np.array([board.position for board in boards], dtype=np.uint64)
    twice = np.asfortranarray(np.repeat(rows, 2, axis=0).astype(dtype))
    assert tables.probe_many(twice[::2]).tolist() == [1, 0, -1]


def test_many_missing(tables: Tablebase) -> None:
    rows = [Board("W:WK1:BK6").position, Board("W:WK19,K23:B12,K28").position]
    assert tables.probe_many(rows, default=9).tolist() == [1, 9]
    with pytest.raises(MissingTableError) as caught:
        tables.probe_many(rows)
    assert str(caught.value) == "row 1: " + no_table("KKvKM", tables.directory, 3, "--pieces 4")
    with pytest.raises(ArgumentError) as bad_default:
        tables.probe_many(rows, default=128)
    assert str(bad_default.value) == "default must be -128 to 127, not 128"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ((0, 1, 0, 1, 0), "two pieces stand on one square"),
        ((0, 1, 0, 2, 2), "the side to move must be 0 (Black) or 1 (White), not 2"),
        ((0, 1, 0, 1 << 32, 0), "a piece stands off the board"),
        ((0, 1 << 40, 0, 2, 1), "a piece stands off the board"),
        ((1 << 31, 0, 0, 2, 0), "a man stands on the row where it would be crowned"),
        ((0, 0, 0, 0, 0), "there is no piece on the board"),
        ((0, 0, 0, 0, 1), "there is no piece on the board"),
    ],
)
def test_many_illegal(tables: Tablebase, row: tuple[int, ...], reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        tables.probe_many([(0, 1, 0, 2, 0), row], default=0)
    assert str(caught.value) == f"row 1: {reason}"


@pytest.mark.parametrize(
    ("positions", "text"),
    [
        ([1, 2, 3, 4, 5], "positions must have the shape (n, 5), not (5,)"),
        ([[1, 2, 3, 4]], "positions must have the shape (n, 5), not (1, 4)"),
        (np.zeros((2, 3, 5), dtype=int), "positions must have the shape (n, 5), not (2, 3, 5)"),
        ([[0.0, 1, 0, 2, 0]], "positions must be integers, not float64"),
        ([[True] * 5], "positions must be integers, not bool"),
        (["abcde"], "positions must be integers, not <U5"),
        ([[0, 1, 0, 2, 0], [0, 1, 0, -2, 0]], "row 1: -2 is negative"),
    ],
)
def test_many_of_a_wrong_type(tables: Tablebase, positions: object, text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        tables.probe_many(positions)  # type: ignore[arg-type]
    assert str(caught.value) == text


def test_many_of_none(tables: Tablebase) -> None:
    none: list[npt.ArrayLike] = [[], np.zeros((0, 5), dtype=np.uint64)]
    for positions in none:
        found = tables.probe_many(positions)
        assert found.shape == (0,)
        assert found.dtype == np.int8


def test_many_that_change_meanwhile(tables: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread makes the first row illegal, and legal again before anybody has asked why."""

    class Changing(_native.Library):
        def probe_many(
            self, rows: npt.NDArray[np.uint64], out: npt.NDArray[np.int8], threads: int, cancel: _native.Cancel
        ) -> None:
            out[:] = _native.ILLEGAL

    monkeypatch.setattr(_native, "Library", Changing)
    with open_tablebase(tables.directory) as changing, pytest.raises(ArgumentError) as caught:
        changing.probe_many([[0, 1, 0, 2, 0]])
    assert str(caught.value) == "row 0: was changed while it was probed"


def test_many_of_ragged_rows(tables: Tablebase) -> None:
    with pytest.raises(ArgumentError, match=r"^positions are no array of integers: "):
        tables.probe_many([[1, 2, 3, 4, 5], [1]])
