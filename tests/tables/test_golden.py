"""Files of tests/data/golden: the sound ones hold what they always held, the broken ones are refused in known words."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from make_golden import BUILDS, COLUMNS, GOLDEN, build_tables, golden_files, values_of

import dame_fast
import dame_fast._native as _native
from dame_fast import open_tablebase
from dame_fast.build.blocks import compression

Row = dict[str, str]


def rows() -> list[Row]:
    with (GOLDEN / "files.tsv").open(newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


SOUND = [row for row in rows() if not row["exception"]]
BROKEN = [row for row in rows() if row["exception"]]


def name_of(row: Row) -> str:
    return row["file"]


def same_zstd() -> bool:
    """The bytes of compressed blocks depend on it."""
    return bool(json.loads((GOLDEN / "made_with.json").read_text()) == compression())


def test_the_list_is_complete() -> None:
    assert tuple(SOUND[0]) == COLUMNS
    assert len(SOUND) >= 12
    assert len(BROKEN) >= 20
    listed = {row["file"] for row in rows()} | {"files.tsv", "made_with.json"}
    assert {path.name for path in GOLDEN.iterdir()} == listed
    assert all(path.stat().st_size < 4096 for path in GOLDEN.iterdir() if path.suffix != ".tsv")


@pytest.mark.parametrize("row", SOUND, ids=name_of)
def test_sound(row: Row) -> None:
    path = GOLDEN / row["file"]
    _native.Table(str(path), row["variant"]).check(_native.Cancel())
    assert values_of(path, row["variant"]) == row["values"]
    assert _native.peek(str(path))["bytes"] == path.stat().st_size


def check_refused(path: Path, row: Row) -> None:
    error = getattr(dame_fast, row["exception"])
    stage = "open"
    with pytest.raises(error) as caught:  # noqa: PT012
        table = _native.Table(str(path), row["variant"])
        stage = "check"
        table.check(_native.Cancel())
    assert (stage, str(caught.value)) == (row["stage"], f"{path}: {row['text']}")


@pytest.mark.parametrize("row", BROKEN, ids=name_of)
def test_broken(row: Row) -> None:
    check_refused(GOLDEN / row["file"], row)


@pytest.mark.parametrize("row", [row for row in BROKEN if row["stage"] == "open"], ids=name_of)
def test_no_tablebase_is_made_of_a_broken_file(row: Row, tmp_path: Path) -> None:
    path = tmp_path / f"KvK{Path(row['file']).suffix}"
    shutil.copy(GOLDEN / row["file"], path)
    with pytest.raises(getattr(dame_fast, row["exception"])) as caught:
        open_tablebase(tmp_path, variant=row["variant"])
    text = "a table of russian, not of english" if row["text"] == "rule set russian" else row["text"]
    assert str(caught.value) == f"{path}: {text}"


@pytest.mark.parametrize("built", BUILDS)
def test_a_build_writes_the_same_bytes(built: str, tmp_path: Path) -> None:
    """With the same zstd; with another one the same values."""
    build_tables(tmp_path, built)
    written = [row for row in SOUND if row["built"] == built]
    assert written
    for row in written:
        path = tmp_path / row["file"]
        assert values_of(path, row["variant"]) == row["values"]
        if same_zstd():
            assert path.read_bytes() == (GOLDEN / row["file"]).read_bytes(), row["file"]


def test_the_script_writes_the_same_files(tmp_path: Path) -> None:
    """With the same zstd; with another one files that give the same."""
    made = {file.name: file.content for file in golden_files()}
    assert set(made) == {row["file"] for row in rows()}
    for row in rows():
        path = tmp_path / row["file"]
        path.write_bytes(made[row["file"]])
        if row["exception"]:
            check_refused(path, row)
        else:
            assert values_of(path, row["variant"]) == row["values"]
        if same_zstd():
            assert path.read_bytes() == (GOLDEN / row["file"]).read_bytes(), row["file"]
