"""The command `dame-fast`, also as `python -m dame_fast`; Ctrl-C ends it in one line while it still imports, too."""

import sys
from contextlib import suppress
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process and end it; `dame_fast.cli.status` lists the exit statuses."""
    try:
        from dame_fast.cli import run

        status = run()
    except KeyboardInterrupt:
        status = _fail("interrupted", 130)
    except MemoryError:
        status = _fail("not enough memory", 1)
    except (ImportError, OSError) as error:  # what an extension module that memory has no room for ends in
        status = _fail(f"cannot start: {error}", 1)
    sys.exit(status)


def _fail(text: str, status: int) -> int:
    with suppress(OSError, AttributeError):  # stderr is None if it is closed
        sys.stderr.write(f"dame-fast: {text}\n")
    return status


if __name__ == "__main__":
    main()
