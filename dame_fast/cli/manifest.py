"""The manifest of a directory of tables: whether it lists exactly the files that are there."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from dame_fast.errors import CorruptTableError, MissingTableError
from dame_fast.files import MANIFEST, read_header

_FORMAT = 1
_OF_ALL = ("variant", "metric", "draw_plies", "block_size")
_OF_FILE = ("positions", "win", "draw", "loss")
_CHUNK = 2**20


def check_manifest(directory: Path, tables: Sequence[Path]) -> bool:
    """Check the files of a directory against its manifest; False if there is none.

    Raises `MissingTableError` for a listed file that is not there, `CorruptTableError` for a table that is
    not listed, for one with another size, digest or header than listed, and for a manifest that cannot be
    read.
    """
    path = directory / MANIFEST
    if not path.exists():
        return False
    manifest = _read(path)
    files: dict[str, Mapping[str, Any]] = {entry["name"]: entry for entry in manifest["files"]}
    for name in files:
        if not (directory / name).exists():
            raise MissingTableError(f"{directory / name}: listed in {MANIFEST}, but not there")
    for table in tables:
        if table.name not in files:
            raise CorruptTableError(f"{table}: not listed in {MANIFEST}")
    for table in tables:
        _check_file(table, files[table.name], manifest)
    return True


def _read(path: Path) -> Mapping[str, Any]:
    """Return a manifest that has all fields that are looked at, of the right types."""
    try:
        manifest = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise CorruptTableError(f"{path}: no JSON: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise CorruptTableError(f"{path}: not a manifest of format {_FORMAT}")
    entries = manifest.get("files")
    if not isinstance(entries, list) or not all(map(_is_entry, entries)):
        raise CorruptTableError(f"{path}: its list of files cannot be read")
    return manifest


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        return False
    name = entry["name"]
    return name not in ("", ".", "..") and "/" not in name and "\0" not in name


def _check_file(path: Path, entry: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    size = path.stat().st_size
    if size != entry.get("size"):
        raise CorruptTableError(f"{path}: {size:,} bytes, {MANIFEST} lists {entry.get('size')}")
    if _digest(path) != entry.get("sha256"):
        raise CorruptTableError(f"{path}: another SHA-256 than in {MANIFEST}")
    header = read_header(path)
    facts: dict[str, Any] = {**header, "positions": header["win"] + header["draw"] + header["loss"]}
    for listed, fields in ((manifest, _OF_ALL), (entry, _OF_FILE)):
        for field in fields:
            if field not in listed:
                raise CorruptTableError(f"{path}: {MANIFEST} does not say its {field}")
            if facts[field] != listed[field]:
                raise CorruptTableError(f"{path}: {field} is {facts[field]}, {MANIFEST} says {listed[field]}")


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            digest.update(part)
    return digest.hexdigest()
