"""From a solved slice to the blocks of its file (src/tables/FORMAT.md): encode, compress."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import local
from typing import Final, NamedTuple

import zstandard

from dame_fast import _native
from dame_fast.interrupt import run_native, starting_threads
from dame_fast.material import Material

BLOCK_SIZE: Final = 16384
"""Bytes of a block when it is decoded: 65,536 values, or 16,384 distances."""

LEVELS: Final = {"wdl": 19, "dtw": 12, "dtz": 12}
"""Levels of zstd. What is left of win, draw and loss is short, so the highest costs little; with distances level 15
takes twice as long for less than two per cent (docs/format.md)."""

FILL: Final = 0
ZSTD: Final = 1
RAW: Final = 2
CODE: Final = 3

_GROUP: Final = 16  # blocks that one thread encodes and compresses at a time
_WAITING: Final = 64  # groups that wait for being written at most
_NESTINGS: Final = 8  # with the fewest runs, that are tried on some blocks
_TRIALS: Final = 24  # blocks
_TRIAL_LEVEL: Final = 6  # of zstd
_SAMPLES: Final = 512  # blocks that a dictionary is trained with
_LEAST_SAMPLES: Final = 16
_DICTIONARY_BYTES: Final = (1024, 16384)  # a dictionary has one for 64 bytes of codes, within these limits


class Block(NamedTuple):
    """One block as it goes into the file."""

    entry: _native.BlockEntry
    content: bytes
    """What is stored, checksum first; nothing if one byte fills the block."""


class EncodedTable:
    """The blocks of one table to come, and what a reader needs to know of all of them."""

    def __init__(self, solver: _native.Solver, blocks: int, metric: str, pool: ThreadPoolExecutor) -> None:
        self.blocks = blocks
        self.nesting = 0
        self.dictionary = b""
        self._solver = solver
        self._metric = metric
        self._pool = pool
        self._local = local()
        self._data: zstandard.ZstdCompressionDict | None = None
        run_native(self._choose_nesting)
        if metric == "wdl":
            run_native(self._train)

    @property
    def front_size(self) -> int:
        """Bytes of the file in front of the blocks."""
        return _native.front_size(self.blocks, len(self.dictionary))

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
        if kind == CODE:
            frame = self._compress(payload)
            if len(frame) < len(payload):
                kind, payload = ZSTD, frame
            elif self._metric != "wdl":
                kind = RAW  # the code of distances is what it decodes to
        return Block(*_native.stored_block(kind, payload))

    def _compress(self, payload: bytes) -> bytes:
        """Return a frame without its magic number."""
        if not hasattr(self._local, "compressor"):
            self._local.compressor = _compressor(self._metric, self._data)
        frame: bytes = self._local.compressor.compress(payload)
        return frame[4:]

    def _choose_nesting(self, cancel: _native.Cancel) -> None:
        """Try the most promising nestings on some blocks."""
        candidates = self._solver.encode_nestings(cancel)[:_NESTINGS]
        sizes: list[tuple[int, int, int]] = []
        for nesting in candidates if len(candidates) > 1 else ():
            self._solver.encode_nest(nesting)
            sizes.append((sum(map(len, self._codes(_TRIALS, cancel, _TRIAL_LEVEL))), len(sizes), nesting))
        self.nesting = min(sizes)[2] if sizes else candidates[0]
        self._solver.encode_nest(self.nesting)

    def _codes(self, most: int, cancel: _native.Cancel, level: int | None = None) -> list[bytes]:
        """Encode about `most` blocks from the whole table, those that are more than one byte; compress them."""
        compressors = local()

        def encode(block: int) -> bytes:
            if cancel.raised:
                raise _native.Cancelled("writing was cancelled")
            kind, payload = self._solver.encode_block(block)
            if kind != CODE or level is None:
                return payload if kind == CODE else b""
            if not hasattr(compressors, "quick"):
                compressors.quick = zstandard.ZstdCompressor(level=level)
            compressed: bytes = compressors.quick.compress(payload)
            return compressed

        with starting_threads():
            return [code for code in self._pool.map(encode, range(0, self.blocks, -(-self.blocks // most))) if code]

    def _train(self, cancel: _native.Cancel) -> None:
        """Make a dictionary from some blocks, if that saves more than it takes."""
        step = -(-self.blocks // _SAMPLES)
        samples = self._codes(_SAMPLES, cancel)
        if len(samples) < _LEAST_SAMPLES:
            return
        total = step * sum(map(len, samples))
        size = min(max(total // 64, _DICTIONARY_BYTES[0]), _DICTIONARY_BYTES[1])
        try:
            data = zstandard.train_dictionary(size, [*samples], level=LEVELS[self._metric])
        except zstandard.ZstdError:  # too little to learn from
            return
        plain, learned = _compressor(self._metric, None), _compressor(self._metric, data)
        checked = samples[:: max(len(samples) // 64, 1)]
        saved = sum(len(plain.compress(code)) - len(learned.compress(code)) for code in checked)
        if saved * step * len(samples) > len(data) * len(checked):
            self._data, self.dictionary = data, data.as_bytes()


def _compressor(metric: str, data: zstandard.ZstdCompressionDict | None) -> zstandard.ZstdCompressor:
    level = LEVELS[metric]
    if data is None:
        return zstandard.ZstdCompressor(level=level, write_checksum=False, write_content_size=True)
    return zstandard.ZstdCompressor(
        level=level, dict_data=data, write_checksum=False, write_content_size=True, write_dict_id=False
    )


@contextmanager
def encoded_table(
    solver: _native.Solver, material: Material, variant: str, metric: str, threads: int
) -> Iterator[EncodedTable]:
    """Encode one slice of a solver in one metric; the solver encodes one at a time."""
    per_byte = 4 if metric == "wdl" else 1
    blocks = -(-material.values(variant) // (per_byte * BLOCK_SIZE))
    try:
        run_native(lambda cancel: solver.encode_start(material, metric, threads, cancel))
        with ThreadPoolExecutor(threads) as pool:
            yield EncodedTable(solver, blocks, metric, pool)
    finally:
        solver.encode_stop()


def compression() -> dict[str, str | int]:
    """Return what the bytes of a table depend on besides its values."""
    version = ".".join(str(part) for part in zstandard.ZSTD_VERSION)
    return {"library": f"zstd {version}", **{f"level_{metric}": level for metric, level in LEVELS.items()}}
