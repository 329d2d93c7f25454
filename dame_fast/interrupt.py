"""Long native calls that Ctrl-C can end, and that are watched while they run.

Python runs signal handlers on the main thread between two steps of Python code, never inside native code. So the
native call goes to another thread; this one waits for it, raises its cancel flag on Ctrl-C, and lets it finish.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import TypeVar

from dame_fast import _native
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
    cancel = _native.Cancel()
    results: list[Result] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            results.append(call(cancel))
        except BaseException as failure:  # handed on below
            failures.append(failure)

    thread = Thread(target=work, daemon=True)
    try:
        with starting_threads():
            thread.start()
        while thread.is_alive():
            thread.join(TICK)
            if on_tick is not None:
                on_tick()
    except BaseException:
        cancel.set()
        _wait(thread)
        raise
    if failures:
        raise failures[0]
    return results[0]


@contextmanager
def starting_threads() -> Iterator[None]:
    """Turn the refusal to start one more thread into one line in plain words.

    Raises `DameError`.
    """
    try:
        yield
    except RuntimeError as error:
        raise DameError("no thread can be started: too little memory, or too many threads") from error


def _wait(thread: Thread) -> None:
    """Wait for the end of a thread, whatever else is interrupted meanwhile: it uses memory of its caller."""
    while thread.is_alive():
        with suppress(KeyboardInterrupt):
            thread.join()
