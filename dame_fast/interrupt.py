"""Long native calls that Ctrl-C can end, and that are watched while they run.

Python runs signal handlers on the main thread between two steps of Python code, never inside native code. So the
native call goes to another thread; this one waits for it, raises its cancel flag on Ctrl-C, and lets it finish.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Generic, TypeVar, cast

import dame_fast._native as _native
from dame_fast.errors import DameError

Result = TypeVar("Result")

TICK = 0.1
"""Seconds between two looks at the call."""


def run_native(call: Callable[[_native.Cancel], Result], on_tick: Callable[[], None] | None = None) -> Result:
    """Return `call(cancel)`, run on a thread of its own; `on_tick` is called here ten times a second meanwhile.

    Raises what the call raises, `DameError` if no thread can be started. On `KeyboardInterrupt` (or anything that
    `on_tick` raises) the cancel flag is raised, and the exception goes on when the call has ended.

    >>> run_native(lambda cancel: 6 * 7)
    42
    """
    running = _Running(call)
    thread = Thread(target=running.run, daemon=True)
    try:
        with starting_threads():
            thread.start()
        while not running.ended.wait(TICK):
            if on_tick is not None:
                on_tick()
    except BaseException:
        running.abandon()
        raise
    if running.failure is not None:
        raise running.failure
    return cast(Result, running.result)


class _Running(Generic[Result]):
    """A call on its way. Whether it has begun and ended is known here: `Thread` may be wrong after an interruption."""

    def __init__(self, call: Callable[[_native.Cancel], Result]) -> None:
        self._call = call
        self._cancel = _native.Cancel()
        self._lock = Lock()
        self._begun = self._abandoned = False
        self.ended = Event()
        self.result: Result | None = None
        self.failure: BaseException | None = None

    def run(self) -> None:
        """Make the call, unless nobody waits for it any more."""
        with self._lock:
            if self._abandoned:
                return
            self._begun = True
        try:
            self.result = self._call(self._cancel)
        except BaseException as failure:  # handed on by run_native
            self.failure = failure
        finally:
            self.ended.set()

    def abandon(self) -> None:
        """Cancel the call and wait for its end, whatever else is interrupted: it uses memory of its caller."""
        self._cancel.set()
        while True:
            with suppress(KeyboardInterrupt):
                with self._lock:
                    self._abandoned = True
                if not self._begun or self.ended.wait():
                    return


@contextmanager
def starting_threads() -> Iterator[None]:
    """Turn the refusal to start one more thread into one line in plain words.

    Raises `DameError`.
    """
    try:
        yield
    except RuntimeError as error:
        raise DameError("no thread can be started: too little memory, or too many threads") from error
