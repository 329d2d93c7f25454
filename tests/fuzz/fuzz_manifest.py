"""Any bytes as the manifest of a directory with two tables: taken, or one of the documented exceptions.

So that an input can get past the checks of size and digest, `@size@` and `@sha256@` stand for those of `KvK.wdl`.
"""

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from dame_fast import CorruptTableError, DameError, MissingTableError
from dame_fast.build.builder import build
from dame_fast.tables.listing import Listing
from dame_fast.tables.manifest import MANIFEST, describe_file, read_manifest

TABLES = ("KvK.wdl", "MvM.wdl")


@cache
def make_directory() -> Path:
    """Build two tables in a folder that goes when the program ends."""
    directory = Path(mkdtemp(prefix="dame_fuzz_"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    build(directory / "all", pieces=2, threads=1)
    for name in TABLES:
        (directory / "all" / name).rename(directory / name)
    shutil.rmtree(directory / "all")
    return directory


@cache
def facts() -> tuple[bytes, bytes]:
    described = describe_file(make_directory() / TABLES[0])
    return str(described["size"]).encode(), described["sha256"].encode()


def check(data: bytes) -> None:
    """Run on one input; an exception is a finding."""
    directory = make_directory()
    size, digest = facts()
    (directory / MANIFEST).write_bytes(data.replace(b"@size@", size).replace(b"@sha256@", digest))
    try:
        manifest = read_manifest(directory)
        assert manifest is not None
        names = [entry["name"] for entry in manifest["files"]]
        assert len(set(names)) == len(names)
    except CorruptTableError as error:
        check_text(error)
    try:
        listing = Listing(directory)
        for path in listing.check_there(lambda _: True):
            listing.check(path)
    except (CorruptTableError, MissingTableError) as error:
        check_text(error)


def check_text(error: DameError) -> None:
    assert str(error).isprintable(), f"not one line: {str(error)!r}"
