"""Whether the memory and the disk of this machine suffice for a build."""

from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path
from typing import Final

from dame_fast.arguments import BYTES_MOST
from dame_fast.build import machine
from dame_fast.build.directory import has_work_files, work_files_size
from dame_fast.build.plan import RESUME_LEAST, WORK_LEAST, Plan
from dame_fast.errors import ArgumentError, BuildError
from dame_fast.tables.files import TableName

GIB: Final = 2**30


@dataclass(frozen=True, slots=True)
class Room:
    """What a build needs, and what there is for it; None: nobody knows, so it suffices."""

    plan: Plan
    directory: Path
    limit: float | None
    """GiB of memory that the build may use at most, as its caller wishes."""
    memory: int | None
    """Bytes that are available."""
    disk: int | None
    """Bytes that are free where the tables are written, and those of work files that are there already."""
    tables: int
    """Bytes of the files that are still to be written, estimated."""
    loading: int = 0
    """Bytes that reading the largest of the finished pairs back from its tables takes; 0 if none has to be."""

    @property
    def lacks_memory(self) -> bool:
        """Whether memory has no room for all values."""
        return not self._holds(self.plan.memory + self._loading_scratch)

    @property
    def least_memory(self) -> int:
        """Bytes that the build needs at its peak if values are in work files, where that takes less."""
        in_files = max(self.plan.least_memory, self.plan.always_memory + self.loading)
        return min(self.plan.memory + self._loading_scratch, in_files)

    @property
    def work_least(self) -> int:
        """Pairs whose values take so many bytes have work files."""
        return WORK_LEAST if self.lacks_memory else RESUME_LEAST

    @property
    def needs_work(self) -> bool:
        """Whether there are work files at all."""
        return any(pair.planes >= self.work_least for pair in self.plan.pairs)

    @property
    def work_bytes(self) -> int:
        """Estimated bytes of the work files; none where there is no table to write."""
        return self.plan.work_bytes(self.work_least) if self.tables else 0

    @property
    def budget(self) -> int:
        """Bytes of the values of work files that may be in memory at a time."""
        if not self.lacks_memory:
            return 1 << 62
        most = min(bytes_ for bytes_ in (self._limit_bytes, self.memory) if bytes_ is not None)
        return max(most - self.plan.fixed_memory - self._loading_scratch, 0)

    @property
    def in_limit(self) -> bool:
        """Whether the limit of the caller suffices."""
        return self._limit_bytes is None or self.least_memory <= self._limit_bytes

    @property
    def fits(self) -> bool:
        """Whether memory and disk suffice."""
        return self.fits_memory and self._fits_disk

    def check(self) -> None:
        """Refuse a build that cannot fit.

        Raises `ArgumentError` if it is the limit that is too small, `BuildError` if it is the machine.
        """
        least = self.least_memory
        needs = f"the build needs {in_gib(least)} GiB of memory at least"
        if not self.in_limit:
            raise ArgumentError(f"{needs}, the limit is {self.limit:g} GiB")
        if self.memory is not None and least > self.memory:
            raise BuildError(f"{needs}, {in_gib(self.memory, up=False)} GiB are available")
        self.check_disk()

    def check_disk(self, *, in_parts: bool = False) -> None:
        """Refuse a build for which the disk does not suffice. `in_parts`: all values are in work files.

        Raises `BuildError`.
        """
        work = self.plan.work_bytes(0) if in_parts and self.tables else self.work_bytes
        if self.disk is not None and self.tables + work > self.disk:
            values = f", {in_bytes(work)} of them for work files" if work else ""
            needed = in_bytes(self.tables + work)
            raise BuildError(
                f"the build needs about {needed} of disk in '{self.directory}'{values}; {in_bytes(self.disk)} are free"
            )

    @property
    def fits_memory(self) -> bool:
        """Whether memory suffices, with work files if need be."""
        return self._holds(self.least_memory)

    @property
    def _fits_disk(self) -> bool:
        return self.disk is None or self.tables + self.work_bytes <= self.disk

    def _holds(self, memory: int) -> bool:
        return all(most is None or memory <= most for most in (self._limit_bytes, self.memory))

    @property
    def _loading_scratch(self) -> int:
        """Bytes that loading takes besides the values themselves."""
        return self.loading // 2

    @property
    def _limit_bytes(self) -> int | None:
        return None if self.limit is None else limit_bytes(self.limit)


def find_room(plan: Plan, directory: Path, limit: float | None = None) -> Room:
    """Look at this machine. `limit`: GiB of memory that the build may use at most.

    Where memory does not suffice for as many threads as planned, the plan of the room is for fewer.

    Raises `ArgumentError` for a limit that is no memory at all.

    >>> from dame_fast.build.plan import make_plan
    >>> find_room(make_plan(pieces=3), Path("tables"), 4.0).check()
    """
    if limit is not None:
        limit_bytes(limit)
    there = frozenset(table for table in plan.tables if (directory / str(table)).exists())
    memory, free = machine.available_memory(), machine.free_disk(directory)
    disk = None if free is None else free + work_files_size(directory)
    room = Room(plan, directory, limit, memory, disk, plan.disk_without(there), _loading(plan, directory, there))
    while not room.fits_memory and room.plan.threads > 1:
        threads = room.plan.threads
        room = replace(room, plan=room.plan.with_threads(threads - max(threads // 4, 1)))
    return room


def _loading(plan: Plan, directory: Path, there: frozenset[TableName]) -> int:
    missing = frozenset(table.material for table in plan.tables if table not in there)
    last = plan.last_use(missing)
    return max(
        (
            pair.loading
            for number, pair in enumerate(plan.pairs)
            if missing.isdisjoint(pair.members)
            and last[pair.material] > number
            and not has_work_files(directory, pair.material)
        ),
        default=0,
    )


def limit_bytes(limit: float) -> int:
    """Return the bytes of a limit on memory in GiB.

    Raises `ArgumentError` for one that is no memory at all.

    >>> limit_bytes(0.5)
    536870912
    >>> limit_bytes(-1.0)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: the memory limit must be more than 0 GiB, not -1
    """
    if not limit > 0:  # so that nan is refused as well
        raise ArgumentError(f"the memory limit must be more than 0 GiB, not {limit:g}")
    return int(min(limit * GIB, BYTES_MOST))


def in_gib(count: int, *, up: bool = True) -> str:
    """Return bytes in GiB, rounded up, so that a limit of that size suffices; or down, as what there is.

    >>> in_gib(GIB), in_gib(GIB + 1), in_gib(GIB - 1, up=False)
    ('1.00', '1.01', '0.99')
    """
    return f"{(ceil if up else floor)(100 * count / GIB) / 100:,.2f}"


def in_bytes(count: int) -> str:
    """Return a number of bytes in the largest unit that suits.

    >>> in_bytes(1_664_182), in_bytes(30_000_000_000), in_bytes(999)
    ('1.7 MB', '30.0 GB', '999 bytes')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:,.1f} {name}"
    return f"{count} bytes"
