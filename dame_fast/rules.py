"""The rule sets, as the compiled core knows them.

The facts stand in `src/rules/`, one file a rule set; here they are only shown.
"""

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, Literal

from dame_fast import _native
from dame_fast.errors import VariantError, quote

Side = Literal["W", "B"]
Kind = Literal["draughts", "towers", "altdeutsch"]

WHITE: Final = "W"
BLACK: Final = "B"
SIDE_NAMES: Final[dict[Side, str]] = {WHITE: "White", BLACK: "Black"}


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set: what `struct rules` and `struct board` of the core say about it.

    >>> rules = find_rules("english")
    >>> rules.name, rules.squares, rules.men_at_start, rules.first
    ('English draughts (American checkers)', 32, 12, 'B')
    """

    id: str
    """The name of the rule set in files, commands and calls."""
    name: str
    """Its name for people."""
    about: str
    """A sentence about it."""
    game_type: str | None
    """The GameType tag of PDN; None if there is none."""
    men_at_start: int
    """Men of each side in the starting position; no side ever has more pieces."""
    white_begins: bool
    men_capture_backwards: bool
    men_capture_kings: bool
    flying_kings: bool
    must_go_on: bool
    """A flying king must choose a landing square from which its capture goes on, if there is one."""
    capture_optional: bool
    misere: bool
    """A side to move without a move has won."""
    draw_plies: int | None
    """So many plies without a capture and a man's move make a game drawn; None: there is no such rule."""
    landing: str
    """Where a flying king lands: "next" (directly behind the piece) or "any" (any free square behind it)."""
    removal: str
    """Captured pieces vanish "at_end" of the move or "at_once"."""
    crowning: str
    """A man that reaches the last row by a jump "stops", "goes_man" (as a man) or "goes_king"."""
    priority: str
    """Which captures are allowed: "free", "most", "most_kings", "italian" or "king_first"."""
    squares: int
    """Playing squares: 32 or 50, or all 64."""
    columns: int
    """Playing squares in one row: 4 or 5, or all 8."""
    rows: int
    """Rows: 8 or 10."""
    men_squares: int
    """Squares on which a man of one side may stand: all but its crown row."""
    mirrored: bool
    """The bottom left corner, seen by White, is not a playing square."""
    kind: Kind = "draughts"
    """What a position is made of: single pieces, stacks of pieces ("towers"), or pieces on all 64 squares."""

    @property
    def first(self) -> Side:
        """The side that makes the first move of a game."""
        return WHITE if self.white_begins else BLACK

    def is_crown_square(self, square: int, side: Side) -> bool:
        """Tell whether a man of `side` becomes a king on `square` (a PDN number).

        >>> rules = find_rules("english")
        >>> rules.is_crown_square(4, "W"), rules.is_crown_square(5, "W"), rules.is_crown_square(29, "B")
        (True, False, True)
        """
        if side == WHITE:
            return square <= self.columns
        return square > self.squares - self.columns


def variants() -> tuple[str, ...]:
    """Return the names of all rule sets, sorted.

    >>> variants()
    ('english', 'international', 'russian')
    """
    return tuple(_all_rules())


def find_rules(variant: str) -> Rules:
    """Return the rule set of that name.

    Raises `VariantError` for a name that is not in `variants()`.

    >>> find_rules("international").men_at_start
    20
    """
    try:
        return _all_rules()[variant]
    except KeyError:
        known = ", ".join(variants())
        raise VariantError(f"unknown variant {quote(variant)} (known: {known})") from None


def find_table_rules(variant: str) -> Rules:
    """Return the rule set of that name if there can be tables of it.

    Raises `VariantError`.

    >>> find_table_rules("bashni")
    Traceback (most recent call last):
    dame_fast.errors.VariantError: there are no tables for bashni
    """
    rules = find_rules(variant)
    if rules.kind != "draughts":
        raise VariantError(f"there are no tables for {variant}")
    return rules


@cache
def _all_rules() -> dict[str, Rules]:
    every = [_from_facts(facts) for facts in _native.variants()]
    return {rules.id: rules for rules in sorted(every, key=lambda rules: rules.id)}


def _from_facts(facts: dict[str, Any]) -> Rules:
    return Rules(**{field.name: facts[field.name] for field in fields(Rules)})
