"""The command `dame-fast`, also as `python -m dame_fast`; Ctrl-C ends it in one line, however early.

This module imports what Python has loaded by then, and nothing else, before it is ready for Ctrl-C.
"""

import os
import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal
    from typing import NoReturn
else:  # what `signal` is made of, which takes longer to import
    from _signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal

_INTERRUPTED = 130


def main() -> "NoReturn":
    """Run the command line of this process and end it; `dame_fast.cli.status` lists the exit statuses."""
    heard = getsignal(SIGINT) is default_int_handler  # else whoever started it wants Ctrl-C to be ignored
    if heard:
        signal(SIGINT, _end_at_once)
    try:
        from dame_fast.cli import run

        if heard:
            signal(SIGINT, default_int_handler)
        status = run()
        if heard:
            signal(SIGINT, SIG_DFL)  # Python, which cleans up from here on, would show where it is
    except KeyboardInterrupt:
        status = _fail("interrupted", _INTERRUPTED)
    except MemoryError:
        status = _fail("not enough memory", 1)
    except (ImportError, OSError) as error:  # what an extension module that memory has no room for ends in
        status = _fail(f"cannot start: {error}", 1)
    sys.exit(status)


def _end_at_once(number: int, frame: object) -> None:
    """Hear Ctrl-C while modules are imported; an exception could come up anywhere in them, even where it is lost."""
    _fail("interrupted", _INTERRUPTED)
    os._exit(_INTERRUPTED)


def _fail(text: str, status: int) -> int:
    try:
        os.write(2, f"dame-fast: {text}\n".encode(errors="backslashreplace"))
    except OSError:  # stderr is closed
        return status
    return status


if __name__ == "__main__":
    main()
