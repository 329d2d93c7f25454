"""What a task costs: seconds of cores, and bytes that it reads and makes. For a build that is only planned."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from dame_fast.build.cluster.tasks import CHECK, LOAD, MAKE, SOLVE, WRITE, Task
from dame_fast.build.cluster.worker import STORED_LEAST
from dame_fast.build.estimate import Speed
from dame_fast.build.plan import WORK_SHARE, WORK_SHARE_OF_DISTANCES, Pair, Plan
from dame_fast.build.sampling import SAMPLE
from dame_fast.tables.files import TableName
from dame_fast.tables.metric import METRICS

PACK: Final = 500e6
UNPACK: Final = 1.5e9
"""Bytes of planes that a core packs and unpacks in a second; measured."""

OVERHEAD: Final = 0.01
"""Seconds of each task besides its work: Dask, and opening files. On one machine less was measured."""

CHECK_SECONDS: Final = 0.016
"""Seconds of a core for checking a sample of one slice; measured."""

REACH: Final = 2.0
"""Units that are a hundredth of a pair read so many hundredths of each pair that their moves lead to.

Measured at six pieces that were cut finely, with little memory: 0.3 to 0.7, and more the smaller the parts are.
"""

SAMPLE_UNITS: Final = -(-SAMPLE // 128)
"""Units that a sample of one slice comes from, at most."""

TABLE_BYTES: Final = 512
"""Bytes of a table besides its values, as `Plan.disk` counts them."""


class Read(NamedTuple):
    """What a task reads of the values of one pair."""

    pair: Pair
    there: float
    """Bytes in memory of those of its parts that there are."""
    wanted: float
    """Bytes of these that the task reads."""


class Costs:
    """What each task of a plan costs. Bytes in memory are those of planes; files hold fewer, `packed` says how many."""

    def __init__(self, plan: Plan, speed: Speed) -> None:
        """Take a plan, and how fast one thread is."""
        self._plan = plan
        self._speed = speed
        self._share = WORK_SHARE_OF_DISTANCES if METRICS[plan.metric].has_plies else WORK_SHARE

    def packed(self, planes: float) -> float:
        """Return the bytes that values take in work files."""
        return planes * self._share

    def reads(self, task: Task) -> Iterator[Read]:
        """Say what a task reads."""
        own, *needed = task.reads
        share = self._share_read(task)
        pieces = task.pair.material.pieces if task.kind == WRITE else None
        there = task.pair.planes * sum(units.values for units in own.parts) / task.pair.values
        if there:
            yield Read(task.pair, there, min(there, task.pair.planes * share))
        for values in needed:
            pair = values.pair
            # What is written asks for moves without captures: those out of the pair crown a man.
            if pieces is None or pair.material.pieces == pieces:
                yield Read(pair, pair.planes, pair.planes * share)

    def values_made(self, task: Task) -> float:
        """Return the bytes in memory of the values that a task makes."""
        if task.units is None:
            return 0.0
        return task.pair.planes * task.units.values / task.pair.values

    def stored_made(self, task: Task) -> float:
        """Return the bytes in memory of what a task packs besides: which values a large table holds."""
        if task.kind != WRITE or task.pair.planes < STORED_LEAST * len(task.pair.members):
            return 0.0
        return task.pair.stored

    def table_bytes(self, task: Task) -> int:
        """Return the bytes of the tables that a task writes."""
        return sum(
            table.material.positions(self._plan.variant) // METRICS[table.metric].positions_per_byte + TABLE_BYTES
            for table in self._tables(task)
        )

    def seconds(self, task: Task, cores: int, unpacked: float = 0.0) -> float:
        """Return how long a worker with so many cores computes; `unpacked`: bytes in memory that it has to read."""
        pair = task.pair
        work = 0.0
        most = cores
        if task.units is not None:
            most = min(cores, task.units.count)  # a unit is solved by one thread
            if task.kind != LOAD:
                work += self._speed.solve_seconds(pair) * task.units.values / pair.values
        if task.kind in (CHECK, MAKE):
            work += CHECK_SECONDS * len(pair.members)
        work += sum(self._speed.write_seconds(self._plan, table) for table in self._tables(task))
        work += (self.values_made(task) + self.stored_made(task)) / PACK + unpacked / UNPACK
        return OVERHEAD + work / most

    def _tables(self, task: Task) -> list[TableName]:
        if task.kind == MAKE:
            return self._plan.tables_of_pair(task.pair)
        return [] if task.table is None else [task.table]

    def _share_read(self, task: Task) -> float:
        """Return the share of the values of each pair that a task reads."""
        if task.kind == SOLVE and task.units is not None:
            return min(REACH * task.units.values / task.pair.values, 1.0)
        if task.kind == CHECK:
            units = sum(part.count for part in task.reads[0].parts)
            return min(SAMPLE_UNITS * len(task.pair.members) / units, 1.0)
        return 1.0
