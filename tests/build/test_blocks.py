"""Blocks: cut, filled, compressed, and put together again."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import zstandard

from dame_fast import DameError, _native
from dame_fast.build.blocks import BLOCK_SIZE, FILL, LEVEL, RAW, ZSTD, Block, Compressor, compression


def compress(values: bytearray, threads: int = 1) -> list[Block]:
    compressor = Compressor(threads)
    try:
        return compressor.compress(values, _native.Cancel())
    finally:
        compressor.close()


def test_a_block_of_one_value_is_one_byte() -> None:
    blocks = compress(bytearray(b"\x55") * BLOCK_SIZE + b"\xaa" * 7)
    assert [(block.entry[:2], block.content) for block in blocks] == [
        ((FILL, 0x55), b""),
        ((FILL, 0xAA), b""),
    ]


def test_blocks_are_independent_frames() -> None:
    values = bytearray(number // 5 % 3 for number in range(3 * BLOCK_SIZE + 100))
    blocks = compress(values)
    assert [block.entry[:2] for block in blocks] == [(ZSTD, len(block.content)) for block in blocks]
    decoded = b"".join(zstandard.ZstdDecompressor().decompress(block.content) for block in blocks)
    assert decoded == values


def test_incompressible_blocks_stay_as_they_are() -> None:
    state, values = 1, bytearray()
    for _ in range(300):
        state = state * 48271 % 2147483647
        values.append(state & 0xFF)
    (block,) = compress(values)
    assert block.entry[:2] == (RAW, 300)
    assert block.content == values


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_matter(threads: int) -> None:
    values = bytearray(number * number % 7 for number in range(40 * BLOCK_SIZE))
    assert compress(values, threads) == compress(values)


def test_cancelling() -> None:
    cancel = _native.Cancel()
    cancel.set()
    compressor = Compressor(1)
    with pytest.raises(_native.Cancelled):
        compressor.compress(bytearray(10), cancel)
    compressor.close()


def test_no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    with pytest.raises(DameError) as caught:
        compress(bytearray(10))
    assert str(caught.value) == "no thread can be started: too little memory, or too many threads"


def test_the_manifest_names_what_the_bytes_depend_on() -> None:
    assert compression()["level"] == LEVEL
    assert str(compression()["library"]).startswith("zstd 1.")
