"""Building tables. Data flows one way: plan, solve, encode, compress, publish. Nobody sees a table before that.

Every slice pair is finished by itself; small ones are written while the next ones are solved. A build that was ended at
any moment goes on with the first pair whose tables are not there, and solves only those units of it that no work file
holds. What that pair needs of finished ones is in work files still, or is read back from their tables.
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from traceback import clear_frames
from typing import Final

import dame_fast._native as _native
from dame_fast.arguments import check_path
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.finished import FinishedTables
from dame_fast.build.loading import load_pair
from dame_fast.build.plan import WAITING_MOST, Pair, Plan, make_plan
from dame_fast.build.report import BuildResult, PairLog
from dame_fast.build.room import Room, find_room
from dame_fast.build.sampling import check_sample
from dame_fast.build.writing import PairWriting, Writer
from dame_fast.errors import WorkFileError
from dame_fast.interrupt import run_native
from dame_fast.progress import Progress, SilentProgress
from dame_fast.rules.rules import Rules
from dame_fast.tables.material import Material

REPAIRS: Final = 50
"""Work files that are found damaged, and made again, before a build gives up."""


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
    scheduler: str | None = None,
    progress: Progress | None = None,
) -> BuildResult:
    """Build all tables of at most `pieces` pieces, or the named `slices` with all they depend on, into `out`.

    `threads`: as many as the process may use processors if None, fewer where memory does not suffice for so many.
    `memory`: the most that may be used, in GiB, never more than is available; values that do not fit lie packed in the
    folder `work` of `out` until the build is done. Large pairs are there in any case, so a build that is killed goes on
    inside them. `metric`: if None, the one that the draw rule needs (dtz or dtc), and wdl without a rule. Tables that
    are there already are checked and kept; `manifest.json` and `SHA256SUMS` list all tables. The files do not depend on
    threads, memory, processes, or interruptions.

    `scheduler`: the work is done by the workers of a Dask cluster, each with its own threads, and `memory` is that of
    each worker. Either the address of a scheduler (`tcp://HOST:PORT`), whose workers see the same directory under the
    same path, or `local:N`: N processes of this machine, which share the `threads`. Needs `pip install
    "dame-fast[cluster]"`, and for `local:N` a script that says `if __name__ == "__main__"`, since processes import it.

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
    if scheduler is not None:
        from dame_fast.build.cluster.run import build_on_cluster

        return build_on_cluster(plan, out, scheduler, memory, progress or SilentProgress())
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
        self.tables = FinishedTables(plan, directory, progress)
        self.progress = progress
        self.whole = self.done = 0  # positions, each for solving it and for writing every table of it
        self.shown: PairWriting | None = None  # whose writing the bar shows
        self.last: Mapping[Material, int] = {}  # the number of the last pair that needs each slice
        self.dropped = 0  # pairs of the plan after which slices were dropped that none of the others needs

    def run(self) -> BuildResult:
        self.tables.find()
        missing = [pair for pair in self.plan.pairs if not self.tables.has(pair)]
        slices = sum(len(pair.members) for pair in missing)
        self.whole = sum(self.tables.work_of(pair) for pair in missing)
        self.progress.start("slices", "positions", self.whole, slices)
        if missing:
            self._work_with_repairs(frozenset(member for pair in missing for member in pair.members))
        self.tables.publish_lists()
        self.directory.remove_work(self.plan.slices)
        self.progress.end()
        built = tuple(member for pair in missing for member in pair.members)
        return BuildResult(built, self.plan, self.tables.bytes)

    def _work_with_repairs(self, missing: frozenset[Material]) -> None:
        """Build the missing slices; a work file that is damaged vanishes, and what it held is made again."""
        for _ in range(REPAIRS):
            try:
                self._work_in_plain_words(missing)
                return
            except WorkFileError as error:
                self.progress.note(f"{error}; it is made again")
                clear_frames(error.__traceback__)  # or the solver, with all its memory, would stay beside the next one
                unfinished = (pair for pair in self.plan.pairs if not self.tables.has(pair))
                self.done = self.whole - sum(self.tables.work_of(pair) for pair in unfinished)
        self._work_in_plain_words(missing)

    def _work_in_plain_words(self, missing: frozenset[Material]) -> None:
        """Errors of the system that name no table are about work files."""
        with self.directory.plain_errors("keep values in"):
            self._work(missing)

    def _work(self, missing: frozenset[Material]) -> None:
        self.last = self.plan.last_use(missing)
        self.dropped = 0
        self.shown = None  # or it would hold the solver that has failed
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
        writer = Writer(lambda pair: self._drop(solver, self.plan.numbers[pair.material]))
        try:
            writer.start()
            for number, pair in enumerate(self.plan.pairs):
                if not self.tables.has(pair):
                    self._build_pair(solver, writer, pair)
                elif self.last[pair.material] > number and not solver.find(pair.material):
                    self._wait(writer)
                    self._load(solver, pair)
                if writer.is_idle:
                    self._drop(solver, number)
            self._wait(writer)
            writer.end()
        finally:
            writer.abandon()
            self._take_written(writer)

    def _build_pair(self, solver: _native.Solver, writer: Writer, pair: Pair) -> None:
        """Solve a pair while those before are written, and let it be written."""
        log = PairLog.of(self.plan, pair)
        self._solve(solver, writer, pair, log)
        self._sample(solver, pair, log)
        writer.put(PairWriting(self.plan, self.directory, solver, pair, self.tables.missing(pair), log))
        beside = pair.is_written_beside and not self.room.lacks_memory
        self._wait(writer, WAITING_MOST if beside else 0)

    def _wait(self, writer: Writer, most: int = 0) -> None:
        """Wait until the pairs that are not written yet take at most so many bytes, and make those known that are."""
        writer.wait(lambda: self._show_writing(writer), most)
        self._take_written(writer)

    def _show_writing(self, writer: Writer) -> None:
        """Nothing but writing goes on."""
        first = writer.first
        if first is not None and first is not self.shown:
            self.progress.rename(f"write {first.pair.material.name}", first.work)
            self.shown = first
        self._show(writer)

    def _take_written(self, writer: Writer) -> None:
        """Take note of the tables that were published."""
        written = writer.take_written()
        self.done += sum(writing.work for writing in written if not writing.missing)
        for writing in written:
            for table, entry in writing.entries.items():
                self.tables.add(table, entry)
            if not writing.missing:
                self._show(writer)
                self.progress.finish(writing.log.slices, writing.log.as_json())
        self.tables.publish_lists(at_once=False)

    def _drop(self, solver: _native.Solver, number: int) -> None:
        """Forget the slices that no pair after this one needs."""
        for done in self.plan.pairs[: number + 1]:
            if self.dropped <= self.last[done.material] <= number:
                solver.drop(done.material)
        self.dropped = number + 1

    def _show(self, writer: Writer, solved: int = 0) -> None:
        """Tell how far all is; `solved`: positions of the pair that is being solved."""
        self.progress.reach(self.done + solved + writer.done)

    def _solve(self, solver: _native.Solver, writer: Writer, pair: Pair, log: PairLog) -> None:
        self.progress.rename(f"solve {pair.material.name}", pair.positions)
        counter = _native.Counter()

        def show() -> None:
            self._take_written(writer)
            self._show(writer, pair.positions * counter.value // pair.values)

        with log.measure("solve"):
            run_native(lambda cancel: solver.solve(pair.material, self.plan.threads, cancel, counter), show)
        self.done += pair.positions
        self._show(writer)

    def _sample(self, solver: _native.Solver, pair: Pair, log: PairLog) -> None:
        for member in pair.members:
            self.progress.rename(f"check {member.name}")
            with log.measure("check"):
                run_native(partial(check_sample, solver, member, self.plan.threads))

    def _load(self, solver: _native.Solver, pair: Pair) -> None:
        self.progress.rename(f"load {pair.material.name}")
        run_native(lambda cancel: load_pair(solver, self.plan, self.directory.path, pair, self.plan.threads, cancel))
