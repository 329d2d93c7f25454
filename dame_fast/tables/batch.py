"""Many positions at once, as the rows of an array: what `Tablebase.probe_many` does.

NumPy is imported when the first array comes, since most programs and commands never have one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import dame_fast._native as _native
from dame_fast.arguments import check_number, check_threads
from dame_fast.errors import ArgumentError, MissingTableError, PositionError
from dame_fast.interrupt import run_native

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_WORDS: Final = 5
"""Numbers in a row: four bitboards and the side to move."""


def probe_rows(
    library: _native.Library, squares: int, positions: npt.ArrayLike, threads: int, default: int | None
) -> npt.NDArray[np.int8]:
    """Return the result of every row; `squares` are those of the board. The rest is said at `Tablebase.probe_many`."""
    import numpy as np

    threads = check_threads(threads)
    if default is not None:
        default = check_number("default", default, -128, 127)
    rows = _read_rows(positions)
    results = np.empty(len(rows), dtype=np.int8)
    run_native(lambda cancel: library.probe_many(rows, results, threads, cancel))
    illegal = results == _native.ILLEGAL
    if illegal.any():
        _refuse(library, squares, rows, int(illegal.argmax()))
    missing = results == _native.MISSING
    if default is not None:
        results[missing] = default
    elif missing.any():
        _refuse(library, squares, rows, int(missing.argmax()))
    return results


def _read_rows(positions: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Return the rows of an array that holds integers of any type, as the core reads them."""
    import numpy as np

    try:
        given = np.asarray(positions)
    except (ValueError, OverflowError, TypeError) as error:
        raise ArgumentError(f"positions are no array of integers: {error}") from None
    if given.shape == (0,):  # an empty list has no second dimension
        return np.empty((0, _WORDS), dtype=np.uint64)
    if given.dtype.kind not in "iu":
        raise ArgumentError(f"positions must be integers, not {given.dtype}")
    if given.ndim != 2 or given.shape[1] != _WORDS:
        raise ArgumentError(f"positions must have the shape (n, {_WORDS}), not {given.shape}")
    negative = (given < 0).any(axis=1)
    if negative.any():
        number = int(negative.argmax())
        raise ArgumentError(f"row {number}: {given[number].min()} is negative")
    return np.ascontiguousarray(given, dtype=np.uint64)


def _refuse(library: _native.Library, squares: int, rows: npt.NDArray[np.uint64], number: int) -> None:
    """Raise what is wrong with a row that has no value."""
    own_men, own_kings, other_men, other_kings, side = map(int, rows[number])
    if side > 1:
        raise PositionError(f"row {number}: the side to move must be 0 (Black) or 1 (White), not {side}")
    if (own_men | own_kings | other_men | other_kings) >> squares:
        raise PositionError(f"row {number}: a piece stands off the board")
    try:
        library.probe((own_men, own_kings, other_men, other_kings, side))
    except (MissingTableError, PositionError) as error:
        raise type(error)(f"row {number}: {error}") from None
    raise ArgumentError(f"row {number}: was changed while it was probed")
