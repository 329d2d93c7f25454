"""Native calls under Ctrl-C: nobody goes on before the call has ended."""

import time
import weakref
from _thread import interrupt_main
from threading import Event, Timer

import pytest

import dame_fast._native as _native
from dame_fast.interrupt import BackgroundCall, run_native


def test_results_and_failures_are_handed_on() -> None:
    assert run_native(lambda cancel: cancel.raised) is False
    with pytest.raises(ZeroDivisionError):
        run_native(lambda cancel: 1 // 0)


def test_ticks() -> None:
    ticks: list[float] = []
    run_native(lambda cancel: time.sleep(0.35), lambda: ticks.append(time.monotonic()))
    assert 1 <= len(ticks) <= 3


@pytest.mark.parametrize("interrupts", [1, 3])
def test_the_call_has_ended_when_ctrl_c_goes_on(interrupts: int) -> None:
    """Also if it does not look at its flag for a while, and if Ctrl-C is pressed again."""
    ends: list[bool] = []

    def work(cancel: _native.Cancel) -> None:
        time.sleep(0.5)
        ends.append(cancel.raised)

    timers = [Timer(0.1 + 0.1 * number, interrupt_main) for number in range(interrupts)]
    for timer in timers:
        timer.start()
    with pytest.raises(KeyboardInterrupt):
        run_native(work)
    assert ends == [True]
    for timer in timers:
        timer.join()


def test_what_a_tick_raises_goes_on_after_the_call() -> None:
    ends: list[bool] = []

    def work(cancel: _native.Cancel) -> None:
        time.sleep(0.3)
        ends.append(cancel.raised)

    def refuse() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        run_native(work, refuse)
    assert ends == [True]


def test_a_call_goes_on_in_the_background() -> None:
    """It has no hold on what it works with once it has ended."""

    class Work:
        def __init__(self) -> None:
            self.call = BackgroundCall(self.run)

        def run(self, cancel: _native.Cancel) -> int:
            assert begin.wait(10)
            return 42

    begin = Event()
    work = Work()
    work.call.start()
    gone = weakref.ref(work)
    begin.set()
    assert work.call.wait() == 42
    del work
    assert gone() is None


def test_a_call_that_is_abandoned_has_ended() -> None:
    ends: list[bool] = []

    def work(cancel: _native.Cancel) -> None:
        while not cancel.raised:
            time.sleep(0.01)
        ends.append(True)

    call = BackgroundCall(work)
    call.start()
    call.abandon()
    assert ends == [True]
    never = BackgroundCall(work)
    never.abandon()
    never.start()
    assert ends == [True]
