"""Rule sets: that the facts of the rule book arrive unchanged (section 3)."""

import doctest

import pytest

import dame_fast
from dame_fast import rules
from dame_fast.rules import BLACK, WHITE, Rules, find_rules, variants

PLAIN = {"men_capture_kings": True, "capture_optional": False, "misere": False, "removal": "at_end"}
BOARD_8X8 = {"squares": 32, "columns": 4, "rows": 8, "men_squares": 28, "men_at_start": 12}
BOARD_10X10 = {"squares": 50, "columns": 5, "rows": 10, "men_squares": 45, "men_at_start": 20}

FACTS: dict[str, dict[str, object]] = {
    "english": PLAIN
    | BOARD_8X8
    | {
        "id": "english",
        "name": "English draughts (American checkers)",
        "game_type": "21,B,8,8,N1,0",
        "white_begins": False,
        "men_capture_backwards": False,
        "flying_kings": False,
        "must_go_on": False,
        "landing": "next",
        "crowning": "stops",
        "priority": "free",
    },
    "international": PLAIN
    | BOARD_10X10
    | {
        "id": "international",
        "name": "International draughts",
        "game_type": "20,W,10,10,N2,0",
        "white_begins": True,
        "men_capture_backwards": True,
        "flying_kings": True,
        "must_go_on": False,
        "landing": "any",
        "crowning": "goes_man",
        "priority": "most",
    },
    "russian": PLAIN
    | BOARD_8X8
    | {
        "id": "russian",
        "name": "Russian draughts",
        "game_type": "25,W,8,8,A0,0",
        "white_begins": True,
        "men_capture_backwards": True,
        "flying_kings": True,
        "must_go_on": True,
        "landing": "any",
        "crowning": "goes_king",
        "priority": "free",
    },
}


def test_variants_are_sorted() -> None:
    assert variants() == tuple(sorted(FACTS))
    assert dame_fast.variants is variants


@pytest.mark.parametrize("variant", FACTS)
def test_facts(variant: str) -> None:
    assert find_rules(variant) == Rules(**FACTS[variant])  # type: ignore[arg-type]
    assert find_rules(variant) is find_rules(variant)


def test_first_side() -> None:
    assert find_rules("english").first == BLACK
    assert find_rules("russian").first == WHITE


@pytest.mark.parametrize("variant", FACTS)
def test_men_squares_are_all_but_the_crown_row(variant: str) -> None:
    found = find_rules(variant)
    for side in (WHITE, BLACK):
        crown_row = [s for s in range(1, found.squares + 1) if found.is_crown_square(s, side)]
        assert len(crown_row) == found.columns == found.squares - found.men_squares
        assert crown_row[0] == (1 if side == WHITE else found.men_squares + 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("xyz", "unknown variant 'xyz' (known: english, international, russian)"),
        ("", "unknown variant '' (known: english, international, russian)"),
        ("English", "unknown variant 'English' (known: english, international, russian)"),
    ],
)
def test_unknown_variant(name: str, message: str) -> None:
    with pytest.raises(dame_fast.VariantError) as caught:
        find_rules(name)
    assert str(caught.value) == message


def test_docstrings() -> None:
    assert doctest.testmod(rules).failed == 0
