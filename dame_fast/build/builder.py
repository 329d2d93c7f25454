"""Building tables. Data flows one way: plan, solve, encode, compress, publish. Nobody sees a table before that.

Every slice pair is finished by itself; a small one is written while the next one is solved. A build that was ended at
any moment goes on with the first pair whose tables are not there, and solves only those units of it that no work file
holds. What that pair needs of finished ones is in work files still, or is read back from their tables.
"""

import os
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from traceback import clear_frames
from typing import Any, Final

import dame_fast._native as _native
from dame_fast.arguments import check_path
from dame_fast.build.blocks import compression
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import WINDOW, Pair, Plan, make_plan
from dame_fast.build.report import PairLog
from dame_fast.build.room import Room, find_room
from dame_fast.build.writing import PairWriting
from dame_fast.errors import ArgumentError, BuildError, CorruptTableError, WorkFileError
from dame_fast.interrupt import run_native
from dame_fast.progress import Progress, SilentProgress
from dame_fast.rules.rules import Rules
from dame_fast.tables.files import TableName
from dame_fast.tables.manifest import FileEntry, file_entry, listed_facts
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS

SAMPLE: Final = 20_000
"""Values of every slice that are checked against the moves before its file is written."""

REPAIRS: Final = 50
"""Work files that are found damaged, and made again, before a build gives up."""


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
    variant: str | Rules = "english",
    pieces: int | None = None,
    slices: Sequence[Material] = (),
    threads: int | None = None,
    memory: float | None = None,
    metric: str | None = None,
    draw_plies: int | None = None,
    draw_captures: int | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Build all tables of at most `pieces` pieces, or the named `slices` with all they depend on, into `out`.

    `threads`: as many as the process may use processors if None, fewer where memory does not suffice for so many.
    `memory`: the most that may be used, in GiB, never more than is available; values that do not fit lie packed in the
    folder `work` of `out` until the build is done. Large pairs are there in any case, so a build that is killed goes on
    inside them. `metric`: if None, the one that the draw rule needs (dtz or dtc), and wdl without a rule. Tables that
    are there already are checked and kept; `manifest.json` and `SHA256SUMS` list all tables. The files do not depend on
    threads, memory, or interruptions.

    Raises `ArgumentError` (also if `memory` does not suffice), `VariantError` (also if `out` holds tables of another
    rule set), `BuildError` (memory or disk of this machine do not suffice, before anything is done; or the build cannot
    go on: nothing finished is lost, the same call goes on).

    `progress` hears of the positions, each once for solving it and once for every table that is written of it (some
    more for what has to be done before), and of every slice pair whose files are published.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     result = build(directory, pieces=2)
    ...     sorted(os.listdir(directory))
    ['KvK.wdl', 'KvM.wdl', 'MvK.wdl', 'MvM.wdl', 'SHA256SUMS', 'manifest.json']
    >>> [m.name for m in result.built]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    out = check_path("directory", out)
    plan = make_plan(
        variant,
        pieces,
        slices=slices,
        threads=threads,
        metric=metric,
        draw_plies=draw_plies,
        draw_captures=draw_captures,
    )
    room = find_room(plan, out, memory)
    room.check()
    with BuildDirectory(out) as directory:
        return _Build(room.plan, directory, room, progress or SilentProgress()).run()


class _Build:
    """One run of a build, inside its locked directory."""

    def __init__(self, plan: Plan, directory: BuildDirectory, room: Room, progress: Progress) -> None:
        self.plan = plan
        self.directory = directory
        self.room = room
        self.compression: Mapping[str, Any] | None = None  # what made all tables, if that is one
        self.progress = progress
        self.whole = self.done = 0  # positions, each for solving it and for writing every table of it
        self.entries: dict[TableName, dict[str, Any]] = {}  # the manifest's line of every finished table
        self.writing: PairWriting | None = None
        self.dropped = 0  # pairs of the plan after which slices were dropped that none of the others needs

    def run(self) -> BuildResult:
        self.compression = compression() if self.directory.says_compression(compression()) else None
        self._find_tables()
        missing = [pair for pair in self.plan.pairs if not self._is_finished(pair)]
        slices = sum(len(pair.members) for pair in missing)
        self.whole = sum(self._work_of(pair) for pair in missing)
        self.progress.start("slices", "positions", self.whole, slices)
        if missing:
            self._work_with_repairs(frozenset(member for pair in missing for member in pair.members))
        self._publish_lists()
        self.directory.remove_work(self.plan.slices)
        self.progress.end()
        built = tuple(member for pair in missing for member in pair.members)
        size = sum(
            self.entries[table]["size"] for material in self.plan.slices for table in self.plan.tables_of(material)
        )
        return BuildResult(built, self.plan, size)

    def _work_with_repairs(self, missing: frozenset[Material]) -> None:
        """Build the missing slices; a work file that is damaged vanishes, and what it held is made again."""
        for _ in range(REPAIRS):
            try:
                self._work_in_plain_words(missing)
                return
            except WorkFileError as error:
                self.progress.note(f"{error}; it is made again")
                clear_frames(error.__traceback__)  # or the solver, with all its memory, would stay beside the next one
                unfinished = (pair for pair in self.plan.pairs if not self._is_finished(pair))
                self.done = self.whole - sum(self._work_of(pair) for pair in unfinished)
        self._work_in_plain_words(missing)

    def _work_in_plain_words(self, missing: frozenset[Material]) -> None:
        """Errors of the system that name no table are about work files."""
        with self.directory.plain_errors("keep values in"):
            self._work(missing)

    def _work(self, missing: frozenset[Material]) -> None:
        last = self.plan.last_use(missing)
        self.dropped = 0
        largest = max(pair.material.pieces for pair in self.plan.pairs)
        solver = _native.Solver(
            self.plan.variant,
            largest,
            str(self.directory.work_folder()) if self.room.needs_work else None,
            self.plan.metric,
            self.plan.draw_rule,
            work_least=self.room.work_least,
            budget=self.room.budget,
        )
        try:
            for number, pair in enumerate(self.plan.pairs):
                if not self._is_finished(pair):
                    self._build_pair(solver, pair, last)
                elif last[pair.material] > number and not solver.find(pair.material):
                    self._finish_writing(solver, last)
                    self._load(solver, pair)
                if self.writing is None:
                    self._drop(solver, last, number)
            self._finish_writing(solver, last)
        finally:
            if self.writing is not None:
                self.writing.abandon()
                self._remember_written()

    def _build_pair(self, solver: _native.Solver, pair: Pair, last: Mapping[Material, int]) -> None:
        """Solve a pair while the one before is written, and begin to write it."""
        log = PairLog(
            tuple(member.name for member in pair.members),
            pair.material.pieces,
            pair.positions,
            self.plan.variant,
            self.plan.metric,
            self.plan.draw_rule,
        )
        self._solve(solver, pair, log)
        self._sample(solver, pair, log)
        self._finish_writing(solver, last)
        self.writing = PairWriting(self.plan, self.directory, solver, pair, self._missing(pair), log)
        self.writing.start()
        if self.room.lacks_memory or not pair.is_written_beside:
            self._finish_writing(solver, last)

    def _finish_writing(self, solver: _native.Solver, last: Mapping[Material, int]) -> None:
        """Wait for the pair that is being written, if there is one, and make it known."""
        if self.writing is None:
            return
        writing, pair, log = self.writing, self.writing.pair, self.writing.log
        self.progress.rename(f"write {pair.material.name}", writing.work)
        writing.wait(self._show)
        self._remember_written()
        with log.measure("write"):
            self._publish_lists()
        self.done += writing.work
        self._show()
        self.progress.finish(log.slices, log.as_json())
        self._drop(solver, last, self.plan.pairs.index(pair))

    def _remember_written(self) -> None:
        """Nothing is being written any more; take note of what was published."""
        if self.writing is not None:
            for table, entry in self.writing.entries.items():
                self._remember(table, entry)
            self.writing = None

    def _drop(self, solver: _native.Solver, last: Mapping[Material, int], number: int) -> None:
        """Forget the slices that no pair after this one needs."""
        for done in self.plan.pairs[: number + 1]:
            if self.dropped <= last[done.material] <= number:
                solver.drop(done.material)
        self.dropped = number + 1

    def _show(self, solved: int = 0) -> None:
        """Tell how far all is; `solved`: positions of the pair that is being solved."""
        written = 0 if self.writing is None else self.writing.done
        self.progress.reach(self.done + written + solved)

    def _solve(self, solver: _native.Solver, pair: Pair, log: PairLog) -> None:
        self.progress.rename(f"solve {pair.material.name}", pair.positions)
        counter = _native.Counter()

        def show() -> None:
            self._show(pair.positions * counter.value // pair.values)

        with log.measure("solve"):
            run_native(lambda cancel: solver.solve(pair.material, self.plan.threads, cancel, counter), show)
        self.done += pair.positions
        self._show()

    def _sample(self, solver: _native.Solver, pair: Pair, log: PairLog) -> None:
        """Check values against those after each move, found by the per-position generator."""
        threads = self.plan.threads
        for member in pair.members:
            self.progress.rename(f"check {member.name}")
            with log.measure("check"):
                wrong = run_native(partial(solver.sample, member, SAMPLE, 0, threads))
            if wrong:
                raise BuildError(f"{member.name}: {wrong:,} of {SAMPLE:,} values do not follow from the moves")

    def _load(self, solver: _native.Solver, pair: Pair) -> None:
        self.progress.rename(f"load {pair.material.name}")

        def load(cancel: _native.Cancel) -> None:
            solver.load_start(pair.material)
            for member in pair.members:
                self._load_parts(solver, member, cancel)
            solver.load_finish(self.plan.threads, cancel)

        try:
            run_native(load)
        finally:
            solver.load_stop()
        for member in pair.members:
            counts, _ = run_native(partial(solver.counts, member))
            for table in self.plan.tables_of(member):
                entry = self.entries[table]
                if counts != (entry["win"], entry["draw"], entry["loss"]):
                    raise CorruptTableError(f"{self._path(table)}: the values are not those that the header counts")

    def _load_parts(self, solver: _native.Solver, material: Material, cancel: _native.Cancel) -> None:
        for table in self.plan.tables_of(material):
            with self.directory.plain_errors(f"read {table} in"):
                file = _native.Table(self._path(table), self.plan.variant)
            load = solver.load_distances if METRICS[table.metric].has_plies else solver.load_values
            total = material.values(self.plan.variant)
            window = _window(table)
            for first in range(0, total, window):
                count = min(window, total - first)
                with self.directory.plain_errors(f"read {table} in"):
                    _, values = file.read(first, count, cancel)
                load(material, file.facts["nesting"], first, count, values, self.plan.threads, cancel)

    def _find_tables(self) -> None:
        """Look at what is there already."""
        tables, listed = self.directory.tables(), self.directory.listed()
        sizes = [self.directory.size(str(table)) for table in tables]
        if tables:
            self.progress.start("files already there", "B", sum(sizes))
        done = 0
        for table, size in zip(tables, sizes, strict=True):
            self.progress.rename(str(table))
            self._find(table, listed)
            done += size
            self.progress.reach(done)
        if tables:
            self.progress.end()

    def _find(self, table: TableName, listed: Set[FileEntry]) -> None:
        """Look at a finished file; one that is damaged is built again if it is part of the plan."""
        entry = self.directory.describe(str(table))
        try:
            with self.directory.plain_errors(f"read {table} in"):
                self._check(table, whole=file_entry(entry) not in listed)
        except CorruptTableError as error:
            planned = table in self.plan.tables_of(table.material) and table.material in self.plan.slices
            self.progress.note(f"{error}; it is {'built again' if planned else 'left as it is'}")
            return
        self._remember(table, entry)

    def _check(self, table: TableName, *, whole: bool) -> None:
        """Check the header, and all blocks unless the digest has shown that they are what was published."""
        path = self._path(table)
        file = _native.Table(path, self.plan.variant)
        held = TableName.of(file.facts)
        if held != table:
            raise CorruptTableError(f"{path}: holds {held}")
        if METRICS[table.metric].has_plies and file.facts["block_size"] != _native.BLOCK_SIZE:
            raise ArgumentError(f"'{path}' has blocks of {file.facts['block_size']} bytes, not {_native.BLOCK_SIZE}")
        if whole:
            run_native(file.check)

    def _missing(self, pair: Pair) -> list[TableName]:
        """Return the tables of a pair that are not there."""
        tables = [table for member in pair.members for table in self.plan.tables_of(member)]
        return [table for table in tables if table not in self.entries]

    def _is_finished(self, pair: Pair) -> bool:
        return not self._missing(pair)

    def _work_of(self, pair: Pair) -> int:
        """Return the positions of a pair that are solved, and those that are written to each table."""
        return pair.positions + sum(self.plan.writing(table) for table in self._missing(pair))

    def _remember(self, table: TableName, entry: dict[str, Any]) -> None:
        self.entries[table] = {**entry, **listed_facts(_native.peek(self._path(table)))}

    def _publish_lists(self) -> None:
        entries = [self.entries[table] for table in sorted(self.entries, key=TableName.order)]
        self.directory.publish_lists(self.plan.variant, self.compression, entries)

    def _path(self, table: TableName) -> str:
        return str(self.directory.path / str(table))


def _window(table: TableName) -> int:
    """Values that fill as many bytes, whatever the metric."""
    return WINDOW // _native.PER_BYTE if METRICS[table.metric].has_plies else WINDOW
