"""From the values of a slice to the blocks of its file (src/tables/FORMAT.md)."""

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import local
from typing import Final, NamedTuple

import zstandard

from dame_fast import _native
from dame_fast.interrupt import starting_threads

BLOCK_SIZE: Final = 16384
"""Bytes of a block before compression: 65,536 values."""

LEVEL: Final = 15
"""Level of zstd. Higher ones take twice as long for less than one per cent (docs/benchmarks.md)."""

FILL: Final = 0
ZSTD: Final = 1
RAW: Final = 2

_GROUP: Final = 16  # blocks that one thread compresses at a time


class Block(NamedTuple):
    """One block as it goes into the file."""

    entry: _native.BlockEntry
    content: bytes
    """What is stored; nothing if one byte fills the block."""


class Compressor:
    """Compresses blocks on several threads; the result does not depend on their number."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads)
        self._local = local()

    def compress(self, values: bytearray | memoryview, cancel: _native.Cancel, metric: str = "wdl") -> list[Block]:
        """Cut packed values into blocks and compress each by itself; they begin with the first value of a block.

        Raises `Cancelled` soon after the flag was raised, `DameError` if no thread can be started.
        """
        view = memoryview(values)
        group = _GROUP * BLOCK_SIZE
        groups = [view[start : start + group] for start in range(0, len(view), group)]
        with starting_threads():
            compressed = self._pool.map(self._compress_group, groups, repeat(cancel), repeat(metric))
        return [block for blocks in compressed for block in blocks]

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(cancel_futures=True)

    def _compress_group(self, values: memoryview, cancel: _native.Cancel, metric: str) -> list[Block]:
        if cancel.raised:
            raise _native.Cancelled("compression was cancelled")
        compressor = getattr(self._local, "compressor", None)
        if compressor is None:
            compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=False, write_content_size=True)
            self._local.compressor = compressor
        return [
            _compress_block(compressor, values[start : start + BLOCK_SIZE], metric)
            for start in range(0, len(values), BLOCK_SIZE)
        ]


def _compress_block(compressor: zstandard.ZstdCompressor, block: memoryview, metric: str) -> Block:
    if _native.is_fill(block, metric):
        return Block(_native.block_entry_of(FILL, bytes(block[:1])), b"")
    packed = compressor.compress(block)
    if len(packed) < len(block):
        return Block(_native.block_entry_of(ZSTD, packed), packed)
    return Block(_native.block_entry_of(RAW, bytes(block)), bytes(block))


def compression() -> dict[str, str | int]:
    """Return what the bytes of a table depend on besides its values."""
    version = ".".join(str(part) for part in zstandard.ZSTD_VERSION)
    return {"library": f"zstd {version}", "level": LEVEL}
