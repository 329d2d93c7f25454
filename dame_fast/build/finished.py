"""The tables of a build that are finished: found when it begins, and one more whenever one is published."""

from collections.abc import Mapping, Sequence, Set
from time import monotonic
from typing import Any, Final

import dame_fast._native as _native
from dame_fast.build.blocks import compression
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import Pair, Plan
from dame_fast.errors import ArgumentError, CorruptTableError
from dame_fast.interrupt import run_native
from dame_fast.progress import Progress
from dame_fast.tables.files import TableName
from dame_fast.tables.manifest import FileEntry, file_entry, listed_facts
from dame_fast.tables.metric import METRICS

LISTING: Final = 1.0
"""Seconds between two lists of what is published: writing one for each small pair would take longer than the pair."""


class FinishedTables:
    """What is finished of the tables of a plan in a directory, and the lists of that directory."""

    def __init__(self, plan: Plan, directory: BuildDirectory, progress: Progress) -> None:
        self._plan = plan
        self._directory = directory
        self._progress = progress
        # What made all tables, if that is one:
        self._compression = compression() if directory.says_compression(compression()) else None
        self._entries: dict[TableName, Mapping[str, Any]] = {}  # the manifest's line of every finished table
        self._listed = monotonic()  # when the lists were written

    def find(self) -> None:
        """Look at what is there already, and check it.

        Raises what a table of another rule set or another program raises; one that is damaged is not there.
        """
        tables, listed = self._directory.tables(), self._directory.listed()
        sizes = [self._directory.size(str(table)) for table in tables]
        if tables:
            self._progress.start("files already there", "B", sum(sizes))
        done = 0
        for table, size in zip(tables, sizes, strict=True):
            self._progress.rename(str(table))
            self._find(table, listed)
            done += size
            self._progress.reach(done)
        if tables:
            self._progress.end()

    def missing(self, pair: Pair) -> list[TableName]:
        """Return the tables of a pair that are not there."""
        tables = self._plan.tables_of_pair(pair)
        return [table for table in tables if table not in self._entries]

    def has(self, pair: Pair) -> bool:
        """Tell whether all tables of a pair are there."""
        return not self.missing(pair)

    def work_of(self, pair: Pair) -> int:
        """Return the positions of a pair that are solved, and those that are written to each table."""
        return pair.positions + sum(self._plan.writing(table) for table in self.missing(pair))

    def entry(self, table: TableName) -> Mapping[str, Any]:
        """Return what the manifest says of a table that is there."""
        return self._entries[table]

    def add(self, table: TableName, entry: Mapping[str, Any]) -> None:
        """Take note of a table that is there; `entry`: name, size and digest of its file."""
        self._entries[table] = {**entry, **listed_facts(_native.peek(self.path(table)))}

    def path(self, table: TableName) -> str:
        """Return the path of a table."""
        return str(self._directory.path / str(table))

    @property
    def bytes(self) -> int:
        """Size of all tables of the plan, which are there."""
        return sum(self._entries[table]["size"] for table in self._plan.tables)

    def publish_lists(self, *, at_once: bool = True) -> None:
        """Write the lists of all tables that are there; unless `at_once`, if that was not done just now."""
        if not at_once and monotonic() < self._listed + LISTING:
            return
        entries: Sequence[Mapping[str, Any]] = [
            self._entries[table] for table in sorted(self._entries, key=TableName.order)
        ]
        self._directory.publish_lists(self._plan.variant, self._compression, entries)
        self._listed = monotonic()

    def _find(self, table: TableName, listed: Set[FileEntry]) -> None:
        """Look at a finished file; one that is damaged is built again if it is part of the plan."""
        entry = self._directory.describe(str(table))
        try:
            with self._directory.plain_errors(f"read {table} in"):
                self._check(table, whole=file_entry(entry) not in listed)
        except CorruptTableError as error:
            planned = table in self._plan.tables_of(table.material) and table.material in self._plan.slices
            self._progress.note(f"{error}; it is {'built again' if planned else 'left as it is'}")
            return
        self.add(table, entry)

    def _check(self, table: TableName, *, whole: bool) -> None:
        """Check the header, and all blocks unless the digest has shown that they are what was published."""
        path = self.path(table)
        file = _native.Table(path, self._plan.variant)
        held = TableName.of(file.facts)
        if held != table:
            raise CorruptTableError(f"{path}: holds {held}")
        if METRICS[table.metric].has_plies and file.facts["block_size"] != _native.BLOCK_SIZE:
            raise ArgumentError(f"'{path}' has blocks of {file.facts['block_size']} bytes, not {_native.BLOCK_SIZE}")
        if whole:
            run_native(file.check)
