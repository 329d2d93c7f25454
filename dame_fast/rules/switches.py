"""The switches of custom rules: what each may be, which contradict each other, and what one leaves of the others."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict, get_args

from dame_fast.arguments import check_choice, check_draw_plies, check_type
from dame_fast.errors import ArgumentError, quote
from dame_fast.rules.draw_rule import DRAW_COUNTERS

Landing = Literal["next", "any"]
Removal = Literal["at_end", "at_once"]
Crowning = Literal["stops", "goes_man", "goes_king"]
Priority = Literal["free", "most", "most_kings", "italian", "king_first"]


class Switches(TypedDict, total=False):
    """What `Rules.derive` can change; each is the field of `Rules` of that name."""

    men_capture_backwards: bool
    men_capture_kings: bool
    flying_kings: bool
    must_go_on: bool
    capture_optional: bool
    landing: Landing
    removal: Removal
    crowning: Crowning
    priority: Priority
    misere: bool
    draw_plies: int | None
    draw_captures: int | None


MOVE_SWITCHES: Final = tuple(switch for switch in Switches.__annotations__ if switch not in ("misere", *DRAW_COUNTERS))
"""The switches that decide how pieces move."""

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "landing": get_args(Landing),
    "removal": get_args(Removal),
    "crowning": get_args(Crowning),
    "priority": get_args(Priority),
}
_ALTDEUTSCH: Final[dict[str, tuple[object, ...]]] = {"flying_kings": (False, True), "priority": ("free", "most")}
_MAJORITY: Final = ("most", "most_kings", "italian")


def settle(given: Mapping[str, object], base: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return all switches of a rule set that is `base`, of the name `origin`, with those that are `given`.

    What has no meaning any more, because another switch has been changed, becomes what rule sets have that do not know
    it: short kings land on the next square. What has a meaning that it did not have in `base` becomes usual: flying
    kings land anywhere behind, and must go on capturing.

    Raises `ArgumentError` for an unknown switch, a value that it cannot have, and switches that contradict each other.

    >>> from dame_fast.rules.find import find_rules
    >>> english = {switch: getattr(find_rules("english"), switch) for switch in Switches.__annotations__}
    >>> settle({"flying_kings": True}, english, "english")["landing"]
    'any'
    >>> settle({"priority": "longest"}, english, "english")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: priority must be free, most, most_kings, italian or king_first, not 'longest'
    """
    for switch, value in given.items():
        _check(switch, value)
    facts = {switch: given.get(switch, base[switch]) for switch in Switches.__annotations__}

    def contradiction(switch: str, other: str, reason: str) -> ArgumentError:
        this, that = (f"{one}={facts[one]!r}" + ("" if one in given else f" (of {origin})") for one in (switch, other))
        return ArgumentError(f"{this} contradicts {that}: {reason}")

    def without_meaning(switch: str, neutral: object, other: str, reason: str) -> None:
        if facts[switch] != neutral and switch in given:
            raise contradiction(switch, other, reason)
        facts[switch] = neutral

    if facts["misere"] and facts["capture_optional"]:
        raise contradiction("capture_optional", "misere", "in giveaway a capture is always forced")
    if not facts["men_capture_backwards"] and facts["crowning"] == "goes_man":
        without_meaning("crowning", "stops", "men_capture_backwards", "no way leads on from the last row")
    if not facts["flying_kings"]:
        without_meaning("landing", "next", "flying_kings", "a short king lands directly behind")
        without_meaning("removal", "at_end", "flying_kings", "with short kings the difference cannot be seen")
    elif not base["flying_kings"] and "landing" not in given:
        facts["landing"] = "any"
    set_rules = [counter for counter in DRAW_COUNTERS if facts[counter] is not None]
    if len(set_rules) > 1:
        first, second = set_rules
        if first in given and second in given and given[first] is not None:
            raise contradiction(second, first, "only one counter makes a draw")
        facts[first if second in given else second] = None
    decided = _decides_going_on(facts)
    if decided is not None:
        without_meaning("must_go_on", False, *decided)
    elif _decides_going_on(base) is not None and "must_go_on" not in given:
        facts["must_go_on"] = True
    return facts


def settle_altdeutsch(given: Mapping[str, object], base: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return what `settle` does, for rules on all 64 squares.

    Raises `ArgumentError` as well for a change that cannot be made there.

    >>> from dame_fast.rules.find import find_rules
    >>> altdeutsch = {switch: getattr(find_rules("altdeutsch"), switch) for switch in Switches.__annotations__}
    >>> settle_altdeutsch({"flying_kings": True}, altdeutsch, "altdeutsch")["must_go_on"]
    True
    """
    facts = settle(given, base, origin)
    free = {switch: value for switch, value in given.items() if value in _ALTDEUTSCH.get(switch, ())}
    possible = settle(free, base, origin)
    for switch in sorted(possible, key=lambda switch: switch not in given):
        if facts[switch] != possible[switch]:
            reason = "only flying_kings, and priority to free or most, can be changed"
            raise ArgumentError(f"{switch}={facts[switch]!r} cannot be played in {origin}: {reason}")
    return facts


def _decides_going_on(facts: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the switch that leaves a king no choice between going on and not, and why; None if it has one."""
    if not facts["flying_kings"]:
        return "flying_kings", "a short king has no choice of squares"
    if facts["landing"] == "next":
        return "landing", "the king has no choice of squares"
    if facts["priority"] in _MAJORITY:
        return "priority", "the most pieces are captured anyway"
    return None


def _check(switch: str, value: Any) -> None:
    if switch not in Switches.__annotations__:
        raise ArgumentError(f"unknown switch {quote(switch)} (known: {', '.join(Switches.__annotations__)})")
    if switch in DRAW_COUNTERS:
        check_draw_plies(value, switch)
    elif switch in _WORDS:
        check_choice(switch, value, _WORDS[switch])
    else:
        check_type(switch, value, bool, "True or False")
