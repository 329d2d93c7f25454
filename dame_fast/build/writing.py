"""The tables of solved slice pairs on their way into the directory: encode, compress, publish."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import SimpleQueue
from threading import Condition
from typing import Any, Protocol

import dame_fast._native as _native
from dame_fast.build.blocks import encoded_table
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import Pair, Plan
from dame_fast.build.report import PairLog
from dame_fast.interrupt import TICK, BackgroundCall
from dame_fast.tables.files import TableName
from dame_fast.tables.metric import METRICS


class Publisher(Protocol):
    """Takes tables."""

    def publish(self, name: str, parts: Iterable[bytes], front_size: int, front: Callable[[], bytes]) -> dict[str, Any]:
        """Write a file; return name, size and digest. `front()` is called when all parts have been written."""


def write_table(
    solver: _native.Solver,
    plan: Plan,
    table: TableName,
    threads: int,
    publisher: Publisher,
    cancel: _native.Cancel,
    reach: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Encode a table of a slice that is solved, and return what the manifest says of its file.

    `reach` hears of the positions that are done, of those that `Plan.writing` counts.
    """
    material = table.material
    positions = material.positions(plan.variant)
    with encoded_table(solver, material, table.metric, threads, cancel) as encoded:
        entries: list[_native.BlockEntry] = []
        chosen = plan.writing(table) - positions
        reach(chosen)

        def contents() -> Iterator[bytes]:
            for blocks in encoded.groups():
                entries.extend(blocks.entries)
                reach(chosen + positions * len(entries) // encoded.blocks)
                yield blocks.content
            yield _native.pack_table(entries)

        def front() -> bytes:
            counts, longest = solver.counts(material, cancel)
            return _native.pack_front(
                plan.variant,
                material,
                encoded.block_size,
                counts,
                entries,
                table.metric,
                table.draw_rule,
                longest if METRICS[table.metric].has_plies else (None, None),
                encoded.nesting,
                encoded.model,
            )

        entry = publisher.publish(str(table), contents(), encoded.front_size, front)
    reach(plan.writing(table))
    return entry


class PairWriting:
    """Writes the tables of a pair that are not there yet, one after the other."""

    def __init__(
        self,
        plan: Plan,
        directory: BuildDirectory,
        solver: _native.Solver,
        pair: Pair,
        tables: Sequence[TableName],
        log: PairLog,
    ) -> None:
        self.pair = pair
        self.log = log
        self.work = sum(plan.writing(table) for table in tables)
        """Positions, as `Plan.writing` counts them."""
        self.done = 0
        """How many of them are written."""
        self.entries: dict[TableName, dict[str, Any]] = {}
        """What the manifest says of each table that has been published."""
        self._plan = plan
        self._directory = directory
        self._solver = solver
        self._tables = tables

    @property
    def missing(self) -> list[TableName]:
        """The tables that are not written yet."""
        return [table for table in self._tables if table not in self.entries]

    def write(self, cancel: _native.Cancel) -> None:
        """Write them all.

        Raises `BuildError` if the directory takes no more, and what the solver raises.
        """
        for table in self._tables:
            with self.log.measure("write"):
                self.entries[table] = self._publish(table, cancel)
            self.log.bytes += self.entries[table]["size"]

    def _publish(self, table: TableName, cancel: _native.Cancel) -> dict[str, Any]:
        before = self.done

        def reach(done: int) -> None:
            self.done = before + done

        return write_table(self._solver, self._plan, table, self._plan.threads, self._directory, cancel, reach)


class Writer:
    """Writes pairs on a thread of its own, one after the other, while others are solved."""

    def __init__(self, settle: Callable[[Pair], None]) -> None:
        """Make a writer; `settle` is called on its thread for every pair that is written, before the next one."""
        self._settle = settle
        self._queue: SimpleQueue[PairWriting | None] = SimpleQueue()
        self._call = BackgroundCall(self._run)
        self._changed = Condition()
        self._waiting: deque[PairWriting] = deque()  # the first one is being written
        self._written: deque[PairWriting] = deque()
        self._has_failed = False

    def start(self) -> None:
        """Begin.

        Raises `DameError` if no thread can be started.
        """
        self._call.start()

    def put(self, writing: PairWriting) -> None:
        """Let a pair be written when those before it are."""
        with self._changed:
            self._waiting.append(writing)
        self._queue.put(writing)

    @property
    def first(self) -> PairWriting | None:
        """The pair that is being written; None: there is none."""
        with self._changed:
            return self._waiting[0] if self._waiting else None

    @property
    def is_idle(self) -> bool:
        """Whether all that was put is written."""
        with self._changed:
            return not self._waiting and not self._has_failed

    @property
    def done(self) -> int:
        """Positions that are written, as `Plan.writing` counts them, of all pairs that were not taken."""
        with self._changed:
            return sum(writing.done for writing in (*self._waiting, *self._written))

    def take_written(self) -> list[PairWriting]:
        """Return the pairs that were written since the last call."""
        with self._changed:
            written, self._written = list(self._written), deque()
        return written

    def wait(self, on_tick: Callable[[], None], most: int = 0) -> None:
        """Wait until the pairs that are not written yet take at most so many bytes in memory.

        Raises what writing has raised.
        """
        while True:
            with self._changed:
                held = sum(writing.pair.writing_memory for writing in self._waiting)
                if held <= most and not self._has_failed:
                    return
                if not (self._has_failed or self._call.has_ended):
                    self._changed.wait(TICK)
            if self._has_failed or self._call.has_ended:
                self._call.wait()
                return
            on_tick()

    def end(self) -> None:
        """All has been put and written."""
        self._queue.put(None)
        self._call.wait()

    def abandon(self) -> None:
        """Give up what is not written yet."""
        self._queue.put(None)
        self._call.abandon()

    def _run(self, cancel: _native.Cancel) -> None:
        try:
            while (writing := self._queue.get()) is not None:
                if cancel.raised:
                    raise _native.Cancelled("writing was cancelled")
                try:
                    writing.write(cancel)
                    self._settle(writing.pair)
                except BaseException:
                    with self._changed:
                        self._has_failed = True
                    raise
                finally:
                    with self._changed:
                        self._written.append(self._waiting.popleft())
                        self._changed.notify_all()
        finally:
            with self._changed:
                self._changed.notify_all()
