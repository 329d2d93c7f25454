"""Switches of custom rules: what is derived from what, and what is refused."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from small_tables import DRAUGHTS

from dame_fast import Board, Rules, find_rules, perft, variants
from dame_fast.errors import ArgumentError, VariantError
from dame_fast.rules.mover import mover_of
from dame_fast.rules.switches import MOVE_SWITCHES, Switches

ROOT = Path(__file__).resolve().parent.parent.parent


def derive(base: str | Rules, **switches: object) -> Rules:
    return Rules.derive(base, name="house", **cast(Any, switches))


# ---- what is derived ----


def test_the_rest_stays_as_it_is() -> None:
    base = find_rules("dame_meister")
    house = Rules.derive("dame_meister", name="house", men_capture_backwards=False, draw_plies=None)
    assert (house.id, house.base, house.game_type) == ("house", "dame_meister", None)
    assert house.about == "The rules of dame_meister with men_capture_backwards=False, draw_plies=None."
    assert house.name == f"{base.name}, custom: house"
    changed = {"id", "base", "game_type", "about", "name", "men_capture_backwards", "draw_plies"}
    for field in Rules.__dataclass_fields__:
        if field not in changed:
            assert getattr(house, field) == getattr(base, field), field


def test_a_name_alone_and_a_draw_rule() -> None:
    assert derive("english").about == "The rules of english."
    wcdf = derive("english", draw_plies=80)
    assert (wcdf.draw_plies, wcdf.game_type) == (80, find_rules("english").game_type)
    assert mover_of(wcdf) in variants()


def test_equal_by_value() -> None:
    one = derive("english", capture_optional=True)
    assert one == derive(find_rules("english"), capture_optional=True)
    assert hash(one) == hash(derive("english", capture_optional=True))
    assert one == derive(derive("english", capture_optional=True, draw_plies=7), draw_plies=40)
    assert one != derive("english")
    assert one != Rules.derive("english", name="home", capture_optional=True)
    assert one != derive("english_optional")


def test_derived_from_derived() -> None:
    house = derive(Rules.derive("russian", name="first", priority="most"), misere=True)
    assert (house.base, house.about) == (
        "russian",
        "The rules of russian with must_go_on=False, priority='most', misere=True.",
    )


@pytest.mark.parametrize(
    ("base", "switches", "expected"),
    [
        # Kings made short do not know what flying kings know.
        ("russian", {"flying_kings": False}, {"landing": "next", "must_go_on": False, "removal": "at_end"}),
        ("thai", {"flying_kings": False}, {"landing": "next", "must_go_on": False, "removal": "at_end"}),
        # Kings made flying.
        ("english", {"flying_kings": True}, {"landing": "any", "must_go_on": True, "removal": "at_end"}),
        ("english", {"flying_kings": True, "must_go_on": False}, {"landing": "any", "must_go_on": False}),
        ("english", {"flying_kings": True, "landing": "next"}, {"landing": "next", "must_go_on": False}),
        ("english", {"flying_kings": True, "removal": "at_once"}, {"landing": "any", "removal": "at_once"}),
        ("english", {"flying_kings": True, "priority": "most"}, {"landing": "any", "must_go_on": False}),
        # A choice that kings have got, or lost.
        ("german_ass", {"landing": "any"}, {"must_go_on": True}),
        ("german_schmidt", {"landing": "next"}, {"must_go_on": False}),
        ("russian", {"priority": "italian"}, {"must_go_on": False}),
        ("brazilian", {"priority": "free"}, {"must_go_on": True}),
        ("brazilian", {"priority": "king_first", "must_go_on": False}, {"must_go_on": False}),
        ("russian", {"must_go_on": False, "crowning": "stops"}, {"must_go_on": False, "landing": "any"}),
        # Men that cannot go on from the last row.
        ("pool", {"men_capture_backwards": False}, {"crowning": "stops"}),
        ("russian", {"men_capture_backwards": False}, {"crowning": "goes_king"}),
        # What says nothing new may be said.
        ("english", {"landing": "next", "must_go_on": False, "removal": "at_end", "crowning": "stops"}, {}),
        ("international", {"must_go_on": False, "priority": "most"}, {}),
        ("english_optional", {"capture_optional": False, "misere": True}, {"misere": True}),
    ],
)
def test_what_one_switch_leaves_of_others(base: str, switches: dict[str, object], expected: dict[str, object]) -> None:
    house = derive(base, **switches)
    for switch, value in (switches | expected).items():
        assert getattr(house, switch) == value, switch


def test_altdeutsch() -> None:
    flying = derive("altdeutsch", flying_kings=True)
    assert (flying.base, flying.kind, flying.notation, flying.squares) == ("altdeutsch", "altdeutsch", "algebraic", 64)
    assert (flying.landing, flying.must_go_on) == ("any", True)
    assert flying.about == "The rules of altdeutsch with flying_kings=True, must_go_on=True, landing='any'."
    most = derive(flying, priority="most")
    assert most == derive("altdeutsch", priority="most", flying_kings=True) == derive(most)
    assert (most.landing, most.must_go_on) == ("any", False)
    assert derive(most, priority="free") == flying
    assert derive(flying, flying_kings=False) == derive("altdeutsch", crowning="stops", capture_optional=False)
    assert derive("altdeutsch_giveaway", priority="most").misere
    for rules in (flying, most):
        assert find_rules(rules) == rules == Board(variant=rules).rules


@pytest.mark.parametrize(
    ("switches", "fen", "texts"),
    [
        ({}, "W:WKa1:BKd1,h4", ["a1-a2", "a1-b1", "a1-b2"]),
        ({"flying_kings": True}, "W:WKa1:BKd1,h4", ["a1xh5", "a1xh6", "a1xh7", "a1xh8"]),
        ({}, "W:Wb5:Bb6,c5,e5", ["b5xb7", "b5xf5"]),
        ({"priority": "most"}, "W:Wb5:Bb6,c5,e5", ["b5xf5"]),
    ],
)
def test_altdeutsch_plays(switches: dict[str, object], fen: str, texts: list[str]) -> None:
    for base in ("altdeutsch", "altdeutsch_giveaway"):
        board = Board(fen, derive(base, **switches))
        assert sorted(board.pdn(move) for move in board.legal_moves) == texts
        assert perft(board, 1) == len(texts)


def test_no_draughts_is_played_by_the_core_of_other_games() -> None:
    """The switches of bashni are those of a custom russian, but not its pieces."""
    house = derive("russian", removal="at_once")
    assert all(getattr(house, switch) == getattr(find_rules("bashni"), switch) for switch in MOVE_SWITCHES)
    assert not isinstance(mover_of(house), str)
    assert mover_of(derive("english", priority="most")) not in variants()
    assert mover_of(derive("russian")) in DRAUGHTS


# ---- what is refused ----


@pytest.mark.parametrize("base", ["bashni", "bashni_again_giveaway"])
def test_towers_are_refused(base: str) -> None:
    for given in (base, find_rules(base)):
        with pytest.raises(VariantError, match=f"^no custom rules can be derived from {base}$"):
            derive(given, misere=True)


@pytest.mark.parametrize(
    ("switches", "text"),
    [
        ({"crowning": "goes_king"}, "crowning='goes_king'"),
        ({"men_capture_backwards": True}, "men_capture_backwards=True"),
        ({"men_capture_kings": False}, "men_capture_kings=False"),
        ({"capture_optional": True}, "capture_optional=True"),
        ({"priority": "italian"}, "priority='italian'"),
        ({"misere": True}, "misere=True"),
        ({"draw_plies": None}, "draw_plies=None"),
        ({"draw_captures": 60}, "draw_captures=60"),
        ({"flying_kings": True, "removal": "at_once"}, "removal='at_once'"),
        ({"flying_kings": True, "must_go_on": False}, "must_go_on=False"),
        ({"flying_kings": True, "landing": "next", "priority": "most"}, "landing='next'"),
    ],
)
def test_switches_that_altdeutsch_does_not_have(switches: dict[str, object], text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        derive("altdeutsch", **switches)
    reason = "only flying_kings, and priority to free or most, can be changed"
    assert str(caught.value) == f"{text} cannot be played in altdeutsch: {reason}"


def test_rules_of_altdeutsch_made_by_hand() -> None:
    made = replace(derive("altdeutsch"), misere=True)
    with pytest.raises(VariantError, match="^the rules 'house' are not of the package and not made by Rules.derive$"):
        Board(variant=made)


@pytest.mark.parametrize(
    ("base", "switches", "message"),
    [
        ("english", {"huffing": True}, "unknown switch 'huffing' (known: men_capture_backwards, men_capture_kings, "),
        ("english", {"squares": 50}, "unknown switch 'squares' (known: "),
        ("english", {"capture_optional": "no"}, "capture_optional must be True or False, not 'no'"),
        ("english", {"misere": 1}, "misere must be True or False, not 1"),
        ("english", {"landing": "far"}, "landing must be next or any, not 'far'"),
        ("english", {"removal": None}, "removal must be at_end or at_once, not None"),
        ("english", {"crowning": []}, "crowning must be stops, goes_man or goes_king, not []"),
        (
            "english",
            {"priority": "longest"},
            "priority must be free, most, most_kings, italian or king_first, not 'longest'",
        ),
        ("english", {"draw_captures": 0}, "draw_captures must be 1 to 253, not 0"),
        ("english", {"draw_plies": 0}, "draw_plies must be 1 to 253, not 0"),
        ("english", {"draw_plies": 254}, "draw_plies must be 1 to 253, not 254"),
        ("english", {"draw_plies": True}, "draw_plies must be a number or None, not True"),
        ("english", {"draw_plies": "50"}, "draw_plies must be a number or None, not '50'"),
        (
            "english",
            {"draw_plies": 40, "draw_captures": 100},
            "draw_captures=100 contradicts draw_plies=40: only one counter makes a draw",
        ),
        (
            "english",
            {"capture_optional": True, "misere": True},
            "capture_optional=True contradicts misere=True: in giveaway a capture is always forced",
        ),
        (
            "english_giveaway",
            {"capture_optional": True},
            "capture_optional=True contradicts misere=True (of english_giveaway): in giveaway",
        ),
        (
            "english_optional",
            {"misere": True},
            "capture_optional=True (of english_optional) contradicts misere=True: in giveaway",
        ),
        ("english", {"landing": "any"}, "landing='any' contradicts flying_kings=False (of english): a short king"),
        ("russian", {"flying_kings": False, "landing": "any"}, "landing='any' contradicts flying_kings=False: "),
        ("english", {"removal": "at_once"}, "removal='at_once' contradicts flying_kings=False (of english): "),
        ("english", {"must_go_on": True}, "must_go_on=True contradicts flying_kings=False (of english): "),
        ("thai", {"must_go_on": True}, "must_go_on=True contradicts landing='next' (of thai): the king has no"),
        ("russian", {"landing": "next", "must_go_on": True}, "must_go_on=True contradicts landing='next': the king"),
        ("brazilian", {"must_go_on": True}, "must_go_on=True contradicts priority='most' (of brazilian): the most"),
        ("english", {"crowning": "goes_man"}, "crowning='goes_man' contradicts men_capture_backwards=False (of engl"),
    ],
)
def test_switches_that_are_refused(base: str, switches: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        derive(base, **switches)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["", "House", "1st", "_house", "my house", "haus-regeln", "häuser", "h" * 32, "h\n"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Rules.derive("english", name=name)
    assert str(caught.value).startswith(f"not a name for rules: {name!r} (")


def test_names_that_are_taken() -> None:
    with pytest.raises(ArgumentError, match="^'russian' is a rule set of the package; custom rules need another name$"):
        Rules.derive("english", name="russian")
    assert Rules.derive("english", name="h" * 31).id == "h" * 31


def test_unknown_base() -> None:
    with pytest.raises(VariantError, match="^unknown variant 'house' "):
        derive("house")


def test_rules_made_by_hand() -> None:
    english = find_rules("english")
    house = derive("english", capture_optional=True)
    for forged in (
        replace(english, flying_kings=True),
        replace(english, id="house"),
        replace(house, squares=50),
        replace(house, men_at_start=40),
        replace(house, mirrored=True),
        replace(house, about=""),
        replace(house, base="english_optional"),
        replace(house, must_go_on=True),
        replace(house, priority="longest"),
        replace(house, id="english"),
        replace(house, base="house"),
    ):
        with pytest.raises(VariantError):
            Board(variant=forged)
    assert find_rules(house) is not None
    assert find_rules(replace(english)) == english


# ---- in all ----


def test_every_switch_is_a_field_and_is_named_in_the_documents() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").rpartition("Custom rules")[2]
    for switch in Switches.__annotations__:
        assert switch in Rules.__dataclass_fields__
        assert f"`{switch}`" in text
        assert Rules.derive.__doc__ is not None
        assert f"`{switch}`" in Rules.derive.__doc__


def test_all_pairs_of_switches_are_settled() -> None:
    """Whatever is derived can be derived again from all its switches, and is the same rule set."""
    values: dict[str, tuple[object, ...]] = dict.fromkeys(Switches.__annotations__, (False, True))
    values |= {
        "landing": ("next", "any"),
        "removal": ("at_end", "at_once"),
        "crowning": ("stops", "goes_man", "goes_king"),
        "priority": ("free", "most", "most_kings", "italian", "king_first"),
        "draw_plies": (None, 60),
        "draw_captures": (None, 60),
    }
    for base, (one, other) in itertools.product(("english", "russian", "thai"), itertools.combinations(values, 2)):
        for first, second in itertools.product(values[one], values[other]):
            try:
                house = derive(base, **{one: first, other: second})
            except ArgumentError as error:
                assert "contradicts" in str(error)  # noqa: PT017
                continue
            assert (getattr(house, one), getattr(house, other)) == (first, second)
            assert derive(base, **{switch: getattr(house, switch) for switch in values}) == house
            assert len(Board(variant=house).legal_moves) in (7, 9)
