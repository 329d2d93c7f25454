"""Copying, pickling, comparing and hashing everything that the package hands out."""

import copy
import pickle
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from tables_of_nothing import NoTables

import dame_fast
from dame_fast import ALGEBRAIC, Board, Game, Material, Move, MoveResult, PerfectPlayer, Rules, Style, find_rules
from dame_fast.game.game import Ending
from dame_fast.rules.game_type import GameType, read_game_type
from dame_fast.rules.registry import RuleSets

HOUSE = Rules.derive("english", name="house", capture_optional=True)
MOVE = Move((30, 23, 14, 7), captured=(10, 18, 26), by_king=True)


def played() -> Board:
    board = Board("W:WK19,K23:B12,K28")
    board.push("19-15")
    return board


VALUES: dict[type, Callable[[], Any]] = {
    Move: lambda: MOVE,
    Rules: lambda: HOUSE,
    RuleSets: dame_fast.variants,
    Style: lambda: ALGEBRAIC,
    Material: lambda: Material.parse("KKMvKM"),
    MoveResult: lambda: MoveResult(MOVE, "30x7", "win", 1, 61, 1, 1, capture=True, zeroing=True),
    Ending: lambda: Ending("W", "Black resigns"),
    GameType: lambda: read_game_type("24,W,8,8,N1,1"),
}
"""Objects that never change: equal if all that they say is equal. `RuleSets` alone has no hash, as no mapping has."""

CHANGING: dict[type, Callable[[], Any]] = {Board: played, Game: lambda: Game(played(), draw_plies=40)}
"""Objects that change: equal for what they say now, without a hash; a copy has a life of its own."""

ACTING: dict[type, Callable[[], Any]] = {PerfectPlayer: lambda: PerfectPlayer(NoTables())}
"""Objects that do something: equal to themselves alone; a copy works on the same tables."""

ERRORS: list[type[dame_fast.DameError]] = [dame_fast.DameError, *dame_fast.DameError.__subclasses__()]

ELSEWHERE = {"Tablebase": "it holds open files, and has tests of its own"}

COPIES = [copy.copy, copy.deepcopy, *(lambda one, n=n: pickle.loads(pickle.dumps(one, n)) for n in range(2, 6))]


def test_every_public_class_is_here() -> None:
    public = {name for name in dame_fast.__all__ if isinstance(getattr(dame_fast, name), type)}
    classes: list[type] = [*VALUES, *CHANGING, *ACTING, *ERRORS]
    assert public - {one.__name__ for one in classes} == set(ELSEWHERE)


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("tested", [*VALUES, *CHANGING])
def test_copies_are_equal(tested: type, duplicate: Callable[[Any], Any]) -> None:
    original = {**VALUES, **CHANGING}[tested]()
    other = duplicate(original)
    assert type(other) is type(original) is tested
    assert other == original
    assert (other != original) is False
    assert repr(other) == repr(original)
    assert other != object()
    assert original is not None
    if isinstance(original, Hashable):
        assert hash(other) == hash(original)


@pytest.mark.parametrize("tested", VALUES)
def test_values_have_a_hash_and_cannot_be_changed(tested: type) -> None:
    one = VALUES[tested]()
    if tested is RuleSets:
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
        with pytest.raises(TypeError):
            one["english"] = HOUSE
        return
    assert {one: "found"}[copy.copy(one)] == "found"
    field = getattr(tested, "_fields", None) or list(tested.__dataclass_fields__)  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        setattr(one, field[0], None)


@pytest.mark.parametrize("tested", CHANGING)
def test_what_changes_has_no_hash(tested: type) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(CHANGING[tested]())


@pytest.mark.parametrize("duplicate", COPIES)
def test_rules_of_a_copy_can_be_played(duplicate: Callable[[Any], Any]) -> None:
    for rules in (HOUSE, find_rules("russian"), find_rules("bashni"), find_rules("altdeutsch")):
        assert find_rules(duplicate(rules)) == rules
        assert Board(variant=duplicate(rules)) == Board(variant=rules)


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("tested", ACTING)
def test_what_acts_is_equal_to_itself_alone(tested: type, duplicate: Callable[[Any], Any]) -> None:
    one = ACTING[tested]()
    other = duplicate(one)
    assert type(other) is tested
    assert one == one
    assert one != other
    assert len({one, other}) == 2


@pytest.mark.parametrize("duplicate", COPIES)
@pytest.mark.parametrize("error_class", ERRORS)
def test_errors_keep_their_text(error_class: type[Exception], duplicate: Callable[[Any], Any]) -> None:
    """Two exceptions are never equal, as everywhere in Python."""
    error = error_class("KKvK: no such table")
    other = duplicate(error)
    assert type(other) is error_class
    assert (str(other), other.args, repr(other)) == (str(error), error.args, repr(error))
    assert other != error


def test_errors_of_real_calls_can_be_pickled() -> None:
    for call in (
        lambda: Board("W:W31:B33"),
        lambda: Board(variant="xyz"),
        lambda: Board().push("1-2"),
        lambda: Material.parse("XvY"),
        lambda: dame_fast.open_tablebase("/nowhere"),
    ):
        with pytest.raises(dame_fast.DameError) as caught:
            call()
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
