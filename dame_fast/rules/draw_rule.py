"""Draw rules: so many plies in a row without something that cannot be undone, and the game is drawn.

The counters are the pages of facts in `src/base/draw_rule.h`. A call takes one of them by its name: `draw_plies=40`.
"""

from collections.abc import Mapping
from operator import index
from typing import Any, Final, NamedTuple, TypedDict

import dame_fast._native as _native
from dame_fast.arguments import check_draw_plies
from dame_fast.errors import ArgumentError

DRAW_COUNTERS: Final = {page["name"]: page for page in _native.draw_counter_pages()}
"""What every draw rule counts, by its name."""


class RulePlies(TypedDict, total=False):
    """How calls name a draw rule: one counter at most, and its plies."""

    draw_plies: int | None
    draw_captures: int | None


class DrawRule(NamedTuple):
    """So many plies of one counter are a draw.

    >>> str(DrawRule("draw_plies", 40)), DrawRule("draw_plies", 40).suffix
    ('40 plies without capture and man move', '.n40')
    """

    counter: str
    """A key of `DRAW_COUNTERS`."""
    plies: int

    @classmethod
    def among(cls, facts: Mapping[str, Any]) -> "DrawRule | None":
        """Return the rule that is set among facts with the names of all counters as keys; None if none is."""
        return next((cls(counter, facts[counter]) for counter in DRAW_COUNTERS if facts.get(counter) is not None), None)

    def __str__(self) -> str:
        """Return it in words."""
        return f"{self.plies} {'ply' if self.plies == 1 else 'plies'} {DRAW_COUNTERS[self.counter]['about']}"

    @property
    def suffix(self) -> str:
        """Its part in the name of a table file."""
        return f".{DRAW_COUNTERS[self.counter]['letter']}{self.plies}"

    @property
    def option(self) -> str:
        """The option of commands."""
        return DRAW_COUNTERS[self.counter]["option"]

    def order(self) -> tuple[int, int]:
        """Sort rules: by counter, then by plies."""
        return list(DRAW_COUNTERS).index(self.counter), self.plies


def choose_rule(**plies: int | None) -> DrawRule | None:
    """Return the draw rule that a call has named by its counter; None if it has named none.

    Raises `ArgumentError` for two rules, and for plies that are no integer from 1 to 253.

    >>> choose_rule(draw_plies=40)
    DrawRule(counter='draw_plies', plies=40)
    """
    given = [(counter, count) for counter, count in plies.items() if count is not None]
    if len(given) > 1:
        raise ArgumentError(f"only one draw rule at a time, not {' and '.join(counter for counter, _ in given)}")
    for counter, count in given:
        check_draw_plies(count, counter)
        return DrawRule(counter, index(count))
    return None


def plies_of(rule: DrawRule | None, counter: str) -> int | None:
    """Return the plies of a rule if it looks at this counter, else None.

    >>> plies_of(DrawRule("draw_plies", 40), "draw_plies"), plies_of(None, "draw_plies")
    (40, None)
    """
    return rule.plies if rule is not None and rule.counter == counter else None


def rule_record(rule: DrawRule | None) -> dict[str, int | None]:
    """Return what records say of a rule: the plies of each counter, None where there is no such rule."""
    return {counter: plies_of(rule, counter) for counter in DRAW_COUNTERS}


def rule_order(rule: DrawRule | None) -> tuple[int, int]:
    """Sort draw rules, none first."""
    return (-1, 0) if rule is None else rule.order()
