"""What can go wrong.

Every exception of the package is a `DameError`. Its text is one line that quotes the offending input; it is the only
argument, so exceptions can be pickled.
"""

from typing import Final

_LONGEST_QUOTE: Final = 80
_BITS_SHOWN: Final = 256


class DameError(Exception):
    """Base of all exceptions of this package.

    >>> try:
    ...     raise MoveError("'11-20' is not legal: the piece on 11 cannot go there")
    ... except DameError as error:
    ...     print(error)
    '11-20' is not legal: the piece on 11 cannot go there
    """


class ArgumentError(DameError, ValueError):
    """An argument of the wrong type, or a number or a name outside its documented range."""


class PositionError(DameError, ValueError):
    """A FEN that cannot be read, or a position that the rules do not allow."""


class MoveError(DameError, ValueError):
    """A move that cannot be read, fits two moves, or is not legal; after the end of a game none is."""


class VariantError(DameError, ValueError):
    """A rule set that the package does not know, that has no tables, or that is not the one of the tables."""


class MissingTableError(DameError, KeyError):
    """There is no table: none that covers a position, or none of this rule set and draw rule in a directory."""

    def __str__(self) -> str:
        """Return the message as it was given; `KeyError` alone would put it into quotes."""
        return Exception.__str__(self)


class CorruptTableError(DameError, ValueError):
    """A table file breaks its format or one of its checksums."""


class BuildError(DameError, RuntimeError):
    """A build or a merge cannot go on: too little memory or disk, or its directory is held or cannot be written."""


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


def shown(given: object) -> str:
    r"""Return any object for an error message, as `quote` does a text.

    >>> shown("a\nb"), shown(2.5), shown(1 << 1000), shown([1] * 1000)[:12]
    ("'a\\nb'", '2.5', 'an integer of 1001 bits', '[1, 1, 1, 1,')
    """
    if isinstance(given, str):
        return quote(given)
    if isinstance(given, int) and given.bit_length() > _BITS_SHOWN:
        return f"an integer of {given.bit_length()} bits"
    try:
        text = " ".join(repr(given).split())
    except Exception:  # an object may fail to describe itself; which argument is wrong must be told all the same
        text = object.__repr__(given)
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
