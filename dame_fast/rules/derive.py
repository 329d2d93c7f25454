"""Custom rules: those of a rule set of the package with other switches."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dame_fast.arguments import check_text
from dame_fast.errors import ArgumentError, VariantError, quote
from dame_fast.rules.draw_rule import DRAW_COUNTERS
from dame_fast.rules.registry import all_rules
from dame_fast.rules.rules import Rules, switches_of
from dame_fast.rules.switches import settle, settle_altdeutsch

_NAME: Final = re.compile("[a-z][a-z0-9_]{0,30}")


def derive(base: Rules, name: str, given: Mapping[str, object]) -> Rules:
    """Return the rules of `base` with the switches that are `given`, as `Rules.derive` does."""
    if not _NAME.fullmatch(check_text("the name of rules", name)):
        form = "lower-case letters, digits and underscores, a letter first, 31 at most"
        raise ArgumentError(f"not a name for rules: {quote(name)} ({form})")
    if name in all_rules():
        raise ArgumentError(f"{quote(name)} is a rule set of the package; custom rules need another name")
    if base.kind == "towers":
        raise VariantError(f"no custom rules can be derived from {base.id}")
    settled = settle_altdeutsch if base.kind == "altdeutsch" else settle
    facts = settled(given, switches_of(base), base.id)
    root = base if base.base is None else all_rules()[base.base]
    changed = {switch: facts[switch] for switch, value in switches_of(root).items() if facts[switch] != value}
    listed = ", ".join(f"{switch}={value!r}" for switch, value in changed.items())
    return replace(
        root,
        **facts,
        id=name,
        name=f"{root.name}, custom: {name}",
        about=f"The rules of {root.id}{' with ' if listed else ''}{listed}.",
        game_type=root.game_type if changed.keys() <= DRAW_COUNTERS.keys() else None,
        base=root.id,
    )
