"""The rule sets, as the compiled core knows them.

The facts stand in `src/rules/`, one page for rule sets with the same moves; here they are only shown. `Rules.derive`
makes others.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any, Final, Literal, Unpack

from dame_fast import _native
from dame_fast.errors import ArgumentError, VariantError, quote
from dame_fast.game_type import GameType, read_game_type
from dame_fast.switches import MOVE_SWITCHES, Switches, settle, settle_altdeutsch

Side = Literal["W", "B"]
Kind = Literal["draughts", "towers", "altdeutsch"]
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
        return _derive(find_rules(base), name, dict(switches))

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
        what = " all squares" if self.columns == self.rows else " mirrored" if self.mirrored else ""
        return f"{self.rows}x{self.rows}{what}"

    @property
    def root(self) -> str:
        """The name of the rule set without custom switches and giveaway.

        >>> house = Rules.derive("russian_giveaway", name="house", must_go_on=False)
        >>> [rules.root for rules in (find_rules("english"), find_rules("italian_giveaway"), house)]
        ['english', 'italian', 'russian']
        """
        return (self.base or self.id).removesuffix(_GIVEAWAY)

    @property
    def notation(self) -> Notation:
        """How moves are usually written: by numbers (`22-18`), or by letters and numbers (`c3-d4`).

        The GameType says so; a giveaway form is written like its base game, custom rules like those they are derived
        from. Towers and altdeutsch have letters, without a GameType.

        >>> [find_rules(name).notation for name in ("english", "russian", "russian_giveaway", "bashni")]
        ['numeric', 'algebraic', 'algebraic', 'algebraic']
        """
        if self.kind != "draughts":
            return "algebraic"
        base = _all_rules().get(self.root, self)
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
            f"{one.id:<31} {one.game_type or '-':<17} {one.board:<15} {SIDE_NAMES[one.first]} {one.notation:<10} "
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


def find_table_rules(variant: str | Rules) -> Rules:
    """Return the rule set as `find_rules` does, if there can be tables of it.

    Raises `VariantError` for custom rules, and for those of towers and altdeutsch.

    >>> find_table_rules("bashni")
    Traceback (most recent call last):
    dame_fast.errors.VariantError: there are no tables for bashni
    """
    rules = find_rules(variant)
    if rules.base is not None:
        raise VariantError(f"no tables for custom rules {quote(rules.id)}")
    if rules.kind != "draughts":
        raise VariantError(f"there are no tables for {rules.id}")
    return rules


def mover_of(rules: Rules) -> str | _native.CustomRules:
    """Return what the core makes draughts moves by: the name of a compiled rule set, for custom rules one of the same.

    If there is none, it is the slow way that takes any rules.
    """
    assert rules.kind == "draughts"
    return rules.id if rules.base is None else _custom_mover(rules)


@lru_cache(maxsize=256)
def _custom_mover(rules: Rules) -> str | _native.CustomRules:
    assert rules.base is not None
    for compiled in _all_rules().values():
        if _same_moves(compiled, rules):
            return compiled.id
    return _native.CustomRules(rules.base, switches_of(rules))


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
    if base.kind == "towers":
        raise VariantError(f"no custom rules can be derived from {base.id}")
    settled = settle_altdeutsch if base.kind == "altdeutsch" else settle
    facts = settled(given, switches_of(base), base.id)
    root = base if base.base is None else find_rules(base.base)
    changed = {switch: facts[switch] for switch, value in switches_of(root).items() if facts[switch] != value}
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
    sound = _all_rules().get(rules.id) if rules.base is None else _derived(rules, rules.base)
    if sound is None or sound != rules:
        raise VariantError(f"the rules {quote(rules.id)} are not of the package and not made by Rules.derive")
    return sound


def _derived(rules: Rules, base: str) -> Rules | None:
    """Return what `_derive` makes of the switches of rules, None if it refuses."""
    try:
        return _derive(find_rules(base), rules.id, switches_of(rules))
    except (ArgumentError, VariantError):
        return None


def switches_of(rules: Rules) -> dict[str, Any]:
    """Return what `Rules.derive` can change of rules."""
    return {switch: getattr(rules, switch) for switch in Switches.__annotations__}


def _same_moves(one: Rules, other: Rules) -> bool:
    return (one.kind, one.squares, one.mirrored) == (other.kind, other.squares, other.mirrored) and all(
        getattr(one, switch) == getattr(other, switch) for switch in MOVE_SWITCHES
    )
