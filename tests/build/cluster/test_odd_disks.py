"""Builds on file systems as they are elsewhere: slow ones, and such that show new names late."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def odd_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What makes a file system odd."""
    if sys.platform != "linux":
        pytest.skip("the C library is another one")
    library = tmp_path_factory.mktemp("odd") / "odd_disk.so"
    compile = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-o", str(library), str(HERE / "odd_disk.c"), "-ldl"]
    subprocess.run(compile, check=True)
    return library


def run(
    directory: Path, library: Path, odd: dict[str, str], scheduler: str | None = "local:2", pieces: int = 3
) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(library), "DAME_ODD_FOLDER": str(directory), **odd}
    arguments = ["--pieces", str(pieces), "--out", str(directory), "--threads", "2"]
    if scheduler is not None:
        arguments += ["--scheduler", scheduler]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dame_fast", "build", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "made again" not in done.stderr


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_late_file_is_late(odd_disk: Path, tmp_path: Path) -> None:
    """What another process has just made is not there; a second later it is."""
    program = """\
import os, sys, time
path = sys.argv[1]
try:
    os.stat(path)
except FileNotFoundError:
    time.sleep(1.5)
    print(open(path).read())
with open(path + ".own", "w") as file:
    file.write("own")
print(open(path + ".own").read())
"""
    (tmp_path / "file").write_text("from elsewhere")
    os.utime(tmp_path / "file")
    environment = {"LD_PRELOAD": str(odd_disk), "DAME_ODD_FOLDER": str(tmp_path), "DAME_ODD_LATE": "1200"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "file")],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["from elsewhere", "own"]


@pytest.mark.parametrize("odd", [{"DAME_ODD_DELAY": "20000"}, {"DAME_ODD_LATE": "300"}], ids=["slow", "late"])
def test_the_same_bytes(odd_disk: Path, three_pieces: Path, tmp_path: Path, odd: dict[str, str]) -> None:
    run(tmp_path, odd_disk, odd)
    assert contents(tmp_path) == contents(three_pieces)


@pytest.mark.slow
@pytest.mark.parametrize("odd", [{"DAME_ODD_DELAY": "20000"}, {"DAME_ODD_LATE": "1000"}], ids=["slow", "late"])
def test_four_pieces(odd_disk: Path, tmp_path: Path, odd: dict[str, str]) -> None:
    """And what is missing is loaded from tables that others have written just before."""
    run(tmp_path / "local", odd_disk, {}, None, 4)
    run(tmp_path / "cluster", odd_disk, odd, pieces=4)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "local")
    for name in ("KMvKM.wdl", "MMvMM.wdl"):
        (tmp_path / "cluster" / name).unlink()
    run(tmp_path / "cluster", odd_disk, odd, pieces=4)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "local")
