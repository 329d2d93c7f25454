"""The native door itself: what it refuses before anything reaches the core, and its texts."""

import pytest

from dame_fast import ArgumentError, _native


def test_every_status_has_a_text() -> None:
    texts = _native.status_texts()
    assert texts[0] == "ok"
    assert len(set(texts)) == len(texts) == 12
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
    for first, count, size, first_value in [
        (0, 1, 255, 0),
        (0, 1, 256, 2),
        (0, 2, 256, 0),
        (1, 1, 256, 0),
        (0, 1, 256, 4),
    ]:
        with pytest.raises(ArgumentError, match="^KvK: "):
            solver.load_values(kings, first, count, bytes(size), first_value, 1, cancel)
    solver.load_values(kings, 0, 1, bytes(256), 0, 1, cancel)


def test_too_small_a_buffer_and_no_threads() -> None:
    solver = _native.Solver("english", 2)
    kings = (0, 1, 0, 1)
    cancel = _native.Cancel()
    solver.solve(kings, 1, cancel, _native.Counter())
    with pytest.raises(ArgumentError, match="^1024 values need 256 bytes, not 255$"):
        solver.encode(kings, 0, 1024, bytearray(255), 1, cancel)
    for threads in (0, -1):
        with pytest.raises(ArgumentError):
            solver.encode(kings, 0, 1024, bytearray(256), threads, cancel)
        with pytest.raises(ArgumentError):
            solver.sample(kings, 10, 0, threads, cancel)
        with pytest.raises(ArgumentError):
            solver.solve(kings, threads, cancel, _native.Counter())


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
