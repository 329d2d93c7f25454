"""Directories of small tables, sound and spoilt, and running commands on them."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import zstandard

from dame_fast.material import Material

BLOCK_SIZE = 16384


class Outcome(NamedTuple):
    """What a command leaves behind."""

    status: int
    out: str
    err: str


Command = Callable[..., Outcome]
"""The fixture `command`: takes the arguments and `stdin`."""


def read_block(path: Path) -> bytes:
    """The values of a file that holds one compressed block."""
    content = path.read_bytes()
    assert int.from_bytes(content[60:64], "little") == 1, "blocks"
    assert content[131] == 1, "kind of the block"
    return zstandard.decompress(content[136:])


def write_table(
    directory: Path, name: str, values: bytes, counts: tuple[int, int, int], variant: str = "english"
) -> Path:
    """Write a table of one uncompressed block, after src/tables/FORMAT.md; its values may be wrong."""
    material = Material.parse(name)
    assert len(values) == (material.values(variant) + 3) // 4 <= BLOCK_SIZE
    block_table = struct.pack("<II", 2 << 24 | len(values), xxh64(values) & 0xFFFFFFFF)
    header = struct.pack(
        "<8sHBBHH4BIQQQQHHIQ32sQQ",
        b"\x8aDAME\r\n\x1a",
        1,  # version
        0,  # metric wdl
        0,  # coding
        0,  # no draw_plies
        0,
        *material,
        BLOCK_SIZE,
        material.values(variant),
        *counts,
        0xFFFF,  # no distances
        0xFFFF,
        1,  # block
        128 + len(block_table) + len(values),
        variant.encode(),
        0,
        xxh64(block_table),
    )
    path = directory / f"{name}.wdl"
    path.write_bytes(header + struct.pack("<Q", xxh64(header)) + block_table + values)
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
    """XXH64 with seed 0, for lengths that are multiples of 8."""
    mask = 2**64 - 1
    p1, p2, p3, p4 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63
    p5 = 0x27D4EB2F165667C5

    def turn(x: int, by: int) -> int:
        return (x << by | x >> (64 - by)) & mask

    def step(lane: int, word: int) -> int:
        return turn((lane + word * p2) & mask, 31) * p1 & mask

    words = [word for (word,) in struct.iter_unpack("<Q", data)]
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
    for shift, factor in ((33, p2), (29, p3), (32, 1)):
        found = (found ^ found >> shift) * factor & mask
    return found


def flip_bit(path: Path, byte: int, bit: int) -> None:
    """Flip one bit of a file."""
    content = bytearray(path.read_bytes())
    content[byte] ^= 1 << bit
    path.write_bytes(content)
