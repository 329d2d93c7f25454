"""Some of the tables of a directory: which are meant, and what they depend on."""

from pathlib import Path

import pytest

from dame_fast import ArgumentError, MissingTableError
from dame_fast.tables.selection import Selection

PATHS = [Path(name) for name in ("KvK.wdl", "KvM.wdl", "MvK.wdl", "KKvK.wdl", "KKvK.dtw", "KvKK.n40.wdl", "odd.wdl")]


def names(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


@pytest.mark.parametrize(
    ("pieces", "slices", "chosen", "needed"),
    [
        (None, [], names(PATHS), names(PATHS)),
        (2, [], ["KvK.wdl", "KvM.wdl", "MvK.wdl"], ["KvK.wdl", "KvM.wdl", "MvK.wdl"]),
        (3, [], names(PATHS[:-1]), names(PATHS[:-1])),
        (None, ["KKvK"], ["KKvK.wdl", "KKvK.dtw"], ["KvK.wdl", "KKvK.wdl", "KKvK.dtw", "KvKK.n40.wdl"]),
        (3, ["KvM", "KKvK", "KvM"], ["KvM.wdl", "KKvK.wdl", "KKvK.dtw"], names(PATHS[:-1])),
    ],
)
def test_chosen(pieces: int | None, slices: list[str], chosen: list[str], needed: list[str]) -> None:
    selection = Selection.make(pieces, slices)
    assert names(selection.choose(Path("tables"), PATHS)) == chosen
    assert names(selection.choose_with_needs(PATHS)) == needed


@pytest.mark.parametrize(
    ("pieces", "slices", "text"),
    [
        (None, ["KKvKK"], "no table of KKvKK in the directory 'tables'"),
        (None, ["KKvKK", "KvM", "MvM"], "no tables of KKvKK, MvM in the directory 'tables'"),
        (4, [], "no tables of 4 pieces in the directory 'tables'"),
    ],
)
def test_what_is_not_there(pieces: int | None, slices: list[str], text: str) -> None:
    with pytest.raises(MissingTableError) as caught:
        Selection.make(pieces, slices).choose(Path("tables"), PATHS)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("pieces", "slices", "text"),
    [
        (1, [], "the number of pieces must be 2 to 12, not 1"),
        (2, ["KvK", "KKvK"], "KKvK has 3 pieces, more than 2"),
        (None, ["KKvQ"], "not the name of a slice: 'KKvQ' (an example: KKMvKM)"),
        (None, [3], "a material must be a Material or the name of a slice, not 3"),
    ],
)
def test_refused(pieces: int | None, slices: list[str], text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Selection.make(pieces, slices)
    assert str(caught.value) == text
