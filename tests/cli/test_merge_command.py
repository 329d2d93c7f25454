"""`merge`: what it prints, and what it refuses, each in one line."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from small_tables import Command, flip_bit, nesting_of, read_values, resign, write_russian, write_table

from dame_fast.build.builder import build
from dame_fast.build.directory import BuildDirectory

LISTS = ("manifest.json", "SHA256SUMS")


@pytest.fixture
def source(three_pieces: Path, tmp_path: Path) -> Path:
    """A directory with the tables of two pieces that may be spoilt, and no lists."""
    directory = tmp_path / "source"
    directory.mkdir()
    for name in ("KvK", "KvM", "MvK", "MvM"):
        shutil.copy(three_pieces / f"{name}.wdl", directory)
    return directory


def size_of(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.glob("*.wdl"))


def test_merged(command: Command, source: Path, three_pieces: Path, tmp_path: Path) -> None:
    into = tmp_path / "into"
    first = f"{into}: 4 files of {size_of(source):,} bytes\n4 copied, 0 there already\n"
    assert command("merge", source, "--into", into) == (0, first, "")
    second = f"{into}: 16 files of {size_of(three_pieces):,} bytes\n12 copied, 4 there already\n"
    assert command("merge", source, three_pieces, "--into", into) == (0, second, "")
    facts = json.loads(command("merge", three_pieces, "--into", into, "--json").out)
    assert facts == {
        "directory": str(into),
        "variant": "english",
        "files": 16,
        "bytes": size_of(three_pieces),
        "copied": 0,
    }
    assert command("verify", into, "--full").status == 0
    check = subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=into, capture_output=True, check=False)
    assert (check.returncode, check.stdout, check.stderr) == (0, b"", b"")


def test_bad_input(command: Command, three_pieces: Path, source: Path, tmp_path: Path) -> None:
    empty, file, inside = tmp_path / "empty", tmp_path / "file", source / "inside"
    empty.mkdir()
    file.write_bytes(b"")
    shutil.copytree(three_pieces, inside)
    link = tmp_path / "link"
    link.symlink_to(source)
    for arguments, status, text in (
        ([], 2, "Missing argument 'DIR...' (see dame-fast merge --help)"),
        ([source], 2, "Missing option '--into' (see dame-fast merge --help)"),
        ([source, "--into", ""], 2, "not the name of a directory: ''"),
        ([source, "", "--into", "x"], 2, "not the name of a directory: ''"),
        ([source, "--into", file], 2, f"not a directory: {str(file)!r}"),
        ([file, "--into", "x"], 2, f"not a directory: {str(file)!r}"),
        ([source, empty, "--into", "x"], 3, f"no tables in the directory {str(empty)!r}"),
        ([tmp_path / "no", "--into", "x"], 3, f"no tables: there is no directory {str(tmp_path / 'no')!r}"),
        (
            [three_pieces, source, "--into", link],
            2,
            f"{str(source)!r} is the directory to merge into, name the others only",
        ),
        ([inside, "--into", source], 2, f"{str(inside)!r} is inside of {str(source)!r}, the directory to merge into"),
    ):
        assert command("merge", *arguments) == (status, "", f"dame-fast: {text}\n")
    assert not Path("x").exists()


def test_another_rule_set(command: Command, source: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    russian, english = write_russian(other), source / "KvK.wdl"
    text = f"dame-fast: {russian}: a table of russian; {english} is one of english\n"
    assert command("merge", source, other, "--into", tmp_path / "into") == (2, "", text)
    assert not (tmp_path / "into").exists()
    text = f"dame-fast: {english}: a table of english; {russian} is one of russian\n"
    assert command("merge", other, "--into", source) == (2, "", text)
    resign(russian, "variant", b"chess\0\0\0")
    status, out, err = command("merge", other, "--into", tmp_path / "into")
    assert (status, out) == (2, "")
    assert err.startswith(f"dame-fast: {russian}: unknown variant 'chess' (known: ")


def test_two_that_differ(command: Command, source: Path, three_pieces: Path, tmp_path: Path) -> None:
    """Another nesting or writer makes other bytes of the same values, and nobody knows which are wanted."""
    ours, theirs = source / "KvK.wdl", three_pieces / "KvK.wdl"
    write_table(source, "KvK", read_values(theirs), (230, 654, 108), nesting=nesting_of(theirs))
    digests = [sha256(path.read_bytes()).hexdigest() for path in (ours, theirs)]
    assert digests[0] != digests[1]
    text = f"dame-fast: {ours} and {theirs} differ: SHA-256 {digests[0]} and {digests[1]}\n"
    assert command("merge", source, three_pieces, "--into", tmp_path / "into") == (2, "", text)
    assert list((tmp_path / "into").iterdir()) == []
    text = f"dame-fast: {theirs} and {ours} differ: SHA-256 {digests[1]} and {digests[0]}\n"
    assert command("merge", three_pieces, "--into", source) == (2, "", text)


def test_metrics_that_contradict_each_other(command: Command, source: Path, tmp_path: Path) -> None:
    build(tmp_path / "dtw", pieces=2, metric="dtw")
    distances = tmp_path / "dtw" / "KvK.dtw"
    other = tmp_path / "other"
    other.mkdir()
    shutil.copy(distances, other)
    whole = source / "KvK.wdl"
    write_table(source, "KvK", read_values(whole), (231, 653, 108), nesting=nesting_of(whole))
    counts = "231 + 653 + 108 and 230 + 654 + 108 positions won, drawn and lost"
    text = f"dame-fast: {whole} and {other / 'KvK.dtw'} contradict each other: {counts}\n"
    assert command("merge", source, other, "--into", tmp_path / "into") == (2, "", text)


def rename(directory: Path) -> None:
    (directory / "KvK.wdl").rename(directory / "KvK.n40.wdl")


def cut(directory: Path) -> None:
    os.truncate(directory / "KvK.wdl", 100)


def spoil(directory: Path) -> None:
    flip_bit(directory / "KvK.wdl", 50, 0)


def make_older(directory: Path) -> None:
    resign(directory / "KvK.wdl", "version", b"\2\0")


def list_more(directory: Path) -> None:
    (directory / "SHA256SUMS").write_text(f"{'0' * 64}  KKvK.wdl\n")


def list_in_another_format(directory: Path) -> None:
    (directory / "manifest.json").write_text('{"format": 1, "files": []}')


def list_nonsense(directory: Path) -> None:
    (directory / "SHA256SUMS").write_text("x")


def make_pipe(directory: Path) -> None:
    (directory / "KvK.wdl").unlink()
    os.mkfifo(directory / "KvK.wdl")


def make_directory(directory: Path) -> None:
    (directory / "KvK.wdl").unlink()
    (directory / "KvK.wdl").mkdir()


@pytest.mark.parametrize("change", [make_pipe, make_directory])
def test_what_is_no_file(command: Command, source: Path, tmp_path: Path, change: Callable[[Path], None]) -> None:
    change(source)
    status, out, err = command("merge", source, "--into", tmp_path / "into")
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"dame-fast: cannot read {source / 'KvK.wdl'}: ")


@pytest.mark.parametrize(
    ("change", "status", "text"),
    [
        (rename, 4, "KvK.n40.wdl: holds KvK.wdl"),
        (cut, 4, "KvK.wdl: file is shorter than a header"),
        (spoil, 4, "KvK.wdl: header checksum"),
        (make_older, 4, "KvK.wdl: unknown format version 2"),
        (list_more, 3, "KKvK.wdl: listed in SHA256SUMS, but not there"),
        (list_in_another_format, 4, "manifest.json: not a manifest of format 2"),
        (list_nonsense, 4, "SHA256SUMS: line 1 is not a digest and a name: 'x'"),
    ],
)
def test_spoilt(
    command: Command, source: Path, tmp_path: Path, change: Callable[[Path], None], status: int, text: str
) -> None:
    """Before anything is written."""
    change(source)
    found = command("merge", source, "--into", tmp_path / "into")
    assert found == (status, "", f"dame-fast: {source}/{text}\n")
    assert not (tmp_path / "into").exists()


def test_a_directory_that_cannot_be_written(command: Command, source: Path, tmp_path: Path) -> None:
    assert command("merge", source, "--into", "/proc/tables").status == 1
    into = tmp_path / "into"
    into.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(into)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    into_what = into if mounted or os.geteuid() != 0 else Path("/proc/tables")
    if not mounted:
        into.chmod(0o555)
    try:
        status, out, err = command("merge", source, "--into", into_what)
    finally:
        if mounted:
            subprocess.run(["umount", str(into)], check=True)
        into.chmod(0o755)
    assert (status, out) == (1, "")
    assert err.startswith(f"dame-fast: cannot use '{into_what}': ")
    assert err.endswith(("Read-only file system\n", "Permission denied\n", "No such file or directory\n"))


def test_a_disk_that_is_full(command: Command, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    text = f"dame-fast: cannot write KvK.wdl into '{tmp_path / 'into'}': the disk is full\n"
    assert command("merge", source, "--into", tmp_path / "into") == (1, "", text)
    assert list((tmp_path / "into").iterdir()) == []


def test_ctrl_c(command: Command, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", press)
    text = "dame-fast: interrupted; the same command goes on where it stopped\n"
    assert command("merge", source, "--into", tmp_path / "into") == (130, "", text)
    monkeypatch.undo()
    assert command("merge", source, "--into", tmp_path / "into").status == 0


def test_two_at_once(command: Command, source: Path, tmp_path: Path) -> None:
    with BuildDirectory(tmp_path / "into"):
        text = f"dame-fast: another build or merge is writing into '{tmp_path / 'into'}'\n"
        assert command("merge", source, "--into", tmp_path / "into") == (1, "", text)
