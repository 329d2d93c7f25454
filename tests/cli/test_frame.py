"""The frame of all commands: help, wrong options, Ctrl-C, and readers or disks that give up."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from small_tables import Command

import dame_fast
from dame_fast.cli import main_group

PROGRAM = [sys.executable, "-P", "-m", "dame_fast"]


def test_version(command: Command) -> None:
    assert command("--version") == (0, f"dame-fast {dame_fast.__version__}\n", "")


@pytest.mark.parametrize("name", [[], *([name] for name in main_group.commands)])
def test_help(command: Command, name: list[str]) -> None:
    for option in ("--help", "-h"):
        status, out, err = command(*name, option)
        assert (status, err) == (0, "")
        assert out.startswith(f"Usage: {' '.join(['dame-fast', *name])} ")
        assert "Example" in out
        assert f"dame-fast {' '.join(name)}" in out.partition("Example")[2]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "Missing command (see dame-fast --help)"),
        (["--nope"], "(see dame-fast --help)"),
        (["nope"], "(see dame-fast --help)"),
        (["probe"], "Missing argument 'FEN...' (see dame-fast probe --help)"),
        (["moves", "W:W18:B1", "W:W18:B1"], "(see dame-fast moves --help)"),
        (["perft", "2", "--nope"], "(see dame-fast perft --help)"),
        (["stats", ".", "--format", "xml"], "(see dame-fast stats --help)"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(command: Command, arguments: list[str], text: str) -> None:
    status, out, err = command(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("dame-fast: ")
    assert err.endswith(f"{text}\n")
    assert err.count("\n") == 1
    assert all(argument in err for argument in arguments if "nope" in argument)


def test_a_directory_that_cannot_be_read(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "KvK.wdl").mkdir()
    assert command("stats", tmp_path) == (1, "", f"dame-fast: {tmp_path / 'KvK.wdl'}: Is a directory\n")


def test_no_memory(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("dame_fast.cli.moves.Board", fail)
    assert command("moves", "W:W18:B1") == (1, "", "dame-fast: not enough memory\n")


def test_names_cannot_break_the_line(command: Command, tmp_path: Path) -> None:
    directory = tmp_path / "two\nlines\x1b[2J"
    directory.mkdir()
    (directory / "KvK.wdl").write_bytes(bytes(200))
    status, out, err = command("verify", directory)
    assert (status, out) == (4, "")
    assert err.count("\n") == 1
    assert err.endswith("two lines\\x1b[2J/KvK.wdl: not a table file\n")


def test_no_more_threads(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("threading.Thread.start", refuse)
    text = "dame-fast: no thread can be started: too little memory, or too many threads\n"
    assert command("perft", "3") == (1, "", text)


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        ("KeyboardInterrupt", 130, "interrupted"),
        ("MemoryError", 1, "not enough memory"),
        ("ImportError('failed to map segment')", 1, "cannot start: failed to map segment"),
    ],
)
def test_while_it_imports(tmp_path: Path, error: str, status: int, text: str) -> None:
    (tmp_path / "click.py").write_text(f"raise {error}")
    (tmp_path / "numpy.py").write_text("raise AssertionError('perft needs no arrays')")
    for more in ([], ["2>&-"]):
        line = " ".join([*PROGRAM, "perft", "3", *more])
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr == ("" if more else f"dame-fast: {text}\n")


def test_ctrl_c() -> None:
    process = subprocess.Popen([*PROGRAM, "perft", "40"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, "", "dame-fast: interrupted\n")


def interrupted(arguments: list[str], seconds: float) -> tuple[int, str]:
    """Start a command, press Ctrl-C so much later, and return its status and what it says on stderr."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err


@pytest.mark.parametrize("program", [PROGRAM, [str(Path(sys.executable).parent / "dame-fast")]])
def test_ctrl_c_at_any_moment(program: list[str]) -> None:
    """Before the first line of this package runs, Python itself may show where it is; from then on nothing does."""
    seen = set()
    for milliseconds in [*range(0, 105, 5), *range(110, 600, 35)]:
        status, err = interrupted([*program, "perft", "40"], milliseconds / 1000)
        if not err or "dame-fast: " in err or os.sep.join(("", "dame_fast", "")) in err:
            # A status of -2: before Python hears of signals.
            assert (status, err) in ((130, "dame-fast: interrupted\n"), (-signal.SIGINT, "")), (milliseconds, err)
            seen.add(status)
    assert 130 in seen


@pytest.mark.parametrize("moment", ["while it imports", "at the end"])
def test_ctrl_c_where_an_exception_would_be_lost(tmp_path: Path, moment: str) -> None:
    """As in a callback of Python's import system, whose exceptions are printed and forgotten."""
    (tmp_path / "click.py").write_text(
        "import os, signal, time\n"
        "class Lost:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(0.1)\n"
        "Lost()\n"
    )
    end = "import atexit, os, signal; atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT)); "
    text = f"{end if moment == 'at the end' else ''}import sys; sys.argv = ['dame-fast', 'perft', '3']; "
    environment = {**os.environ, "PYTHONPATH": str(tmp_path) if moment == "while it imports" else ""}
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{text}from dame_fast.__main__ import main; main()"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if moment == "while it imports":
        assert (done.returncode, done.stderr) == (130, "dame-fast: interrupted\n")
    else:
        assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_ctrl_c_that_is_to_be_ignored() -> None:
    """As of a command that a shell script starts in the background."""
    line = " ".join(["trap '' INT;", *PROGRAM, "perft", "7"])
    process = subprocess.Popen(["sh", "-c", f"{line} & sleep 0.3; kill -INT $!; wait $!"], stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, out.split()[-1:]) == (0, [b"179740"])


def test_a_reader_that_has_gone() -> None:
    process = subprocess.Popen([*PROGRAM, "perft", "3", "--divide"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=20) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, "perft", "3"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, b"dame-fast: No space left on device\n")


def test_closed_streams() -> None:
    for closed in (">&-", "2>&-", "<&-"):
        line = " ".join([*PROGRAM, "perft", "3", closed])
        done = subprocess.run(["sh", "-c", line], capture_output=True, check=False)
        assert done.returncode == 0
        assert done.stderr == b""
