"""The manifest of a directory of tables: `manifest.json`, which lists their files with size and SHA-256 digest.

What reads and hashes it is imported where it is needed: whoever imports the package for a board would wait for it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import dame_fast._native as _native
from dame_fast.errors import CorruptTableError, quote
from dame_fast.rules.draw_rule import DRAW_COUNTERS

MANIFEST: Final = "manifest.json"

FORMAT: Final = 2
"""The version of the manifest, which its field `format` holds."""

_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}")
_OF_ALL: Final = ("variant",)
_OF_FILE: Final = ("metric", "draw_plies", "block_size", "positions", "win", "draw", "loss", "max_win", "max_loss")
_IF_SET: Final = tuple(counter for counter in DRAW_COUNTERS if counter not in _OF_FILE)
"""Facts that the manifest lists only for the files that have them."""
_CHUNK: Final = 2**20


class FileEntry(NamedTuple):
    """Which file an entry of a manifest is about."""

    name: str
    size: int
    sha256: str


def file_entry(entry: Mapping[str, Any]) -> FileEntry:
    """Return what an entry says of the file as a file."""
    return FileEntry(entry["name"], entry["size"], entry["sha256"])


def describe_file(path: Path) -> dict[str, Any]:
    """Return name, size and digest of a file, as the manifest holds them.

    Raises `OSError` if it cannot be read.
    """
    from hashlib import sha256

    digest, size = sha256(), 0
    for part in file_parts(path):
        digest.update(part)
        size += len(part)
    return {"name": path.name, "size": size, "sha256": digest.hexdigest()}


def file_parts(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, a piece at a time.

    Raises `OSError` if it cannot be read.
    """
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            yield part


def listed_facts(header: "_native.Header") -> dict[str, Any]:
    """Return what the manifest says of a table besides its name, size and digest."""
    facts: dict[str, Any] = {**header, "positions": header["win"] + header["draw"] + header["loss"]}
    return {field: facts[field] for field in _OF_FILE} | {
        field: facts[field] for field in _IF_SET if facts[field] is not None
    }


def read_manifest(directory: Path) -> Mapping[str, Any] | None:
    """Return the manifest of a directory, None if there is none; its `files` have `name`, `size` and `sha256`.

    Raises `CorruptTableError` for one that is no manifest or lists a file twice, `OSError` if it cannot be read.
    """
    import json

    path = directory / MANIFEST
    if not path.exists():
        return None
    if not path.is_file():
        raise CorruptTableError(f"{path}: not a regular file")
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise CorruptTableError(f"{path}: no JSON: {error}") from None
    if not isinstance(manifest, dict) or not _same(manifest.get("format"), FORMAT):
        raise CorruptTableError(f"{path}: not a manifest of format {FORMAT}")
    entries = manifest.get("files")
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise CorruptTableError(f"{path}: its list of files cannot be read")
    seen: set[str] = set()
    for entry in entries:
        if entry["name"] in seen:
            raise CorruptTableError(f"{path}: {quote(entry['name'])} is listed twice")
        seen.add(entry["name"])
    return manifest


def check_entry(path: Path, entry: Mapping[str, Any], manifest: Mapping[str, Any], digest: str | None = None) -> str:
    """Check a file against its entry; return its digest, which is worked out unless it is given.

    Raises `CorruptTableError` for another size, digest or header than listed.
    """
    size = path.stat().st_size
    if size != entry["size"]:
        raise CorruptTableError(f"{path}: {size:,} bytes, {MANIFEST} lists {entry['size']}")
    digest = digest or describe_file(path)["sha256"]
    if digest != entry["sha256"]:
        raise CorruptTableError(f"{path}: another SHA-256 than in {MANIFEST}")
    _check_header(path, entry, manifest)
    return digest


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    name, size, digest = (entry.get(key) for key in ("name", "size", "sha256"))
    named = isinstance(name, str) and _NAME.fullmatch(name) is not None
    return named and type(size) is int and isinstance(digest, str)


def _check_header(path: Path, entry: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    header = _native.peek(str(path))
    facts: dict[str, Any] = {**header, **listed_facts(header)}
    for listed, fields in ((manifest, _OF_ALL), (entry, _OF_FILE)):
        for field in fields:
            if field not in listed:
                raise CorruptTableError(f"{path}: {MANIFEST} does not say its {field}")
            if not _same(facts[field], listed[field]):
                raise CorruptTableError(f"{path}: {field} is {facts[field]}, {MANIFEST} says {_shown(listed[field])}")
    for field in _IF_SET:
        if not _same(facts[field], entry.get(field)):
            raise CorruptTableError(f"{path}: {field} is {facts[field]}, {MANIFEST} says {_shown(entry.get(field))}")


def _shown(value: object) -> str:
    """Write a value of JSON into a message, which is one line."""
    try:
        text = str(value)
    except RecursionError:
        return "something else"
    return text if text.isprintable() and len(text) <= 80 else quote(text)


def _same(one: object, other: object) -> bool:
    """Compare two values of JSON, in which `true` is not 1."""
    return type(one) is type(other) and one == other
