"""Building tables. Data flows one way: plan, solve, encode, compress, publish; only publishing shows.

Every slice pair is finished by itself. A build that was ended at any moment goes on with the first pair whose files
are not there; what a pair needs of finished ones is read back from their files.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil, comb
from typing import Any, Final

from dame_fast import _native
from dame_fast.arguments import check_path
from dame_fast.build.blocks import BLOCK_SIZE, Block, Compressor, compression
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import WINDOW, Pair, Plan, make_plan
from dame_fast.build.report import PairLog, Reporter, SilentReporter
from dame_fast.errors import ArgumentError, BuildError, CorruptTableError, quote
from dame_fast.interrupt import run_native
from dame_fast.manifest import FORMAT
from dame_fast.material import Material
from dame_fast.rules import find_rules

GIB: Final = 2**30

SAMPLE: Final = 20_000
"""Values of every slice that are checked against the moves before its file is written."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build has done."""

    built: tuple[Material, ...]
    """Slices that were solved by this build; the others were there before."""
    plan: Plan
    bytes: int
    """Size of all table files together."""


def build(
    out: str | os.PathLike[str],
    *,
    variant: str = "english",
    pieces: int | None = None,
    slices: Sequence[Material] = (),
    threads: int | None = None,
    memory: float | None = None,
    metric: str = "wdl",
    draw_plies: int | None = None,
    report: Reporter | None = None,
) -> BuildResult:
    """Build all tables of at most `pieces` pieces, or the named `slices` with all they depend on, into `out`.

    `threads`: as many as the process may use processors if None. `memory`: the most that may be used, in GiB; values
    that do not fit live in files without a name in `out`. Tables that are there already are checked and kept. The
    files do not depend on threads, memory, or interruptions.

    Raises `ArgumentError` (also if the memory does not suffice), `VariantError` (also if `out` holds tables of another
    rule set), `BuildError` (nothing finished is lost; the same call goes on).

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     result = build(directory, pieces=2)
    ...     sorted(os.listdir(directory))
    ['KvK.wdl', 'KvM.wdl', 'MvK.wdl', 'MvM.wdl', 'manifest.json']
    >>> [m.name for m in result.built]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    out = check_path("directory", out)
    refuse_unknown_metric(metric, draw_plies)
    check_memory(memory)
    plan = make_plan(variant, pieces, slices=slices, threads=available_threads() if threads is None else threads)
    spill = memory is not None and plan.memory > memory * GIB
    if memory is not None and plan.least_memory > memory * GIB:
        raise ArgumentError(
            f"the build needs {in_gib(plan.least_memory)} GiB of memory at least, the limit is {memory:g} GiB"
        )
    with BuildDirectory(out) as directory:
        return _Build(plan, directory, spill, report or SilentReporter()).run()


def refuse_unknown_metric(metric: str, draw_plies: int | None) -> None:
    """Raise `ArgumentError` for what cannot be built yet: distances, and an automatic draw."""
    if metric != "wdl":
        raise ArgumentError(f"tables of the metric {quote(metric)} cannot be built yet (known: wdl)")
    if draw_plies is not None:
        raise ArgumentError("tables for an automatic draw cannot be built yet")


def check_memory(limit: float | None) -> None:
    """Raise `ArgumentError` for a limit (GiB) that is no memory at all."""
    if limit is not None and not limit > 0:  # so that nan is refused as well
        raise ArgumentError(f"the memory limit must be more than 0 GiB, not {limit:g}")


def in_gib(count: int) -> str:
    """Return bytes in GiB, rounded up: a limit of that size suffices.

    >>> in_gib(GIB), in_gib(GIB + 1)
    ('1.00', '1.01')
    """
    return f"{ceil(100 * count / GIB) / 100:.2f}"


def available_threads() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Build:
    """One run of a build, inside its locked directory."""

    def __init__(self, plan: Plan, directory: BuildDirectory, spill: bool, report: Reporter) -> None:
        self.plan = plan
        self.directory = directory
        self.spill = spill  # keep values in files
        self.report = report
        self.entries: dict[Material, dict[str, Any]] = {}  # the manifest's line of every finished slice
        self.compressor = Compressor(plan.threads)

    def run(self) -> BuildResult:
        try:
            for material in {*self.plan.slices, *self.directory.slices()}:
                self._find(material)
            missing = [pair for pair in self.plan.pairs if not self._is_finished(pair)]
            finished = sum(pair.positions for pair in self.plan.pairs if self._is_finished(pair))
            self.report.start(self.plan.positions, finished)
            if missing:
                self._work(frozenset(member for pair in missing for member in pair.members))
            self._publish_manifest()
        finally:
            self.compressor.close()
        built = tuple(member for pair in missing for member in pair.members)
        return BuildResult(built, self.plan, sum(entry["size"] for entry in self.entries.values()))

    def _work(self, missing: frozenset[Material]) -> None:
        last = self.plan.last_use(missing)
        largest = max(pair.material.pieces for pair in self.plan.pairs)
        solver = _native.Solver(self.plan.variant, largest, str(self.directory.path) if self.spill else None)
        for number, pair in enumerate(self.plan.pairs):
            if not self._is_finished(pair):
                log = PairLog(tuple(member.name for member in pair.members), pair.material.pieces, pair.positions)
                self._solve(solver, pair, log)
                self._sample(solver, pair, log)
                for member in pair.members:
                    self._publish(solver, member, log)
                self.report.finish(log)
            elif last[pair.material] > number:
                self._load(solver, pair)
            for done in self.plan.pairs[: number + 1]:
                if last[done.material] == number:
                    solver.drop(done.material)

    def _solve(self, solver: _native.Solver, pair: Pair, log: PairLog) -> None:
        self.report.stage(pair.material.name, "solve", pair.positions)
        counter = _native.Counter()
        shown = 0

        def show() -> None:
            nonlocal shown
            done = pair.positions * counter.value // pair.values
            self.report.advance(done - shown)
            shown = done

        with log.measure("solve"), self.directory.plain_errors("keep values in"):
            run_native(lambda cancel: solver.solve(pair.material, self.plan.threads, cancel, counter), show)
        show()

    def _sample(self, solver: _native.Solver, pair: Pair, log: PairLog) -> None:
        """Check values against those after each move, found by the per-position generator."""
        threads = self.plan.threads
        for member in pair.members:
            self.report.stage(member.name, "check", SAMPLE)
            with log.measure("check"):
                wrong = run_native(partial(solver.sample, member, SAMPLE, 0, threads))
            if wrong:
                raise BuildError(f"{member.name}: {wrong:,} of {SAMPLE:,} values do not follow from the moves")

    def _load(self, solver: _native.Solver, pair: Pair) -> None:
        self.report.stage(pair.material.name, "load", pair.positions)

        def load(cancel: _native.Cancel) -> None:
            solver.load_start(pair.material)
            for member in pair.members:
                self._load_parts(solver, member, cancel)
            solver.load_finish(self.plan.threads, cancel)

        try:
            with self.directory.plain_errors("keep values in"):
                run_native(load)
        finally:
            solver.load_stop()
        for member in pair.members:
            win, draw, loss = run_native(partial(solver.counts, member))
            entry = self.entries[member]
            if (win, draw, loss) != (entry["win"], entry["draw"], entry["loss"]):
                raise CorruptTableError(f"{self._path(member)}: the values are not those that the header counts")

    def _load_parts(self, solver: _native.Solver, material: Material, cancel: _native.Cancel) -> None:
        table = _native.Table(self._path(material), self.plan.variant)
        men_squares = find_rules(self.plan.variant).men_squares
        configurations = comb(men_squares, material.own_men) * comb(men_squares, material.other_men)
        run = material.values(self.plan.variant) // configurations
        step = max(WINDOW // run, 1)
        for first in range(0, configurations, step):
            count = min(step, configurations - first)
            first_value, values = table.read(first * run, count * run, cancel)
            solver.load_values(material, first, count, values, first_value, self.plan.threads, cancel)

    def _publish(self, solver: _native.Solver, material: Material, log: PairLog) -> None:
        self.report.stage(material.name, "write", material.positions(self.plan.variant))
        entries: list[_native.BlockEntry] = []

        def contents() -> Iterator[bytes]:
            for blocks in self._encode(solver, material):
                entries.extend(block.entry for block in blocks)
                yield from (block.content for block in blocks)

        def front() -> bytes:
            counts = run_native(partial(solver.counts, material))
            return _native.pack_front(self.plan.variant, material, BLOCK_SIZE, counts, entries)

        blocks = -(-material.values(self.plan.variant) // (4 * BLOCK_SIZE))
        with log.measure("write"):
            entry = self.directory.publish(_file_name(material), contents(), _native.front_size(blocks), front)
            self._remember(material, entry)
            self._publish_manifest()
        log.bytes += entry["size"]

    def _encode(self, solver: _native.Solver, material: Material) -> Iterator[list[Block]]:
        total, threads = material.values(self.plan.variant), self.plan.threads
        buffer = bytearray((min(total, WINDOW) + 3) // 4)
        for first in range(0, total, WINDOW):
            count = min(WINDOW, total - first)

            def encode(cancel: _native.Cancel, first: int = first, count: int = count) -> list[Block]:
                solver.encode(material, first, count, buffer, threads, cancel)
                return self.compressor.compress(memoryview(buffer)[: (count + 3) // 4], cancel)

            yield run_native(encode)

    def _find(self, material: Material) -> None:
        """Look for a finished file; one that is damaged is built again if it is part of the plan."""
        path = self._path(material)
        if not os.path.exists(path):
            return
        try:
            with self.directory.plain_errors(f"read {_file_name(material)} in"):
                self._check(material, _native.Table(path, self.plan.variant))
        except CorruptTableError as error:
            planned = material in self.plan.slices
            self.report.note(f"{error}; it is {'built again' if planned else 'left as it is'}")
            return
        self._remember(material, self.directory.describe(_file_name(material)))

    def _check(self, material: Material, table: _native.Table) -> None:
        facts = table.facts
        held = Material(*facts["material"])
        if held != material or facts["metric"] != "wdl" or facts["draw_plies"] is not None:
            raise CorruptTableError(f"{self._path(material)}: holds the table {held.name}, {facts['metric']}")
        if facts["block_size"] != BLOCK_SIZE:
            raise ArgumentError(f"'{self._path(material)}' has blocks of {facts['block_size']} bytes, not {BLOCK_SIZE}")
        run_native(table.check)

    def _is_finished(self, pair: Pair) -> bool:
        return all(member in self.entries for member in pair.members)

    def _remember(self, material: Material, entry: dict[str, Any]) -> None:
        facts = _native.peek(self._path(material))
        counts = {key: facts[key] for key in ("win", "draw", "loss")}
        self.entries[material] = {**entry, "positions": sum(counts.values()), **counts}

    def _publish_manifest(self) -> None:
        files = [self.entries[material] for material in sorted(self.entries, key=Material.order)]
        self.directory.publish_manifest(
            {
                "format": FORMAT,
                "variant": self.plan.variant,
                "metric": "wdl",
                "draw_plies": None,
                "block_size": BLOCK_SIZE,
                "compression": compression(),
                "files": files,
            }
        )

    def _path(self, material: Material) -> str:
        return str(self.directory.path / _file_name(material))


def _file_name(material: Material) -> str:
    return f"{material.name}.wdl"
