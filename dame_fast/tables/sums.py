"""`SHA256SUMS`: the digests of the tables of a directory, in the form that `sha256sum -c` checks without this package.

834ab52b3774650a59b655e0ab18bb96a5cfcf2ef45fc03e1f4465813e27a206  KvK.wdl
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from dame_fast.errors import CorruptTableError, quote
from dame_fast.tables.files import TableName

SUMS: Final = "SHA256SUMS"

_LINE = re.compile(r"(?P<digest>[0-9A-Fa-f]{64}) [ *](?P<name>[^\n]+)")


def write_sums(entries: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of the file for files with `name` and `sha256`, as the manifest lists them.

    >>> print(write_sums([{"name": "KvK.wdl", "sha256": "0f" * 32}]), end="")
    0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f  KvK.wdl
    """
    return "".join(f"{entry['sha256']}  {entry['name']}\n" for entry in entries)


def read_sums(directory: Path) -> dict[str, str]:
    """Return the digests of tables by name, nothing if the directory has no such file; other files are passed over.

    Raises `CorruptTableError` for a file that cannot be understood or lists a table twice, `OSError` if it cannot be
    read.
    """
    path = directory / SUMS
    if not path.exists():
        return {}
    if not path.is_file():
        raise CorruptTableError(f"{path}: not a regular file")
    sums: dict[str, str] = {}
    for number, line in enumerate(path.read_bytes().decode(errors="surrogateescape").splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None:
            raise CorruptTableError(f"{path}: line {number} is not a digest and a name: {quote(line)}")
        name = found["name"]
        if TableName.find(name) is None:
            continue
        if name in sums:
            raise CorruptTableError(f"{path}: {quote(name)} is listed twice")
        sums[name] = found["digest"].lower()
    return sums
