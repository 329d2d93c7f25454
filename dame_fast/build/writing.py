"""The tables of one solved slice pair on their way into the directory: encode, compress, publish."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import dame_fast._native as _native
from dame_fast.build.blocks import encoded_table
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import Pair, Plan
from dame_fast.build.report import PairLog
from dame_fast.interrupt import BackgroundCall
from dame_fast.tables.files import TableName
from dame_fast.tables.metric import METRICS


class PairWriting:
    """Writes the tables of a pair that are not there yet, one after the other, on a thread of its own."""

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
        self._call = BackgroundCall(self._write)

    def start(self) -> None:
        """Begin.

        Raises `DameError` if no thread can be started.
        """
        self._call.start()

    def wait(self, on_tick: Callable[[], None]) -> None:
        """Wait until all tables are written.

        Raises `BuildError` if the directory takes no more, and what the solver raises.
        """
        self._call.wait(on_tick)

    def abandon(self) -> None:
        """Give up what is not written yet."""
        self._call.abandon()

    def _write(self, cancel: _native.Cancel) -> None:
        for table in self._tables:
            with self.log.measure("write"):
                self.entries[table] = self._publish(table, cancel)
            self.log.bytes += self.entries[table]["size"]

    def _publish(self, table: TableName, cancel: _native.Cancel) -> dict[str, Any]:
        material, plan = table.material, self._plan
        end = self.done + plan.writing(table)
        positions = material.positions(plan.variant)
        with encoded_table(self._solver, material, table.metric, plan.threads, cancel) as encoded:
            entries: list[_native.BlockEntry] = []
            self.done = chosen = end - positions

            def contents() -> Iterator[bytes]:
                for blocks in encoded.groups():
                    entries.extend(blocks.entries)
                    self.done = chosen + positions * len(entries) // encoded.blocks
                    yield blocks.content
                yield _native.pack_table(entries)

            def front() -> bytes:
                counts, longest = self._solver.counts(material, cancel)
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

            entry = self._directory.publish(str(table), contents(), encoded.front_size, front)
        self.done = end
        return entry
