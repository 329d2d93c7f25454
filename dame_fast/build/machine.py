"""What this machine has left: memory for the process, and room on the disk of a directory."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
CGROUPS: Final = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """Return the bytes of memory that this process can still get without swapping; None if the system does not tell.

    >>> available_memory() > 2**20
    True
    """
    known = [count for count in (_system_memory(), *_group_memory()) if count is not None]
    return min(known, default=None)


def free_disk(directory: Path) -> int | None:
    """Return the bytes that may be written where a directory is, or will be; None if the system does not tell.

    >>> free_disk(Path("/no/such/directory")) == free_disk(Path("/"))
    True
    """
    absolute = directory.absolute()
    with suppress(OSError):
        there = next(place for place in (absolute, *absolute.parents) if place.exists())
        usage = shutil.disk_usage(there)
        return usage.free if usage.total else None  # a file system without a size is no disk
    return None


def _system_memory() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in (PROC / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    for pages in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):  # macOS has the second only
        with suppress(OSError, ValueError):
            return os.sysconf(pages) * os.sysconf("SC_PAGE_SIZE")
    return None


def _group_memory() -> Iterator[int]:
    """Yield the memory that each control group of this process leaves it (versions 1 and 2); none without a limit."""
    with suppress(OSError, ValueError):
        for line in (PROC / "self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers == "":
                root, names = CGROUPS, ("memory.max", "memory.current", "inactive_file")
            elif "memory" in controllers.split(","):
                root, names = (
                    CGROUPS / "memory",
                    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
                )
            else:
                continue
            inside = root / path.lstrip("/")
            for group in (inside, *(parent for parent in inside.parents if parent.is_relative_to(root))):
                with suppress(OSError, ValueError):  # "max" is no number, and means no limit
                    limit, used = (int((group / name).read_text()) for name in names[:2])
                    yield max(limit - used + _statistic(group / "memory.stat", names[2]), 0)


def _statistic(path: Path, name: str) -> int:
    """Return a number from the statistics of a group, 0 if it is not there.

    It is wanted for `inactive_file`: pages of files that the system can drop, which count as used memory.
    """
    with suppress(OSError, ValueError):
        lines = [line.split() for line in path.read_text().splitlines()]
        return next((int(count) for key, count in lines if key == name), 0)
    return 0
