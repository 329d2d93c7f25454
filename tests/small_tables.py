"""Directories of small tables, sound and spoilt, and running commands on them; the rule sets that can have tables."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import dame_fast._native as _native
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants
from dame_fast.tables.material import Material

DRAUGHTS = [variant for variant in variants() if find_rules(variant).kind == "draughts"]
"""All rule sets but those of towers and altdeutsch, which have tests of their own."""

BLOCK_SIZE = 16384


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
    return path.read_bytes()[14]


def write_table(
    directory: Path,
    name: str,
    values: bytes,
    counts: tuple[int, int, int],
    variant: str = "english",
    nesting: int = 0,
) -> Path:
    """Write a table of one uncompressed block, after src/tables/FORMAT.md; its values may be wrong."""
    material = Material.parse(name)
    assert len(values) == (material.values(variant) + 3) // 4 <= BLOCK_SIZE
    block_table = struct.pack("<H", 2 << 14)
    block = struct.pack("<I", xxh64(values) & 0xFFFFFFFF) + values
    header = struct.pack(
        "<8sHBBHBB4BIQQQQHHIQ32sIIQ",
        b"\x8aDAME\r\n\x1a",
        3,  # version
        0,  # metric wdl
        0,  # coding
        0,  # no draw_plies
        nesting,
        0,
        *material,
        BLOCK_SIZE,
        material.values(variant),
        *counts,
        0xFFFF,  # no distances
        0xFFFF,
        1,  # entry
        128 + len(block_table) + len(block),
        variant.encode(),
        0,  # no dictionary
        0,
        xxh64(block_table),
    )
    path = directory / f"{name}.wdl"
    path.write_bytes(header + struct.pack("<Q", xxh64(header)) + block + block_table)
    return path


def write_russian(directory: Path) -> Path:
    """Write a table of another rule set: KvK, all drawn."""
    return write_table(directory, "KvK", bytes(256), (0, 992, 0), "russian")


def resign(path: Path, offset: int, content: bytes) -> None:
    """Change the header of a file and make its checksum right again."""
    changed = bytearray(path.read_bytes())
    changed[offset : offset + len(content)] = content
    changed[120:128] = struct.pack("<Q", xxh64(changed[:120]))
    path.write_bytes(changed)


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
