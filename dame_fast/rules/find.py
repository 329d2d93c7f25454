"""The rule set that somebody means: by its name, by a GameType of PDN, or as rules that were derived."""

from functools import lru_cache

from dame_fast.arguments import check_text
from dame_fast.errors import ArgumentError, VariantError, quote, shown
from dame_fast.rules.derive import derive
from dame_fast.rules.game_type import read_game_type
from dame_fast.rules.registry import all_rules, known_variants
from dame_fast.rules.rules import Rules, switches_of


def find_rules(variant: str | Rules) -> Rules:
    """Return the rule set of that name; rules are returned as they are.

    Raises `VariantError` for a name that is not in `variants()`, and for rules that were made otherwise than by
    `Rules.derive`, `ArgumentError` for what is neither a name nor rules.

    >>> find_rules("international").men_at_start
    20
    """
    if isinstance(variant, Rules):
        try:
            return _checked(variant)
        except TypeError:  # a fact of the wrong type, which cannot be hashed
            raise _not_derived(variant) from None
    try:
        return all_rules()[check_text("a variant", variant)]
    except KeyError:
        raise VariantError(f"unknown variant {quote(variant)} (known: {known_variants()})") from None


def find_game_type(text: str) -> Rules:
    """Return the rule set of a GameType tag of PDN; `Rules.game_type` is the way back.

    The number decides, and the board that follows it, if one does, must be that of the rule set. Several rule
    sets may share a number: 21 is `english`.

    Raises `VariantError`, quoting the text, if it is no GameType, or one of no rule set, `ArgumentError` for what is no
    text.

    >>> find_game_type("25,W,8,8,A0,0").id, find_game_type("20").id
    ('russian', 'international')
    >>> find_game_type("99")
    Traceback (most recent call last):
    dame_fast.errors.VariantError: no rule set has the GameType '99'
    """
    tag = read_game_type(text)
    fitting = [rules for rules in all_rules().values() if rules.tag is not None and rules.tag.number == tag.number]
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


@lru_cache(maxsize=256)
def _checked(rules: Rules) -> Rules:
    """Return rules if they are of the package or were derived from them: all facts fit together then."""
    sound = all_rules().get(rules.id) if rules.base is None else _derived(rules, rules.base)
    if sound is None or sound != rules:
        raise _not_derived(rules)
    return sound


def _not_derived(rules: Rules) -> VariantError:
    return VariantError(f"the rules {shown(rules.id)} are not of the package and not made by Rules.derive")


def _derived(rules: Rules, base: str) -> Rules | None:
    """Return what `derive` makes of the switches of rules, None if it refuses."""
    try:
        return derive(find_rules(base), rules.id, switches_of(rules))
    except (ArgumentError, VariantError):
        return None
