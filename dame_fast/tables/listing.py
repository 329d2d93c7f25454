"""What a directory says of its own files: `manifest.json` and `SHA256SUMS`, either of which may be missing."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dame_fast.errors import CorruptTableError, MissingTableError
from dame_fast.tables.manifest import MANIFEST, check_entry, describe_file, read_manifest
from dame_fast.tables.sums import SUMS, read_sums


class Listing:
    """The lists of a directory; raises what `read_manifest` and `read_sums` raise."""

    def __init__(self, directory: Path) -> None:
        self.manifest = read_manifest(directory)
        """None if there is none."""
        self._directory = directory
        self._sums = read_sums(directory)
        listed = [] if self.manifest is None else self.manifest["files"]
        self._entries: dict[str, Mapping[str, Any]] = {entry["name"]: entry for entry in listed}

    def __contains__(self, name: str) -> bool:
        """Whether one of the lists has the digest of a file."""
        return name in self._entries or name in self._sums

    def in_manifest(self, name: str) -> bool:
        """Tell whether the manifest lists a file."""
        return name in self._entries

    def check_there(self, wanted: Callable[[str], bool]) -> list[Path]:
        """Return the listed files whose names are wanted.

        Raises `MissingTableError` for one that is not there.
        """
        names = [name for name in dict.fromkeys([*self._entries, *self._sums]) if wanted(name)]
        for name in names:
            if not (self._directory / name).is_file():
                home = MANIFEST if name in self._entries else SUMS
                raise MissingTableError(f"{self._directory / name}: listed in {home}, but not there")
        return [self._directory / name for name in names]

    def check(self, path: Path, digest: str | None = None) -> None:
        """Check a file against the lists that have it; `digest`: its SHA-256 if that is known.

        Raises `CorruptTableError` for another size, digest or header than listed.
        """
        entry, listed = self._entries.get(path.name), self._sums.get(path.name)
        if entry is not None and self.manifest is not None:
            digest = check_entry(path, entry, self.manifest, digest)
        if listed is not None and listed != (digest or describe_file(path)["sha256"]):
            raise CorruptTableError(f"{path}: another SHA-256 than in {SUMS}")
