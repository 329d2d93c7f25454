"""Rule sets as pages of facts: one record of section 3 of the rule book for each.

Left out: `bashni` (towers) and `altdeutsch` (64 squares, straight captures), whose twins are modules of their own, and
huffing, which is not a matter of legal moves.
"""

from dataclasses import dataclass, replace
from typing import Literal

Color = Literal["W", "B"]
Priority = Literal["free", "quantity", "quantity+kings", "italian", "king first"]


@dataclass(frozen=True)
class Rules:
    """The parameters of section 3. The defaults are those of `english`, the simplest of the family."""

    id: str
    first: Color = "W"
    """The side that begins."""
    size: Literal[8, 10] = 8
    mirrored: bool = False
    """Section 1: on the mirrored board the bottom left corner is not a playing square."""
    men_rows: int = 3
    """Rows filled with men at the start."""
    men_capture_back: bool = False
    flying_king: bool = False
    landing: Literal["any", "next"] = "next"
    """Flying king: any free square behind the captured piece, or only the one directly behind it."""
    go_on: bool = True
    """With landing "any": of the landing squares of a jump, one that allows a further capture must be chosen.

    Where the rule book says "(quantity)" the priority alone has the same effect, so nothing is lost by True.
    With landing "next" there is no choice.
    """
    removal: Literal["end", "at once"] = "end"
    """When captured pieces leave the board. With short kings the difference cannot be seen."""
    crowning: Literal["stop", "man", "king"] = "stop"
    """A man reaches the last row by a jump and could go on: the move ends, or he goes on as man or king."""
    priority: Priority = "free"
    men_capture_kings: bool = True
    capture_optional: bool = False
    """Only the start of a capture is optional, a started one is completed (section 4.1)."""
    giveaway: bool = False
    """Section 4.11: whoever is to move and cannot has won."""
    game_type: str | None = None
    """The PDN GameType tag."""

    @property
    def squares(self) -> int:
        """Number of playing squares, 32 or 50."""
        return self.size * self.size // 2


ENGLISH = Rules("english", first="B", game_type="21,B,8,8,N1,0")

# German rules after the makers' leaflets, section 4.3.
GERMAN_SCHMIDT = Rules("german_schmidt", flying_king=True, landing="any")
GERMAN_ASS = replace(GERMAN_SCHMIDT, id="german_ass", landing="next")

# Section 4.5. Its German rules are those of Schmidt, but men capture backwards.
DAME_MEISTER = replace(GERMAN_SCHMIDT, id="dame_meister", men_capture_back=True)

# Sections 4.6 to 4.8.
RUSSIAN = Rules(
    "russian",
    men_capture_back=True,
    flying_king=True,
    landing="any",
    crowning="king",
    game_type="25,W,8,8,A0,0",
)
POOL = replace(RUSSIAN, id="pool", first="B", crowning="man", game_type="23,B,8,8,N1,0")
BRAZILIAN = replace(RUSSIAN, id="brazilian", crowning="man", priority="quantity", game_type="26,W,8,8,A0,0")
INTERNATIONAL = replace(BRAZILIAN, id="international", size=10, men_rows=4, game_type="20,W,10,10,N2,0")

# Section 4.9.
ITALIAN = Rules(
    "italian",
    mirrored=True,
    priority="italian",
    men_capture_kings=False,
    game_type="22,W,8,8,N2,1",
)

# Section 4.10.
SPANISH = Rules(
    "spanish",
    mirrored=True,
    flying_king=True,
    landing="any",
    priority="quantity+kings",
    game_type="24,W,8,8,N1,1",
)
CZECH = Rules("czech", flying_king=True, landing="any", priority="king first", game_type="29,W,8,8,A0,0")
THAI = Rules(
    "thai",
    first="B",
    men_rows=2,
    flying_king=True,
    landing="next",
    removal="at once",
    game_type="31,B,8,8,N2,0",
)

_PLAIN = (
    ENGLISH,
    replace(ENGLISH, id="english_optional", capture_optional=True, game_type=None),
    replace(ENGLISH, id="checkers_page", game_type="21"),
    GERMAN_SCHMIDT,
    replace(GERMAN_SCHMIDT, id="german_noris"),
    GERMAN_ASS,
    DAME_MEISTER,
    replace(DAME_MEISTER, id="dame_meister_no_back", men_capture_back=False),
    replace(DAME_MEISTER, id="dame_meister_optional", capture_optional=True),
    replace(ENGLISH, id="dame_meister_american", first="W", game_type=None),
    replace(RUSSIAN, id="dame_meister_russian", game_type=None),
    RUSSIAN,
    POOL,
    BRAZILIAN,
    INTERNATIONAL,
    ITALIAN,
    SPANISH,
    replace(SPANISH, id="portuguese", game_type="28,W,8,8,N1,1"),
    CZECH,
    THAI,
    # Used by one published perft table only.
    replace(THAI, id="thai12", men_rows=3, game_type=None),
)

# Section 4.11: the same moves, always with forced capture, so there is no giveaway form of the optional ones.
# PDN has no type for them; Lidraughts calls the one on 10x10 98.
_GIVEAWAY = tuple(
    replace(rules, id=f"{rules.id}_giveaway", giveaway=True, game_type="98" if rules is INTERNATIONAL else None)
    for rules in _PLAIN
    if not rules.capture_optional
)

RULES: dict[str, Rules] = {rules.id: rules for rules in _PLAIN + _GIVEAWAY}
"""All rule sets of the twin by their id."""
