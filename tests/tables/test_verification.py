"""Verification of a directory by the library: what it returns, raises, and says on its way."""

from pathlib import Path

import pytest
from heard import Heard
from small_tables import flip_bit

from dame_fast import ArgumentError, CorruptTableError, MissingTableError, VariantError
from dame_fast.build.builder import build
from dame_fast.tables.material import Material, slices
from dame_fast.tables.verification import EVERY_VALUE, Extent, Verification, verify_directory


@pytest.mark.parametrize(
    ("extent", "values"),
    [(None, 0), (EVERY_VALUE, 199_520), (Extent(number=5), 80), (Extent(share=0.01), 2_002)],
)
def test_sound(three_pieces: Path, extent: Extent | None, values: int) -> None:
    size = sum(path.stat().st_size for path in three_pieces.glob("*.wdl"))
    heard = Heard()
    found = verify_directory(three_pieces, extent=extent, progress=heard)
    assert found == Verification("english", 16, size, 16, 0, values)
    names = sorted(path.name for path in three_pieces.glob("*.wdl"))
    stored = sum(material.values() for pieces in (2, 3) for material in slices(pieces))
    stages = [("files", "B", size, 16)]
    if extent is not None and extent.in_memory:
        stages += [("reading", "values", stored, 0)]
    if extent == EVERY_VALUE:
        stages += [("playing captures out", "values", stored, 0)]
    if extent is not None:
        stages += [("slices", "values", values, 16)]
    assert heard.starts == stages
    assert heard.ended == len(stages)
    assert heard.reached == [total for _, _, total, _ in stages]  # none stands still
    for heard_names in (heard.names, heard.finished):
        assert sorted(heard_names) == sorted(names * (1 if extent is None else 2))


@pytest.mark.parametrize("memory", [0, 5_000, 2**64 - 1])
def test_memory(three_pieces: Path, memory: int) -> None:
    found = verify_directory(three_pieces, extent=EVERY_VALUE, memory=memory)
    assert (found.slices, found.values) == (16, 199_520)


def test_some_slices(three_pieces: Path) -> None:
    """Their names may be texts; stages count what is looked at alone."""
    heard = Heard()
    named: list[Material | str] = [Material.parse("MvKK"), "KvK"]
    found = verify_directory(three_pieces, extent=Extent(number=20), pieces=3, slices=named, progress=heard)
    size = sum((three_pieces / f"{name}.wdl").stat().st_size for name in ("MvKK", "KvK"))
    assert found == Verification("english", 2, size, 2, 0, 40)
    assert heard.starts == [("files", "B", size, 2), ("slices", "values", 40, 2)]
    assert heard.names == ["KvK.wdl", "MvKK.wdl"] * 2
    with pytest.raises(MissingTableError, match="^no table of KKvKK in the directory "):
        verify_directory(three_pieces, slices=["KKvKK"])


def test_tables_of_a_draw_rule_are_slices_of_their_own(tmp_path: Path) -> None:
    build(tmp_path, pieces=2, threads=1)
    build(tmp_path, pieces=2, threads=1, metric="dtz", draw_plies=80)
    positions = 3_488
    found = verify_directory(tmp_path, extent=EVERY_VALUE, threads=1)
    assert (found.files, found.slices, found.values) == (12, 8, 2 * positions)


def test_refused(three_pieces: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingTableError, match="^no tables in the directory "):
        verify_directory(tmp_path)
    with pytest.raises(VariantError, match=": a table of english, not of russian$"):
        verify_directory(three_pieces, variant="russian")
    with pytest.raises(ArgumentError, match="^the number of threads must be 1 to 4096, not 0$"):
        verify_directory(three_pieces, threads=0)
    with pytest.raises(ArgumentError, match=f"^the memory must be 0 to {2**64 - 1}, not -1$"):
        verify_directory(three_pieces, memory=-1)
    damaged = tmp_path / "KvK.wdl"
    damaged.write_bytes((three_pieces / "KvK.wdl").read_bytes())
    assert verify_directory(tmp_path).unlisted is None
    flip_bit(damaged, damaged.stat().st_size - 1, 0)
    with pytest.raises(CorruptTableError, match="KvK.wdl: "):
        verify_directory(tmp_path)
