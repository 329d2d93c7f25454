"""Which kernel of the core finds the draughts moves of a rule set."""

from functools import lru_cache

import dame_fast._native as _native
from dame_fast.rules.registry import all_rules
from dame_fast.rules.rules import Rules, switches_of
from dame_fast.rules.switches import MOVE_SWITCHES


def mover_of(rules: Rules) -> str | _native.CustomRules:
    """Return what the core takes in place of rules: the name of a rule set that was compiled, or custom rules.

    Custom rules with the moves of a compiled rule set are played by its kernel. For all others the core finds moves in
    a slower way, which takes any rules.
    """
    assert rules.kind == "draughts"
    return rules.id if rules.base is None else _custom_mover(rules)


@lru_cache(maxsize=256)
def _custom_mover(rules: Rules) -> str | _native.CustomRules:
    assert rules.base is not None
    for compiled in all_rules().values():
        if _same_moves(compiled, rules):
            return compiled.id
    return _native.CustomRules(rules.base, switches_of(rules))


def _same_moves(one: Rules, other: Rules) -> bool:
    return (one.kind, one.squares, one.mirrored) == (other.kind, other.squares, other.mirrored) and all(
        getattr(one, switch) == getattr(other, switch) for switch in MOVE_SWITCHES
    )
