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
    running = BackgroundCall(call)
    running.start()
    return running.wait(on_tick)


class BackgroundCall(Generic[Result]):
    """A call on its way. Whether it has begun and ended is known here: `Thread` may be wrong after an interruption."""

    def __init__(self, call: Callable[[_native.Cancel], Result]) -> None:
        self._call: Callable[[_native.Cancel], Result] | None = call  # until it ends: it may refer to who holds this
        self._cancel = _native.Cancel()
        self._lock = Lock()
        self._begun = self._abandoned = False
        self._ended = Event()
        self._result: Result | None = None
        self._failure: BaseException | None = None

    def start(self) -> None:
        """Begin the call on a thread of its own.

        Raises `DameError` if none can be started.
        """
        thread = Thread(target=self._run, daemon=True)
        try:
            with starting_threads():
                thread.start()
        except BaseException:
            self.abandon()
            raise

    def wait(self, on_tick: Callable[[], None] | None = None) -> Result:
        """Return what the call returns, as `run_native` does."""
        try:
            while not self._ended.wait(TICK):
                if on_tick is not None:
                    on_tick()
        except BaseException:
            self.abandon()
            raise
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return cast(Result, self._result)

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing to wait for."""
        return self._ended.is_set()

    def abandon(self) -> None:
        """Cancel the call and wait for its end, whatever else is interrupted: it uses memory of its caller."""
        self._cancel.set()
        while True:
            with suppress(KeyboardInterrupt):
                with self._lock:
                    self._abandoned = True
                if not self._begun or self._ended.wait():
                    self._failure = None  # its traceback holds what the call has used
                    return

    def _run(self) -> None:
        """Make the call, unless nobody waits for it any more."""
        call, self._call = self._call, None
        with self._lock:
            if self._abandoned or call is None:
                return
            self._begun = True
        try:
            self._result = call(self._cancel)
        except BaseException as failure:  # handed on by wait
            self._failure = failure
        finally:
            del call
            self._ended.set()


@contextmanager
def starting_threads() -> Iterator[None]:
    """Turn the refusal to start one more thread into one line in plain words.

    Raises `DameError`.
    """
    try:
        yield
    except RuntimeError as error:
        raise DameError("no thread can be started: too little memory, or too many threads") from error
