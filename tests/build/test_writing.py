"""The queue of pairs that are written while others are solved."""

from threading import Event
from typing import Any

import pytest

import dame_fast._native as _native
from dame_fast.build.plan import Pair, make_plan
from dame_fast.build.writing import Writer
from dame_fast.errors import BuildError

PAIRS = make_plan(pieces=3).pairs


class Writing:
    """A pair that is written as the test wishes."""

    def __init__(self, pair: Pair, error: Exception | None = None) -> None:
        self.pair = pair
        self.done = 0
        self.may_end = Event()
        self.error = error

    def write(self, cancel: _native.Cancel) -> None:
        assert self.may_end.wait(10)
        if self.error is not None:
            raise self.error
        self.done = self.pair.positions


def started(settled: list[Pair]) -> Any:
    writer = Writer(settled.append)
    writer.start()
    return writer


def test_pairs_are_written_in_order() -> None:
    settled: list[Pair] = []
    writer = started(settled)
    all_of_them = [Writing(pair) for pair in PAIRS[:3]]
    for writing in all_of_them:
        writer.put(writing)
    assert writer.first is all_of_them[0]
    assert not writer.is_idle
    for writing in all_of_them:
        writing.may_end.set()
    writer.wait(lambda: None)
    assert settled == list(PAIRS[:3])
    assert writer.is_idle
    assert writer.done == sum(pair.positions for pair in settled)
    assert writer.take_written() == all_of_them
    assert writer.done == 0
    writer.end()


def test_a_small_queue_is_not_waited_for() -> None:
    writer = started([])
    writing = Writing(PAIRS[0])
    writer.put(writing)
    writer.wait(lambda: pytest.fail("it waits"), most=PAIRS[0].writing_memory)
    writing.may_end.set()
    writer.end()


def test_a_failure_is_heard_of_at_once() -> None:
    """Nobody takes a pair that could not be written for one that was: its work files would be dropped."""
    settled: list[Pair] = []
    writer = started(settled)
    writing = Writing(PAIRS[0], BuildError("the disk is full"))
    writing.may_end.set()
    writer.put(writing)
    with pytest.raises(BuildError, match="the disk is full"):
        writer.wait(lambda: None)
    assert not writer.is_idle
    assert settled == []
    writer.abandon()
