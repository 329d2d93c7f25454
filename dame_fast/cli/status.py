"""With which status a command ends.

    0   done
    1   anything else, such as a disk that is full
    2   bad input: options, FEN, rule set, numbers
    3   a table is missing
    4   a table is damaged
    130 Ctrl-C
    141 whoever reads the output has gone (nothing is printed)

Where a command answers line by line and some lines are refused, it ends with the greatest of 2, 3 and 4 that a line
had: bad input is mended by whoever typed it, a missing table has to be built, a damaged one means that the disk or the
copy cannot be trusted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from dame_fast import errors

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
NO_TABLE: Final = 3
DAMAGED: Final = 4
INTERRUPTED: Final = 130
READER_GONE: Final = 141


class InterruptedBuildError(errors.BuildError):
    """Ctrl-C during a build or a merge, which the same command goes on with."""


@contextmanager
def going_on() -> Iterator[None]:
    """Make Ctrl-C in work that the same command goes on with an error that says so."""
    try:
        yield
    except KeyboardInterrupt:
        raise InterruptedBuildError("interrupted; the same command goes on where it stopped") from None


_STATUS: Final[dict[type[errors.DameError], int]] = {
    errors.DameError: FAILED,  # and those that are not listed
    errors.ArgumentError: BAD_INPUT,
    errors.PositionError: BAD_INPUT,
    errors.MoveError: BAD_INPUT,
    errors.VariantError: BAD_INPUT,
    errors.MissingTableError: NO_TABLE,
    errors.CorruptTableError: DAMAGED,
    InterruptedBuildError: INTERRUPTED,
}


def exit_status(error: errors.DameError) -> int:
    """Return the status of a command that ends with an error.

    >>> exit_status(errors.MoveError("'11-20' is not legal: the piece on 11 cannot go there"))
    2
    """
    return next(_STATUS[base] for base in type(error).__mro__ if base in _STATUS)
