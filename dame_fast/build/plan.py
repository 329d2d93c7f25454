"""What a build has to do: which slices in which order, and what it takes. Nothing is computed here but sums."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import dame_fast._native as _native
from dame_fast.arguments import check_pieces, threads_or_all
from dame_fast.errors import ArgumentError
from dame_fast.rules.draw_rule import DrawRule, choose_rule
from dame_fast.rules.find import find_table_rules
from dame_fast.rules.rules import Rules
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material, slices, with_needs
from dame_fast.tables.metric import METRICS, WDL, find_metric, metric_of_rule

PROCESS_MEMORY: Final = 96 * 2**20
"""Bytes of the process itself: Python, NumPy, and what compressing a group of blocks takes."""

SPAN_SHARE: Final = 16
"""Values that stay in memory take so much more than their bits, a sixteenth: spans and pages are not full. Measured."""

WINDOW: Final = 1 << 27
"""Values that are read at a time: 32 MiB."""

WORK_LEAST: Final = 8 * 2**20
"""Where memory is short: pairs whose values take so many bytes have work files."""

RESUME_LEAST: Final = 256 * 2**20
"""Where it is not: pairs whose values take so many have them as well, so that a build that is killed goes on inside."""

WAITING_MOST: Final = 256 * 2**20
"""Solved pairs wait for being written as long as they take no more bytes; a larger one is waited for."""

WORK_SHARE: Final = 0.22
WORK_SHARE_OF_DISTANCES: Final = 0.36
"""Of what values take in memory they take so much in work files; measured at seven and eight pieces."""

MODEL_SHARE: Final = 8
MODEL_MOST: Final = 30_000_000
"""Choosing the model of a table takes as long as writing so many times its positions, or so many in all; measured."""


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
    """Bytes that are needed besides while it is written: which values files hold."""
    pinned: int
    """Bytes of blocks that the threads pin at once while it is solved, if values are in work files."""

    @property
    def is_written_beside(self) -> bool:
        """Whether it is written while others are solved, unless memory is short: small ones are."""
        return self.writing_memory <= WAITING_MOST

    @property
    def writing_memory(self) -> int:
        """Bytes that are needed until it is written."""
        return self.planes + self.scratch + self.stored

    @property
    def loading(self) -> int:
        """Bytes that are needed while it is read back from its tables: all values, and which of them files hold."""
        return 2 * self.planes + _window(self)

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


@dataclass(frozen=True)
class Plan:
    """All pairs of a build, in an order in which each comes after those it needs."""

    variant: str
    threads: int
    pairs: tuple[Pair, ...]
    metric: str = WDL
    draw_rule: DrawRule | None = None
    """The one that the tables are made under."""

    def with_threads(self, threads: int) -> "Plan":
        """Return the same plan for another number of threads."""
        pairs = tuple(_pair(self.variant, pair.material, threads, self.metric) for pair in self.pairs)
        return replace(self, threads=threads, pairs=pairs)

    @property
    def metrics(self) -> tuple[str, ...]:
        """What is built of each slice: a table for each of these."""
        return (WDL, self.metric) if METRICS[self.metric].has_plies else (self.metric,)

    @property
    def slices(self) -> list[Material]:
        """Every slice, pair by pair."""
        return [member for pair in self.pairs for member in pair.members]

    @property
    def tables(self) -> list[TableName]:
        """Every file of every slice."""
        return [table for member in self.slices for table in self.tables_of(member)]

    def tables_of_pair(self, pair: Pair) -> list[TableName]:
        """Return what is built of both slices of a pair."""
        return [table for member in pair.members for table in self.tables_of(member)]

    def tables_of(self, material: Material) -> list[TableName]:
        """Return what is built of one slice."""
        return [TableName(material, metric, self.draw_rule) for metric in self.metrics]

    @property
    def positions(self) -> int:
        """Positions of all slices."""
        return sum(pair.positions for pair in self.pairs)

    def writing(self, table: TableName) -> int:
        """Return the positions of a table, and those whose writing takes as long as choosing its model."""
        positions = table.material.positions(self.variant)
        return positions + (min(MODEL_SHARE * positions, MODEL_MOST) if not METRICS[table.metric].has_plies else 0)

    @property
    def largest(self) -> Pair:
        """The pair of the most positions."""
        return max(self.pairs, key=lambda pair: pair.positions)

    @property
    def disk(self) -> int:
        """Estimated bytes of all files."""
        return self.disk_without(frozenset())

    def disk_without(self, there: frozenset[TableName]) -> int:
        """Return the estimated bytes of the files that are not there yet."""
        missing = [table for table in self.tables if table not in there]
        positions = dict.fromkeys(METRICS, 0)
        for table in missing:
            positions[table.metric] += table.material.positions(self.variant)
        bytes_of = (positions[name] // metric.positions_per_byte for name, metric in METRICS.items())
        return sum(bytes_of) + 512 * len(missing)

    @property
    def memory(self) -> int:
        """Bytes that the build needs at its peak, if nothing is there yet."""
        last = self.last_use()
        peak = held = first = 0  # `first`: the number of the first pair that may not be written yet
        for number, pair in enumerate(self.pairs):
            held += pair.planes
            waiting = self.pairs[first:number]
            beside = max((other.scratch + other.stored for other in waiting), default=0)
            peak = max(peak, held + max(pair.scratch + beside, pair.scratch + pair.stored, _window(pair)))
            while first <= number and not self._may_wait(first, number):
                held -= sum(done.planes for done in self.pairs[: first + 1] if last[done.material] == first)
                first += 1
        return PROCESS_MEMORY + self.side_memory + peak + peak // SPAN_SHARE

    def _may_wait(self, first: int, number: int) -> bool:
        """Tell whether all these pairs may still wait for being written."""
        return sum(pair.writing_memory for pair in self.pairs[first : number + 1]) <= WAITING_MOST

    @property
    def least_memory(self) -> int:
        """Bytes that the build needs at its peak if values are in work files, where that takes less."""
        most = max(max(pair.scratch, _window(pair)) + pair.pinned for pair in self.pairs)
        return min(self.memory, self.always_memory + most)

    @property
    def fixed_memory(self) -> int:
        """Bytes that are taken besides the blocks of work files: by all small slices, and by the threads."""
        return self.always_memory + self._thread_memory

    @property
    def shared_memory(self) -> int:
        """Bytes that are taken besides the blocks of work files if all values are in those."""
        return PROCESS_MEMORY + self.side_memory + self._thread_memory

    @property
    def _thread_memory(self) -> int:
        return max(max(pair.scratch, _window(pair)) for pair in self.pairs)

    @property
    def always_memory(self) -> int:
        """Bytes of the process, of the tables of sides, and of all small slices."""
        small = sum(pair.planes for pair in self.pairs if pair.planes < WORK_LEAST)
        return PROCESS_MEMORY + self.side_memory + small

    def work_bytes(self, least: int) -> int:
        """Return the estimated bytes of the work files at their peak, if pairs of `least` bytes have them."""
        share = WORK_SHARE_OF_DISTANCES if METRICS[self.metric].has_plies else WORK_SHARE
        return int(share * max(held + _if_large(pair, least, pair.stored) for pair, held in self._held(least)))

    @cached_property
    def numbers(self) -> dict[Material, int]:
        """The number of the pair that each slice belongs to."""
        return {member: number for number, pair in enumerate(self.pairs) for member in pair.members}

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

    def _held(self, least: int = 0) -> Iterator[tuple[Pair, int]]:
        """For every pair the bytes of the values, its own too, that are held while it is built; `least`: of a pair."""
        last = self.last_use()
        held = 0
        for number, pair in enumerate(self.pairs):
            held += _if_large(pair, least, pair.planes)
            yield pair, held
            gone = (done for done in self.pairs[: number + 1] if last[done.material] == number)
            held -= sum(_if_large(done, least, done.planes) for done in gone)


def _if_large(pair: Pair, least: int, count: int) -> int:
    return count if pair.planes >= least else 0


def make_plan(
    variant: str | Rules = "english",
    pieces: int | None = None,
    *,
    slices: Sequence[Material] = (),
    threads: int | None = None,
    metric: str | None = None,
    draw_plies: int | None = None,
    draw_captures: int | None = None,
) -> Plan:
    """Plan all slices of at most `pieces` pieces, or the named `slices` with everything they depend on.

    `threads`: as many as the process may use processors if None. `metric`: if None, the one that the draw rule needs
    (dtz or dtc), and wdl without a rule.

    Raises `VariantError` for a rule set that has no tables, `ArgumentError` for a number of pieces outside
    2 to 12, of threads outside 1 to 4096, for a metric that there is not, for a draw rule that does not go with it,
    or if neither `pieces` nor `slices` are given.

    >>> plan = make_plan(pieces=3)
    >>> len(plan.slices), plan.positions
    (16, 199520)
    >>> [m.name for m in make_plan(slices=[Material.parse("MvM")]).slices]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    metric, rule = _choose_metric(metric, draw_plies=draw_plies, draw_captures=draw_captures)
    variant = find_table_rules(variant).id
    threads = threads_or_all(threads)
    pieces = None if pieces is None else check_pieces(pieces)
    for material in slices:
        if pieces is not None and material.pieces > pieces:
            raise ArgumentError(f"{material.name} has {material.pieces} pieces, more than {pieces}")
    if pieces is None and not slices:
        raise ArgumentError("neither a number of pieces nor slices to build")
    largest = pieces if pieces is not None else max(material.pieces for material in slices)
    wanted = with_needs(slices) if slices else None
    return Plan(variant, threads, tuple(_pairs(variant, largest, wanted, threads, metric)), metric, rule)


def _choose_metric(metric: str | None, **plies: int | None) -> tuple[str, DrawRule | None]:
    """Return metric and draw rule; refuse a metric that there is not, and a rule that does not go with it."""
    rule = choose_rule(**plies)
    needed = WDL if rule is None else metric_of_rule(rule)
    found = find_metric(needed if metric is None else metric).name
    if rule is not None and found != needed:
        raise ArgumentError(f"a draw after {rule} needs the metric {needed}, not {found}")
    return found, rule


def _window(pair: Pair) -> int:
    """Bytes of a part of the slice that is read: packed, and compressed or the part before."""
    return min(pair.values, WINDOW) // 4 * 2


def _pairs(variant: str, largest: int, wanted: frozenset[Material] | None, threads: int, metric: str) -> Iterator[Pair]:
    seen: set[Material] = set()
    for pieces in range(2, largest + 1):
        for material in slices(pieces):
            if material in seen or (wanted is not None and material not in wanted):
                continue
            seen |= {material, material.mirror}
            yield _pair(variant, material, threads, metric)


def _pair(variant: str, material: Material, threads: int, metric: str) -> Pair:
    sides = len({material, material.mirror})
    try:
        planes, scratch, stored, pinned = _native.solver_memory(variant, material, threads, metric)
    except ArgumentError as error:
        raise ArgumentError(f"too many pieces to solve: {error}") from None
    return Pair(
        material=material,
        positions=sides * material.positions(variant),
        values=sides * material.values(variant),
        planes=planes,
        scratch=scratch,
        stored=stored,
        pinned=pinned,
    )
