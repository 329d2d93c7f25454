"""Joining directories of tables into one.

What names, headers and lists tell is looked at before anything is written, and so is every table that is there twice.
Each table is read whole before it counts: against the digest that its directory lists, or else block by block. Tables
are copied, never linked: what happens to the one directory must not happen to the other.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import dame_fast._native as _native
from dame_fast.arguments import check_path
from dame_fast.build import machine
from dame_fast.build.directory import BuildDirectory, reading
from dame_fast.build.room import in_bytes
from dame_fast.errors import ArgumentError, BuildError, CorruptTableError, VariantError
from dame_fast.interrupt import run_native
from dame_fast.progress import Progress, SilentProgress
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.rules.find import find_table_rules
from dame_fast.tables.files import TableName, check_name, list_files, read_header, table_files
from dame_fast.tables.listing import Listing
from dame_fast.tables.manifest import describe_file, listed_facts
from dame_fast.tables.material import Material
from dame_fast.tables.places import Directories, check_directories


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What is there after a merge."""

    variant: str
    files: int
    """Tables of the directory that was merged into."""
    bytes: int
    """Size of all of them together."""
    copied: int
    """How many have come by this merge; the others were there before."""


def merge_directories(
    sources: Directories, into: str | os.PathLike[str], *, progress: Progress | None = None
) -> MergeResult:
    """Copy the tables of some directories into one, which is made if it is not there, and list them there.

    A table that is in several of them, or there already, must be the same file everywhere. Merged directories hold the
    tables of one rule set, of any metrics and draw rules. Nothing half-written ever has the name of a table; a merge
    that was ended at any moment goes on with the same call.

    Raises `ArgumentError` (also for tables that contradict each other), `VariantError`, `MissingTableError` for a
    directory without tables or with a list of more than there is, `CorruptTableError`, `BuildError` if a source cannot
    be read or `into` cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from dame_fast.build.builder import build
    >>> with TemporaryDirectory() as folder:
    ...     one, two, both = (f"{folder}/{name}" for name in ("one", "two", "both"))
    ...     _ = build(one, pieces=2), build(two, pieces=3)
    ...     found = merge_directories([one, two], both)
    ...     (found.files, found.copied), merge_directories([two], both).copied
    ((16, 16), 0)
    """
    folders = check_directories(sources)
    target = check_path("directory", into)
    _check_places(folders, target)
    tables = _Tables()
    for folder in folders:
        with reading(folder):
            listing = Listing(folder)
            paths = table_files(folder)
            listing.check_there(lambda _: True)
        tables.add(paths, listing)
    with BuildDirectory(target) as directory:
        with reading(target):
            there = list_files(target), Listing(target)
        tables.add(*there)
        return _Merge(tables, directory, progress or SilentProgress()).run()


def _check_places(folders: tuple[Path, ...], target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise ArgumentError(f"not a directory: {str(target)!r}")
    place = Path(os.path.realpath(target))
    for folder in folders:
        source = Path(os.path.realpath(folder))
        if source == place:
            raise ArgumentError(f"{str(folder)!r} is the directory to merge into, name the others only")
        if source.is_relative_to(place):
            raise ArgumentError(f"{str(folder)!r} is inside of {str(target)!r}, the directory to merge into")


class _File(NamedTuple):
    """A table of one of the directories."""

    path: Path
    header: "_native.Header"
    listing: Listing

    @property
    def name(self) -> TableName:
        """Its name, by its header."""
        return TableName.of(self.header)

    @property
    def is_listed(self) -> bool:
        """Whether its directory lists it."""
        return self.path.name in self.listing

    def check(self, digest: str) -> None:
        """Check all bytes, which have this digest."""
        if self.is_listed:
            self.listing.check(self.path, digest)
        else:
            run_native(_native.Table(str(self.path), self.header["variant"]).check)


class _Tables:
    """All tables of all directories."""

    def __init__(self) -> None:
        self.files: dict[TableName, list[_File]] = {}
        self._of_slice: dict[tuple[Material, DrawRule | None], _File] = {}
        self._first: _File | None = None

    def add(self, paths: list[Path], listing: Listing) -> None:
        """Add the tables of a directory; raise what their names and headers give cause for."""
        for path in paths:
            with reading(path):
                file = _File(path, read_header(path), listing)
                self._check_variant(file)
                check_name(path, file.header)
                _native.Table(str(path), self.variant)  # which reads the header more closely
            self._check_counts(file)
            self.files.setdefault(file.name, []).append(file)

    @property
    def variant(self) -> str:
        """The rule set of all tables."""
        assert self._first is not None
        return self._first.header["variant"]

    @property
    def compression(self) -> Any:
        """What made the files; None unless a manifest says the same of every one of them."""
        said = [next((one for one in map(_compression, group) if one), None) for group in self.files.values()]
        return said[0] if all(one == said[0] for one in said) else None

    def _check_variant(self, file: _File) -> None:
        variant = file.header["variant"]
        if self._first is None:
            try:
                find_table_rules(variant)
            except VariantError as error:
                raise VariantError(f"{file.path}: {error}") from None
            self._first = file
        if variant != self.variant:
            raise VariantError(f"{file.path}: a table of {variant}; {self._first.path} is one of {self.variant}")

    def _check_counts(self, file: _File) -> None:
        """Refuse tables of one slice and draw rule whose results cannot be the same, whatever their metrics."""
        first = self._of_slice.setdefault((file.name.material, file.name.draw_rule), file)
        if file.name != first.name and _counts(file) != _counts(first):
            raise ArgumentError(
                f"{first.path} and {file.path} contradict each other: {_counts(first)} and {_counts(file)} positions "
                "won, drawn and lost"
            )


def _compression(file: _File) -> Any:
    manifest = file.listing.manifest
    return manifest.get("compression") if manifest is not None and file.listing.in_manifest(file.path.name) else None


def _counts(file: _File) -> str:
    return " + ".join(f"{file.header[result]:,}" for result in ("win", "draw", "loss"))


class _Merge:
    """One merge, inside its locked directory."""

    def __init__(self, tables: _Tables, directory: BuildDirectory, progress: Progress) -> None:
        self.tables = tables
        self.directory = directory
        self.progress = progress
        self.known: dict[TableName, tuple[Path, str]] = {}  # a file that is whole, and its digest

    def run(self) -> MergeResult:
        groups = list(self.tables.files.values())
        for file in self._each("files compared", [file for group in groups for file in group if self._is_twice(group)]):
            self._compare(file)
        copied = [group[0] for group in groups if not any(map(self._is_there, group))]
        self._check_room(copied)
        for file in self._each("files copied", copied):
            self.directory.copy(file.path, partial(self._accept, file))
        entries = [self._entry(name) for name in sorted(self.tables.files, key=TableName.order)]
        self.directory.publish_lists(self.tables.variant, self.tables.compression, entries)
        return MergeResult(self.tables.variant, len(entries), sum(entry["size"] for entry in entries), len(copied))

    def _is_there(self, file: _File) -> bool:
        return file.path.parent == self.directory.path

    def _is_twice(self, group: list[_File]) -> bool:
        """Tell whether a table is in several directories, or there already, which shall be as sound as what comes."""
        return len(group) > 1 or self._is_there(group[0])

    def _each(self, work: str, files: list[_File]) -> Iterator[_File]:
        """Go through files, and tell how far that is."""
        if not files:
            return
        done = 0
        self.progress.start(work, "B", sum(file.header["bytes"] for file in files), len(files))
        for file in files:
            self.progress.rename(file.path.name)
            yield file
            done += file.header["bytes"]
            self.progress.reach(done)
            self.progress.finish((file.path.name,), {"bytes": file.header["bytes"]})
        self.progress.end()

    def _compare(self, file: _File) -> None:
        """Check a file, and that it is the same as others of its name."""
        with reading(file.path):
            digest = describe_file(file.path)["sha256"]
            first, known = self.known.setdefault(file.name, (file.path, digest))
            if first == file.path or digest != known or file.is_listed:
                file.check(digest)
        if digest != known:
            raise ArgumentError(f"{first} and {file.path} differ: SHA-256 {known} and {digest}")

    def _accept(self, file: _File, digest: str) -> None:
        """Check what has been copied."""
        first, known = self.known.setdefault(file.name, (file.path, digest))
        if digest != known:
            raise CorruptTableError(f"{first}: it was changed while it was merged")
        file.check(digest)

    def _check_room(self, files: list[_File]) -> None:
        needed, free = sum(file.header["bytes"] for file in files), machine.free_disk(self.directory.path)
        if free is not None and needed > free:
            raise BuildError(
                f"the merge needs {in_bytes(needed)} of disk in '{self.directory.path}'; {in_bytes(free)} are free"
            )

    def _entry(self, name: TableName) -> dict[str, Any]:
        """Return the manifest's line of a table that is there."""
        path = self.directory.path / str(name)
        with self.directory.plain_errors(f"read {name} in"):
            size = path.stat().st_size
        return {"name": str(name), "size": size, "sha256": self.known[name][1], **listed_facts(_native.peek(str(path)))}
