"""Rule sets: that the facts of the rule book arrive unchanged (sections 3 and 5), GameTypes, and the listing."""

import pytest
from reference.rules import RULES
from reference.rules import Rules as TwinRules
from small_tables import DRAUGHTS

import dame_fast
from dame_fast.rules import registry
from dame_fast.rules.find import find_game_type, find_rules, find_table_rules
from dame_fast.rules.registry import variants
from dame_fast.rules.rules import BLACK, WHITE, Rules

CROWNING = {"stop": "stops", "man": "goes_man", "king": "goes_king"}
PRIORITY = {"quantity": "most", "quantity+kings": "most_kings", "king first": "king_first"}
REMOVAL = {"end": "at_end", "at once": "at_once"}

DRAW_PLIES = {
    "english": 40,
    "english_optional": 40,
    "checkers_page": None,
    "russian": None,
    "brazilian": None,
    "pool": None,
    "italian": 80,
    "czech": 30,
}
"""Section 5: plies without a capture and a man's move; 50 where nothing else is said."""

TAGS = [rules.game_type for rules in variants().values() if rules.game_type is not None]


def base(variant: str) -> str:
    return variant.removesuffix("_giveaway")


def facts(twin: TwinRules) -> dict[str, object]:
    """The fields of `Rules` that follow from a page of the slow twin, which was written from the rule book alone."""
    choice = twin.flying_king and twin.landing == "any" and not twin.priority.startswith("quantity")
    return {
        "id": twin.id,
        "game_type": twin.game_type,
        "men_at_start": twin.men_rows * twin.size // 2,
        "white_begins": twin.first == "W",
        "men_capture_backwards": twin.men_capture_back,
        "men_capture_kings": twin.men_capture_kings,
        "flying_kings": twin.flying_king,
        "must_go_on": choice,
        "capture_optional": twin.capture_optional,
        "misere": twin.giveaway,
        "repetitions": 4 if base(twin.id) == "italian" else 3,
        "draw_plies": DRAW_PLIES.get(base(twin.id), 50),
        "perft_by_moves": twin.size == 10,
        "draw_captures": 100 if base(twin.id) == "checkers_page" else None,
        "landing": twin.landing,
        "removal": REMOVAL[twin.removal],
        "crowning": CROWNING[twin.crowning],
        "priority": PRIORITY.get(twin.priority, twin.priority),
        "squares": twin.squares,
        "columns": twin.size // 2,
        "rows": twin.size,
        "men_squares": twin.squares - twin.size // 2,
        "mirrored": twin.mirrored,
    }


def test_all_are_there() -> None:
    assert sorted(RULES) == DRAUGHTS
    assert (len(DRAUGHTS), len(variants())) == (40, 46)
    assert list(variants()) == sorted(variants())
    assert dame_fast.variants is variants
    assert all(rules.id == variant for variant, rules in variants().items())


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_facts(variant: str) -> None:
    found = find_rules(variant)
    expected = Rules(**facts(RULES[variant]), name=found.name, about=found.about, notation=found.notation)  # type: ignore[arg-type]
    assert found == expected
    assert find_rules(variant) is found is variants()[variant]


def test_repetitions() -> None:
    """Section 5: the third occurrence is a draw, in Italian draughts the fourth; custom rules are as their base."""
    fourth = [rules.id for rules in variants().values() if rules.repetitions != 3]
    assert fourth == ["italian", "italian_giveaway"]
    assert find_rules("italian").repetitions == find_rules("italian_giveaway").repetitions == 4
    assert Rules.derive("italian", name="house", men_capture_kings=True).repetitions == 4


def test_names_and_sentences() -> None:
    assert find_rules("english").name == "English draughts (American checkers)"
    assert len({rules.name for rules in variants().values()}) == len(variants())
    for one in variants().values():
        assert one.name == one.name.strip() != ""
        assert one.about.endswith(".")
        assert one.misere == one.id.endswith("_giveaway")
        if one.misere:
            assert one.name == f"{find_rules(base(one.id)).name}, giveaway"
            assert one.about == f"The moves of {base(one.id)}; who has no piece or no move left has won."


def test_first_side() -> None:
    begins = {base(variant) for variant, rules in variants().items() if rules.first == BLACK}
    assert begins == {"english", "english_optional", "checkers_page", "pool", "thai", "thai12"}
    assert find_rules("russian").first == WHITE


def test_boards() -> None:
    boards = {base(variant): rules.board for variant, rules in variants().items() if rules.board != "8x8"}
    mirrored = dict.fromkeys(("italian", "spanish", "portuguese"), "8x8 mirrored")
    assert boards == {"international": "10x10", "altdeutsch": "8x8 all squares"} | mirrored


def test_notation_and_numbering() -> None:
    """Types 24, 28 and 31 are turned (4.10); algebraic notation is usual for 25, 26, 29 (7) and in other games (9)."""
    letters = {base(variant) for variant, rules in variants().items() if rules.notation == "algebraic"}
    assert letters == {"russian", "brazilian", "czech", "bashni", "bashni_again", "altdeutsch"}
    turned = {variant for variant, rules in variants().items() if rules.numbering == "bottom_right"}
    assert turned == {"spanish", "portuguese", "thai"}


def test_listing() -> None:
    lines = repr(variants()).splitlines()
    assert [line.split()[0] for line in lines] == list(variants())
    assert lines[-1].split() == [
        *("thai_giveaway", "-", "8x8", "Black", "numeric", "top_left"),
        *find_rules("thai_giveaway").about.split(),
    ]
    assert all(rules.about in line for rules, line in zip(variants().values(), lines, strict=True))


@pytest.mark.parametrize("tag", TAGS)
def test_game_types_both_ways(tag: str) -> None:
    found = find_game_type(tag)
    assert found.game_type == tag or (tag, found.id) == ("21", "english")
    assert find_game_type(tag.split(",")[0]) == found
    assert find_game_type(f" {tag.replace(',', ' , ')} ") == found


@pytest.mark.parametrize(
    ("tag", "variant"),
    [
        ("21", "english"),
        ("21,W,8,8,N1,0", "english"),
        ("25,W,8,8", "russian"),
        ("25,W,8,8,N2,0", "russian"),
        ("20,W,10,10,N2", "international"),
        ("98", "international_giveaway"),
    ],
)
def test_game_types_of_files(tag: str, variant: str) -> None:
    assert find_game_type(tag).id == variant


@pytest.mark.parametrize(
    ("tag", "message"),
    [
        ("", "not a GameType: '' (an example: 25,W,8,8,A0,0)"),
        ("russian", "not a GameType: 'russian' (an example: 25,W,8,8,A0,0)"),
        ("25,", "not a GameType: '25,' (an example: 25,W,8,8,A0,0)"),
        ("25,X,8,8,A0,0", "not a GameType: '25,X,8,8,A0,0' (an example: 25,W,8,8,A0,0)"),
        ("25,W,8,8,A4,0", "not a GameType: '25,W,8,8,A4,0' (an example: 25,W,8,8,A0,0)"),
        ("25,W,8,8,A0,0,1", "not a GameType: '25,W,8,8,A0,0,1' (an example: 25,W,8,8,A0,0)"),
        ("\u0662\u0665", "not a GameType: '\u0662\u0665' (an example: 25,W,8,8,A0,0)"),
        ("0", "no rule set has the GameType '0'"),
        ("30,W,8,8,N2,0", "no rule set has the GameType '30,W,8,8,N2,0'"),
        ("25,W,10,10,A0,0", "the GameType '25,W,10,10,A0,0' is not that of russian, 25,W,8,8,A0,0"),
        ("22,W,8,8,N2,0", "the GameType '22,W,8,8,N2,0' is not that of italian, 22,W,8,8,N2,1"),
    ],
)
def test_no_game_type(tag: str, message: str) -> None:
    with pytest.raises(dame_fast.VariantError) as caught:
        find_game_type(tag)
    assert str(caught.value) == message


@pytest.mark.parametrize("variant", variants())
def test_men_squares_are_all_but_the_crown_row(variant: str) -> None:
    found = find_rules(variant)
    for side in (WHITE, BLACK):
        crown_row = [s for s in range(1, found.squares + 1) if found.is_crown_square(s, side)]
        assert len(crown_row) == found.columns == found.squares - found.men_squares
        assert crown_row[0] == (1 if side == WHITE else found.men_squares + 1)


@pytest.mark.parametrize("name", ["xyz", "", "English", "giveaway"])
def test_unknown_variant(name: str) -> None:
    with pytest.raises(dame_fast.VariantError) as caught:
        find_rules(name)
    message = str(caught.value)
    assert message == f"unknown variant {name!r} (known: {registry.known_variants()})"
    assert all(base(variant) in message for variant in variants())
    assert len(message) < 400


@pytest.mark.parametrize("variant", variants())
def test_rule_sets_with_tables(variant: str) -> None:
    """By name and by rules: the refusal names the rule set."""
    for given in (variant, find_rules(variant)):
        if variant in DRAUGHTS:
            assert find_table_rules(given) is find_rules(variant)
        else:
            with pytest.raises(dame_fast.VariantError, match=f"^there are no tables for {variant}$"):
                find_table_rules(given)
