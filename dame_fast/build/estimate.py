"""How long a build takes on this machine, estimated from a few slices that are solved, encoded and thrown away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time
from typing import Final

import dame_fast._native as _native
from dame_fast.build.blocks import encoded_table
from dame_fast.build.plan import Pair, Plan
from dame_fast.interrupt import run_native
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS

SECONDS: Final = 1.5
"""Once solving has taken so long, no further pair is solved; once writing has, none is written."""

POSITIONS_MOST: Final = 1 << 26
"""Larger pairs are not solved: they would take too much memory."""


WORK_FILES_SHARE: Final = 1.2
"""A build whose values are in work files takes so many times as long; measured (docs/benchmarks.md)."""

BESIDE_SHARE: Final = 0.7
"""Pairs that are solved and written beside each other take so much of the time; measured likewise. With distances
all threads are busy anyway."""

GROWTH: Final = 1.3
"""Plies to the end of the game grow with the pieces: solving takes so many times as long with each. Measured."""

START_SECONDS: Final = 0.5
TABLE_SECONDS: Final = 0.005
"""What a build takes besides: at its start, and for publishing each table. Measured."""

LARGE: Final = 4
"""The pairs that have a fourth of the positions of the largest one are its like."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How long pairs take: `fixed` seconds each, and `each` seconds for each position.

    Below `least` positions, the smallest that were measured, the time falls in proportion to the positions.
    """

    fixed: float
    each: float
    least: int

    @classmethod
    def of(cls, solved: Mapping[Pair, float]) -> "Rate":
        """Draw a line through what some pairs have taken: through a small one, and through the mean of the large ones.

        At least half of the time of the large ones is put down to their positions. So whatever the measurements were,
        estimates for a pair of a thousand times the size differ by a factor of two at most.
        """
        most = max(pair.positions for pair in solved)
        group = [pair for pair in solved if LARGE * pair.positions >= most]
        more = sum(pair.positions for pair in group) / len(group)
        seconds = sum(solved[pair] for pair in group) / len(group)
        small = max((pair for pair in solved if 8 * pair.positions <= more), default=group[0], key=_positions)
        less, before = small.positions, solved[small]
        whole = seconds / more
        slope = (seconds - before) / (more - less) if more > less else whole
        each = min(max(slope, whole / 2), whole)
        return cls(seconds - each * more, each, less)

    def seconds(self, positions: int) -> float:
        """Return what a pair of so many positions takes.

        >>> rate = Rate(fixed=1.0, each=1e-6, least=1_000_000)
        >>> rate.seconds(3_000_000), rate.seconds(500_000)
        (4.0, 1.0)
        """
        return (self.fixed + self.each * max(positions, self.least)) * min(positions / self.least, 1)


@dataclass(frozen=True, slots=True)
class Speed:
    """How long solving and writing take on this machine, with as many threads as were measured."""

    solved: Mapping[Material, float]
    """Seconds of the pairs that were solved to find out."""
    solving: Rate
    writing: float
    """Seconds for each of what `Plan.writing` counts."""
    growth: float = 1.0
    """Solving a position takes so many times as long with every piece that a pair has more than `pieces`."""
    pieces: int = 0

    def solve_seconds(self, pair: Pair) -> float:
        """Return what solving a pair takes."""
        measured = self.solved.get(pair.material)
        if measured is not None:
            return measured
        return self.solving.seconds(pair.positions) * self.growth ** max(pair.material.pieces - self.pieces, 0)

    def write_seconds(self, plan: Plan, table: TableName) -> float:
        """Return what writing a table takes."""
        return self.writing * plan.writing(table)


def measure_speed(plan: Plan) -> Speed:
    """Measure how fast this machine solves and writes, with the threads of a plan.

    The time of solving is drawn from the pairs that are solved in some seconds; that of writing, in proportion to
    `Plan.writing`, from the largest of them, as many as are written in that time. Takes two to four seconds.
    """
    largest = max(pair.material.pieces for pair in plan.pairs)
    solver = _native.Solver(plan.variant, largest, metric=plan.metric, draw_rule=plan.draw_rule)
    solved: dict[Pair, float] = {}
    for pair in plan.pairs:
        if sum(solved.values()) >= SECONDS or pair.positions > POSITIONS_MOST:
            break
        solved[pair] = _measure(partial(_solve, solver, plan, pair))
    writing = _measure_writing(solver, plan, sorted(solved, key=_positions, reverse=True))
    metric = METRICS[plan.metric]
    lasts = metric.has_plies and not metric.captures_end_phase and not metric.man_moves_end_phase
    return Speed(
        {pair.material: seconds for pair, seconds in solved.items()},
        Rate.of(solved),
        writing,
        GROWTH if lasts else 1.0,
        max(pair.material.pieces for pair in solved),
    )


def estimate_seconds(plan: Plan, *, work_files: bool = False) -> float:
    """Estimate how long a build takes on this machine if it does nothing else, by `measure_speed`.

    `work_files`: memory has no room for all values.
    """
    speed = measure_speed(plan)
    has_plies = METRICS[plan.metric].has_plies
    return START_SECONDS + sum(
        TABLE_SECONDS * len(plan.tables_of_pair(pair))
        + (speed.solve_seconds(pair) + sum(speed.write_seconds(plan, table) for table in plan.tables_of_pair(pair)))
        * (WORK_FILES_SHARE if work_files else BESIDE_SHARE if pair.is_written_beside and not has_plies else 1)
        for pair in plan.pairs
    )


def _measure_writing(solver: _native.Solver, plan: Plan, pairs: Sequence[Pair]) -> float:
    """Return how long writing takes for each of what `Plan.writing` counts, by the first of some pairs.

    Several of them, since slices of the same size are not equally difficult.
    """
    seconds = work = 0.0
    for pair in pairs:
        if seconds >= SECONDS:
            break
        seconds += _measure(partial(_write, solver, plan, pair))
        work += sum(plan.writing(table) for table in plan.tables_of_pair(pair))
    return seconds / work


def _positions(pair: Pair) -> int:
    return pair.positions


def _measure(work: Callable[[], None]) -> float:
    """Return how many seconds some work takes on a machine that does nothing else.

    Other programs make the work wait: that counts as time, but not as processor time. Without them the work takes no
    more time than processor time, since one of its threads at least is always running. So the less of the two is right.
    """
    start, before = perf_counter(), process_time()
    work()
    return min(perf_counter() - start, process_time() - before)


def _solve(solver: _native.Solver, plan: Plan, pair: Pair) -> None:
    run_native(lambda cancel: solver.solve(pair.material, plan.threads, cancel, _native.Counter()))


def _write(solver: _native.Solver, plan: Plan, pair: Pair) -> None:
    def write(cancel: _native.Cancel) -> None:
        for member in pair.members:
            for table in plan.tables_of(member):
                with encoded_table(solver, member, table.metric, plan.threads, cancel) as encoded:
                    for _ in encoded.groups():
                        pass

    run_native(write)
