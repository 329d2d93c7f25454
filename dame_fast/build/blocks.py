"""From a solved slice to the blocks of its file (src/tables/FORMAT.md): encode, compress."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import local
from typing import Final, NamedTuple

import zstandard

import dame_fast._native as _native
from dame_fast.interrupt import run_native, starting_threads
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS

BLOCK_SIZE: Final = 16384
"""Bytes of a block of distances when it is decoded. Of win, draw and loss each table has its own block size."""

LEVEL: Final = 12
"""Of zstd, for distances; 15 takes twice as long for less than two per cent (docs/format.md)."""

FILL: Final = 0
ZSTD: Final = 1
RAW: Final = 2
CODE: Final = 3

_GROUP: Final = 16  # blocks that one thread encodes and compresses at a time
_WAITING: Final = 64  # groups that wait for being written at most
_NESTINGS: Final = 8  # of distances, with the fewest runs, that are tried on some blocks
_TRIALS: Final = 24  # blocks
_TRIAL_LEVEL: Final = 6  # of zstd


class Block(NamedTuple):
    """One block as it goes into the file."""

    entry: _native.BlockEntry
    content: bytes
    """What is stored, checksum first; nothing if one byte fills the block."""


class EncodedTable:
    """The blocks of one table to come, and what a reader needs to know of all of them."""

    def __init__(
        self, solver: _native.Solver, values: int, metric: str, threads: int, pool: ThreadPoolExecutor
    ) -> None:
        self.model = b""
        """What stands in the file between header and blocks."""
        self.block_size = BLOCK_SIZE
        self._solver = solver
        self._has_plies = METRICS[metric].has_plies
        self._pool = pool
        self._local = local()
        if self._has_plies:
            self.blocks = -(-values // self.block_size)
            self.nesting = run_native(self._choose_nesting)
        else:
            self.nesting, self.block_size, self.model = run_native(partial(solver.encode_fit, threads))
            self.blocks = -(-values // (4 * self.block_size))

    @property
    def front_size(self) -> int:
        """Bytes of the file in front of the blocks."""
        return _native.front_size(len(self.model))

    def groups(self) -> Iterator[list[Block]]:
        """Encode and compress all blocks, on several threads; the result does not depend on their number.

        Raises `DameError` if no thread can be started.
        """
        step = _GROUP * _WAITING
        for first in range(0, self.blocks, step):
            yield from run_native(partial(self._finish, range(first, min(first + step, self.blocks), _GROUP)))

    def _finish(self, starts: range, cancel: _native.Cancel) -> list[list[Block]]:
        def finish_group(start: int) -> list[Block]:
            if cancel.raised:
                raise _native.Cancelled("writing was cancelled")
            return [self._finish_block(block) for block in range(start, min(start + _GROUP, self.blocks))]

        with starting_threads():
            return list(self._pool.map(finish_group, starts))

    def _finish_block(self, block: int) -> Block:
        kind, payload = self._solver.encode_block(block)
        if kind == RAW and self._has_plies:
            frame = self._compress(payload)
            kind, payload = (ZSTD, frame) if len(frame) < len(payload) else (RAW, payload)
        return Block(*_native.stored_block(kind, payload))

    def _compress(self, payload: bytes) -> bytes:
        """Return a frame without its magic number."""
        if not hasattr(self._local, "compressor"):
            self._local.compressor = zstandard.ZstdCompressor(
                level=LEVEL, write_checksum=False, write_content_size=True
            )
        frame: bytes = self._local.compressor.compress(payload)
        return frame[4:]

    def _choose_nesting(self, cancel: _native.Cancel) -> int:
        """Try the most promising nestings on some blocks."""
        candidates = self._solver.encode_nestings(cancel)[:_NESTINGS]
        sizes: list[tuple[int, int, int]] = []
        for nesting in candidates if len(candidates) > 1 else ():
            self._solver.encode_nest(nesting)
            sizes.append((self._trial_size(cancel), len(sizes), nesting))
        nesting = min(sizes)[2] if sizes else candidates[0]
        self._solver.encode_nest(nesting)
        return nesting

    def _trial_size(self, cancel: _native.Cancel) -> int:
        """Bytes of some blocks from the whole table."""
        compressors = local()

        def size_of(block: int) -> int:
            if cancel.raised:
                raise _native.Cancelled("writing was cancelled")
            kind, payload = self._solver.encode_block(block)
            if kind == FILL:
                return 0
            if not hasattr(compressors, "quick"):
                compressors.quick = zstandard.ZstdCompressor(level=_TRIAL_LEVEL)
            return len(compressors.quick.compress(payload))

        with starting_threads():
            return sum(self._pool.map(size_of, range(0, self.blocks, -(-self.blocks // _TRIALS))))


@contextmanager
def encoded_table(
    solver: _native.Solver, material: Material, variant: str, metric: str, threads: int
) -> Iterator[EncodedTable]:
    """Encode one slice of a solver in one metric; the solver encodes one at a time."""
    try:
        run_native(lambda cancel: solver.encode_start(material, metric, threads, cancel))
        with ThreadPoolExecutor(threads) as pool:
            yield EncodedTable(solver, material.values(variant), metric, threads, pool)
    finally:
        solver.encode_stop()


def compression() -> dict[str, str | int]:
    """Return what the bytes of a table of distances depend on besides them."""
    version = ".".join(str(part) for part in zstandard.ZSTD_VERSION)
    return {"library": f"zstd {version}", "level": LEVEL}
