"""A build on a cluster that is only planned: its tasks are handed out as the coordinator does, and none is done."""

from bisect import insort
from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf

from dame_fast.build.cluster.graph import TaskGraph
from dame_fast.build.cluster.simulation.chains import Chain, Chains
from dame_fast.build.cluster.simulation.costs import Costs
from dame_fast.build.cluster.simulation.fleet import Fleet
from dame_fast.build.cluster.simulation.held import Held
from dame_fast.build.cluster.simulation.sharing import Sharing
from dame_fast.build.cluster.simulation.usage import COMPUTE, MOVE, Usage
from dame_fast.build.cluster.tasks import Task
from dame_fast.build.cluster.worker import least_memory, worker_budget
from dame_fast.build.estimate import Speed
from dame_fast.build.plan import Plan
from dame_fast.tables.material import Material


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a build on a cluster takes, as it was simulated."""

    seconds: float
    tasks: int
    events: int
    """What has happened in the simulation: a part of a task has ended."""
    usage: Usage
    read: float
    """Bytes of work files that workers have read."""
    written: float
    """Bytes of work files and tables that they have written."""
    largest: str
    """The task that has taken longest."""
    largest_seconds: float
    chain: Chain
    tables: int
    """Bytes of all tables."""
    work_files: float
    """Bytes of work files at their peak."""


@dataclass(slots=True)
class _Hand:
    """A worker."""

    number: int
    held: Held
    tasks: deque[Task] = field(default_factory=deque)  # the first one is being done
    last: Material | None = None  # the pair of the task that was given last
    since: float = 0.0  # when that was begun, and the stage of it that is being done
    stage_since: float = 0.0
    stage: str = ""
    stages: list[tuple[str, float]] = field(default_factory=list)  # of it that are left, the next one last


def simulate(plan: Plan, fleet: Fleet, speed: Speed) -> Forecast:
    """Simulate a build from nothing. `plan`: for the threads of one worker; `speed`: of one thread.

    Workers with less memory than they need at least are taken to have that.
    """
    return _Simulation(plan, fleet, speed).run()


class _Simulation:
    """One build."""

    def __init__(self, plan: Plan, fleet: Fleet, speed: Speed) -> None:
        self._fleet = fleet
        self._costs = Costs(plan, speed)
        self._graph = TaskGraph(plan, plan.tables)
        self._sharing = Sharing(fleet.network, fleet.disk_speed)
        self._chains = Chains()
        self._usage = Usage(fleet.workers)
        budget = inf
        if fleet.memory is not None:
            budget = worker_budget(plan, fleet.cores, max(fleet.memory, least_memory(plan, fleet.cores)))
        self._hands = [_Hand(number, Held(budget)) for number in range(fleet.workers)]
        self._idle = list(range(fleet.workers))  # numbers of workers without a task, and of those with one, in order
        self._single: list[int] = []
        self._ends: list[tuple[float, int]] = []  # a heap: when a worker has computed, and which one
        self._now = 0.0
        self._tasks = self._events = self._tables = 0
        self._read = self._written = self._work_files = self._work_files_most = 0.0
        self._largest = ("", 0.0)

    def run(self) -> Forecast:
        """Let all tasks be done."""
        self._assign()
        while not self._graph.is_done:
            hand = self._hands[self._next_event()]
            self._events += 1
            self._usage.add(hand.stage, hand.stage_since, self._now)
            if not self._begin_stage(hand):
                self._finish(hand)
                self._assign()
        return Forecast(
            self._now,
            self._tasks,
            self._events,
            self._usage,
            self._read,
            self._written,
            *self._largest,
            self._chains.longest,
            self._tables,
            self._work_files_most,
        )

    def _next_event(self) -> int:
        """Let time pass until a worker has done a stage of its task; return which one."""
        moved = self._sharing.next_end()
        if moved is not None and (not self._ends or moved <= self._ends[0][0]):
            self._now = moved
            return self._sharing.end()
        self._now, number = heappop(self._ends)
        return number

    def _assign(self) -> None:
        """Give every worker something to do, and if there is enough the next task as well, as the coordinator does."""
        while self._idle and self._give(self._hands[self._idle[0]]):
            insort(self._single, self._idle.pop(0))
        while self._single and self._graph.ready >= len(self._hands) and self._give(self._hands[self._single[0]]):
            self._single.pop(0)

    def _give(self, hand: _Hand) -> bool:
        """Give a worker a task; False: there is none."""
        task = self._graph.take(hand.last)
        if task is None:
            return False
        hand.tasks.append(task)
        hand.last = task.pair.material
        self._chains.begin(task)
        if len(hand.tasks) == 1:
            self._begin(hand)
        return True

    def _begin(self, hand: _Hand) -> None:
        """Begin the first task of a worker."""
        task, costs = hand.tasks[0], self._costs
        missing = hand.held.read(costs.reads(task))
        made = costs.values_made(task)
        hand.held.put(task.pair, made)
        read = costs.packed(missing)
        written = costs.packed(made + costs.stored_made(task)) + costs.table_bytes(task)
        self._read += read
        self._written += written
        hand.since = self._now
        hand.stages = [(MOVE, written), (COMPUTE, costs.seconds(task, self._fleet.cores, missing)), (MOVE, read)]
        self._begin_stage(hand)

    def _begin_stage(self, hand: _Hand) -> bool:
        """Begin what comes next of the task of a worker; False: it is done."""
        while hand.stages:
            hand.stage, amount = hand.stages.pop()
            hand.stage_since = self._now
            if hand.stage == COMPUTE:
                heappush(self._ends, (self._now + amount, hand.number))
                return True
            if amount:
                self._sharing.begin(self._now, hand.number, amount)
                return True
        return False

    def _finish(self, hand: _Hand) -> None:
        """Take note that a worker has done its task; let it begin the next one if it has one."""
        task, seconds = hand.tasks.popleft(), self._now - hand.since
        self._tasks += 1
        self._chains.end(task, seconds)
        if seconds > self._largest[1]:
            self._largest = (task.name, seconds)
        self._tables += self._costs.table_bytes(task)
        self._work_files += self._costs.packed(self._costs.values_made(task))
        self._work_files_most = max(self._work_files_most, self._work_files)
        for values in self._graph.finish(task):
            self._work_files -= self._costs.packed(values.pair.planes)
        if hand.tasks:
            insort(self._single, hand.number)
            self._begin(hand)
        else:
            self._single.remove(hand.number)
            insort(self._idle, hand.number)
