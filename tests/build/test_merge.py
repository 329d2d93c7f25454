"""Joining directories: the same files and lists as a build, nothing half-written, nothing taken unseen."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from heard import Heard
from small_tables import flip_bit

from dame_fast import ArgumentError, BuildError, CorruptTableError
from dame_fast.build import directory as directory_module
from dame_fast.build import machine
from dame_fast.build.builder import build
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.merge import MergeResult, merge_directories
from dame_fast.tables.verification import verify_directory

LISTS = ("manifest.json", "SHA256SUMS")


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def size_of(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.iterdir() if path.name not in LISTS)


def without_lists(directory: Path, target: Path) -> Path:
    return Path(shutil.copytree(directory, target, ignore=shutil.ignore_patterns(*LISTS)))


@pytest.fixture(scope="module")
def two_pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("two")
    build(directory, pieces=2, threads=1)
    return directory


def test_the_same_as_a_build(two_pieces: Path, three_pieces: Path, tmp_path: Path) -> None:
    """To the byte, lists included, in a directory that was not there; the sources stay as they are."""
    target, heard = tmp_path / "new" / "all", Heard()
    before = contents(two_pieces), contents(three_pieces)
    found = merge_directories([two_pieces, three_pieces], target, progress=heard)
    size, less = size_of(three_pieces), size_of(two_pieces)
    assert found == MergeResult("english", 16, size, 16)
    assert contents(target) == contents(three_pieces)
    assert (contents(two_pieces), contents(three_pieces)) == before
    assert heard.starts == [("files compared", "B", 2 * less, 8), ("files copied", "B", size, 16)]
    assert (heard.reached, heard.ended, len(heard.finished)) == ([2 * less, size], 2, 24)
    assert build(target, pieces=3).built == ()
    assert contents(target) == contents(three_pieces)


def test_copies_share_nothing_with_their_sources(two_pieces: Path, tmp_path: Path) -> None:
    source = tmp_path / "links"
    source.mkdir()
    for path in two_pieces.glob("*.wdl"):
        (source / path.name).symlink_to(path)
    merge_directories(source, tmp_path / "all")
    for path in two_pieces.glob("*.wdl"):
        copy = tmp_path / "all" / path.name
        assert not copy.is_symlink()
        assert (copy.stat().st_nlink, copy.read_bytes()) == (1, path.read_bytes())


def test_again_nothing_is_written(two_pieces: Path, three_pieces: Path, tmp_path: Path) -> None:
    merge_directories([two_pieces], tmp_path)
    times = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    heard = Heard()
    assert merge_directories([two_pieces], tmp_path, progress=heard).copied == 0
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.iterdir()} == times
    assert heard.starts == [("files compared", "B", 2 * size_of(two_pieces), 8)]
    assert merge_directories([three_pieces], tmp_path) == MergeResult("english", 16, size_of(three_pieces), 12)
    assert contents(tmp_path) == contents(three_pieces)


def test_metrics_and_draw_rules_live_together(two_pieces: Path, tmp_path: Path) -> None:
    build(tmp_path / "dtz", pieces=2, draw_plies=40)
    build(tmp_path / "dtw", pieces=2, metric="dtw")
    merge_directories([tmp_path / "dtz", tmp_path / "dtw", two_pieces], tmp_path / "merged")
    for options in ({"metric": "dtw"}, {"draw_plies": 40}):
        build(tmp_path / "built", pieces=2, **options)
    assert len(contents(tmp_path / "built")) == 18
    assert contents(tmp_path / "merged") == contents(tmp_path / "built")


def test_sources_without_lists(two_pieces: Path, three_pieces: Path, tmp_path: Path) -> None:
    """Nobody knows with what they were compressed; all else is right."""
    rest = without_lists(three_pieces, tmp_path / "rest")
    for path in two_pieces.glob("*.wdl"):
        (rest / path.name).unlink()
    target = tmp_path / "all"
    assert merge_directories([two_pieces, rest], target).copied == 16
    manifest, built = (json.loads((directory / "manifest.json").read_text()) for directory in (target, three_pieces))
    assert built.pop("compression")["level"]
    assert manifest == built
    assert (target / "SHA256SUMS").read_bytes() == (three_pieces / "SHA256SUMS").read_bytes()
    assert verify_directory(target).unlisted == 0


@pytest.mark.parametrize("left", LISTS)
def test_damage_that_a_list_gives_away(two_pieces: Path, tmp_path: Path, left: str) -> None:
    source = without_lists(two_pieces, tmp_path / "source")
    shutil.copy(two_pieces / left, source)
    shutil.copy(source / "KvK.wdl", tmp_path)
    damaged = source / "MvM.wdl"
    flip_bit(damaged, damaged.stat().st_size - 3, 3)  # the last byte of the block
    with pytest.raises(CorruptTableError, match=f"^{re.escape(f'{damaged}: another SHA-256 than in {left}')}$"):
        merge_directories(source, tmp_path / "all")
    assert set(contents(tmp_path / "all")) == {"KvK.wdl", "KvM.wdl", "MvK.wdl"}  # whole, and taken as they are later
    assert merge_directories(two_pieces, tmp_path / "all").copied == 1
    assert contents(tmp_path / "all") == contents(two_pieces)


@pytest.mark.parametrize("twice", [False, True])
def test_damage_that_no_list_gives_away(two_pieces: Path, tmp_path: Path, twice: bool) -> None:
    source = without_lists(two_pieces, tmp_path / "source")
    damaged = source / "MvM.wdl"
    flip_bit(damaged, damaged.stat().st_size - 3, 3)  # the last byte of the block
    with pytest.raises(CorruptTableError, match=f"^{re.escape(f'{damaged}: block ')}"):
        merge_directories([two_pieces, source] if twice else [source], tmp_path / "all")
    assert "MvM.wdl" not in contents(tmp_path / "all")


def test_damage_in_the_target(two_pieces: Path, tmp_path: Path) -> None:
    """Also of a table that no source has; with the damaged file gone the same call goes on."""
    build(tmp_path, pieces=2, metric="dtw")
    for name in ("KvK.wdl", "KvM.dtw"):
        damaged = tmp_path / name
        flip_bit(damaged, damaged.stat().st_size - 3, 0)
        with pytest.raises(CorruptTableError, match=f"^{re.escape(str(damaged))}: another SHA-256 than in manifest"):
            merge_directories(two_pieces, tmp_path)
        damaged.unlink()
    assert merge_directories(two_pieces, tmp_path).copied == 1
    assert verify_directory(tmp_path).files == 7


def test_a_file_that_changes_on_the_way(
    two_pieces: Path, three_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory_module, "file_parts", lambda path: iter((b"another",)))
    with pytest.raises(CorruptTableError, match="/KvK.wdl: it was changed while it was merged$"):
        merge_directories([two_pieces, three_pieces], tmp_path)
    assert contents(tmp_path) == {}


def test_a_file_that_cannot_be_read(two_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the target that is to blame."""

    def fail(path: Path) -> Sequence[bytes]:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(directory_module, "file_parts", fail)
    with pytest.raises(BuildError, match=f"^{re.escape(f'cannot read {two_pieces}')}/KvK.wdl: Input/output error$"):
        merge_directories(two_pieces, tmp_path)
    assert contents(tmp_path) == {}


def test_too_little_room(two_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "free_disk", lambda directory: 500)
    with pytest.raises(BuildError) as caught:
        merge_directories(two_pieces, tmp_path)
    assert (
        str(caught.value) == f"the merge needs {size_of(two_pieces)} bytes of disk in '{tmp_path}'; 500 bytes are free"
    )
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(("call", "name", "there"), [(5, "MvK.wdl", 2), (9, "manifest.json", 4), (11, "SHA256SUMS", 5)])
def test_a_full_disk_loses_nothing(
    two_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int, name: str, there: int
) -> None:
    original, calls = os.fsync, 0

    def full(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls == call:
            raise OSError(28, "No space left on device")
        original(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BuildError) as caught:
        merge_directories(two_pieces, tmp_path)
    assert str(caught.value) == f"cannot write {name} into '{tmp_path}': the disk is full"
    assert len(contents(tmp_path)) == there
    monkeypatch.undo()
    assert merge_directories(two_pieces, tmp_path).copied == max(4 - there, 0)
    assert contents(tmp_path) == contents(two_pieces)


def test_a_directory_that_is_in_use(two_pieces: Path, tmp_path: Path) -> None:
    with BuildDirectory(tmp_path), pytest.raises(BuildError) as caught:
        merge_directories(two_pieces, tmp_path)
    assert str(caught.value) == f"another build or merge is writing into '{tmp_path}'"


@pytest.mark.parametrize(("sources", "text"), [([], "no directory is named"), (7, "not the name of a directory: 7")])
def test_no_directories(tmp_path: Path, sources: Any, text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        merge_directories(sources, tmp_path)
    assert str(caught.value) == text


DYING: Final = """\
import os, sys
from dame_fast.build.merge import merge_directories
source, target, moment = sys.argv[1:]
fsync, calls = os.fsync, 0
def die(descriptor):
    global calls
    calls += 1
    if calls == int(moment):
        os._exit(9)
    fsync(descriptor)
os.fsync = die
merge_directories(source, target)
"""
"""A merge that ends as if it were killed, when it has written a file, or renamed one, for so many times."""


def test_killed_at_any_moment(two_pieces: Path, tmp_path: Path) -> None:
    whole = contents(two_pieces)
    moments = 2 * len(whole)
    for moment in range(1, moments + 2):
        target = tmp_path / str(moment)
        arguments = [sys.executable, "-P", "-c", DYING, str(two_pieces), str(target), str(moment)]
        status = subprocess.run(arguments, check=False, timeout=60).returncode
        assert status == (9 if moment <= moments else 0)
        left = contents(target)
        assert {name: content for name, content in left.items() if not name.startswith(".")}.items() <= whole.items()
        merge_directories(two_pieces, target)
        assert contents(target) == whole
