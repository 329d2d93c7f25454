"""What a rule set is: the facts that the compiled core has of it.

The facts stand in `src/rules/`, one page for rule sets with the same moves; here they are only shown.
`dame_fast.rules.registry` has all of them, `Rules.derive` makes others.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, Unpack

from dame_fast.arguments import check_choice, check_number
from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule
from dame_fast.rules.game_type import GameType, read_game_type
from dame_fast.rules.switches import Switches

Side = Literal["W", "B"]
Kind = Literal["draughts", "towers", "altdeutsch"]
Notation = Literal["numeric", "algebraic"]
Numbering = Literal["top_left", "bottom_right"]

WHITE: Final = "W"
BLACK: Final = "B"
SIDE_NAMES: Final[dict[Side, str]] = {WHITE: "White", BLACK: "Black"}

GIVEAWAY: Final = "_giveaway"
"""How the name of a giveaway form ends."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set: what `struct rules` and `struct board` of the core say about it.

    >>> from dame_fast import find_rules
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
    repetitions: int
    """A position that occurs so often, with the same side to move, makes a game drawn."""
    draw_plies: int | None
    """So many plies without a capture and a man's move make a game drawn; None: there is no such rule.

    A rule set has this draw rule or that of `draw_captures`, never both.
    """
    perft_by_moves: bool
    """Whether captures that differ only in the order of their jumps are one move in published tables of `perft`."""
    draw_captures: int | None
    """So many plies without a capture make a game drawn; None: there is no such rule."""
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
    notation: Notation
    """How moves are usually written: by numbers (`22-18`), or by letters and numbers (`c3-d4`).

    The GameType says so; a giveaway form is written like its base game, custom rules like those they are derived from.
    Towers and altdeutsch have letters, without a GameType.
    """
    kind: Kind = "draughts"
    """What a position is made of: single pieces, stacks of pieces ("towers"), or pieces on all 64 squares."""
    base: str | None = None
    """The rule set of the package that custom rules are derived from; None for those of the package."""

    @staticmethod
    def derive(base: "str | Rules", *, name: str, **switches: Unpack[Switches]) -> "Rules":
        """Return custom rules: those of `base` with other switches, under a new `name`.

        A switch is a field of this class, of that name: `men_capture_backwards`, `men_capture_kings`, `flying_kings`,
        `must_go_on`, `capture_optional`, `landing`, `removal`, `crowning`, `priority`, `misere`, and `draw_plies` or
        `draw_captures` (1 to 253, or None; the one that is given takes the place of the other). What is not given
        stays as it is in `base`, unless it has no meaning any more: where kings are made short, landing becomes "next"
        and `must_go_on` False. Where `base` leaves something open, it becomes what is usual: kings that are made flying
        land anywhere behind, and must go on capturing.

        Boards can be played with such rules, but there are no tables of them. Equal rules are equal, whatever way they
        were made. Of altdeutsch only `flying_kings` and `priority` ("free" or "most") can be changed; nothing can be
        derived from the rule sets with towers.

        Raises `ArgumentError`, naming the switch or the name, for a switch that does not exist, a value that it cannot
        have, two switches that contradict each other, one that cannot be changed in `base`, and a name that is not made
        of lower-case letters, digits and underscores (a letter first, 31 at most) or belongs to the package;
        `VariantError` for an unknown `base`, and for one with towers.

        >>> house = Rules.derive("english", name="house", capture_optional=True)
        >>> house.id, house.base, house.about
        ('house', 'english', 'The rules of english with capture_optional=True.')
        >>> Rules.derive("english", name="house", must_go_on=True, flying_kings=True, landing="next")
        Traceback (most recent call last):
        dame_fast.errors.ArgumentError: must_go_on=True contradicts landing='next': the king has no choice of squares
        """
        from dame_fast.rules import derive, find  # which make and find rules of this class

        return derive.derive(find.find_rules(base), name, switches)

    @property
    def draw_rule(self) -> DrawRule | None:
        """The usual draw rule by a counter; None if there is none."""
        return DrawRule.among({counter: getattr(self, counter) for counter in DRAW_COUNTERS})

    @property
    def first(self) -> Side:
        """The side that makes the first move of a game."""
        return WHITE if self.white_begins else BLACK

    @property
    def board(self) -> str:
        """The board in words.

        >>> from dame_fast import find_rules
        >>> [find_rules(name).board for name in ("english", "spanish", "international")]
        ['8x8', '8x8 mirrored', '10x10']
        """
        what = " all squares" if self.columns == self.rows else " mirrored" if self.mirrored else ""
        return f"{self.rows}x{self.rows}{what}"

    @property
    def root(self) -> str:
        """The name of the rule set without custom switches and giveaway.

        >>> from dame_fast import find_rules
        >>> house = Rules.derive("russian_giveaway", name="house", must_go_on=False)
        >>> [rules.root for rules in (find_rules("english"), find_rules("italian_giveaway"), house)]
        ['english', 'italian', 'russian']
        """
        return (self.base or self.id).removesuffix(GIVEAWAY)

    @property
    def numbering(self) -> Numbering:
        """Where PDN files of this GameType have square 1, seen by White: this library has it at the top left.

        With "bottom_right" the numbers in a file are turned, s -> 33 - s (`dame_fast.text.style`).

        >>> from dame_fast import find_rules
        >>> [find_rules(name).numbering for name in ("english", "spanish", "thai")]
        ['top_left', 'bottom_right', 'bottom_right']
        """
        return "bottom_right" if self.tag is not None and self.tag.turned else "top_left"

    @property
    def tag(self) -> GameType | None:
        """The GameType, taken apart."""
        return None if self.game_type is None else read_game_type(self.game_type)

    def is_crown_square(self, square: int, side: Side) -> bool:
        """Tell whether a man of `side` becomes a king on `square` (a PDN number).

        Raises `ArgumentError` for another side and a square off the board.

        >>> from dame_fast import find_rules
        >>> rules = find_rules("english")
        >>> rules.is_crown_square(4, "W"), rules.is_crown_square(5, "W"), rules.is_crown_square(29, "B")
        (True, False, True)
        """
        check_number("a square", square, 1, self.squares)
        if check_choice("the side", side, (WHITE, BLACK)) == WHITE:
            return square <= self.columns
        return square > self.squares - self.columns


def switches_of(rules: Rules) -> dict[str, Any]:
    """Return what `Rules.derive` can change of rules."""
    return {switch: getattr(rules, switch) for switch in Switches.__annotations__}
