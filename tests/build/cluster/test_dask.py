"""Builds on a Dask cluster, in processes of their own: the same bytes whatever is killed, and plain words."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from small_tables import Command

from dame_fast.build.builder import build
from dame_fast.build.cluster import coordinator as coordinator_module
from dame_fast.build.cluster import dask_executor as dask_executor_module

WAIT: Final = 60.0  # seconds, for what takes one or two on a machine that has nothing else to do


Local = Callable[..., dict[str, bytes]]


def contents(directory: Path) -> dict[str, bytes]:
    """Whatever is in a directory; a folder would be a mistake here."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def build_command(directory: Path, scheduler: str, *more: str, pieces: int = 4) -> list[str]:
    wanted = ["--pieces", str(pieces), "--out", str(directory), "--scheduler", scheduler, *more]
    return [sys.executable, "-P", "-m", "dame_fast", "build", *wanted]


def run(directory: Path, scheduler: str, *more: str, pieces: int = 4) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        build_command(directory, scheduler, *more, pieces=pieces),
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * WAIT,
    )


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def tables_in(directory: Path) -> int:
    return len(list(directory.glob("*.wdl")))


def has_come_to(directory: Path, tables: int) -> bool:
    return tables_in(directory) >= tables


def is_calm(errors: str) -> bool:
    """Whether nothing but the tables, and notes of the command, was said."""
    lines = (line for line in errors.splitlines() if " slices " not in line)
    return all(line.startswith(("dame-fast: dashboard: ", "dame-fast: interrupted")) for line in lines)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """What a build in one process gives."""
    made: dict[tuple[int, str], dict[str, bytes]] = {}

    def tables(pieces: int = 4, metric: str = "wdl") -> dict[str, bytes]:
        if (pieces, metric) not in made:
            directory = tmp_path_factory.mktemp("local")
            build(directory, pieces=pieces, metric=metric, threads=1)
            made[pieces, metric] = contents(directory)
        return made[pieces, metric]

    return tables


# ---- Processes of this machine ----


@pytest.mark.parametrize(("processes", "threads", "metric"), [(2, 2, "wdl"), (1, 2, "dtw")])
def test_processes_of_this_machine(local: Local, tmp_path: Path, processes: int, threads: int, metric: str) -> None:
    out = tmp_path / "tables"
    more = ("--threads", str(threads), "--metric", metric, "--json", "--log", str(tmp_path / "log"))
    done = run(out, f"local:{processes}", *more)
    assert done.returncode == 0, done.stderr
    assert is_calm(done.stderr)
    assert contents(out) == local(metric=metric)
    answer = json.loads(done.stdout)
    assert (answer["slices"], answer["built"], answer["positions"]) == (41, 41, 6_408_836)
    assert answer["cluster"]["twice"] == answer["cluster"]["lost"] == 0
    log = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    tasks = [record for record in log if "task" in record]
    assert len(tasks) == answer["cluster"]["tasks"]
    assert len({record["worker"] for record in tasks}) == processes
    assert sorted(name for record in log for name in record.get("slices", ())) == sorted(
        name[:-4] for name in contents(out) if name.endswith(".wdl")
    )
    again = run(out, f"local:{processes}", *more)
    assert again.returncode == 0
    assert json.loads(again.stdout)["built"] == 0
    assert "cluster" not in json.loads(again.stdout)
    assert contents(out) == local(metric=metric)


def test_what_is_printed(tmp_path: Path) -> None:
    done = run(tmp_path / "tables", "local:1", pieces=3)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"{tmp_path / 'tables'}: 16 slices, 3,356 bytes"
    assert lines[1].startswith("199,520 positions built in ")
    assert lines[2].endswith(" written")
    assert " tasks, 0 of them begun twice; 0 workers lost; work files: " in lines[2]


def test_work_files_of_a_build_in_one_process_are_in_nobodys_way(local: Local, tmp_path: Path) -> None:
    """And the other way round: each passes over what the other one has left, and removes it at the end."""
    work = tmp_path / "tables" / "work"
    work.mkdir(parents=True)
    for name in ("KKvK.values", "KKvK.stored", "KKvK.0+1.values", "KvKK.0+1.values"):
        (work / name).write_bytes(b"nonsense")
    (work / "run-0123456789abcdef").touch()
    (work / "run-0123456789abcdef-4").mkdir()
    (work / "run-0123456789abcdef-4" / "KKvK.0+1.values").write_bytes(b"half")
    done = run(work.parent, "local:1", pieces=3)
    assert done.returncode == 0, done.stderr
    assert "KKvK.0+1.values and 1 more: damaged or not there; made again" in done.stderr
    assert contents(work.parent) == local(3)


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    """The processes that a build has started to do its tasks."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            is_worker = b"spawn_main" in (path / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended
        if parent == process.pid and is_worker:
            found.append(int(path.name))
    return found


@contextmanager
def running(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A process in a group of its own; whatever is left of it at the end is killed."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")


@linux
@pytest.mark.slow
def test_workers_that_are_killed(local: Local, tmp_path: Path) -> None:
    """Three times one of the two; another one takes its place."""
    with running(build_command(tmp_path, "local:2", "--threads", "2", "--json", pieces=5)) as process:
        for tables in (20, 45, 55):
            wait_until(partial(has_come_to, tmp_path, tables))
            wait_until(lambda: len(workers_of(process)) == 2)
            os.kill(workers_of(process)[0], signal.SIGKILL)
        output, errors = process.communicate(timeout=2 * WAIT)
    assert process.returncode == 0, errors
    assert json.loads(output)["cluster"]["lost"] >= 1
    assert contents(tmp_path) == local(5)


@linux
@pytest.mark.slow
def test_a_worker_that_is_stopped(local: Local, tmp_path: Path) -> None:
    """It hangs, and holds a task; the other one does all, and the end does not wait for it."""
    with running(build_command(tmp_path, "local:2", "--threads", "2", "--json", pieces=5)) as process:
        wait_until(lambda: tables_in(tmp_path) >= 40 and len(workers_of(process)) == 2)
        os.kill(workers_of(process)[0], signal.SIGSTOP)
        output, errors = process.communicate(timeout=2 * WAIT)
    assert process.returncode == 0, errors
    assert json.loads(output)["cluster"]["twice"] >= 1
    assert contents(tmp_path) == local(5)


@pytest.mark.slow
def test_a_coordinator_that_is_killed_twice(local: Local, tmp_path: Path) -> None:
    """Its workers end by themselves; the next one goes on."""
    for tables in (20, 50):
        with running(build_command(tmp_path, "local:2", "--threads", "2", pieces=5)) as process:
            wait_until(partial(has_come_to, tmp_path, tables))
            workers = workers_of(process) if Path("/proc/self/stat").exists() else []
            process.kill()
            process.communicate(timeout=WAIT)
            wait_until(partial(have_ended, workers))
        there = {name: content for name, content in contents_of_files(tmp_path).items() if name.endswith(".wdl")}
        assert all(content == local(5)[name] for name, content in there.items() if not name.startswith("."))
    done = run(tmp_path, "local:2", "--threads", "2", "--json", pieces=5)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["built"] <= 85 - 2 * len(there) // 3
    assert contents(tmp_path) == local(5)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def have_ended(workers: Sequence[int]) -> bool:
    return not any(is_running(worker) for worker in workers)


def contents_of_files(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if not path.is_dir()}


@pytest.mark.slow
@pytest.mark.parametrize("whole_group", [False, True])
def test_ctrl_c(local: Local, tmp_path: Path, whole_group: bool) -> None:
    """A terminal sends it to the workers, too. The same command goes on."""
    with running(build_command(tmp_path, "local:2", "--threads", "2", pieces=5)) as process:
        wait_until(lambda: tables_in(tmp_path) >= 30)
        start = time.monotonic()
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=WAIT)
    assert time.monotonic() - start < 5  # one or two seconds, and time for a busy machine
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "dame-fast: interrupted; the same command goes on where it stopped"
    assert is_calm(errors)
    assert not list(tmp_path.glob(".*"))
    assert not list(tmp_path.glob("work/run-*"))
    listed = {entry["name"] for entry in json.loads((tmp_path / "manifest.json").read_text())["files"]}
    unlisted = {path.name for path in tmp_path.glob("*.wdl")} - listed
    assert len(listed) >= 29
    assert len(unlisted) <= 1  # what was being published just then
    assert run(tmp_path, "local:2", "--threads", "2", pieces=5).returncode == 0
    assert contents(tmp_path) == local(5)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.7, 1.3, 1.9])
def test_ctrl_c_while_workers_begin(tmp_path: Path, seconds: float) -> None:
    """Whatever it hits, nothing but one line is said, and nothing is left."""
    with running(build_command(tmp_path / "tables", "local:2", pieces=6)) as process:
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=WAIT)
    assert process.returncode == 130
    assert is_calm(errors)
    assert not list(tmp_path.glob("tables/.*"))


def test_two_coordinators(tmp_path: Path) -> None:
    with running(build_command(tmp_path, "local:1", pieces=6)) as first:
        wait_until(lambda: tables_in(tmp_path) > 0)
        second = run(tmp_path, "local:1")
        os.killpg(first.pid, signal.SIGKILL)
    assert second.returncode == 1
    assert second.stderr == f"dame-fast: another build or merge is writing into '{tmp_path}'\n"


# ---- A scheduler and workers that others have started ----


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def scheduler_at(port: int) -> Iterator["subprocess.Popen[str]"]:
    module = [sys.executable, "-P", "-m", "distributed.cli.dask_scheduler"]
    arguments = ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show"]
    with quiet([*module, *arguments]) as process:
        wait_until(lambda: answers(port))
        yield process


@contextmanager
def workers_at(port: int, folder: Path, count: int = 2) -> Iterator["subprocess.Popen[str]"]:
    module = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", f"tcp://127.0.0.1:{port}"]
    arguments = ["--nworkers", str(count), "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder)]
    with quiet([*module, *arguments, "--memory-limit", "0", "--death-timeout", str(WAIT)]) as process:
        yield process


@contextmanager
def quiet(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A process in a group of its own whose output nobody reads; the whole group is killed at the end."""
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        end_group(process)


def end_group(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def answers(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0


def test_a_scheduler_of_others(local: Local, tmp_path: Path) -> None:
    """Its workers do a build, and another one after that."""
    port = free_port()
    with scheduler_at(port), workers_at(port, tmp_path):
        for pieces in (3, 4):
            done = run(tmp_path / str(pieces), f"tcp://127.0.0.1:{port}", pieces=pieces)
            assert done.returncode == 0, done.stderr
            assert is_calm(done.stderr)
            assert contents(tmp_path / str(pieces)) == local(pieces)


@pytest.mark.slow
def test_a_scheduler_that_is_killed(local: Local, tmp_path: Path) -> None:
    """Another one at the same place, with other workers; the build waits for it, and goes on."""
    port = free_port()
    out = tmp_path / "tables"
    with scheduler_at(port) as scheduler, workers_at(port, tmp_path / "one") as workers:
        command = build_command(out, f"tcp://127.0.0.1:{port}", "--json", pieces=5)
        with running(command) as process:
            wait_until(lambda: tables_in(out) >= 45)
            end_group(scheduler)
            end_group(workers)
            time.sleep(0.5)  # whatever the build does meanwhile
            with scheduler_at(port), workers_at(port, tmp_path / "two"):
                output, errors = process.communicate(timeout=2 * WAIT)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert contents(out) == local(5)
    assert json.loads(output)["built"] == 85


def test_no_workers(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator_module, "WORKERS_WAIT", 1.0)
    port = free_port()
    with scheduler_at(port):
        ended = command("build", "--pieces", "2", "--out", tmp_path, "--scheduler", f"tcp://127.0.0.1:{port}")
    assert ended.status == 1
    assert ended.err.splitlines()[-1] == "dame-fast: there has been no worker for 1 s"
    assert list(tmp_path.iterdir()) == []


# ---- What is no cluster ----


@pytest.mark.parametrize(
    ("scheduler", "status", "text"),
    [
        ("nonsense", 2, "neither tcp://HOST:PORT of a Dask scheduler nor local:N: 'nonsense'"),
        ("local:0", 2, "neither tcp://HOST:PORT of a Dask scheduler nor local:N: 'local:0'"),
        ("local:x", 2, "neither tcp://HOST:PORT of a Dask scheduler nor local:N: 'local:x'"),
        ("", 2, "neither tcp://HOST:PORT of a Dask scheduler nor local:N: ''"),
        ("tcp://127.0.0.1", 2, "not the address of a Dask scheduler: 'tcp://127.0.0.1'"),
        ("tcp://", 2, "not the address of a Dask scheduler: 'tcp://'"),
        ("ucx://127.0.0.1:1", 2, "not the address of a Dask scheduler: 'ucx://127.0.0.1:1'"),
        ("tcp://127.0.0.1:1", 1, "no Dask scheduler answers at 'tcp://127.0.0.1:1'"),
    ],
)
def test_addresses_that_are_none(
    tmp_path: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    scheduler: str,
    status: int,
    text: str,
) -> None:
    monkeypatch.setattr(dask_executor_module, "CONNECT", 1)
    ended = command("build", "--pieces", "2", "--out", tmp_path, "--scheduler", scheduler)
    assert (ended.status, ended.err) == (status, f"dame-fast: {text}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_limit_that_is_too_small(tmp_path: Path, command: Command) -> None:
    ended = command("build", "--pieces", "2", "--out", tmp_path, "--scheduler", "local:1", "--memory", "0.01")
    assert ended.status == 2
    assert ended.err == "dame-fast: each worker needs 0.26 GiB of memory at least, the limit is 0.01 GiB\n"
    assert list(tmp_path.iterdir()) == []
