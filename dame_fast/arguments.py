"""What callers give: numbers of a documented range and names of files, checked before anything is done with them."""

import os
from operator import index
from pathlib import Path
from typing import Final, SupportsIndex

from dame_fast.errors import ArgumentError, quote

THREADS_MOST: Final = 4096
"""More threads than this are a mistake."""

PIECES_MOST: Final = 12
"""Pieces of the largest slices that have a name."""

BYTES_MOST: Final = 2**64 - 1
"""No limit on memory."""

_BITS_SHOWN: Final = 256


def check_number(what: str, given: SupportsIndex, least: int, most: int) -> int:
    """Return an integer from `least` to `most`; `what` names it.

    Raises `ArgumentError` for any other integer, `TypeError` for what is no integer.

    >>> check_number("depth", 5, 0, 1000)
    5
    >>> check_number("depth", -1, 0, 1000)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: depth must be 0 to 1000, not -1
    """
    number = index(given)
    if not least <= number <= most:
        bits = number.bit_length()
        shown = str(number) if bits <= _BITS_SHOWN else f"an integer of {bits} bits"
        raise ArgumentError(f"{what} must be {least} to {most}, not {shown}")
    return number


def check_threads(given: SupportsIndex) -> int:
    """Return a number of threads.

    Raises `ArgumentError` unless it is between 1 and 4096, `TypeError` for what is no integer.
    """
    return check_number("the number of threads", given, 1, THREADS_MOST)


def threads_or_all(given: SupportsIndex | None) -> int:
    """Return a number of threads, as many as the process may use processors if None.

    Raises `ArgumentError` unless it is between 1 and 4096, `TypeError` for what is no integer.

    >>> threads_or_all(3), threads_or_all(None) >= 1
    (3, True)
    """
    return check_threads(_processors() if given is None else given)


def check_pieces(given: SupportsIndex) -> int:
    """Return a number of pieces of both sides together.

    Raises `ArgumentError` unless it is between 2 and 12, `TypeError` for what is no integer.
    """
    return check_number("the number of pieces", given, 2, PIECES_MOST)


def check_path(what: str, given: str | os.PathLike[str]) -> Path:
    """Return the path to a `what` ("directory", "file").

    Raises `ArgumentError` for a name that no file can have. An empty one would mean the working directory.

    >>> check_path("directory", "")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: not the name of a directory: ''
    """
    name = os.fspath(given)
    if not name or "\0" in name:
        raise ArgumentError(f"not the name of a {what}: {quote(name)}")
    return Path(name)


def _processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
