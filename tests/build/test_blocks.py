"""Blocks: encoded, filled, compressed, and put together again."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
import zstandard
from table_header import HEADER_SIZE

import dame_fast._native as _native
from dame_fast import DameError
from dame_fast._native import BLOCK_SIZE, CODE, FILL, RAW, ZSTD, BlockEntry
from dame_fast.build.blocks import LEVEL, Blocks, compression, encoded_table
from dame_fast.build.plan import make_plan
from dame_fast.tables.material import Material


@pytest.fixture(scope="module")
def solver() -> _native.Solver:
    solver = _native.Solver("english", 4, metric="dtw")
    for pair in make_plan(pieces=4, metric="dtw").pairs:
        solver.solve(pair.material, 2, _native.Cancel(), _native.Counter())
    return solver


class Block(NamedTuple):
    """One block as it goes into the file."""

    entry: BlockEntry
    content: bytes


def split(blocks: Blocks, block_size: int) -> Iterator[Block]:
    """Take blocks apart; a raw one is the last of a table or has all its bytes."""
    at = 0
    for form, length in blocks.entries:
        size = 0 if form == FILL else block_size if form == RAW else length
        content = blocks.content[at : at + 4 + size] if size else b""
        yield Block((form, length), content)
        at += len(content)
    assert at == len(blocks.content)


class Encoded:
    """A table as its parts."""

    def __init__(self, solver: _native.Solver, name: str, metric: str = "wdl", threads: int = 1) -> None:
        with encoded_table(solver, Material.parse(name), metric, threads, _native.Cancel()) as encoded:
            groups = list(encoded.groups())
            self.blocks = [block for group in groups for block in split(group, encoded.block_size)]
            self.nesting, self.model, self.block_size = encoded.nesting, encoded.model, encoded.block_size
            assert encoded.front_size == HEADER_SIZE + len(self.model)
            assert encoded.blocks == len(self.blocks)


def payloads(blocks: list[Block]) -> Iterator[tuple[int, bytes]]:
    for (form, _), content in blocks:
        yield form, content[4:]


def test_a_block_of_one_value_is_one_byte(solver: _native.Solver) -> None:
    blocks = Encoded(solver, "KKvM").blocks  # won wherever nothing can be captured
    assert set(blocks) == {Block((FILL, 0x55), b"")}
    assert _native.pack_table([block.entry for block in blocks * 65]) == b"\x55\x3f" + b"\x55\x00"


def test_a_block_is_a_frame_without_its_magic_number(solver: _native.Solver) -> None:
    encoded = Encoded(solver, "KMvKM", "dtw")
    assert encoded.model == b""
    assert encoded.block_size == BLOCK_SIZE
    frames = [b"\x28\xb5\x2f\xfd" + payload for form, payload in payloads(encoded.blocks[:-1]) if form == ZSTD]
    assert len(frames) > 40
    assert {len(zstandard.decompress(frame)) for frame in frames} == {BLOCK_SIZE}


def test_lengths_stand_in_the_entries(solver: _native.Solver) -> None:
    for metric in ("wdl", "dtw"):
        encoded = Encoded(solver, "KMvKM", metric)
        for (form, length), content in encoded.blocks:
            assert form in (FILL, RAW, CODE if metric == "wdl" else ZSTD)
            if form in (ZSTD, CODE):
                assert length == len(content) - 4 < encoded.block_size


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_matter(solver: _native.Solver, threads: int) -> None:
    for metric in ("wdl", "dtw"):
        one, more = Encoded(solver, "KMvKM", metric), Encoded(solver, "KMvKM", metric, threads)
        assert one.blocks == more.blocks
        assert (one.nesting, one.model, one.block_size) == (more.nesting, more.model, more.block_size)


def test_no_more_threads(solver: _native.Solver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", refuse)
    with pytest.raises(DameError) as caught:
        Encoded(solver, "KMvKM")
    assert str(caught.value) == "no thread can be started: too little memory, or too many threads"


def test_the_manifest_names_what_the_bytes_depend_on() -> None:
    assert compression()["level"] == LEVEL
    assert str(compression()["library"]).startswith("zstd 1.")
