"""The rule sets, as the compiled core knows them.

The facts stand in `src/rules/`, one page for rule sets with the same moves; here they are only shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final, Literal

from dame_fast import _native
from dame_fast.errors import VariantError, quote
from dame_fast.game_type import GameType, read_game_type

Side = Literal["W", "B"]
Notation = Literal["numeric", "algebraic"]
Numbering = Literal["top_left", "bottom_right"]

WHITE: Final = "W"
BLACK: Final = "B"
SIDE_NAMES: Final[dict[Side, str]] = {WHITE: "White", BLACK: "Black"}

_GIVEAWAY: Final = "_giveaway"


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
    """Playing squares: 32 or 50."""
    columns: int
    """Playing squares in one row: 4 or 5."""
    rows: int
    """Rows: 8 or 10."""
    men_squares: int
    """Squares on which a man of one side may stand: all but its crown row."""
    mirrored: bool
    """The bottom left corner, seen by White, is not a playing square."""

    @property
    def first(self) -> Side:
        """The side that makes the first move of a game."""
        return WHITE if self.white_begins else BLACK

    @property
    def board(self) -> str:
        """The board in words.

        >>> [find_rules(name).board for name in ("english", "spanish", "international")]
        ['8x8', '8x8 mirrored', '10x10']
        """
        return f"{self.rows}x{self.rows}" + (" mirrored" if self.mirrored else "")

    @property
    def notation(self) -> Notation:
        """How moves are usually written: by numbers (`22-18`), or by letters and numbers (`c3-d4`).

        The GameType says so; a giveaway form is written like its base game.

        >>> [find_rules(name).notation for name in ("english", "russian", "russian_giveaway")]
        ['numeric', 'algebraic', 'algebraic']
        """
        base = _all_rules().get(self.id.removesuffix(_GIVEAWAY), self)
        return "algebraic" if base._tag is not None and base._tag.algebraic else "numeric"

    @property
    def numbering(self) -> Numbering:
        """Where PDN files of this GameType have square 1, seen by White: this library has it at the top left.

        With "bottom_right" the numbers in a file are turned, s -> 33 - s (`dame_fast.style`).

        >>> [find_rules(name).numbering for name in ("english", "spanish", "thai")]
        ['top_left', 'bottom_right', 'bottom_right']
        """
        return "bottom_right" if self._tag is not None and self._tag.turned else "top_left"

    @property
    def _tag(self) -> GameType | None:
        return None if self.game_type is None else read_game_type(self.game_type)

    def is_crown_square(self, square: int, side: Side) -> bool:
        """Tell whether a man of `side` becomes a king on `square` (a PDN number).

        >>> rules = find_rules("english")
        >>> rules.is_crown_square(4, "W"), rules.is_crown_square(5, "W"), rules.is_crown_square(29, "B")
        (True, False, True)
        """
        if side == WHITE:
            return square <= self.columns
        return square > self.squares - self.columns


class RuleSets(Mapping[str, Rules]):
    """All rule sets by their names, sorted; as text, a line for each."""

    def __init__(self, every: dict[str, Rules]) -> None:
        self._every = every

    def __getitem__(self, variant: str) -> Rules:
        return self._every[variant]

    def __iter__(self) -> Iterator[str]:
        return iter(self._every)

    def __len__(self) -> int:
        return len(self._every)

    def __repr__(self) -> str:
        """Return name, GameType, board, first side, notation, where PDN has square 1, and a sentence."""
        return "\n".join(
            f"{one.id:<31} {one.game_type or '-':<17} {one.board:<13} {SIDE_NAMES[one.first]} {one.notation:<10} "
            f"{one.numbering:<13} {one.about}"
            for one in self.values()
        )


def variants() -> RuleSets:
    """Return all rule sets: a mapping of their names, sorted, to their `Rules`.

    >>> "russian" in variants(), [name for name in variants() if name.startswith("german")][:2]
    (True, ['german_ass', 'german_ass_giveaway'])
    >>> [rules.id for rules in variants().values() if rules.mirrored and not rules.misere]
    ['italian', 'portuguese', 'spanish']
    """
    return RuleSets(_all_rules())


def find_rules(variant: str) -> Rules:
    """Return the rule set of that name.

    Raises `VariantError` for a name that is not in `variants()`.

    >>> find_rules("international").men_at_start
    20
    """
    try:
        return _all_rules()[variant]
    except KeyError:
        raise VariantError(f"unknown variant {quote(variant)} (known: {known_variants()})") from None


def known_variants() -> str:
    """Return the names of all rule sets for a message, the giveaway forms in one word."""
    names = [name for name in variants() if not name.endswith(_GIVEAWAY)]
    return f"{', '.join(names)}; giveaway forms: NAME{_GIVEAWAY}"


def find_game_type(text: str) -> Rules:
    """Return the rule set of a GameType tag of PDN; `Rules.game_type` is the way back.

    The number decides, and the board that follows it, if one does, must be that of the rule set. Several rule
    sets may share a number: 21 is `english`.

    Raises `VariantError`, quoting the text, if it is no GameType, or one of no rule set.

    >>> find_game_type("25,W,8,8,A0,0").id, find_game_type("20").id
    ('russian', 'international')
    >>> find_game_type("99")
    Traceback (most recent call last):
    dame_fast.errors.VariantError: no rule set has the GameType '99'
    """
    tag = read_game_type(text)
    fitting = [rules for rules in _all_rules().values() if rules._tag is not None and rules._tag.number == tag.number]
    if not fitting:
        raise VariantError(f"no rule set has the GameType {quote(text)}")
    found = max(fitting, key=lambda rules: len(rules.game_type or ""))
    sizes = (tag.width, tag.height, tag.mirrored)
    for given, right in zip(sizes, (found.rows, found.rows, found.mirrored), strict=True):
        if given not in (None, right):
            raise VariantError(f"the GameType {quote(text)} is not that of {found.id}, {found.game_type}")
    return found


@cache
def _all_rules() -> dict[str, Rules]:
    every = [_from_facts(facts) for facts in _native.variants()]
    return {rules.id: rules for rules in sorted(every, key=lambda rules: rules.id)}


def _from_facts(facts: dict[str, Any]) -> Rules:
    return Rules(**{field.name: facts[field.name] for field in fields(Rules)})
