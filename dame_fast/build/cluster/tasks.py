"""What one worker does in one go. A task can be done twice without harm: files get their names when they are whole."""

from dataclasses import dataclass
from typing import Any, Final

from dame_fast.build.cluster.units import Units, part_names
from dame_fast.build.plan import Pair, Plan
from dame_fast.tables.files import TableName

LOAD = "load"
SOLVE = "solve"
CHECK = "check"
WRITE = "write"
MAKE = "make"
KINDS: Final = (LOAD, SOLVE, CHECK, WRITE, MAKE)


@dataclass(frozen=True, slots=True)
class Values:
    """Where the values of a pair are: in these parts."""

    pair: Pair
    parts: tuple[Units, ...]

    def files(self) -> list[str]:
        """Return the names of all files."""
        return [name for units in self.parts for name in part_names(self.pair, units)]


@dataclass(frozen=True, slots=True)
class Task:
    """A task, with all that it reads.

    LOAD: bring the values of a pair back from its tables. SOLVE: find the values of some of its units. CHECK: derive
    some values of both slices from their moves. WRITE: encode a table. MAKE: all of it at once, for a small pair.
    """

    kind: str
    pair: Pair
    reads: tuple[Values, ...]
    """Of the pair itself too: all of it, or what was solved before."""
    units: Units | None = None
    """What is solved or loaded; it becomes one part."""
    table: TableName | None = None
    step: str = ""
    """Which of how many steps."""

    @property
    def name(self) -> str:
        """What people and Dask's dashboard call it."""
        what = self.pair.material.name if self.table is None else str(self.table)
        return f"{self.kind} {what} {self.step}".rstrip()

    def work(self, plan: Plan) -> int:
        """Return the positions that are done with it: each once for solving and once for every table."""
        solved = 0
        if self.units is not None and self.kind != LOAD:
            solved = self.pair.positions * self.units.values // self.pair.values
        if self.kind == MAKE:
            return solved + sum(plan.writing(table) for table in plan.tables_of_pair(self.pair))
        return solved + (0 if self.table is None else plan.writing(self.table))

    def effort(self, plan: Plan) -> int:
        """Return what the time of tasks of one kind is in proportion to, about."""
        return self.pair.positions if self.kind == LOAD else max(self.work(plan), 1)


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table that a worker has written under a name of its own."""

    table: TableName
    partial: str
    entry: dict[str, Any]
    """Name, size and digest, as the manifest holds them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task."""

    seconds: dict[str, float]
    """Of its stages: "read", "load", "solve", "check" and "write"."""
    tables: tuple[WrittenTable, ...] = ()
    read: int = 0
    """Bytes of work files."""
    written: int = 0
    peak_memory: int = 0
    error: str | None = None
    """Why the build cannot go on."""
    damaged: tuple[str, ...] = ()
    """Work files that are damaged or not there; the task has not been done."""
