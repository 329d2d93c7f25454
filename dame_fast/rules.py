"""The rule sets, as the compiled core knows them.

The facts stand in `src/rules/`, one file a rule set; here they are only shown. `Rules.derive` makes others.
"""

import re
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any, Final, Literal, Unpack

from dame_fast import _native
from dame_fast.errors import ArgumentError, VariantError, quote
from dame_fast.switches import MOVE_SWITCHES, Switches, settle

Side = Literal["W", "B"]

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
    """Playing squares: 32 or 50."""
    columns: int
    """Playing squares in one row: 4 or 5."""
    rows: int
    """Rows: 8 or 10."""
    men_squares: int
    """Squares on which a man of one side may stand: all but its crown row."""
    mirrored: bool
    """The bottom left corner, seen by White, is not a playing square."""
    base: str | None = None
    """The rule set of the package that custom rules are derived from; None for those of the package."""

    @staticmethod
    def derive(base: "str | Rules", *, name: str, **switches: Unpack[Switches]) -> "Rules":
        """Return custom rules: those of `base` with other switches, under a new `name`.

        A switch is a field of this class, of that name: `men_capture_backwards`, `men_capture_kings`, `flying_kings`,
        `must_go_on`, `capture_optional`, `landing`, `removal`, `crowning`, `priority`, `misere` and `draw_plies`
        (1 to 1000, or None). What is not given stays as it is in `base`, unless it has no meaning any more: where kings
        are made short, landing becomes "next" and `must_go_on` False. Where `base` leaves something open, it becomes
        what is usual: kings that are made flying land anywhere behind, and must go on capturing.

        Boards can be played with such rules, but there are no tables of them. Equal rules are equal, whatever way they
        were made.

        Raises `ArgumentError`, naming the switch or the name, for a switch that does not exist, a value that it cannot
        have, two switches that contradict each other, and a name that is not made of lower-case letters, digits and
        underscores (a letter first, 31 at most) or belongs to the package; `VariantError` for an unknown `base`.

        >>> house = Rules.derive("english", name="house", capture_optional=True)
        >>> house.id, house.base, house.about
        ('house', 'english', 'The rules of english with capture_optional=True.')
        >>> Rules.derive("english", name="house", must_go_on=True, flying_kings=True, landing="next")
        Traceback (most recent call last):
        dame_fast.errors.ArgumentError: must_go_on=True contradicts landing='next': the king has no choice of squares
        """
        return _derive(find_rules(base), name, dict(switches))

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


def find_rules(variant: str | Rules) -> Rules:
    """Return the rule set of that name; rules are returned as they are.

    Raises `VariantError` for a name that is not in `variants()`, and for rules that were made otherwise than by
    `Rules.derive`.

    >>> find_rules("international").men_at_start
    20
    """
    if isinstance(variant, Rules):
        return _checked(variant)
    try:
        return _all_rules()[variant]
    except KeyError:
        known = ", ".join(variants())
        raise VariantError(f"unknown variant {quote(variant)} (known: {known})") from None


def find_table_rules(variant: str | Rules) -> Rules:
    """Return the rule set as `find_rules` does, if there can be tables of it.

    Raises `VariantError` for custom rules.
    """
    rules = find_rules(variant)
    if rules.base is not None:
        raise VariantError(f"no tables for custom rules {quote(rules.id)}")
    return rules


def mover_of(rules: Rules) -> str | _native.CustomRules:
    """Return what the core makes moves by: the name of a compiled rule set, for custom rules one of the same moves.

    If there is none, it is the slow way that takes any rules.
    """
    return rules.id if rules.base is None else _custom_mover(rules)


@lru_cache(maxsize=256)
def _custom_mover(rules: Rules) -> str | _native.CustomRules:
    assert rules.base is not None
    for compiled in _all_rules().values():
        if _same_moves(compiled, rules):
            return compiled.id
    return _native.CustomRules(rules.base, _switches_of(rules))


@cache
def _all_rules() -> dict[str, Rules]:
    every = [_from_facts(facts) for facts in _native.variants()]
    return {rules.id: rules for rules in sorted(every, key=lambda rules: rules.id)}


def _from_facts(facts: dict[str, Any]) -> Rules:
    return Rules(**{field.name: facts[field.name] for field in fields(Rules) if field.name != "base"})


_NAME: Final = re.compile("[a-z][a-z0-9_]{0,30}")


def _derive(base: Rules, name: str, given: dict[str, object]) -> Rules:
    if not _NAME.fullmatch(name):
        form = "lower-case letters, digits and underscores, a letter first, 31 at most"
        raise ArgumentError(f"not a name for rules: {quote(name)} ({form})")
    if name in _all_rules():
        raise ArgumentError(f"{quote(name)} is a rule set of the package; custom rules need another name")
    facts = settle(given, _switches_of(base), base.id)
    root = base if base.base is None else find_rules(base.base)
    changed = {switch: facts[switch] for switch, value in _switches_of(root).items() if facts[switch] != value}
    listed = ", ".join(f"{switch}={value!r}" for switch, value in changed.items())
    return replace(
        root,
        **facts,
        id=name,
        name=f"{root.name}, custom: {name}",
        about=f"The rules of {root.id}{' with ' if listed else ''}{listed}.",
        game_type=root.game_type if changed.keys() <= {"draw_plies"} else None,
        base=root.id,
    )


@lru_cache(maxsize=256)
def _checked(rules: Rules) -> Rules:
    """Return rules if they are of the package or were derived from them: all facts fit together then."""
    if rules.base is None:
        sound = _all_rules().get(rules.id)
    else:
        sound = _derive(find_rules(rules.base), rules.id, _switches_of(rules))
    if sound is None or sound != rules:
        raise VariantError(f"the rules {quote(rules.id)} are not of the package and not made by Rules.derive")
    return sound


def _switches_of(rules: Rules) -> dict[str, Any]:
    return {switch: getattr(rules, switch) for switch in Switches.__annotations__}


def _same_moves(one: Rules, other: Rules) -> bool:
    return (one.squares, one.mirrored) == (other.squares, other.mirrored) and all(
        getattr(one, switch) == getattr(other, switch) for switch in MOVE_SWITCHES
    )
