"""From a solved slice to the blocks of its file (src/tables/FORMAT.md): encode, compress."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Final, NamedTuple

import dame_fast._native as _native
from dame_fast.interrupt import starting_threads
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS

if TYPE_CHECKING:  # imported where it is needed: whoever imports the package for a board would wait for it
    from concurrent.futures import Future, ThreadPoolExecutor

    import zstandard

LEVEL: Final = 12
"""Of zstd, for distances; 15 takes twice as long for less than two per cent (docs/compression.md)."""

_GROUP_BYTES: Final = 1 << 20  # of decoded blocks that one thread encodes and compresses at a time
_GROUP_LEAST: Final = 16  # blocks, unless there are fewer
_WAITING: Final = 8  # groups of each thread that wait for being written, at most
_TRIAL_LEVEL: Final = 6  # of zstd, while nestings of distances are compared
_FRAME_MAGIC: Final = 4  # bytes that every frame of zstd begins with


class Blocks(NamedTuple):
    """Some blocks, one after the other, as they go into the file."""

    entries: list[_native.BlockEntry]
    content: bytes
    """What is stored of them, the checksum of each first; nothing of one that a byte fills."""


class EncodedTable:
    """The blocks of one table to come, and what a reader needs to know of all of them."""

    def __init__(
        self, solver: _native.Solver, metric: str, threads: int, pool: ThreadPoolExecutor, cancel: _native.Cancel
    ) -> None:
        self.nesting, self.block_size, self.blocks, together, self.model = solver.encode_fit(
            _quick_compressor(), threads, cancel
        )
        self._waiting = _WAITING * threads
        shared = self.blocks // self._waiting  # so that threads end at the same time
        self._group = max(_GROUP_LEAST, together, min(_GROUP_BYTES // self.block_size, shared))
        self._solver = solver
        self._has_plies = METRICS[metric].has_plies
        self._pool = pool
        self._cancel = cancel
        self._local = local()

    @property
    def front_size(self) -> int:
        """Bytes of the file in front of the blocks."""
        return _native.front_size(len(self.model))

    def groups(self) -> Iterator[Blocks]:
        """Encode and compress all blocks, on several threads; the result does not depend on their number.

        Raises `DameError` if no thread can be started.
        """
        waiting: deque[Future[Blocks]] = deque()
        for first in range(0, self.blocks, self._group):
            with starting_threads():
                waiting.append(self._pool.submit(self._finish_group, first, min(self._group, self.blocks - first)))
            if len(waiting) == self._waiting:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _finish_group(self, first: int, count: int) -> Blocks:
        if self._cancel.raised:
            raise _native.Cancelled("writing was cancelled")
        if not self._has_plies:
            return Blocks(*self._solver.encode_content(first, count))
        blocks = [self._finish_block(form, payload) for form, payload in self._solver.encode_blocks(first, count)]
        return Blocks([entry for entry, _ in blocks], b"".join(content for _, content in blocks))

    def _finish_block(self, form: int, payload: bytes) -> tuple[_native.BlockEntry, bytes]:
        if form == _native.RAW:
            frame = self._compress(payload)
            form, payload = (_native.ZSTD, frame) if len(frame) < len(payload) else (_native.RAW, payload)
        return _native.stored_block(form, payload)

    def _compress(self, payload: bytes) -> bytes:
        """Return a frame without its magic number."""
        import zstandard

        if not hasattr(self._local, "compressor"):
            self._local.compressor = zstandard.ZstdCompressor(
                level=LEVEL, write_checksum=False, write_content_size=True
            )
        frame: bytes = self._local.compressor.compress(payload)
        return frame[_FRAME_MAGIC:]


def _quick_compressor() -> Callable[[memoryview], int]:
    """Return a function that says how many bytes a block takes, about. Threads take turns with its compressors."""
    import zstandard

    idle: list[zstandard.ZstdCompressor] = []

    def size_of(block: memoryview) -> int:
        try:
            compressor = idle.pop()
        except IndexError:
            compressor = zstandard.ZstdCompressor(level=_TRIAL_LEVEL)
        size = len(compressor.compress(block))
        idle.append(compressor)
        return size

    return size_of


@contextmanager
def encoded_table(
    solver: _native.Solver, material: Material, metric: str, threads: int, cancel: _native.Cancel
) -> Iterator[EncodedTable]:
    """Encode one slice of a solver in one metric; the solver encodes one at a time."""
    from concurrent.futures import ThreadPoolExecutor

    try:
        solver.encode_start(material, metric, threads, cancel)
        with ThreadPoolExecutor(threads) as pool:
            try:
                yield EncodedTable(solver, metric, threads, pool, cancel)
            finally:
                pool.shutdown(cancel_futures=True)  # nobody takes what is not encoded yet
    finally:
        solver.encode_stop()


def compression() -> dict[str, str | int]:
    """Return what the bytes of a table of distances depend on besides them."""
    import zstandard

    version = ".".join(str(part) for part in zstandard.ZSTD_VERSION)
    return {"library": f"zstd {version}", "level": LEVEL}
