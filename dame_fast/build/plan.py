"""What a build has to do: which slices in which order, and what it takes. Nothing is computed here but sums."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from time import perf_counter
from typing import Final

import dame_fast._native as _native
from dame_fast.arguments import check_number, check_pieces, threads_or_all
from dame_fast.build.blocks import encoded_table
from dame_fast.errors import ArgumentError
from dame_fast.interrupt import run_native
from dame_fast.rules.draw_rule import DrawRule, choose_rule
from dame_fast.rules.find import find_table_rules
from dame_fast.rules.rules import Rules
from dame_fast.tables.material import Material, slices
from dame_fast.tables.metric import METRICS, WDL, find_metric, metric_of_rule

PROCESS_MEMORY: Final = 128 * 2**20
"""Bytes of the process itself: Python, NumPy, and what compressing a group of blocks takes."""

WINDOW: Final = 1 << 27
"""Values that are read at a time: 32 MiB."""

SPILL_MEMORY: Final = 256 * 2**20
"""Bytes of values that are in memory at a time if they live in files."""

GIB: Final = 2**30

DRAW_PLIES_MOST: Final = 253
"""The largest number of plies of a draw rule."""

MEASURED_PIECES: Final = 4
"""The rate of this machine is measured by solving slices of so many pieces: smaller ones are all overhead."""

MEASURED_SECONDS: Final = 1.0
"""No further slice is begun when those have taken so long."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A slice and its mirror, which are solved together; one slice if it is its own mirror."""

    material: Material
    positions: int
    values: int
    planes: int
    """Bytes that stay in memory while other slices need this one."""
    scratch: int
    """Bytes that are needed besides while it is solved."""
    stored: int
    """Bytes that are needed besides while it is written or read: which values files hold."""

    @property
    def members(self) -> tuple[Material, ...]:
        """The slices of the pair."""
        mirror = self.material.mirror
        return (self.material,) if mirror == self.material else (self.material, mirror)

    @property
    def needs(self) -> frozenset[Material]:
        """The slices outside the pair that its moves lead to."""
        found = frozenset[Material]().union(*(member.after_moves() for member in self.members))
        return found - frozenset(self.members)


@dataclass(frozen=True, slots=True)
class Plan:
    """All pairs of a build, in an order in which each comes after those it needs."""

    variant: str
    threads: int
    pairs: tuple[Pair, ...]
    metric: str = WDL
    draw_rule: DrawRule | None = None
    """The one that the tables are made under."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """What is built of each slice: a table for each of these."""
        return (WDL, self.metric) if METRICS[self.metric].has_plies else (self.metric,)

    @property
    def slices(self) -> list[Material]:
        """Every slice, pair by pair."""
        return [member for pair in self.pairs for member in pair.members]

    @property
    def positions(self) -> int:
        """Positions of all slices."""
        return sum(pair.positions for pair in self.pairs)

    @property
    def disk(self) -> int:
        """Estimated bytes of all files."""
        return sum(
            self.positions // METRICS[metric].positions_per_byte + 512 * len(self.slices) for metric in self.metrics
        )

    @property
    def memory(self) -> int:
        """Bytes that the build needs at its peak, if nothing is there yet."""
        last = self.last_use()
        resident = peak = 0
        for number, pair in enumerate(self.pairs):
            resident += pair.planes
            peak = max(peak, resident + max(pair.scratch + pair.stored, _window(pair)))
            resident -= sum(done.planes for done in self.pairs[: number + 1] if last[done.material] == number)
        return PROCESS_MEMORY + self.side_memory + peak

    @property
    def least_memory(self) -> int:
        """Bytes that the build needs at its peak if values live in files, where that takes less.

        A unit that has been solved writes a third of its scratch memory at once.
        """
        most = max(max(pair.scratch + pair.scratch // 3, _window(pair)) for pair in self.pairs)
        return min(self.memory, PROCESS_MEMORY + self.side_memory + SPILL_MEMORY + most)

    def fits(self, memory: float | None) -> bool:
        """Whether a limit of memory, in GiB, suffices; None is no limit.

        Raises `ArgumentError` for a limit that is no memory at all.
        """
        return memory is None or self.least_memory <= _check_memory(memory) * GIB

    def spills(self, memory: float | None) -> bool:
        """Whether values must live in files so that the build needs no more than this memory, in GiB.

        Raises `ArgumentError` for a limit that is no memory at all.
        """
        return memory is not None and self.memory > _check_memory(memory) * GIB

    @property
    def side_memory(self) -> int:
        """Bytes of the tables of all sides, which stay during the build."""
        sides = {(member.own_men, member.own_kings) for pair in self.pairs for member in pair.members}
        king_moves = {0: 0}
        total = 0
        for men, kings in sides | {(0, kings) for _, kings in sides}:
            table, king_moves[kings] = _native.side_memory(self.variant, men, kings, self.metric)
            total += table
        return total + sum(king_moves.values())

    def last_use(self, wanted: frozenset[Material] | None = None) -> dict[Material, int]:
        """Return the number of the last pair that needs each slice (its own if none does).

        With `wanted`, only the pairs that have a slice in it are solved. Others are read from their files if one of
        those needs them, and what they themselves need for that counts as well.
        """
        last: dict[Material, int] = {}
        for number, pair in reversed(list(enumerate(self.pairs))):
            latest = max(last.get(member, number) for member in pair.members)
            last.update(dict.fromkeys(pair.members, latest))  # both slices of a pair come and go together
            if latest > number or wanted is None or not wanted.isdisjoint(pair.members):
                for needed in pair.needs:
                    last.setdefault(needed, number)
        return last

    def measure_seconds(self) -> float:
        """Estimate how long the build takes here, from a few small slices solved and compressed now.

        Takes one to three seconds.
        """
        sample = make_plan(self.variant, MEASURED_PIECES, threads=self.threads, metric=self.metric)
        positions, seconds = 0, 0.0
        solver = _native.Solver(self.variant, MEASURED_PIECES, metric=self.metric)
        for pair in sample.pairs:
            if seconds >= MEASURED_SECONDS:
                break
            start = perf_counter()
            run_native(partial(_solve, solver, pair, self.threads))
            for member in pair.members:
                for metric in self.metrics:
                    with encoded_table(solver, member, metric, self.threads) as encoded:
                        sum(1 for _ in encoded.groups())
            if pair.material.pieces == MEASURED_PIECES:
                positions += pair.positions
                seconds += perf_counter() - start
        return self.positions * seconds / positions


def _solve(solver: _native.Solver, pair: Pair, threads: int, cancel: _native.Cancel) -> None:
    solver.solve(pair.material, threads, cancel, _native.Counter())


def make_plan(
    variant: str | Rules = "english",
    pieces: int | None = None,
    *,
    slices: Sequence[Material] = (),
    threads: int | None = None,
    metric: str = WDL,
    draw_plies: int | None = None,
    draw_captures: int | None = None,
) -> Plan:
    """Plan all slices of at most `pieces` pieces, or the named `slices` with everything they depend on.

    `threads`: as many as the process may use processors if None.

    Raises `VariantError` for a rule set that has no tables, `ArgumentError` for a number of pieces outside
    2 to 12, of threads outside 1 to 4096, for a metric that there is not, for a draw rule that does not go with it,
    or if neither `pieces` nor `slices` are given.

    >>> plan = make_plan(pieces=3)
    >>> len(plan.slices), plan.positions
    (16, 199520)
    >>> [m.name for m in make_plan(slices=[Material.parse("MvM")]).slices]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    rule = _check_rule(metric, draw_plies=draw_plies, draw_captures=draw_captures)
    variant = find_table_rules(variant).id
    threads = threads_or_all(threads)
    pieces = None if pieces is None else check_pieces(pieces)
    for material in slices:
        if pieces is not None and material.pieces > pieces:
            raise ArgumentError(f"{material.name} has {material.pieces} pieces, more than {pieces}")
    if pieces is None and not slices:
        raise ArgumentError("neither a number of pieces nor slices to build")
    largest = pieces if pieces is not None else max(material.pieces for material in slices)
    wanted = _with_needs(slices) if slices else None
    return Plan(variant, threads, tuple(_pairs(variant, largest, wanted, threads, metric)), metric, rule)


def in_gib(count: int) -> str:
    """Return bytes in GiB, rounded up: a limit of that size suffices.

    >>> in_gib(GIB), in_gib(GIB + 1)
    ('1.00', '1.01')
    """
    return f"{ceil(100 * count / GIB) / 100:.2f}"


def _check_rule(metric: str, **plies: int | None) -> DrawRule | None:
    """Return the draw rule; refuse a metric that there is not, and a rule that does not go with it."""
    find_metric(metric)
    for counter, count in plies.items():
        if count is not None:
            check_number(counter, count, 1, DRAW_PLIES_MOST)
    rule = choose_rule(**plies)
    if rule is not None and metric != metric_of_rule(rule):
        raise ArgumentError(f"a draw after {rule} needs the metric {metric_of_rule(rule)}, not {metric}")
    return rule


def _check_memory(limit: float) -> float:
    """Return a limit of memory."""
    if not limit > 0:  # so that nan is refused as well
        raise ArgumentError(f"the memory limit must be more than 0 GiB, not {limit:g}")
    return limit


def _window(pair: Pair) -> int:
    """Bytes of a part of the slice that is read: packed, and compressed or the part before."""
    return min(pair.values, WINDOW) // 4 * 2


def _with_needs(named: Sequence[Material]) -> frozenset[Material]:
    found: set[Material] = set()
    waiting = list(named)
    while waiting:
        material = waiting.pop()
        if material not in found:
            found.add(material)
            waiting += [material.mirror, *material.after_moves()]
    return frozenset(found)


def _pairs(variant: str, largest: int, wanted: frozenset[Material] | None, threads: int, metric: str) -> Iterator[Pair]:
    seen: set[Material] = set()
    for pieces in range(2, largest + 1):
        for material in slices(pieces):
            if material in seen or (wanted is not None and material not in wanted):
                continue
            seen |= {material, material.mirror}
            sides = len({material, material.mirror})
            planes, scratch, stored = _native.solver_memory(variant, material, threads, metric)
            yield Pair(
                material=material,
                positions=sides * material.positions(variant),
                values=sides * material.values(variant),
                planes=planes,
                scratch=scratch,
                stored=stored,
            )
