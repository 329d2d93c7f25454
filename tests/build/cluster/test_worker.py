"""What a worker does with each kind of task, in one process: right files, and plain words for what goes wrong."""

import os
import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import dame_fast._native as _native
from dame_fast.build import machine
from dame_fast.build.builder import build
from dame_fast.build.cluster import units as units_module
from dame_fast.build.cluster import worker as worker_module
from dame_fast.build.cluster.graph import TaskGraph
from dame_fast.build.cluster.tasks import LOAD, MAKE, SOLVE, Outcome, Task
from dame_fast.build.cluster.units import part_names
from dame_fast.build.cluster.worker import Fitness, Job, Worker, least_memory, make_worker
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import Plan, make_plan
from dame_fast.tables.files import TableName

PIECES = 3


@pytest.fixture(scope="module", params=["wdl", "dtz"])
def local(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, bytes]]:
    """A metric, and the tables that a build in one process gives."""
    directory = tmp_path_factory.mktemp("local")
    build(directory, pieces=PIECES, threads=1, metric=request.param)
    return request.param, {path.name: path.read_bytes() for path in directory.iterdir()}


def job_of(directory: Path, plan: Plan, late: float = 0.2) -> Job:
    job = Job("1234", str(directory), plan, None, late)
    with BuildDirectory(directory) as held:
        held.mark_run(job.token)
    return job


class Site:
    """A directory, its workers, and the tasks of a build in it."""

    def __init__(self, directory: Path, plan: Plan, missing: Sequence[TableName] | None = None, **more: Any) -> None:
        self.directory = directory
        self.plan = plan
        self.job = job_of(directory, plan)
        wanted = plan.tables if missing is None else missing
        self.graph = TaskGraph(plan, wanted, BuildDirectory(directory).parts(), **more)
        self._workers = 0

    def worker(self, threads: int = 1) -> Worker:
        self._workers += 1
        made = make_worker(self.job, threads, f"worker-{self._workers}", 1, None)
        assert isinstance(made, Worker)
        return made

    def take(self) -> Task:
        task = self.graph.take()
        assert task is not None
        return task

    def accept(self, task: Task, outcome: Outcome) -> None:
        """Do what the coordinator does; values stay."""
        assert outcome.error is None
        assert outcome.damaged == ()
        for written in outcome.tables:
            (self.directory / written.partial).rename(self.directory / str(written.table))
        self.graph.finish(task)

    def run(self, workers: Sequence[Worker], until: str | None = None) -> Task | None:
        """Let workers do tasks in turn, until one has this name, which is not done."""
        number = 0
        while not self.graph.is_done:
            task = self.take()
            if task.name == until:
                return task
            self.accept(task, workers[number % len(workers)].run(task))
            number += 1
        assert until is None
        return None


@pytest.fixture
def plan() -> Plan:
    return make_plan(pieces=PIECES, threads=1)


@pytest.fixture(autouse=True)
def enough_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: 4 * 2**30)


@pytest.mark.parametrize("make_most", [0, 30_000, 1 << 22])
@pytest.mark.parametrize("threads", [1, 2])
def test_workers_in_turn_give_the_tables_of_one_process(
    local: tuple[str, dict[str, bytes]],
    tmp_path: Path,
    make_most: int,
    threads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With parts of few values, so that no pair is solved by one worker alone."""
    metric, tables = local
    monkeypatch.setattr(units_module, "PART_VALUES", 5_000)
    site = Site(tmp_path, make_plan(pieces=PIECES, threads=1, metric=metric), make_most=make_most)
    site.run([site.worker(threads) for _ in range(3)])
    assert {name.name: name.read_bytes() for name in tmp_path.glob("*v*")} == {
        name: content for name, content in tables.items() if "v" in name
    }
    assert not list(tmp_path.glob(".*"))


def test_outcomes(tmp_path: Path, plan: Plan) -> None:
    """Each task says how long it took, what it made, and how many bytes of work files it has moved."""
    site = Site(tmp_path, plan, make_most=0)
    worker, other = site.worker(), site.worker()
    task = site.run([worker], until="solve MMvK") or pytest.fail("no such task")
    assert task.kind == SOLVE
    solved = worker.run(task)
    assert set(solved.seconds) == {"read", "solve"}
    assert solved.tables == ()
    assert solved.written > 0
    assert task.units is not None
    assert all((tmp_path / "work" / name).is_file() for name in part_names(task.pair, task.units))
    site.accept(task, solved)
    check = site.run([worker], until="check MMvK") or pytest.fail("no such task")
    checked = other.run(check)
    assert set(checked.seconds) == {"read", "check"}
    assert checked.read > 0
    site.accept(check, checked)
    write = site.run([worker], until="write MMvK.wdl") or pytest.fail("no such task")
    written = other.run(write)
    assert set(written.seconds) == {"read", "write"}
    assert [str(one.table) for one in written.tables] == ["MMvK.wdl"]
    assert written.tables[0].partial.startswith(".MMvK.wdl.")
    entry = written.tables[0].entry
    assert entry["name"] == "MMvK.wdl"
    assert entry["size"] == (tmp_path / written.tables[0].partial).stat().st_size
    assert not (tmp_path / "MMvK.wdl").exists()
    assert written.peak_memory > 0


def test_a_small_pair_is_made_at_once(tmp_path: Path, plan: Plan) -> None:
    site = Site(tmp_path, plan)
    task = site.take()
    assert (task.kind, task.name) == (MAKE, "make KvK")
    outcome = site.worker().run(task)
    assert set(outcome.seconds) == {"read", "solve", "check", "write"}
    assert [str(written.table) for written in outcome.tables] == ["KvK.wdl"]


def test_the_same_task_twice(tmp_path: Path, plan: Plan) -> None:
    """By the same worker, and by another one: the part is replaced, and whoever has read the first one goes on."""
    site = Site(tmp_path, plan, make_most=0)
    one, other = site.worker(), site.worker()
    task = site.run([one, other], until="solve KMvK") or pytest.fail("no such task")
    site.accept(task, one.run(task))
    for worker in (one, other, one):
        again = worker.run(task)
        assert (again.error, again.damaged) == (None, ())
    site.run([one, other])
    assert site.graph.is_done


def test_values_come_back_from_tables(three_pieces: Path, tmp_path: Path, plan: Plan) -> None:
    """The work files are gone, and one table is missing: what it needs is loaded, in the order in which it can be."""
    for path in three_pieces.glob("*.wdl"):
        shutil.copy(path, tmp_path)
    (tmp_path / "KMvK.wdl").unlink()
    wanted = [table for table in plan.tables if str(table) == "KMvK.wdl"]
    site = Site(tmp_path, plan, wanted)
    worker, other = site.worker(), site.worker()
    task = site.take()
    assert (task.kind, task.name) == (LOAD, "load KvK")
    outcome = worker.run(task)
    assert set(outcome.seconds) == {"read", "load"}
    assert [path.name for path in (tmp_path / "work").glob("*.values")] == ["KvK.0+1.values"]
    site.accept(task, outcome)
    site.run([other, worker])
    assert (tmp_path / "KMvK.wdl").read_bytes() == (three_pieces / "KMvK.wdl").read_bytes()


def test_a_table_that_shows_late_is_waited_for(three_pieces: Path, tmp_path: Path, plan: Plan) -> None:
    """One that is loaded, and that another process has just published."""
    wanted = [table for table in plan.tables if str(table) == "MvK.wdl"]
    site = Site(tmp_path, plan, wanted)
    site.job = replace(site.job, late=20.0)
    task = site.take()
    assert task.name == "load KvK"
    threading.Timer(0.3, lambda: shutil.copy(three_pieces / "KvK.wdl", tmp_path / "KvK.wdl")).start()
    site.accept(task, site.worker().run(task))


def test_a_table_that_is_not_there(tmp_path: Path, plan: Plan) -> None:
    site = Site(tmp_path, plan, [table for table in plan.tables if str(table) == "MvK.wdl"])
    outcome = site.worker().run(site.take())
    assert outcome.error == f"cannot read KvK.wdl in '{tmp_path}': No such file or directory"


def checked_task(site: Site, worker: Worker, name: str) -> tuple[Task, Path]:
    """A task that is ready, and the part of KvK that it reads."""
    task = site.run([worker], until=name) or pytest.fail("no such task")
    return task, site.directory / "work" / "KvK.0+1.values"


def test_a_part_that_is_not_there_is_named(tmp_path: Path, plan: Plan) -> None:
    site = Site(tmp_path, plan, make_most=0)
    task, part = checked_task(site, site.worker(), "solve KMvK")
    part.unlink()
    outcome = site.worker().run(task)
    assert (outcome.error, outcome.damaged) == (None, ("KvK.0+1.values",))


def test_a_part_that_vanishes_while_it_is_read_is_named(
    tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is opened once more whenever more files are needed than may be open at a time."""
    site = Site(tmp_path, plan, make_most=0)
    task, part = checked_task(site, site.worker(), "check KMvM")

    def vanish(*arguments: object) -> None:
        raise FileNotFoundError(2, str(part))

    monkeypatch.setattr(worker_module, "check_sample", vanish)
    outcome = site.worker().run(task)
    assert (outcome.error, outcome.damaged) == (None, (part.name,))


def test_a_part_that_shows_late_is_waited_for(tmp_path: Path, plan: Plan) -> None:
    site = Site(tmp_path, plan, make_most=0)
    task, part = checked_task(site, site.worker(), "solve KMvK")
    site.job = replace(site.job, late=20.0)
    hidden = part.rename(tmp_path / "hidden")
    threading.Timer(0.3, lambda: hidden.rename(part)).start()
    site.accept(task, site.worker().run(task))


@pytest.mark.parametrize("place", ["head", "content", "end", "nothing"])
def test_a_damaged_part_is_named(tmp_path: Path, plan: Plan, place: str) -> None:
    site = Site(tmp_path, plan, make_most=0)
    task = site.run([site.worker()], until="check KMvM") or pytest.fail("no such task")
    part = tmp_path / "work" / task.reads[0].files()[0]
    assert part.name.startswith("KMvM.0+")
    content = bytearray(part.read_bytes())
    at = {"head": 9, "content": len(content) // 2, "end": len(content) - 3, "nothing": 0}[place]
    content[at] ^= 0x40
    part.write_bytes(b"" if place == "nothing" else content)
    outcome = site.worker().run(task)
    mirror = part.name.replace("KMvM", "MvKM")  # the other file of the part
    assert (outcome.error, outcome.damaged) == (None, (part.name, mirror))


def test_a_damaged_file_in_the_way_is_named(tmp_path: Path, plan: Plan) -> None:
    """One file of a part was removed; the other one stays where the new one should be."""
    site = Site(tmp_path, plan, make_most=0)
    task = site.run([site.worker()], until="solve KMvK") or pytest.fail("no such task")
    assert task.units is not None
    names = part_names(task.pair, task.units)
    (tmp_path / "work" / names[1]).write_bytes(b"in the way")
    outcome = site.worker().run(task)
    assert (outcome.error, outcome.damaged) == (None, tuple(sorted(names)))


def test_a_part_of_another_rule_set_is_named(tmp_path: Path, plan: Plan) -> None:
    (tmp_path / "english").mkdir()
    (tmp_path / "russian").mkdir()
    site = Site(tmp_path / "english", plan, make_most=0)
    other = Site(tmp_path / "russian", make_plan("russian", PIECES, threads=1), make_most=0)
    task, part = checked_task(site, site.worker(), "solve KMvK")
    _, strange = checked_task(other, other.worker(), "solve KMvK")
    shutil.copy(strange, part)
    outcome = site.worker().run(task)
    assert (outcome.error, outcome.damaged) == (None, (part.name,))


def test_a_part_in_place_of_another_one_is_named(tmp_path: Path, plan: Plan) -> None:
    """Of the right slice, whole, and with a wrong name."""
    site = Site(tmp_path, plan, make_most=0)
    task, part = checked_task(site, site.worker(), "solve KMvK")
    shutil.copy(part.with_name("MvK.0+1.values"), part)
    outcome = site.worker().run(task)
    assert outcome.error is None
    assert outcome.damaged == (part.name,)


def test_a_part_that_another_worker_has_replaced(tmp_path: Path, plan: Plan) -> None:
    """Even if what was at the old place is nonsense now: the file is opened anew."""
    site = Site(tmp_path, plan, make_most=0)
    worker, other = site.worker(), site.worker()
    task, part = checked_task(site, worker, "check KMvM")
    solve = next(units for values in task.reads if values.pair == task.pair for units in values.parts)
    part = part.with_name(part_names(task.pair, solve)[0])
    copy = part.read_bytes()
    site.accept(task, worker.run(task))
    part.write_bytes(bytes(len(copy)))  # the worker has this file open
    replacement = tmp_path / "replacement"
    replacement.write_bytes(copy)
    replacement.rename(part)
    write = site.run([other], until="write KMvM.wdl") or pytest.fail("no such task")
    site.accept(write, worker.run(write))


def test_a_wrong_sample_ends_the_build(tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(_native.Solver):
        def sample(self, *arguments: object) -> int:
            return 2

    monkeypatch.setattr(_native, "Solver", Wrong)
    site = Site(tmp_path, plan)
    outcome = site.worker().run(site.take())
    assert outcome.error == "KvK: 2 of 10,000 values do not follow from the moves"
    assert outcome.tables == ()


def test_a_disk_that_is_full(tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    site = Site(tmp_path, plan)
    worker = site.worker()
    monkeypatch.setattr(os, "fsync", full)
    outcome = worker.run(site.take())
    assert outcome.error == f"cannot write KvK.wdl into '{tmp_path}': the disk is full"
    assert not list(tmp_path.glob(".*"))


def test_a_worker_that_is_stopped(tmp_path: Path, plan: Plan) -> None:
    site = Site(tmp_path, plan)
    worker = site.worker()
    worker.stop()
    with pytest.raises(_native.Cancelled):
        worker.run(site.take())
    assert not list(tmp_path.glob("*.wdl"))


# ---- Workers that cannot be ones ----


def test_the_directory_is_not_seen(tmp_path: Path, plan: Plan) -> None:
    made = make_worker(Job("1234", str(tmp_path / "other"), plan, None, 0.1), 1, "one", 1, None)
    assert made == Fitness(f"does not see the directory '{tmp_path / 'other'}' of the build", may_change=True)


def test_another_directory_of_the_same_name_is_not_the_one(tmp_path: Path, plan: Plan) -> None:
    job = job_of(tmp_path, plan)
    made = make_worker(replace(job, token="5678"), 1, "one", 1, None)
    assert made == Fitness(f"does not see the directory '{tmp_path}' of the build", may_change=True)


def test_the_directory_shows_late(tmp_path: Path, plan: Plan) -> None:
    """Whoever has asked asks once more: a worker that waits would answer nobody meanwhile."""
    late = tmp_path / "late"
    job = Job("1234", str(late), plan, None, 20.0)
    assert isinstance(make_worker(job, 1, "one", 1, None), Fitness)
    job_of(late, plan)
    assert isinstance(make_worker(job, 1, "one", 1, None), Worker)


def test_the_directory_cannot_be_written(tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    job = job_of(tmp_path, plan)
    monkeypatch.setattr(Path, "mkdir", refuse)
    made = make_worker(job, 1, "one", 1, None)
    assert made == Fitness(refusal=f"cannot write into '{tmp_path}': Permission denied")


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_that_does_not_suffice(
    tmp_path: Path, plan: Plan, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the machine, shared by its workers; of the caller; of the system of workers. The least of them counts."""
    least = least_memory(plan, threads)
    job = job_of(tmp_path, plan)

    def made(available: int | None, sharers: int, caller: int | None, limit: int | None) -> Worker | Fitness:
        monkeypatch.setattr(machine, "available_memory", lambda: available)
        return make_worker(replace(job, memory=caller), threads, "one", sharers, limit)

    for enough in ((least, 1, None, None), (3 * least, 3, least, least), (None, 1, None, None)):
        assert isinstance(made(*enough), Worker)
    gib = f"{least / 2**30:,.2f}"
    for short in (
        (10**7, 1, None, None),
        (2 * 10**7, 2, least, least),
        (None, 1, 10**7, None),
        (least, 1, None, 10**7),
    ):
        assert made(*short) == Fitness(refusal=f"has 0.01 GiB of memory for itself, {gib} are needed")


def test_little_memory_gives_the_same_tables(
    three_pieces: Path, tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units_module, "PART_VALUES", 5_000)
    site = Site(tmp_path, plan, make_most=0)
    site.job = replace(site.job, memory=least_memory(plan, 2))
    site.run([site.worker(2), site.worker(2)])
    for path in three_pieces.glob("*.wdl"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_pairs_that_were_read_leave_memory(
    three_pieces: Path, tmp_path: Path, plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read again when they are needed."""
    monkeypatch.setattr(worker_module, "KEPT", 0)
    site = Site(tmp_path, plan, make_most=0)
    site.run([site.worker()])
    for path in three_pieces.glob("*.wdl"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
