"""A worker: does tasks, and keeps what it has read in memory for the next ones."""

import errno
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic, perf_counter, sleep
from typing import Any, Final
from uuid import uuid4

import dame_fast._native as _native
from dame_fast.build import machine
from dame_fast.build.cluster.tasks import CHECK, LOAD, MAKE, SOLVE, WRITE, Outcome, Task, Values, WrittenTable
from dame_fast.build.cluster.units import Units, part_names
from dame_fast.build.directory import PARTIAL, RUN, WORK, plain_errors, write_parts
from dame_fast.build.loading import load_pair
from dame_fast.build.plan import Plan
from dame_fast.build.report import peak_memory
from dame_fast.build.sampling import check_sample
from dame_fast.build.writing import write_table
from dame_fast.errors import DameError, WorkFileError
from dame_fast.tables.manifest import describe_file
from dame_fast.tables.material import Material

WORKER_MEMORY: Final = 128 * 2**20
"""Bytes of a worker besides those of a build in one process: Dask and its connections. Measured."""

STORED_LEAST: Final = 64 * 2**20
"""Which values of a slice are stored is kept in memory while it is written, unless its values take so many bytes."""

KEPT: Final = 96
"""Pairs that stay known besides those that a task reads."""

_TICK: Final = 0.05
_FILE: Final = re.compile(r"([0-9A-Za-z]+\.\d+\+\d+\.values)\b")


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker has to know of a build before it does tasks."""

    token: str
    """Names one run of one coordinator."""
    directory: str
    plan: Plan
    memory: int | None
    """Bytes that each worker may use at most, if the caller has set a limit."""
    late: float
    """Seconds after which a file that should be there is taken to be lost."""


@dataclass(frozen=True, slots=True)
class Fitness:
    """What a worker says of itself when it is asked whether it can do tasks of a job."""

    refusal: str | None = None
    """Why it cannot."""
    may_change: bool = False
    """Whether it is worth asking once more: a file system may show new names late."""


def least_memory(plan: Plan, threads: int) -> int:
    """Return the bytes that a worker with so many threads needs at least."""
    return _fixed_memory(plan, threads) + max(pair.pinned for pair in plan.with_threads(threads).pairs)


def worker_budget(plan: Plan, threads: int, memory: int) -> int:
    """Return the bytes of values that a worker with so many threads, and so much memory, may hold at a time."""
    return max(memory - _fixed_memory(plan, threads), 0)


def _fixed_memory(plan: Plan, threads: int) -> int:
    return WORKER_MEMORY + plan.with_threads(threads).shared_memory + STORED_LEAST // 2


class Worker:
    """Does tasks of one job, one at a time, with so many threads."""

    def __init__(self, job: Job, threads: int, name: str, memory: int) -> None:
        """Make a worker. `name`: one that no other has; `memory`: the bytes that it may use.

        Raises `OSError` if it cannot make its folder.
        """
        self._job = job
        self._threads = threads
        self._directory = Path(job.directory)
        self._work = self._directory / WORK
        self.folder = self._work / worker_folder(job.token, name)
        self.folder.mkdir(exist_ok=True)
        self._budget = worker_budget(job.plan, threads, memory)
        self._lock = Lock()
        self._cancel = _native.Cancel()
        self._solver: _native.Solver | None = None
        self._known: dict[Material, set[Units]] = {}  # parts of each pair that are in the solver; the last used last
        self._placements: dict[Material, int] = {}

    def run(self, task: Task) -> Outcome:
        """Do a task; if another one is being done, after that."""
        with self._lock:
            try:
                return self._run(task)
            except WorkFileError:
                self._forget()  # another file may have taken the place of one that was open
            try:
                return self._run(task)
            except WorkFileError as error:
                self._forget()
                return self._damaged(task, error)

    def stop(self) -> None:
        """Let the task that is being done end soon."""
        self._cancel.set()

    def _run(self, task: Task) -> Outcome:
        seconds: dict[str, float] = {}
        tables: list[WrittenTable] = []
        before = self._traffic()
        try:
            for stage, work in self._stages(task, tables):
                start = perf_counter()
                work()
                seconds[stage] = seconds.get(stage, 0.0) + perf_counter() - start
        except WorkFileError:
            raise
        except MemoryError:
            return Outcome(seconds, error="memory does not suffice")
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ESTALE) and _FILE.search(str(error)):
                raise WorkFileError(str(error)) from error  # it was removed while it was read
            return Outcome(seconds, error=os.strerror(error.errno) if error.errno else str(error))
        except DameError as error:
            return Outcome(seconds, error=str(error))
        read, written = (after - was for after, was in zip(self._traffic(), before, strict=True))
        return Outcome(seconds, tuple(tables), read, written, peak_memory())

    def _stages(self, task: Task, tables: list[WrittenTable]) -> Iterable[tuple[str, Callable[[], None]]]:
        yield "read", lambda: self._attach(task.reads)
        if task.kind in (SOLVE, MAKE):
            yield "solve", lambda: self._solve(task)
        if task.kind == LOAD:
            yield "load", lambda: self._load(task)
        if task.kind in (CHECK, MAKE):
            for member in task.pair.members:
                yield "check", partial(check_sample, self._solver_now(), member, self._threads, self._cancel)
        if task.kind in (WRITE, MAKE):
            yield "write", lambda: self._write(task, tables)

    def _solver_now(self) -> _native.Solver:
        if self._solver is None:
            plan = self._job.plan
            largest = max(pair.material.pieces for pair in plan.pairs)
            self._solver = _native.Solver(
                plan.variant,
                largest,
                str(self.folder),
                plan.metric,
                plan.draw_rule,
                work_least=STORED_LEAST,
                budget=self._budget,
                in_parts=True,
            )
        return self._solver

    def _traffic(self) -> tuple[int, int]:
        return (0, 0) if self._solver is None else self._solver.traffic()

    def _forget(self) -> None:
        self._solver = None
        self._known.clear()
        self._placements.clear()

    # ---- What is read ----

    def _attach(self, reads: Iterable[Values]) -> None:
        """Let all values that a task reads be in the solver."""
        for values in reads:
            self._attach_pair(values)
        surplus = len(self._known) - KEPT
        wanted = {values.pair.material for values in reads}
        for material in [material for material in self._known if material not in wanted][: max(surplus, 0)]:
            self._drop(material)

    def _drop(self, material: Material) -> None:
        self._solver_now().drop(material)
        del self._known[material]

    def _attach_pair(self, values: Values) -> None:
        solver, material = self._solver_now(), values.pair.material
        if material not in self._known:
            solver.share(material)
            self._placements.update(dict.fromkeys(values.pair.members, 0))
        known = self._known.pop(material, set())
        self._known[material] = known  # behind all others
        for units in values.parts:
            if units in known:
                continue
            for member, name in zip(values.pair.members, part_names(values.pair, units), strict=True):
                self._placements[member] += self._add_part(member, name)
            known.add(units)
        if sum(units.values for units in known) >= values.pair.values:
            self._check_placements(values)

    def _add_part(self, member: Material, name: str) -> int:
        """Add a part; on a file system that shows new names late it may not be there yet."""
        end = monotonic() + self._job.late
        while True:
            try:
                return self._solver_now().add_part(member, str(self._work / name))
            except FileNotFoundError:
                if monotonic() >= end or self._cancel.raised:
                    raise WorkFileError(f"{name}: not there") from None
            sleep(_TICK)

    def _check_placements(self, values: Values) -> None:
        """Parts that together hold more or less than a slice has are not parts of it."""
        for member in values.pair.members:
            if self._placements[member] != member.positions(self._job.plan.variant):
                raise WorkFileError(f"{values.files()[0]}: other placements than {member.name} has")

    def _damaged(self, task: Task, error: WorkFileError) -> Outcome:
        """Say which work files have to be made again: the part that the error names, or all that were read.

        It may be the one that the task makes: a file that is there stays, and the new one vanishes.
        """
        named = set(_FILE.findall(str(error)))
        read = [part_names(values.pair, units) for values in task.reads for units in values.parts]
        made = [] if task.units is None else [part_names(task.pair, task.units)]
        damaged = [names for names in read + made if not named.isdisjoint(names)] or read + made
        return Outcome({}, damaged=tuple(sorted(name for names in damaged for name in names)))

    # ---- What is made ----

    def _part_paths(self, task: Task) -> tuple[list[str], list[str]]:
        """Names of the files of a part while it is made, and after."""
        assert task.units is not None
        names = part_names(task.pair, task.units)
        return [str(self.folder / name) for name in names], [str(self._work / name) for name in names]

    def _solve(self, task: Task) -> None:
        assert task.units is not None
        material = task.pair.material
        try:
            placements = self._solver_now().solve_units(
                material,
                task.units.first,
                task.units.count,
                *self._part_paths(task),
                self._threads,
                self._cancel,
                _native.Counter(),
            )
        except BaseException:
            self._known.pop(material, None)  # the pair has left the solver
            raise
        self._take_part(task, placements)

    def _load(self, task: Task) -> None:
        material = task.pair.material
        self._wait_for_tables(task)
        self._known.pop(material, None)
        load_pair(
            self._solver_now(),
            self._job.plan,
            self._directory,
            task.pair,
            self._threads,
            self._cancel,
            self._part_paths(task),
        )
        self._known[material] = set()
        self._placements.update(dict.fromkeys(task.pair.members, 0))
        self._take_part(task, [member.positions(self._job.plan.variant) for member in task.pair.members])

    def _wait_for_tables(self, task: Task) -> None:
        """Let a file system that shows new names late show what was published just before the job."""
        end = monotonic() + self._job.late
        for table in self._job.plan.tables_of_pair(task.pair):
            while not (self._directory / str(table)).exists() and monotonic() < end and not self._cancel.raised:
                sleep(_TICK)

    def _take_part(self, task: Task, placements: Sequence[int]) -> None:
        """Take note of the part that was made, which is in the solver already."""
        assert task.units is not None
        known = self._known[task.pair.material]
        if task.units in known:  # it was there before; no block shall be looked for in two files
            parts = tuple(known)
            self._drop(task.pair.material)
            self._attach_pair(Values(task.pair, parts))
            return
        known.add(task.units)
        for member, count in zip(task.pair.members, placements, strict=False):
            self._placements[member] += count

    def _write(self, task: Task, tables: list[WrittenTable]) -> None:
        plan, solver = self._job.plan, self._solver_now()
        publisher = _PartialTables(self._directory, f"{self._job.token}.{uuid4().hex}")
        for table in [task.table] if task.table is not None else plan.tables_of_pair(task.pair):
            entry = write_table(solver, plan, table, self._threads, publisher, self._cancel)
            tables.append(WrittenTable(table, publisher.partial(str(table)), entry))


class _PartialTables:
    """Writes tables under names of its own; who publishes them gives them their names."""

    def __init__(self, directory: Path, token: str) -> None:
        self._directory = directory
        self._token = token

    def partial(self, name: str) -> str:
        """Return the name that a table has before it is published."""
        return f".{name}.{self._token}{PARTIAL}"

    def publish(self, name: str, parts: Iterable[bytes], front_size: int, front: Callable[[], bytes]) -> dict[str, Any]:
        """Write a file, and return name, size and digest."""
        path = self._directory / self.partial(name)
        with plain_errors(self._directory, f"write {name} into"):
            try:
                with path.open("wb") as file:
                    write_parts(file, parts, front_size, front)
                    file.flush()
                    os.fsync(file.fileno())
                return {**describe_file(path), "name": name}
            except BaseException:
                path.unlink(missing_ok=True)
                raise


def worker_folder(token: str, name: str) -> str:
    """Return the name of the folder that a worker has for itself."""
    return f"{RUN}{token}-{name}"


def make_worker(job: Job, threads: int, name: str, sharers: int, limit: int | None) -> Worker | Fitness:
    """Make a worker if it can do the tasks of a job; otherwise say why not.

    `sharers`: workers of this job on this machine; `limit`: bytes that the system of workers allows each.
    """
    directory = Path(job.directory)
    if not (directory / WORK / f"{RUN}{job.token}").exists():
        return Fitness(f"does not see the directory '{job.directory}' of the build", may_change=True)
    memory = _memory_of(job, sharers, limit)
    least = least_memory(job.plan, threads)
    if memory < least:
        gib = 2**30
        return Fitness(refusal=f"has {memory / gib:,.2f} GiB of memory for itself, {least / gib:,.2f} are needed")
    try:
        return Worker(job, threads, name, memory)
    except OSError as error:
        reason = os.strerror(error.errno if error.errno else errno.EIO)
        return Fitness(refusal=f"cannot write into '{job.directory}': {reason}")


def _memory_of(job: Job, sharers: int, limit: int | None) -> int:
    """Return the bytes that a worker may use."""
    available = machine.available_memory()
    shares = [job.memory, limit, None if available is None else available // max(sharers, 1)]
    return min((share for share in shares if share is not None), default=1 << 62)
