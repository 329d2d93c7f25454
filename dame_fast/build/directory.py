"""The directory that a build or a merge writes into.

One of them at a time holds it. A file gets its final name when it is complete and on disk, so whatever stands under
a final name is whole; leftovers of one that was killed are removed by the next one.
"""

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final

from dame_fast.errors import BuildError, CorruptTableError
from dame_fast.tables.files import TableName
from dame_fast.tables.manifest import (
    FORMAT,
    MANIFEST,
    FileEntry,
    describe_file,
    file_entry,
    file_parts,
    read_manifest,
)
from dame_fast.tables.material import Material
from dame_fast.tables.sums import SUMS, write_sums

WORK: Final = "work"
"""The folder of work files (docs/design.md), which vanishes when the build is done."""

PARTIAL: Final = ".partial"
"""What names end with until a file is whole; they begin with a dot."""

RUN: Final = "run-"
"""What the names begin with of what a coordinator and its workers have in the folder of work files, besides parts."""

_WORK_FILES: Final = (".values", ".stored")  # what the names of work files end with
_RUN_NAME: Final = re.compile(rf"{RUN}[0-9a-f]{{16}}(-[0-9A-Za-z-]+)?")
_PART: Final = re.compile(r"[KMv]+\.\d+\+\d+\.values")


class BuildDirectory:
    """A directory of tables, locked for one build or merge (a context manager).

    Raises `BuildError` if it cannot be made or written, or if another one holds it.
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
        with self._publishing(name) as file:
            write_parts(file, parts, front_size, front)
        return self.describe(name)

    def adopt(self, partial: str, name: str) -> bool:
        """Give a whole file that another process has written its name; False: it is not there."""
        with self.plain_errors(f"write {name} into"):
            try:
                (self.path / partial).replace(self.path / name)
            except FileNotFoundError:
                return False
            os.fsync(self._lock)
            return True

    def copy(self, source: Path, accept: Callable[[str], None]) -> None:
        """Copy a file from elsewhere; `accept` hears the SHA-256 digest of the copy before that gets its name.

        Raises `BuildError` if the source cannot be read, and what `accept` raises.
        """
        from hashlib import sha256

        digest = sha256()
        with self._publishing(source.name) as file:
            for part in _readable_parts(source):
                digest.update(part)
                file.write(part)
            with reading(source):
                accept(digest.hexdigest())

    def tables(self) -> list[TableName]:
        """Return the tables that are there, by the names of the files."""
        return [name for path in self.path.iterdir() if (name := TableName.find(path.name)) is not None]

    def listed(self) -> Set[FileEntry]:
        """Return the files that the manifest lists; none if it cannot be read."""
        with suppress(OSError, CorruptTableError):
            manifest = read_manifest(self.path)
            return frozenset(file_entry(entry) for entry in manifest["files"]) if manifest else frozenset()
        return frozenset()

    def size(self, name: str) -> int:
        """Return the bytes of a file that is there."""
        with self.plain_errors(f"read {name} in"):
            return (self.path / name).stat().st_size

    def describe(self, name: str) -> dict[str, Any]:
        """Return size and digest of a file that is there."""
        with self.plain_errors(f"read {name} in"):
            return describe_file(self.path / name)

    def work_folder(self) -> Path:
        """Return the folder of work files, in which a build that was ended goes on; it is made here."""
        folder = self.path / WORK
        with self.plain_errors(f"make the folder {WORK} in"):
            folder.mkdir(exist_ok=True)
        return folder.absolute()

    def parts(self) -> Set[str]:
        """Return the names of the parts of slices that are in the folder of work files."""
        with self.plain_errors("read work files of"):
            return frozenset(path.name for path in self.work_folder().iterdir() if _PART.fullmatch(path.name))

    def remove_part(self, name: str) -> None:
        """Remove a part that nobody needs."""
        with self.plain_errors("remove work files of"):
            (self.path / WORK / name).unlink(missing_ok=True)

    def discard(self, partial: str) -> None:
        """Remove a file that another process has written, and that has no name yet."""
        with self.plain_errors("write into"):
            (self.path / partial).unlink(missing_ok=True)

    def remove_leftovers(self) -> None:
        """Remove what was begun by builds or workers that were killed."""
        with self.plain_errors("write into"):
            for leftover in self.path.glob(f".*{PARTIAL}"):
                if not leftover.is_dir():  # which no build leaves
                    leftover.unlink(missing_ok=True)

    def mark_run(self, token: str) -> None:
        """Let the folder of work files hold what this run of a coordinator leaves, and nothing of one before."""
        with self.plain_errors("remove work files of"):
            _remove_runs(self.work_folder())
        with self.plain_errors(f"make files in the folder {WORK} of"):
            (self.work_folder() / f"{RUN}{token}").touch()

    def remove_work(self, slices: Iterable[Material]) -> None:
        """Remove what work files are left of some slices, and their folder if nothing else is in it."""
        wanted = list(slices)
        names = {f"{material.name}{suffix}" for material in wanted for suffix in _WORK_FILES}
        begins = {material.name for material in wanted}
        folder = self.path / WORK
        with self.plain_errors("remove work files of"):
            if folder.is_dir():
                _remove_runs(folder)
                for path in folder.iterdir():
                    is_part = _PART.fullmatch(path.name) is not None and path.name.split(".")[0] in begins
                    if (is_part or path.name in names) and not path.is_dir():
                        path.unlink()
                if not any(folder.iterdir()) and not folder.is_symlink():
                    with suppress(OSError):  # a worker that has not noticed yet has made a file
                        folder.rmdir()

    def publish_lists(
        self, variant: str, compression: Mapping[str, Any] | None, entries: Sequence[Mapping[str, Any]]
    ) -> None:
        """Write the manifest, with one line for each file, and their digests; leave alone what lists the same already.

        `compression`: what made the tables of distances; None: nobody knows, or it was not the same for all of them.
        """
        import json  # slow to import, and needed by builds alone

        facts: dict[str, Any] = {"format": FORMAT, "variant": variant}
        if compression is not None:
            facts["compression"] = compression
        lines = [f"    {json.dumps(entry)}" for entry in entries]
        text = json.dumps(facts, indent=2).removesuffix("\n}") + ',\n  "files": [\n' + ",\n".join(lines) + "\n  ]\n}\n"
        if not self._lists_in_manifest(entries):
            self._write(MANIFEST, text.encode())
        sums = write_sums(entries).encode()
        if not self._holds(SUMS, sums):
            self._write(SUMS, sums)

    def _write(self, name: str, content: bytes) -> None:
        with self._publishing(name) as file:
            file.write(content)

    def says_compression(self, compression: Mapping[str, Any]) -> bool:
        """Tell whether the manifest says that this made all tables; without a manifest nothing speaks against it."""
        with suppress(OSError, CorruptTableError):
            there = read_manifest(self.path)
            return there is None or there.get("compression") == compression
        return True

    def _lists_in_manifest(self, entries: Sequence[Mapping[str, Any]]) -> bool:
        with suppress(OSError, CorruptTableError):
            there = read_manifest(self.path)
            return there is not None and there["files"] == entries
        return False

    def _holds(self, name: str, content: bytes) -> bool:
        path = self.path / name
        with suppress(OSError):
            return path.is_file() and path.read_bytes() == content
        return False

    @contextmanager
    def _publishing(self, name: str) -> Iterator[BinaryIO]:
        """Give a file to write; it gets its name, in place of another one, when the block ends without an error."""
        partial = self.path / f".{name}{PARTIAL}"
        with self.plain_errors(f"write {name} into"):
            try:
                with partial.open("wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                partial.replace(self.path / name)
                os.fsync(self._lock)
            except BaseException:
                partial.unlink(missing_ok=True)
                raise

    def _take(self) -> None:
        """Lock the directory, and remove what killed builds have left."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(f"another build or merge is writing into '{self.path}'") from None
        self.remove_leftovers()
        self._check_writable()

    def _check_writable(self) -> None:
        probe = self.path / f".write{PARTIAL}"
        probe.touch()
        probe.unlink()

    def plain_errors(self, what: str) -> AbstractContextManager[None]:
        """Turn what the system refuses into one line in plain words."""
        return plain_errors(self.path, what)


def _remove_runs(folder: Path) -> None:
    """Remove what runs of coordinators, and the workers that they had, have left besides parts."""
    for path in folder.iterdir():
        if _RUN_NAME.fullmatch(path.name) is None:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)  # a worker that has not noticed yet may write into it
        else:
            path.unlink(missing_ok=True)


def write_parts(file: BinaryIO, parts: Iterable[bytes], front_size: int, front: Callable[[], bytes]) -> None:
    """Write a file whose first bytes are known last."""
    file.seek(front_size)
    for part in parts:
        file.write(part)
    file.seek(0)
    begin = front()
    assert len(begin) == front_size
    file.write(begin)


@contextmanager
def plain_errors(directory: Path, what: str) -> Iterator[None]:
    """Turn what the system refuses into one line in plain words: what cannot be done in a directory.

    Raises `BuildError`.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise BuildError(f"cannot {what} '{directory}': the disk is full") from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise BuildError(f"cannot {what} '{directory}': {reason}") from error


def has_work_files(directory: Path, material: Material) -> bool:
    """Tell whether the values of a slice may be in a work file of a directory."""
    return (directory / WORK / f"{material.name}.values").exists()


def work_files_size(directory: Path) -> int:
    """Return the bytes of the work files in a directory, which may not be there."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in (directory / WORK).iterdir() if path.suffix in _WORK_FILES)
    return 0


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Lay what the system refuses on the file that is read, and not on the directory that is written."""
    try:
        yield
    except OSError as error:
        raise BuildError(f"cannot read {path}: {os.strerror(error.errno) if error.errno else error}") from error


def _readable_parts(path: Path) -> Iterator[bytes]:
    with reading(path):
        yield from file_parts(path)
