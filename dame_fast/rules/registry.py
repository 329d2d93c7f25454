"""The rule sets of the package, by their names."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

import dame_fast._native as _native
from dame_fast.rules.game_type import read_game_type
from dame_fast.rules.rules import GIVEAWAY, SIDE_NAMES, Notation, Rules


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

    A name that is not in it is a `KeyError`, as in every mapping; `find_rules` raises `VariantError`.

    >>> "russian" in variants(), [name for name in variants() if name.startswith("german")][:2]
    (True, ['german_ass', 'german_ass_giveaway'])
    >>> [rules.id for rules in variants().values() if rules.mirrored and not rules.misere]
    ['italian', 'portuguese', 'spanish']
    """
    return RuleSets(all_rules())


def known_variants() -> str:
    """Return the names of all rule sets for a message, the giveaway forms in one word."""
    names = [name for name in variants() if not name.endswith(GIVEAWAY)]
    return f"{', '.join(names)}; giveaway forms: NAME{GIVEAWAY}"


@cache
def all_rules() -> dict[str, Rules]:
    """Return the rule sets of the package by their names, sorted."""
    every: list[dict[str, Any]] = sorted(_native.variants(), key=lambda facts: str(facts["id"]))
    game_types = {facts["id"]: facts["game_type"] for facts in every}
    return {
        facts["id"]: _from_facts(facts, _notation(facts["kind"], game_types[facts["id"].removesuffix(GIVEAWAY)]))
        for facts in every
    }


def _from_facts(facts: dict[str, Any], notation: Notation) -> Rules:
    known = facts | {"notation": notation, "base": None}
    return Rules(**{field.name: known[field.name] for field in fields(Rules)})


def _notation(kind: str, game_type: str | None) -> Notation:
    """Tell how moves are written: `game_type` is that of the game without giveaway."""
    if kind != "draughts":
        return "algebraic"
    return "algebraic" if game_type is not None and read_game_type(game_type).algebraic else "numeric"
