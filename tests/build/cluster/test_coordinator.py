"""The coordinator, with workers that are threads of this process: they may be lost, hang, or bring nonsense."""

import json
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from heard import Heard
from thread_executor import Threads

from dame_fast.build import machine
from dame_fast.build.builder import build
from dame_fast.build.cluster import coordinator as coordinator_module
from dame_fast.build.cluster import graph as graph_module
from dame_fast.build.cluster import units as units_module
from dame_fast.build.cluster.run import build_with
from dame_fast.build.cluster.tasks import CHECK, LOAD, MAKE, SOLVE, WRITE, Outcome, Task
from dame_fast.build.plan import make_plan
from dame_fast.build.report import ClusterReport
from dame_fast.errors import BuildError

PIECES = 4


@dataclass
class Site:
    """A directory and what has happened in it."""

    directory: Path
    heard: "Watching"
    report: ClusterReport

    def contents(self) -> dict[str, bytes]:
        return contents(self.directory)


class Watching(Heard):
    """Keeps notes and records, too. A build that has lost something shows less than before."""

    def __init__(self) -> None:
        super().__init__()
        self.notes: list[str] = []
        self.tasks: list[Mapping[str, Any]] = []
        self.records: list[Mapping[str, Any]] = []

    def reach(self, done: int) -> None:
        self.reached[-1] = done

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        super().finish(parts, record)
        self.records.append(record)

    def log(self, record: Mapping[str, Any]) -> None:
        self.tasks.append(record)

    def note(self, text: str) -> None:
        self.notes.append(text)


def contents(directory: Path) -> dict[str, bytes]:
    """All files of a directory; the folder of work files may be there as well if a build has failed."""
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "work"}


def run(directory: Path, executor: Threads, *, late: float = 0.5, **arguments: Any) -> Site:
    """Build in a directory."""
    plan = make_plan(**{"pieces": PIECES, "threads": 1} | arguments)
    heard = Watching()
    result = build_with(executor, plan, directory, None, heard, late)
    assert result.cluster is not None
    assert executor.closed
    return Site(directory, heard, result.cluster)


def failure(directory: Path, executor: Threads, **arguments: Any) -> str:
    """The text of the error that a build ends with."""
    with pytest.raises(BuildError) as caught:
        run(directory, executor, **arguments)
    assert executor.closed
    assert not list(directory.glob(".*"))
    return str(caught.value)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a build in one process gives."""
    directory = tmp_path_factory.mktemp("local")
    build(directory, pieces=PIECES, threads=1)
    return contents(directory)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most pairs are several tasks, and larger ones have several parts; nobody waits long."""
    monkeypatch.setattr(graph_module.TaskGraph.__init__, "__kwdefaults__", {"make_most": 10_000})
    monkeypatch.setattr(units_module, "PART_VALUES", 100_000)
    monkeypatch.setattr(coordinator_module, "_TICK", 0.01)
    monkeypatch.setattr(coordinator_module, "_LOOK", 0.02)
    monkeypatch.setattr(coordinator_module, "WORKERS_WAIT", 0.2)
    monkeypatch.setattr(machine, "available_memory", lambda: 8 * 2**30)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others do soon what a worker does not get done."""
    monkeypatch.setattr(coordinator_module, "SLOW_LEAST", 0.3)


@pytest.mark.parametrize("names", [("one",), ("one", "two"), ("one", "two", "three", "four")])
def test_the_same_bytes_as_in_one_process(local: dict[str, bytes], tmp_path: Path, names: tuple[str, ...]) -> None:
    executor = Threads(names)
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert {name for name, _ in executor.done} == set(names)
    assert {task.kind for _, task in executor.done} == {MAKE, SOLVE, CHECK, WRITE}
    assert site.report.tasks == len(executor.done) == len(site.heard.tasks)
    assert (site.report.twice, site.report.lost) == (0, 0)
    assert site.report.written > 0
    assert (site.report.read > 0) == (len(names) > 1)  # one worker has all in memory
    assert not (tmp_path / "work").exists()


def test_what_is_told(local: dict[str, bytes], tmp_path: Path) -> None:
    """All positions, every pair once with its bytes, and a line of the log for every task."""
    executor = Threads()
    site = run(tmp_path, executor)
    heard = site.heard
    ((name, measure, total, parts),) = heard.starts
    assert (name, measure, parts) == ("slices", "positions", 41)
    assert heard.reached == [total]
    assert sorted(heard.finished) == sorted(name[:-4] for name in local if name.endswith(".wdl"))
    assert sum(record["bytes"] for record in heard.records) == sum(map(len, local.values())) - sum(
        len(local[name]) for name in ("manifest.json", "SHA256SUMS")
    )
    for record in heard.records:
        assert {"solve", "check", "write"} <= set(record["seconds"])
    assert {record["worker"] for record in heard.tasks} == {"one", "two"}
    assert "solve KMvKM 5.2/9" in {record["task"] for record in heard.tasks}
    assert json.dumps(heard.tasks)


@pytest.mark.parametrize("metric", ["dtw", "dtz"])
def test_distances(tmp_path: Path, metric: str) -> None:
    build(tmp_path / "local", pieces=3, metric=metric, threads=1)
    site = run(tmp_path / "cluster", Threads(), pieces=3, metric=metric)
    assert site.contents() == contents(tmp_path / "local")


# ---- Workers that come and go ----


def test_a_worker_that_is_lost(local: dict[str, bytes], tmp_path: Path) -> None:
    """Every fifth task; each time another worker of the same name comes. What was lost is done again."""
    executor = Threads()
    lost: list[Task] = []

    def lose(name: str, task: Task) -> Outcome | None:
        if name == "two" and len(executor.done) % 5 == 0 and task not in lost:
            lost.append(task)
            return Threads.LOST
        return None

    executor.on_task = lose
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert site.report.lost >= len(lost) > 2
    assert len(lost) <= site.report.twice
    assert site.report.tasks == len({record["task"] for record in site.heard.tasks})


def test_a_worker_that_is_lost_after_its_work(local: dict[str, bytes], tmp_path: Path) -> None:
    """The files are there, and nobody has heard of them."""
    executor = Threads()
    lost: list[Task] = []

    def lose(name: str, task: Task) -> Outcome | None:
        if name == "two" and task.kind in (SOLVE, WRITE) and task not in lost and len(lost) < 8:
            lost.append(task)
            executor._hands[name].worker.run(task)
            return Threads.LOST
        return None

    executor.on_task = lose
    site = run(tmp_path, executor)
    assert site.report.lost >= len(lost) == 8
    assert site.contents() == local


def hang_where(executor: Threads, where: Callable[[str, Task], bool]) -> list[Task]:
    """Let workers hang with some tasks, which are in the list then."""
    hung: list[Task] = []

    def hang(name: str, task: Task) -> Outcome | None:
        if where(name, task):
            hung.append(task)
            executor.hung.wait(60)
        return None

    executor.on_task = hang
    return hung


def test_a_worker_that_hangs(local: dict[str, bytes], tmp_path: Path, impatient: None) -> None:
    """Another one does its task; the build ends without it."""
    executor = Threads(("one", "two", "three"))
    hung = hang_where(executor, lambda name, task: name == "two" and task.kind == WRITE)
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert len(hung) == 1
    assert site.report.twice >= 1
    assert site.report.lost == 0


def test_a_worker_that_hangs_with_two_tasks(local: dict[str, bytes], tmp_path: Path, impatient: None) -> None:
    """Another one does both of them, each once."""
    executor = Threads(("one", "two"))
    hung = hang_where(executor, lambda name, task: name == "two" and len(executor.done) > 30)
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert len(hung) == 1
    assert max(Counter(task.name for _, task in executor.done).values()) == 1


def test_a_task_that_is_lost_and_then_hangs(local: dict[str, bytes], tmp_path: Path, impatient: None) -> None:
    """It was begun twice, but one worker alone has it."""
    executor = Threads(("one", "two", "three"))
    hung: list[str] = []

    def hang(name: str, task: Task) -> Outcome | None:
        if task.name == "write KMvKM.wdl":
            hung.append(name)
            if len(hung) == 1:
                return Threads.LOST
            if len(hung) == 2:
                executor.hung.wait(60)
        return None

    executor.on_task = hang
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert len(hung) == 3
    assert site.report.lost >= 1


def test_the_slower_of_two_finds_nothing_any_more(
    local: dict[str, bytes], tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it reads has gone when it goes on, since the task was done by another one: nothing is made again."""
    executor = Threads(("one", "two", "three"))
    late = threading.Event()
    seen: list[Outcome] = []

    def hang(name: str, task: Task) -> Outcome | None:
        if task.name == "solve MvM" and not late.is_set():
            late.set()
            executor.hung.wait(1.0)
            seen.append(Outcome({}, damaged=("KvK.0+1.values",)))
            return seen[0]
        if task.name == "write KMMvM.wdl":
            executor.hung.wait(1.5)
        return None

    executor.on_task = hang
    monkeypatch.setattr(graph_module.TaskGraph.__init__, "__kwdefaults__", {"make_most": 0})
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert site.heard.notes == []
    assert len(seen) == 1


def test_workers_that_come_later(local: dict[str, bytes], tmp_path: Path) -> None:
    executor = Threads(("one",))

    def grow(name: str, task: Task) -> None:
        if len(executor.done) == 10:
            executor.names.append("two")

    executor.on_task = grow
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert {name for name, _ in executor.done} == {"one", "two"}


def test_no_worker_comes(tmp_path: Path) -> None:
    assert failure(tmp_path, Threads(())) == "there has been no worker for 0 s"


def test_the_last_worker_goes(local: dict[str, bytes], tmp_path: Path) -> None:
    """What is finished stays, and the next build goes on from there."""
    executor = Threads(("one",))

    def go(name: str, task: Task) -> Outcome | None:
        if len(executor.done) < 40:
            return None
        executor.names.clear()
        return Threads.LOST

    executor.on_task = go
    assert failure(tmp_path, executor) == "there has been no worker for 0 s"
    there = contents(tmp_path)
    finished = {name for name in there if name.endswith(".wdl")}
    assert finished
    assert all(there[name] == local[name] for name in finished)
    assert {entry["name"] for entry in json.loads(there["manifest.json"])["files"]} == finished
    again = Threads()
    site = run(tmp_path, again)
    assert site.contents() == local
    done = [task.name for _, task in executor.done]
    assert set(done).isdisjoint(task.name for _, task in again.done if task.kind != CHECK)


def test_workers_that_are_refused_are_named(local: dict[str, bytes], tmp_path: Path) -> None:
    refused = {"three": "has version 0, little-endian, not 1, little-endian"}
    executor = Threads(refused=refused)
    site = run(tmp_path / "used", executor)
    assert site.heard.notes == [f"worker three {refused['three']}; it is not used"]
    assert site.contents() == local
    text = failure(tmp_path / "unused", Threads((), refused))
    assert text == f"no worker can be used: three {refused['three']}"


def test_the_scheduler_is_lost(local: dict[str, bytes], tmp_path: Path) -> None:
    """It comes back when it is looked for a third time, with workers that know nothing of the build."""
    executor = Threads()

    def lose(name: str, task: Task) -> None:
        if len(executor.done) == 30 and executor.reopened == 0:
            executor.scheduler_is_lost = True

    executor.on_task = lose
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert executor.reopened == 3
    assert site.report.lost >= 1
    assert site.heard.notes == ["the scheduler does not answer; waiting for it to come back"]


def test_the_scheduler_does_not_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator_module, "SCHEDULER_WAIT", 0.1)
    executor = Threads()
    executor.scheduler_is_lost = True
    monkeypatch.setattr(executor, "reopen", lambda: False)
    assert failure(tmp_path, executor) == "the scheduler has not come back within 0 s"


# ---- Work files and tables that are not what they were ----


@pytest.mark.parametrize("damage", ["a byte", "cut", "gone"])
def test_a_damaged_part_is_made_again(local: dict[str, bytes], tmp_path: Path, damage: str) -> None:
    executor = Threads()
    hit: list[str] = []

    def spoil(name: str, task: Task) -> None:
        if task.kind != WRITE or hit or task.pair.material.name != "KMvKM":
            return
        part = tmp_path / "work" / task.reads[0].files()[0]
        hit.append(part.name)
        executor._hands[name].worker._forget()
        content = bytearray(part.read_bytes())
        if damage == "gone":
            part.unlink()
        elif damage == "cut":
            os.truncate(part, len(content) - 20)
        else:
            content[len(content) // 2] ^= 1
            part.write_bytes(content)

    executor.on_task = spoil
    site = run(tmp_path, executor, late=0.05)
    assert len(hit) == 1
    assert site.contents() == local
    assert site.heard.notes
    assert all(note.endswith(": damaged or not there; made again") for note in site.heard.notes)
    assert hit[0].partition(".")[2].removesuffix(".values") in site.heard.notes[0]
    assert site.heard.reached[-1] == site.heard.starts[-1][2]


def test_parts_that_are_always_damaged_end_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinator_module, "REPAIRS", 3)
    executor = Threads()
    executor.on_task = lambda name, task: Outcome({}, damaged=("KvK.0+1.values", "KvM.0+1.values"))
    assert failure(tmp_path, executor) == "work files are damaged again and again, the last one is KvK.0+1.values"


def test_an_error_of_a_worker_ends_the_build(tmp_path: Path) -> None:
    executor = Threads(("one",))
    executor.on_task = lambda name, task: Outcome({}, error="no luck") if task.pair.material.pieces == 3 else None
    assert failure(tmp_path, executor) == "solve KKvK on one: no luck"
    assert {"KvK.wdl", "MvK.wdl", "manifest.json", "SHA256SUMS"} <= set(contents(tmp_path))
    assert executor.closed


def test_a_table_that_never_shows(tmp_path: Path) -> None:
    executor = Threads(("one",))

    def lose(name: str, task: Task) -> Outcome | None:
        outcome = executor._hands[name].worker.run(task)
        for written in outcome.tables:
            (tmp_path / written.partial).unlink()
        return outcome

    executor.on_task = lose
    assert failure(tmp_path, executor) == "KvK.wdl: what a worker has written is not there"


def test_a_table_that_shows_late(local: dict[str, bytes], tmp_path: Path) -> None:
    executor = Threads(("one",))

    def delay(name: str, task: Task) -> Outcome | None:
        if task.name != "make MvK":
            return None
        outcome = executor._hands[name].worker.run(task)
        for written in outcome.tables:
            (tmp_path / written.partial).rename(tmp_path / "work" / "hidden" / written.partial)
        threading.Timer(
            0.2, lambda: [path.rename(tmp_path / path.name) for path in (tmp_path / "work" / "hidden").iterdir()]
        ).start()
        return outcome

    (tmp_path / "work" / "hidden").mkdir(parents=True)
    executor.on_task = delay
    site = run(tmp_path, executor, late=20.0, pieces=2)
    names = {"KvK.wdl", "KvM.wdl", "MvK.wdl", "MvM.wdl"}
    assert {name: site.contents()[name] for name in names} == {name: local[name] for name in names}


def test_missing_tables_without_work_files(local: dict[str, bytes], tmp_path: Path) -> None:
    """What they need is loaded from tables, and nothing else is done."""
    for name, content in local.items():
        (tmp_path / name).write_bytes(content)
    for name in ("KMMvK.wdl", "KMvM.wdl", "MvKM.wdl", "manifest.json"):
        (tmp_path / name).unlink()
    executor = Threads()
    site = run(tmp_path, executor)
    assert site.contents() == local
    assert sorted(site.heard.finished) == ["KMMvK", "KMvM", "KvKMM", "MvKM"]
    written = [str(task.table) for _, task in executor.done if task.kind == WRITE]
    assert sorted(written) == ["KMMvK.wdl", "KMvM.wdl", "MvKM.wdl"]
    loaded = {task.pair.material.name for _, task in executor.done if task.kind == LOAD}
    assert {"KvK", "MvK", "MMvK"} <= loaded
    assert {"MMvMM", "KKvKK"}.isdisjoint(loaded)


def test_nothing_is_left_of_files_of_others(three_pieces: Path, tmp_path: Path) -> None:
    """Parts of a build of another rule set in the folder of work files are damaged ones."""
    (tmp_path / "russian").mkdir()
    strange = Threads(("one",))

    def keep(name: str, task: Task) -> Outcome | None:
        if task.kind == WRITE and task.pair.material.name == "KMvM":
            shutil.copytree(tmp_path / "russian" / "work", tmp_path / "kept")
            strange.names.clear()
        return None if strange.names else Threads.LOST

    strange.on_task = keep
    failure(tmp_path / "russian", strange, variant="russian", pieces=3)
    (tmp_path / "english").mkdir()
    shutil.copytree(tmp_path / "kept", tmp_path / "english" / "work")
    site = run(tmp_path / "english", Threads(), late=0.05, pieces=3)
    assert site.contents() == contents(three_pieces)
    assert site.heard.notes
