"""The GameType tag of PDN: its number, and what the fields after it say (rule book, section 7)."""

import re
from dataclasses import dataclass

from dame_fast.arguments import check_text
from dame_fast.errors import VariantError, quote

_GAME_TYPE = re.compile(
    r"(?P<number>[0-9]{1,3})"
    r"(?:\s*,\s*(?P<first>[WB])\s*,\s*(?P<width>[0-9]{1,2})\s*,\s*(?P<height>[0-9]{1,2})"
    r"(?:\s*,\s*(?P<notation>[ANS])(?P<corner>[0-3])"
    r"(?:\s*,\s*(?P<mirrored>[01]))?)?)?"
)


@dataclass(frozen=True, slots=True)
class GameType:
    """A GameType tag, taken apart; None and False where its text ends earlier.

    >>> read_game_type("24,W,8,8,N1,1")
    GameType(number=24, first='W', width=8, height=8, algebraic=False, corner=1, mirrored=True)
    >>> read_game_type("25").number
    25
    """

    number: int
    first: str | None = None
    """The side that begins, W or B."""
    width: int | None = None
    height: int | None = None
    algebraic: bool = False
    """Squares are written `c3`."""
    corner: int | None = None
    """Where square 1 is, seen by the side that begins: 0 bottom left, 1 bottom right, 2 top left, 3 top right."""
    mirrored: bool | None = None
    """The bottom left corner is not a playing square."""

    @property
    def turned(self) -> bool:
        """Whether square 1 is at White's right hand, at the bottom: the square that is 32 everywhere else.

        >>> read_game_type("24,W,8,8,N1,1").turned, read_game_type("21,B,8,8,N1,0").turned
        (True, False)
        """
        return not self.algebraic and self.corner == (2 if self.first == "B" else 1)


def read_game_type(text: str) -> GameType:
    """Take a GameType tag apart.

    Raises `VariantError`, quoting the text, if it is none, `ArgumentError` for what is no text.

    >>> read_game_type("russian")
    Traceback (most recent call last):
    dame_fast.errors.VariantError: not a GameType: 'russian' (an example: 25,W,8,8,A0,0)
    """
    match = _GAME_TYPE.fullmatch(check_text("a GameType", text).strip())
    if match is None:
        raise VariantError(f"not a GameType: {quote(text)} (an example: 25,W,8,8,A0,0)")
    width, height, corner, mirrored = match["width"], match["height"], match["corner"], match["mirrored"]
    return GameType(
        number=int(match["number"]),
        first=match["first"],
        width=None if width is None else int(width),
        height=None if height is None else int(height),
        algebraic=match["notation"] == "A",
        corner=None if corner is None else int(corner),
        mirrored=None if mirrored is None else mirrored == "1",
    )
