"""Builds that are killed, interrupted, or run out of disk, in processes of their own."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from small_disk import small_disk_at

PIECES = 4
FILES = 43  # 41 slices, the manifest and the digests
LISTS = ("manifest.json", "SHA256SUMS")
KILLS = 10


def command(directory: Path, pieces: int = PIECES) -> list[str]:
    return [
        sys.executable,
        "-P",
        "-m",
        "dame_fast",
        "build",
        "--pieces",
        str(pieces),
        "--out",
        str(directory),
    ]


def run(directory: Path, pieces: int = PIECES) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(directory, pieces), capture_output=True, text=True, check=False, timeout=120)


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    directory = tmp_path_factory.mktemp("undisturbed")
    assert run(directory).returncode == 0
    found = contents(directory)
    assert len(found) == FILES
    return found


def test_killed_ten_times_at_random_moments(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    """Each run is killed after it has published a few more files, somewhere on its way to the next one."""
    moments = random.Random(20)
    for kill in range(KILLS):
        process = subprocess.Popen(command(tmp_path), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        wanted = min(FILES - 1, (kill + 1) * 4)
        deadline = time.monotonic() + 60
        while len(list(tmp_path.glob("[!.]*"))) < wanted and process.poll() is None:
            assert time.monotonic() < deadline
        time.sleep(moments.uniform(0, 0.02))
        process.kill()
        process.wait()
        for name, content in contents(tmp_path).items():
            if not name.startswith(".") and name not in LISTS:
                assert content == undisturbed[name], "a file under its final name is whole"
    assert run(tmp_path).returncode == 0
    assert contents(tmp_path) == undisturbed


def test_ctrl_c_ends_it_within_a_second(tmp_path: Path) -> None:
    with subprocess.Popen(command(tmp_path, 6), stderr=subprocess.PIPE, text=True) as process:
        while len(list(tmp_path.glob("*.wdl"))) < 86:  # all slices of five pieces, and the first of six
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        _, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 5  # a second, and time for a busy machine
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "dame-fast: interrupted; the same command goes on where it stopped"
    assert not list(tmp_path.glob(".*"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path, "256k") as disk:
        yield disk


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))


UNKNOWING: Final = """\
from dame_fast.build import machine
machine.free_disk = lambda directory: None
from dame_fast.__main__ import main
main()
"""
"""The program, on a machine that does not tell how much room there is on its disk."""


def test_disk_full(small_disk: Path) -> None:
    """Without a small file system, a limit on the size of files takes its place; the tables of 5 pieces pass both."""
    mounted = os.path.ismount(small_disk)
    if mounted:
        refused = run(small_disk, 5)
        assert refused.returncode == 1
        assert refused.stderr.startswith("dame-fast: the build needs about 1.0 MB of disk in ")
        assert refused.stderr.count("\n") == 1
    failed = subprocess.run(
        [sys.executable, "-P", "-c", UNKNOWING, *command(small_disk, 5)[4:]],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=None if mounted else limit_file_size,
    )
    reason = "the disk is full" if mounted else "File too large"
    assert failed.returncode == 1
    *slices, error = failed.stderr.splitlines()
    assert all("/85 slices " in line for line in slices)
    assert error.startswith("dame-fast: cannot write ")
    assert error.endswith(f" into '{small_disk}': {reason}")
    assert not list(small_disk.glob(".*"))
    finished = len(list(small_disk.glob("*.wdl")))
    assert 0 < finished < 85


def test_a_directory_that_is_not_writable(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(tmp_path)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    if not mounted:
        tmp_path.chmod(0o555)
    try:
        failed = run(tmp_path if mounted or os.geteuid() != 0 else Path("/proc/tables"))
    finally:
        if mounted:
            subprocess.run(["umount", str(tmp_path)], check=True)
        tmp_path.chmod(0o755)
    assert failed.returncode == 1
    lines = failed.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("dame-fast: cannot use '")
    assert lines[0].endswith(("Read-only file system", "Permission denied", "No such file or directory"))


def test_two_builds_at_once(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    first = subprocess.Popen(command(tmp_path, 6), stderr=subprocess.DEVNULL)
    while not list(tmp_path.glob("*.wdl")):
        time.sleep(0.01)
    second = run(tmp_path)
    first.kill()
    first.wait()
    assert second.returncode == 1
    assert second.stderr == f"dame-fast: another build or merge is writing into '{tmp_path}'\n"
    assert run(tmp_path).returncode == 0
    found = contents(tmp_path)
    assert {name: found[name] for name in undisturbed if name not in LISTS} == {
        name: content for name, content in undisturbed.items() if name not in LISTS
    }
