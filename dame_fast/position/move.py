"""One legal move."""

from dataclasses import dataclass
from typing import Final

from dame_fast.errors import ArgumentError, shown

_LAST_SQUARE: Final = 64
"""Of the largest board."""


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move, as `Board.legal_moves` gives it.

    Captures that differ only in the order of their jumps are one move (rule book, section 2.6); `path` shows
    one of the orders. Its text is the path; `Board.pdn` gives the short form.

    Moves never change; they are equal if all their fields are. Raises `ArgumentError` for a path that is no tuple of
    two squares (1 to 64) or more, and for captured squares that are no tuple. Whether a move is legal, a board knows.

    >>> move = Move(path=(30, 23, 14, 7), captured=(10, 18, 26), by_king=True)
    >>> str(move), move.origin, move.target, move.is_capture
    ('30x23x14x7', 30, 7, True)
    """

    path: tuple[int, ...]
    """Origin and every landing square, PDN numbers; two squares for a quiet move."""
    captured: tuple[int, ...] = ()
    """Squares of the captured pieces, ascending; empty for a quiet move."""
    crowned: bool = False
    """A man has become a king."""
    by_king: bool = False
    """The piece was a king before the move."""

    def __post_init__(self) -> None:
        """Check the squares."""
        if not _are_squares(self.path) or len(self.path) < 2:
            raise ArgumentError(f"the path of a move must be a tuple of two squares or more, not {shown(self.path)}")
        if not _are_squares(self.captured):
            raise ArgumentError(f"the captured squares must be a tuple of squares, not {shown(self.captured)}")

    @property
    def origin(self) -> int:
        """The square that the piece leaves."""
        return self.path[0]

    @property
    def target(self) -> int:
        """The square on which the piece ends; a capture may end where it began."""
        return self.path[-1]

    @property
    def is_capture(self) -> bool:
        """Whether the move captures anything."""
        return bool(self.captured)

    @property
    def is_zeroing(self) -> bool:
        """Whether the move sets the counter of quiet plies to 0: a capture or a move of a man.

        >>> Move((19, 15), by_king=True).is_zeroing, Move((11, 15)).is_zeroing
        (False, True)
        """
        return self.is_capture or not self.by_king

    def __str__(self) -> str:
        """Return the move with every landing square: `11-15`, `11x18x25`."""
        return ("x" if self.is_capture else "-").join(map(str, self.path))


def _are_squares(given: object) -> bool:
    return isinstance(given, tuple) and all(type(square) is int and 1 <= square <= _LAST_SQUARE for square in given)
