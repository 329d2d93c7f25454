"""The coordinator: hands tasks to workers, publishes what they have made, and makes again what is lost."""

from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic, sleep
from typing import Final

from dame_fast.build.cluster.executor import Event, Executor, SchedulerLost
from dame_fast.build.cluster.graph import TaskGraph
from dame_fast.build.cluster.tasks import KINDS, Outcome, Task, Values, WrittenTable
from dame_fast.build.cluster.worker import Job
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.finished import FinishedTables
from dame_fast.build.plan import Pair, Plan
from dame_fast.build.report import ClusterReport, PairLog
from dame_fast.errors import BuildError
from dame_fast.progress import Progress
from dame_fast.tables.material import Material

WORKERS_WAIT: Final = 60.0
"""Seconds that a build waits for the first worker, and for one when all have gone."""

SCHEDULER_WAIT: Final = 600.0
"""Seconds that it waits for a scheduler that has gone."""

SLOW: Final = 4.0
SLOW_LEAST: Final = 5.0
"""A task that takes so many times as long as it should, and so many seconds, is given to a second, idle worker too."""

REPAIRS: Final = 10
"""Times that the same damaged work file is made again before a build gives up."""

_TICK: Final = 0.1
_LOOK: Final = 1.0  # seconds between two looks at the workers


@dataclass(slots=True)
class _Hand:
    """A worker as the coordinator sees it."""

    tasks: deque[Task] = field(default_factory=deque)  # the first one is being done
    since: float = 0.0
    last: Material | None = None  # the pair of the task before


class Coordinator:
    """One run of a build on a cluster, inside its locked directory."""

    def __init__(
        self,
        plan: Plan,
        directory: BuildDirectory,
        tables: FinishedTables,
        executor: Executor,
        progress: Progress,
        job: Job,
    ) -> None:
        self.report = ClusterReport()
        self._plan = plan
        self._directory = directory
        self._tables = tables
        self._executor = executor
        self._progress = progress
        self._job = job
        self._graph = TaskGraph(plan, ())
        self._hands: dict[str, _Hand] = {}
        self._refused: dict[str, str] = {}
        self._begun: Counter[str] = Counter()  # how often each task was given to a worker
        self._logs: dict[Material, PairLog] = {}
        self._seconds: dict[str, float] = dict.fromkeys(KINDS, 0.0)
        self._efforts: dict[str, int] = dict.fromkeys(KINDS, 0)
        self._whole = self._done = 0  # positions, each for solving it and for writing every table of it
        self._shown = ""  # the task that the bar names
        self._repairs: Counter[str] = Counter()  # how often each work file was damaged
        self._looked = self._had_workers = monotonic()

    def run(self) -> None:
        """Do all tasks.

        Raises `BuildError` if no worker comes, or if one finds that the build cannot go on.
        """
        self._lay_out()
        missing = [pair for pair in self._plan.pairs if not self._tables.has(pair)]
        self._whole = self._graph.work
        self._progress.start("slices", "positions", self._whole, sum(len(pair.members) for pair in missing))
        self._had_workers = monotonic()
        while not self._graph.is_done:
            try:
                if monotonic() >= self._looked + _LOOK or not self._hands:
                    self._look()
                self._assign()
                graph = self._graph
                for event in self._executor.wait(_TICK):
                    if self._graph is graph:  # else it was laid out anew, and its tasks were forgotten
                        self._handle(event)
            except SchedulerLost:
                self._find_scheduler()
            self._show()
        self._progress.reach(self._whole)  # parts of a pair are rounded down

    # ---- Workers ----

    def _look(self) -> None:
        """See which workers there are."""
        self._looked = monotonic()
        found = self._executor.workers()
        for name, refusal in found.items():
            if refusal is not None:
                if name not in self._refused:
                    self._refused[name] = refusal
                    self._progress.note(f"worker {name} {refusal}; it is not used")
            elif name not in self._hands:
                self._hands[name] = _Hand()
        for name in [name for name in self._hands if name not in found]:
            self._lose(self._hands.pop(name).tasks)
        if self._hands:
            self._had_workers = monotonic()
        elif monotonic() > self._had_workers + WORKERS_WAIT:
            raise BuildError(self._no_worker())

    def _no_worker(self) -> str:
        if self._refused:
            name, refusal = next(iter(self._refused.items()))
            return f"no worker can be used: {name} {refusal}"
        return f"there has been no worker for {WORKERS_WAIT:.0f} s"

    def _lose(self, tasks: Iterable[Task]) -> None:
        """Give back what a worker has not done."""
        for number, task in enumerate(tasks):
            self.report.lost += number == 0
            if self._graph.is_open(task) and not self._is_being_done(task):
                self._graph.give_back(task)

    def _find_scheduler(self) -> None:
        """Wait for the scheduler that has gone; its workers are others then."""
        self._progress.note("the scheduler does not answer; waiting for it to come back")
        hands, self._hands = self._hands, {}
        for hand in hands.values():
            self._lose(hand.tasks)
        end = monotonic() + SCHEDULER_WAIT
        while not self._executor.reopen():
            if monotonic() >= end:
                raise BuildError(f"the scheduler has not come back within {SCHEDULER_WAIT:.0f} s")
            sleep(_TICK)
        self._had_workers = monotonic()

    # ---- Tasks ----

    def _lay_out(self) -> None:
        """Find out what is left to do, from what is in the directory."""
        missing = [table for pair in self._plan.pairs for table in self._tables.missing(pair)]
        self._graph = TaskGraph(self._plan, missing, self._directory.parts())

    def _is_being_done(self, task: Task) -> bool:
        return self._holders(task) > 0

    def _holders(self, task: Task) -> int:
        """Return how many workers have a task."""
        return sum(other.name == task.name for hand in self._hands.values() for other in hand.tasks)

    def _assign(self) -> None:
        """Give every worker something to do, and if there is enough the next task as well, so that it never waits."""
        for depth in (1, 2):
            for name, hand in self._hands.items():
                if len(hand.tasks) >= depth or (depth == 2 and self._graph.ready < len(self._hands)):
                    continue
                task = self._graph.take(hand.last)
                if task is None and depth == 1:
                    task = self._slow_task(name)
                if task is not None:
                    self._give(name, hand, task)

    def _give(self, name: str, hand: _Hand, task: Task) -> None:
        if not hand.tasks:
            hand.since = monotonic()
        hand.tasks.append(task)
        hand.last = task.pair.material
        self._begun[task.name] += 1
        self._executor.submit(name, task)

    def _slow_task(self, idle: str) -> Task | None:
        """Return a task that another worker does not get done, or has not begun, and that nobody else does."""
        now = monotonic()
        for name, hand in self._hands.items():
            if name == idle or now - hand.since <= SLOW_LEAST:
                continue
            for number, task in enumerate(hand.tasks):
                is_late = number > 0 or now - hand.since > SLOW * self._expected(task)
                if is_late and self._holders(task) < 2 and self._graph.is_open(task):
                    return task
        return None

    def _expected(self, task: Task) -> float:
        """Return the seconds that a task should take."""
        effort = self._efforts[task.kind]
        return self._seconds[task.kind] / effort * task.effort(self._plan) if effort else SLOW_LEAST

    def _handle(self, event: Event) -> None:
        hand = self._hands.get(event.worker)
        if hand is not None and event.task in hand.tasks:
            hand.tasks.remove(event.task)
            hand.since = monotonic()
        outcome = event.outcome
        if outcome is None:
            self._lose([event.task])
            self._looked = -_LOOK  # at once: the worker may have gone
        elif not self._graph.is_open(event.task):  # a second worker was quicker, and what it reads may be gone
            for written in outcome.tables:
                self._directory.discard(written.partial)
        elif outcome.error is not None:
            raise BuildError(f"{event.task.name} on {event.worker}: {outcome.error}")
        elif outcome.damaged:
            self._repair(outcome.damaged)
        else:
            self._finish(event, outcome)

    def _finish(self, event: Event, outcome: Outcome) -> None:
        task = event.task
        seconds = sum(outcome.seconds.values())
        self._seconds[task.kind] += seconds
        self._efforts[task.kind] += task.effort(self._plan)
        self._done += task.work(self._plan)
        self.report.tasks += 1
        self.report.twice += self._begun.pop(task.name, 1) > 1
        self.report.read += outcome.read
        self.report.written += outcome.written
        log = self._log_of(task.pair)
        for stage, taken in outcome.seconds.items():
            log.seconds[stage] = log.seconds.get(stage, 0.0) + taken
        for written in outcome.tables:
            self._publish(written, log)
        for values in self._graph.finish(task):
            self._remove(values)
        self._progress.log(
            {
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
                "task": task.name,
                "worker": event.worker,
                "seconds": {stage: round(taken, 6) for stage, taken in outcome.seconds.items()},
                "read": outcome.read,
                "written": outcome.written,
                "peak_memory": outcome.peak_memory,
            }
        )
        if outcome.tables and self._tables.has(task.pair):
            self._progress.finish(log.slices, log.as_json())
        self._tables.publish_lists(at_once=False)

    def _log_of(self, pair: Pair) -> PairLog:
        if pair.material not in self._logs:
            self._logs[pair.material] = PairLog.of(self._plan, pair)
        return self._logs[pair.material]

    def _publish(self, written: WrittenTable, log: PairLog) -> None:
        """Give a table its name; on a file system that shows new names late it may not be there yet."""
        end = monotonic() + self._job.late
        while not self._directory.adopt(written.partial, str(written.table)):
            if monotonic() >= end:
                raise BuildError(f"{written.table}: what a worker has written is not there")
            sleep(_TICK)
        self._tables.add(written.table, written.entry)
        log.bytes += written.entry["size"]

    def _remove(self, values: Values) -> None:
        for name in values.files():
            self._directory.remove_part(name)

    def _repair(self, damaged: Collection[str]) -> None:
        """Remove damaged work files, and lay out anew what is left to do."""
        self._repairs.update(damaged)
        if max(self._repairs[name] for name in damaged) > REPAIRS:
            raise BuildError(f"work files are damaged again and again, the last one is {min(damaged)}")
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        self._progress.note(f"{min(damaged)}{more}: damaged or not there; made again")
        for name in damaged:
            self._directory.remove_part(name)
        self._executor.forget_all()
        for hand in self._hands.values():
            hand.tasks.clear()
        self._lay_out()
        self._done = max(self._whole - self._graph.work, 0)

    # ---- What people see ----

    def _show(self) -> None:
        running = [hand.tasks[0] for hand in self._hands.values() if hand.tasks]
        if running:
            first = min(running, key=lambda task: self._plan.numbers[task.pair.material])
            if first.name != self._shown:
                self._progress.rename(first.name)
                self._shown = first.name
        self._progress.reach(min(self._done, self._whole))  # what was damaged is done twice
        self._progress.status(
            f"{len(self._hands)} worker{'s' * (len(self._hands) != 1)}, {len(running)} at work; "
            f"work files: {_megabytes(self.report.read)} read, {_megabytes(self.report.written)} written"
        )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
