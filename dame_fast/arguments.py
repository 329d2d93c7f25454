"""What callers give, checked before anything is done with it: one function for each type.

`what` names the argument in the message. All raise `ArgumentError`, for a wrong type as for a wrong value.
"""

import os
from collections.abc import Sequence
from operator import index
from pathlib import Path
from typing import Final, SupportsIndex, TypeVar

from dame_fast.errors import ArgumentError, shown

Wanted = TypeVar("Wanted")

THREADS_MOST: Final = 4096
"""More threads than this are a mistake."""

PIECES_MOST: Final = 12
"""Pieces of the largest slices that have a name."""

DRAW_PLIES_MOST: Final = 253
"""The largest number of plies of a draw rule, in games as in tables: the core has a byte for a distance."""

CLOCK_MOST: Final = 2**31 - 1
"""The largest counter of a draw rule that can be given."""

BYTES_MOST: Final = 2**64 - 1
"""The most bytes that can be given, which means no limit."""


def check_integer(what: str, given: SupportsIndex) -> int:
    """Return an integer, whatever its type is.

    >>> check_integer("depth", 2.5)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: depth must be an integer, not 2.5
    """
    try:
        return index(given)
    except TypeError:
        raise ArgumentError(f"{what} must be an integer, not {shown(given)}") from None


def check_number(what: str, given: SupportsIndex, least: int, most: int) -> int:
    """Return an integer from `least` to `most`.

    >>> check_number("depth", 5, 0, 1000)
    5
    >>> check_number("depth", -1, 0, 1000)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: depth must be 0 to 1000, not -1
    """
    number = check_integer(what, given)
    if not least <= number <= most:
        raise ArgumentError(f"{what} must be {least} to {most}, not {shown(number)}")
    return number


def check_text(what: str, given: str) -> str:
    """Return a text; of a class that is derived from `str`, as that of NumPy is, the plain text.

    >>> check_text("a FEN", b"W:W18:B1")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: a FEN must be text, not b'W:W18:B1'
    """
    return str.__str__(check_type(what, given, str, "text"))


def check_choice(what: str, given: str, choices: Sequence[str]) -> str:
    """Return one of some words.

    >>> check_choice("the side", "w", ("W", "B"))
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: the side must be W or B, not 'w'
    """
    if not isinstance(given, str) or given not in choices:
        raise ArgumentError(f"{what} must be {', '.join(choices[:-1])} or {choices[-1]}, not {shown(given)}")
    return given


def check_type(what: str, given: object, wanted: type[Wanted], name: str) -> Wanted:
    """Return an object of a type, which has a `name` for the message ("text", "a Board").

    >>> check_type("the rules", None, int, "an integer")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: the rules must be an integer, not None
    """
    if not isinstance(given, wanted):
        raise ArgumentError(f"{what} must be {name}, not {shown(given)}")
    return given


def check_threads(given: SupportsIndex) -> int:
    """Return a number of threads.

    Raises `ArgumentError` unless it is between 1 and 4096.
    """
    return check_number("the number of threads", given, 1, THREADS_MOST)


def threads_or_all(given: SupportsIndex | None) -> int:
    """Return a number of threads, as many as the process may use processors if None.

    Raises `ArgumentError` unless it is between 1 and 4096.

    >>> threads_or_all(3), threads_or_all(None) >= 1
    (3, True)
    """
    return check_threads(_processors() if given is None else given)


def check_pieces(given: SupportsIndex) -> int:
    """Return a number of pieces of both sides together.

    Raises `ArgumentError` unless it is between 2 and 12.
    """
    return check_number("the number of pieces", given, 2, PIECES_MOST)


def check_draw_plies(given: SupportsIndex | None, what: str = "draw_plies") -> int | None:
    """Return the plies that make a game drawn, 1 to 253; None if there is no such rule.

    >>> check_draw_plies(0)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: draw_plies must be 1 to 253, not 0
    """
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        raise ArgumentError(f"{what} must be a number or None, not {shown(given)}")
    return check_number(what, given, 1, DRAW_PLIES_MOST)


def check_path(what: str, given: str | os.PathLike[str]) -> Path:
    """Return the path to a `what` ("directory", "file").

    A name that no file can have is refused. An empty one would mean the working directory.

    >>> check_path("directory", "")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: not the name of a directory: ''
    """
    name = os.fspath(given) if isinstance(given, str | os.PathLike) else None
    if not isinstance(name, str) or not name or "\0" in name or not _is_name(name):
        raise ArgumentError(f"not the name of a {what}: {shown(given)}")
    return Path(name)


def _is_name(name: str) -> bool:
    """Tell whether a text can be written with the letters of the file system."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def _processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
