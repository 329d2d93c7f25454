"""What can go wrong, and with which status a command ends then.

Every exception of the package is a `DameError`. Its text is one line that quotes the offending input.
"""

from typing import ClassVar

_LONGEST_QUOTE = 80


class DameError(Exception):
    """Base of all exceptions of this package.

    >>> try:
    ...     raise MoveError("'11-20' is not legal: the piece on 11 cannot go there")
    ... except DameError as error:
    ...     print(error, error.exit_status)
    '11-20' is not legal: the piece on 11 cannot go there 2
    """

    exit_status: ClassVar[int] = 1
    """Exit status of a command that ends with this error: 1 to 4."""


class ArgumentError(DameError, ValueError):
    """A number or a name outside its documented range."""

    exit_status = 2


class PositionError(DameError, ValueError):
    """A FEN that cannot be read, or a position that the rules do not allow."""

    exit_status = 2


class MoveError(DameError, ValueError):
    """A move text that cannot be read, fits two moves, or is not legal in its position."""

    exit_status = 2


class VariantError(DameError, ValueError):
    """A rule set that the package does not know."""

    exit_status = 2


class MissingTableError(DameError, KeyError):
    """No open table covers a position."""

    exit_status = 3

    def __str__(self) -> str:
        """Return the message as it was given; `KeyError` alone would put it into quotes."""
        return Exception.__str__(self)


class CorruptTableError(DameError, ValueError):
    """A table file breaks its format or one of its checksums."""

    exit_status = 4


class BuildError(DameError, RuntimeError):
    """A build cannot go on: its directory cannot be written, the disk is full, or another build holds it."""

    exit_status = 1


def quote(text: str) -> str:
    r"""Quote input for an error message: one line, and no longer than it helps.

    >>> quote("Q5"), quote("a\nb")
    ("'Q5'", "'a\\nb'")
    >>> len(quote("1" * 5000))
    85
    """
    if len(text) <= _LONGEST_QUOTE:
        return repr(text)
    return repr(text[:_LONGEST_QUOTE]) + "..."
