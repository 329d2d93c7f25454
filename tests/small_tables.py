"""Directories of small tables, sound and spoilt, and running commands on them; the rule sets that can have tables."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from table_header import FIELDS

import dame_fast._native as _native
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants
from dame_fast.tables.material import Material

DRAUGHTS = [variant for variant in variants() if find_rules(variant).kind == "draughts"]
"""All rule sets but those of towers and altdeutsch, which have tests of their own."""


class Outcome(NamedTuple):
    """What a command leaves behind."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]
"""The fixture `command`: takes the arguments and `stdin`."""


def no_table(what: str, directory: Path, largest: int | None, command: str, metric: str = "wdl") -> str:
    """The message for a table that is missing; `command` are the options of the build that makes it."""
    if metric != "wdl":
        what, command = f"{what} with the metric {metric}", f"{command} --metric {metric}"
    there = f"no {metric} table is there" if largest is None else f"largest there: {largest} pieces"
    return f"no table of {what} in {directory} ({there}); dame-fast build {command} --out DIR makes it"


def read_values(path: Path) -> bytes:
    """The values of a file, as a reader decodes them."""
    table = _native.Table(str(path), "english")
    return bytes(table.read(0, table.facts["values"], _native.Cancel())[1])


def nesting_of(path: Path) -> int:
    """The order of the values of a file."""
    return _native.peek(str(path))["nesting"]


def one_block(
    name: str,
    form: int,
    payload: bytes,
    counts: tuple[int, int, int] = (0, 992, 0),
    variant: str = "english",
    model: bytes = b"",
    nesting: int = 0,
) -> bytes:
    """A table of one block of win, draw and loss; its values may be wrong."""
    entry, content = _native.stored_block(form, payload)
    material = Material.parse(name)
    front = _native.pack_front(variant, material, _native.BLOCK_SIZE, counts, [entry], nesting=nesting, model=model)
    return front + content + _native.pack_table([entry])


def write_table(
    directory: Path,
    name: str,
    values: bytes,
    counts: tuple[int, int, int],
    variant: str = "english",
    nesting: int = 0,
) -> Path:
    """Write a table of one block, stored as it is; its values may be wrong."""
    assert len(values) == (Material.parse(name).values(variant) + 3) // 4 <= _native.BLOCK_SIZE
    path = directory / f"{name}.wdl"
    path.write_bytes(one_block(name, _native.RAW, values, counts, variant, nesting=nesting))
    return path


def write_russian(directory: Path) -> Path:
    """Write a table of another rule set: KvK, all drawn."""
    return write_table(directory, "KvK", bytes(256), (0, 992, 0), "russian")


def resign(path: Path, field: str, content: bytes) -> None:
    """Change a field of the header of a file and make its checksum right again."""
    changed = bytearray(path.read_bytes())
    start = FIELDS[field].offset
    changed[start : start + len(content)] = content
    sign_header(changed)
    path.write_bytes(changed)


def sign_header(file: bytearray) -> None:
    """Make the checksum of the header right."""
    at = FIELDS["header_hash"]
    file[at.offset : at.end] = struct.pack("<Q", xxh64(file[: at.offset]))


def xxh64(data: bytes | bytearray) -> int:
    """XXH64 with seed 0."""
    mask = 2**64 - 1
    p1, p2, p3, p4 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63
    p5 = 0x27D4EB2F165667C5

    def turn(x: int, by: int) -> int:
        return (x << by | x >> (64 - by)) & mask

    def step(lane: int, word: int) -> int:
        return turn((lane + word * p2) & mask, 31) * p1 & mask

    end = len(data) // 8 * 8
    words = [word for (word,) in struct.iter_unpack("<Q", data[:end])]
    in_lanes = len(words) // 4 * 4
    found = p5
    if in_lanes:
        lanes = [(p1 + p2) & mask, p2, 0, -p1 & mask]
        for at in range(in_lanes):
            lanes[at % 4] = step(lanes[at % 4], words[at])
        found = sum(turn(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18), strict=True)) & mask
        for lane in lanes:
            found = ((found ^ step(0, lane)) * p1 + p4) & mask
    found = (found + len(data)) & mask
    for word in words[in_lanes:]:
        found = (turn(found ^ step(0, word), 27) * p1 + p4) & mask
    if len(data) - end >= 4:
        (word,) = struct.unpack("<I", data[end : end + 4])
        found = (turn(found ^ word * p1 & mask, 23) * p2 + p3) & mask
        end += 4
    for byte in data[end:]:
        found = turn(found ^ byte * p5 & mask, 11) * p1 & mask
    for shift, factor in ((33, p2), (29, p3), (32, 1)):
        found = (found ^ found >> shift) * factor & mask
    return found


def flip_bit(path: Path, byte: int, bit: int) -> None:
    """Flip one bit of a file."""
    content = bytearray(path.read_bytes())
    content[byte] ^= 1 << bit
    path.write_bytes(content)
