"""The directory that a build writes into.

One build at a time holds it. A file gets its final name when it is complete and on disk, so whatever stands under
a final name is whole; leftovers of a build that was killed are removed by the next one.
"""

import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from dame_fast.errors import ArgumentError, BuildError, CorruptTableError
from dame_fast.tables.files import TableName
from dame_fast.tables.manifest import MANIFEST, describe_file, read_manifest

WORK: Final = "work"
"""The folder of work files (docs/design.md), which vanishes when the build is done."""

_PARTIAL: Final = ".partial"


class BuildDirectory:
    """A directory of tables, locked for one build (a context manager).

    Raises `BuildError` if it cannot be made or written, or if another build holds it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1

    def __enter__(self) -> "BuildDirectory":
        with self.plain_errors("use"):
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path, os.O_RDONLY)
            try:
                self._take()
            except BaseException:
                os.close(self._lock)
                raise
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)

    def publish(
        self, name: str, parts: Iterable[bytes], front_size: int = 0, front: Callable[[], bytes] = bytes
    ) -> dict[str, Any]:
        """Write a file and give it its name; return its size and digest as the manifest holds them.

        `front()` gives the first `front_size` bytes when all parts have been written.
        """
        partial = self.path / f".{name}{_PARTIAL}"
        with self.plain_errors(f"write {name} into"):
            try:
                with partial.open("wb") as file:
                    file.seek(front_size)
                    for part in parts:
                        file.write(part)
                    file.seek(0)
                    begin = front()
                    assert len(begin) == front_size
                    file.write(begin)
                    file.flush()
                    os.fsync(file.fileno())
                partial.replace(self.path / name)
                os.fsync(self._lock)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        return self.describe(name)

    def tables(self) -> list[TableName]:
        """Return the tables that are there, by the names of the files."""
        found = []
        for path in self.path.iterdir():
            with suppress(ArgumentError):
                found.append(TableName.parse(path.name))
        return found

    def size(self, name: str) -> int:
        """Return the bytes of a file that is there."""
        with self.plain_errors(f"read {name} in"):
            return (self.path / name).stat().st_size

    def describe(self, name: str) -> dict[str, Any]:
        """Return size and digest of a file that is there."""
        with self.plain_errors(f"read {name} in"):
            return describe_file(self.path / name)

    def work(self) -> Path:
        """Return the folder of work files, in which a build that was ended goes on; it is made here."""
        folder = self.path / WORK
        with self.plain_errors("use"):
            folder.mkdir(exist_ok=True)
        return folder.absolute()

    def remove_work(self) -> None:
        """Remove the folder with what work files are left."""
        with self.plain_errors("remove work files of"):
            if (self.path / WORK).is_dir():
                shutil.rmtree(self.path / WORK)

    def publish_manifest(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, with one line for each file; leave it alone if it lists the same files already."""
        import json  # slow to import, and needed by builds alone

        with suppress(OSError, CorruptTableError):
            there = read_manifest(self.path)
            if there is not None and there["files"] == manifest["files"]:
                return
        lines = [f"    {json.dumps(entry)}" for entry in manifest["files"]]
        head = json.dumps({key: value for key, value in manifest.items() if key != "files"}, indent=2)
        text = head.removesuffix("\n}") + ',\n  "files": [\n' + ",\n".join(lines) + "\n  ]\n}\n"
        self.publish(MANIFEST, [text.encode()])

    def _take(self) -> None:
        """Lock the directory, and remove what killed builds have left."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(f"another build is writing into '{self.path}'") from None
        for leftover in self.path.glob(f".*{_PARTIAL}"):
            if not leftover.is_dir():  # which no build leaves
                leftover.unlink()
        self._check_writable()

    def _check_writable(self) -> None:
        probe = self.path / f".write{_PARTIAL}"
        probe.touch()
        probe.unlink()

    @contextmanager
    def plain_errors(self, what: str) -> Iterator[None]:
        """Turn what the system refuses into one line in plain words."""
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise BuildError(f"cannot {what} '{self.path}': the disk is full") from error
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise BuildError(f"cannot {what} '{self.path}': {reason}") from error
