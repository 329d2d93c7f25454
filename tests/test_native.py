"""The native door itself: what it refuses before anything reaches the core, and its texts."""

import pytest

import dame_fast._native as _native
from dame_fast import ArgumentError


def test_every_status_has_a_text() -> None:
    texts = _native.status_texts()
    assert texts[0] == "ok"
    assert len(set(texts)) == len(texts) == 13
    assert "unknown status" not in texts


@pytest.mark.parametrize("material", [(2**31 - 1, 2**31 - 1, 2, 0), (-1, 1, 1, 1), (13, 0, 0, 1), (1, 1), (7, 0, 6, 0)])
def test_materials_that_are_none(material: tuple[int, ...]) -> None:
    with pytest.raises(ArgumentError, match="^no slice has the material "):
        _native.slice_name(material)


def test_values_that_are_too_few() -> None:
    solver = _native.Solver("english", 2)
    kings = (0, 1, 0, 1)
    cancel = _native.Cancel()
    solver.load_start(kings)
    for first, count, size in [(0, 1024, 255), (0, 5, 1), (2, 4, 256), (0, 0, 256)]:
        with pytest.raises(ArgumentError, match="^KvK: "):
            solver.load_values(kings, 0, first, count, bytes(size), 1, cancel)
    for nesting, first, count in [(24, 0, 4), (-1, 0, 4), (0, 1024, 4), (0, 1020, 8)]:
        with pytest.raises(ArgumentError, match="KvK"):
            solver.load_values(kings, nesting, first, count, bytes(256), 1, cancel)
    solver.load_values(kings, 0, 0, 1024, bytes(256), 1, cancel)


def test_no_threads_and_blocks_that_there_are_not() -> None:
    solver = _native.Solver("english", 2)
    kings = (0, 1, 0, 1)
    cancel = _native.Cancel()
    solver.solve(kings, 1, cancel, _native.Counter())
    for threads in (0, -1):
        with pytest.raises(ArgumentError):
            solver.encode_start(kings, "wdl", threads, cancel)
        with pytest.raises(ArgumentError):
            solver.sample(kings, 10, 0, threads, cancel)
        with pytest.raises(ArgumentError):
            solver.solve(kings, threads, cancel, _native.Counter())
    with pytest.raises(ArgumentError):  # nothing is being encoded
        solver.encode_blocks(0, 1)
    solver.encode_start(kings, "wdl", 1, cancel)
    with pytest.raises(ArgumentError):
        solver.encode_fit(len, 0, cancel)
    nesting, size, blocks, together, model = solver.encode_fit(len, 1, cancel)
    assert (blocks, together) == (1, 1)
    assert nesting in (0, 1)
    assert size in (2048, 4096, 8192, 16384)
    assert len(model) >= 3
    [(form, code)] = solver.encode_blocks(0, 1)
    assert form == 3
    assert len(code) < 256
    assert solver.encode_content(0, 1) == ([(3, len(code))], _native.stored_block(3, code)[1])
    for first, count in [(1, 1), (0, 2), (0, 0), (2**64 - 1, 2)]:
        with pytest.raises(ArgumentError, match=f"{count} blocks from number {first} on"):
            solver.encode_blocks(first, count)
        with pytest.raises(ArgumentError, match=f"{count} blocks from number {first} on"):
            solver.encode_content(first, count)
    solver.encode_stop()


def test_what_a_compressor_raises_is_raised() -> None:
    solver = _native.Solver("english", 2, metric="dtw")
    cancel = _native.Cancel()

    def refuse(block: memoryview) -> int:
        raise LookupError(len(block))

    solver.solve((0, 1, 0, 1), 1, cancel, _native.Counter())
    solver.encode_start((0, 1, 0, 1), "dtw", 1, cancel)
    for threads in (1, 2):
        with pytest.raises(LookupError, match="^1024$"):
            solver.encode_fit(refuse, threads, cancel)
    assert solver.encode_fit(len, 1, cancel)[1:] == (_native.BLOCK_SIZE, 1, 1, b"")
    solver.encode_stop()


def test_flags_may_not_be_none() -> None:
    solver = _native.Solver("english", 2)
    with pytest.raises(TypeError):
        solver.solve((0, 1, 0, 1), 1, None, _native.Counter())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        solver.solve((0, 1, 0, 1), 1, _native.Cancel(), None)  # type: ignore[arg-type]


def test_a_raised_flag_ends_the_call() -> None:
    cancel = _native.Cancel()
    assert not cancel.raised
    cancel.set()
    assert cancel.raised
    with pytest.raises(_native.Cancelled):
        _native.Solver("english", 2).solve((0, 1, 0, 1), 1, cancel, _native.Counter())
