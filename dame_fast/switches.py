"""The switches of custom rules: what each may be, which contradict each other, and what one leaves of the others."""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict, get_args

from dame_fast.arguments import check_number
from dame_fast.errors import ArgumentError, quote

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


MOVE_SWITCHES: Final = tuple(switch for switch in Switches.__annotations__ if switch not in ("misere", "draw_plies"))
"""The switches that decide how pieces move."""

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "landing": get_args(Landing),
    "removal": get_args(Removal),
    "crowning": get_args(Crowning),
    "priority": get_args(Priority),
}
_MAJORITY: Final = ("most", "most_kings", "italian")
_DRAW_PLIES_MOST: Final = 1000


def settle(given: Mapping[str, object], base: Mapping[str, Any], origin: str) -> dict[str, Any]:
    """Return all switches of a rule set that is `base`, of the name `origin`, with those that are `given`.

    What has no meaning any more, because another switch has been changed, becomes what rule sets have that do not know
    it: short kings land on the next square. What has a meaning that it did not have in `base` becomes usual: flying
    kings land anywhere behind, and must go on capturing.

    Raises `ArgumentError` for an unknown switch, a value that it cannot have, and switches that contradict each other.

    >>> from dame_fast.rules import find_rules
    >>> english = {switch: getattr(find_rules("english"), switch) for switch in Switches.__annotations__}
    >>> settle({"flying_kings": True}, english, "english")["landing"]
    'any'
    >>> settle({"landing": "any"}, english, "english")
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: landing='any' contradicts flying_kings=False (of english)
    """
    for switch, value in given.items():
        _check(switch, value)
    facts = {switch: given.get(switch, base[switch]) for switch in Switches.__annotations__}

    def refuse(switch: str, because: str) -> ArgumentError:
        this, that = (
            f"{one}={facts[one]!r}" + ("" if one in given else f" (of {origin})") for one in (switch, because)
        )
        return ArgumentError(f"{this} contradicts {that}")

    def without_meaning(switch: str, neutral: object, because: str) -> None:
        if facts[switch] != neutral and switch in given:
            raise refuse(switch, because)
        facts[switch] = neutral

    if facts["misere"] and facts["capture_optional"]:  # in giveaway captures are always forced
        raise refuse("capture_optional", "misere")
    if not facts["men_capture_backwards"] and facts["crowning"] == "goes_man":  # on the last row it cannot go on
        without_meaning("crowning", "stops", "men_capture_backwards")
    if not facts["flying_kings"]:
        without_meaning("landing", "next", "flying_kings")
        without_meaning("removal", "at_end", "flying_kings")  # the difference cannot be seen
        without_meaning("must_go_on", False, "flying_kings")
    elif not base["flying_kings"] and "landing" not in given:
        facts["landing"] = "any"
    for blocker in _no_choice(facts):
        without_meaning("must_go_on", False, blocker)
    if not _no_choice(facts) and _no_choice(base) and "must_go_on" not in given:
        facts["must_go_on"] = True
    return facts


def _no_choice(facts: Mapping[str, Any]) -> list[str]:
    """Return the switches that leave a king nothing to choose between going on and not."""
    found = []
    if not facts["flying_kings"]:
        found.append("flying_kings")
    if facts["landing"] == "next":
        found.append("landing")
    if facts["priority"] in _MAJORITY:  # whoever goes on captures more
        found.append("priority")
    return found


def _check(switch: str, value: object) -> None:
    if switch not in Switches.__annotations__:
        raise ArgumentError(f"unknown switch {quote(switch)} (known: {', '.join(Switches.__annotations__)})")
    if switch == "draw_plies":
        if isinstance(value, bool) or not isinstance(value, int | None):
            raise ArgumentError(f"draw_plies must be a number or None, not {_shown(value)}")
        if value is not None:
            check_number("draw_plies", value, 1, _DRAW_PLIES_MOST)
    elif switch in _WORDS:
        words = _WORDS[switch]
        if value not in words:
            raise ArgumentError(f"{switch} must be {', '.join(words[:-1])} or {words[-1]}, not {_shown(value)}")
    elif not isinstance(value, bool):
        raise ArgumentError(f"{switch} must be True or False, not {_shown(value)}")


def _shown(value: object) -> str:
    return quote(value) if isinstance(value, str) else quote(repr(value))
