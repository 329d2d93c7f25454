"""How long a build takes on this machine, estimated from a few slices that are solved, encoded and thrown away."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time
from typing import Final

import dame_fast._native as _native
from dame_fast.build.blocks import encoded_table
from dame_fast.build.plan import Pair, Plan
from dame_fast.interrupt import run_native

SECONDS: Final = 1.0
"""Once solving has taken so long, no further pair is solved."""

POSITIONS_MOST: Final = 1 << 26
"""Larger pairs are not solved: they would take too much memory."""


WORK_FILES_SHARE: Final = 1.2
"""A build whose values are in work files takes so many times as long; measured (docs/benchmarks.md)."""

BESIDE_SHARE: Final = 0.8
"""Pairs that are solved and written beside each other take so much of the time; measured likewise."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How long pairs take: `fixed` seconds each, and `each` seconds for each position.

    Below `least` positions, the smallest that were measured, the time falls in proportion to the positions.
    """

    fixed: float
    each: float
    least: int

    @classmethod
    def of(cls, small: tuple[Pair, float], large: tuple[Pair, float]) -> "Rate":
        """Draw a line through two measurements.

        At least half of the time of the large pair is put down to its positions. So whatever the measurements were,
        estimates for a pair of a thousand times the size differ by a factor of two at most.
        """
        (less, before), (more, seconds) = (small[0].positions, small[1]), (large[0].positions, large[1])
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


def estimate_seconds(plan: Plan, *, work_files: bool = False) -> float:
    """Estimate how long a build takes on this machine if it does nothing else.

    The time of solving is drawn from the pairs that are solved in a second; that of writing, in proportion to
    `Plan.writing`, from the largest of them. `work_files`: memory has no room for all values. Takes one to four
    seconds.
    """
    largest = max(pair.material.pieces for pair in plan.pairs)
    solver = _native.Solver(plan.variant, largest, metric=plan.metric, draw_rule=plan.draw_rule)
    solved: dict[Pair, float] = {}
    for pair in plan.pairs:
        if sum(solved.values()) >= SECONDS or pair.positions > POSITIONS_MOST:
            break
        solved[pair] = _measure(partial(_solve, solver, plan, pair))
    large = max(solved, key=_positions)
    small = max((pair for pair in solved if 8 * pair.positions <= large.positions), default=large, key=_positions)
    solving = Rate.of((small, solved[small]), (large, solved[large]))
    writing = _measure(partial(_write, solver, plan, large)) / _writing_of(plan, large)
    return sum(
        (solved.get(pair, solving.seconds(pair.positions)) + writing * _writing_of(plan, pair))
        * (WORK_FILES_SHARE if work_files else BESIDE_SHARE if pair.is_written_beside else 1)
        for pair in plan.pairs
    )


def _writing_of(plan: Plan, pair: Pair) -> int:
    return sum(plan.writing(table) for member in pair.members for table in plan.tables_of(member))


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
