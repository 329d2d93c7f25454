"""Moves as text: writing, reading, ambiguity, refusals (rule book, section 7), and other styles."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import DRAUGHTS

from dame_fast.board.board import Board
from dame_fast.errors import ArgumentError, MoveError
from dame_fast.position.move import Move
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants
from dame_fast.text import notation
from dame_fast.text.fen import read_fen
from dame_fast.text.style import ALGEBRAIC, NUMERIC, Style, file_style

ROUND_TRIP_PLIES = 60
BASES = [variant for variant in DRAUGHTS if not variant.endswith("_giveaway")]


def check_texts(board: Board) -> None:
    """Every legal move is found again from its text, and no text fits two."""
    moves = board.legal_moves
    texts = [board.pdn(move) for move in moves]
    assert len(set(texts)) == len(moves)
    for text, each in zip(texts, moves, strict=True):
        assert board.parse_pdn(text) == each
        assert board.parse_pdn(str(each)) == each
        assert board.parse_pdn(text.replace("x", ":")) == each
        assert board.parse_pdn(text.replace("x", "-")) == each
    check_styles(board)


def check_styles(board: Board) -> None:
    """Every style is read back, and algebraic squares are read in all of them."""
    rules = board.rules
    styles = [Style(turned=True), file_style(rules)]
    for each in board.legal_moves:
        for one in styles:
            assert board.parse_pdn(board.pdn(each, one), one) == each
        if rules.rows == 8:
            text = board.pdn(each, ALGEBRAIC)
            assert board.parse_pdn(text) == board.parse_pdn(text.replace("x", ":"), Style(turned=True)) == each
    for one in styles:
        assert read_fen(board.fen(one), rules, one).position == board.position


@pytest.mark.parametrize("variant", BASES)
@settings(max_examples=8, deadline=None)
@given(random=st.randoms(use_true_random=False))
def test_reading_is_the_inverse_of_writing_in_games(variant: str, random: Random) -> None:
    board = Board(variant=variant)
    while board.legal_moves and board.ply < ROUND_TRIP_PLIES:
        check_texts(board)
        board.push(random.choice(board.legal_moves))


@pytest.mark.parametrize("variant", BASES)
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_reading_is_the_inverse_of_writing_with_many_kings(variant: str, data: st.DataObject) -> None:
    rules = find_rules(variant)
    squares = data.draw(st.permutations(range(1, rules.squares + 1)))
    white, black = data.draw(st.integers(1, 3)), data.draw(st.integers(1, min(12, rules.men_at_start)))
    lists = [",".join(f"K{square}" for square in part) for part in (squares[:white], squares[-black:])]
    check_texts(Board(f"W:W{lists[0]}:B{lists[1]}", variant))


@settings(deadline=None)
@given(text=st.text(alphabet="0123456789abcx:- \n", max_size=12), variant=st.sampled_from(list(variants())))
def test_any_text_is_read_or_refused_in_one_line(text: str, variant: str) -> None:
    board = Board(variant=variant)
    try:
        found = board.parse_pdn(text)
    except MoveError as error:
        refusal = str(error)
        assert "\n" not in refusal
    else:
        assert found in board.legal_moves


@pytest.mark.parametrize(
    ("variant", "fen", "texts"),
    [
        ("english", "W:W18:B", ["18-14", "18-15"]),
        ("english", "W:WK30:B10,15,18,25,26", ["30x21", "30x7"]),
        ("english", "W:WK22:B9,10,17,18", ["22x22"]),
        ("russian", "W:W9:B6,11", ["9x16", "9x20"]),
        ("international", "W:WK4:B13,20,32,37", ["4x27x38x15", "4x31x42x15"]),
        ("international", "W:W47:B13,14,22,24,31,34,K41,44", ["47x49"]),
        ("english", "B:W16,19:B12", []),
    ],
)
def test_written(variant: str, fen: str, texts: list[str]) -> None:
    board = Board(fen, variant=variant)
    assert sorted(board.pdn(move) for move in board.legal_moves) == texts


@pytest.mark.parametrize(
    ("variant", "fen", "text", "captured"),
    [
        # ends, every landing square, other separators, algebraic squares
        ("english", "W:WK30:B10,15,18,25,26", "30x7", (10, 18, 26)),
        ("english", "W:WK30:B10,15,18,25,26", " 30x23x14x7\n", (10, 18, 26)),
        ("english", "W:WK30:B10,15,18,25,26", "30:7", (10, 18, 26)),
        ("english", "W:WK30:B10,15,18,25,26", "30-23-14-7", (10, 18, 26)),
        ("english", "W:WK30:B10,15,18,25,26", "c1:e3:c5:e7", (10, 18, 26)),
        ("russian", "W:W18:B", "d4-e5", ()),
        # the same jumps in another order
        ("english", "W:WK22:B9,10,17,18", "22x13x6x15x22", (9, 10, 17, 18)),
        ("english", "W:WK22:B9,10,17,18", "22x15x6x13x22", (9, 10, 17, 18)),
        ("english", "W:WK22:B9,10,17,18", "22x22", (9, 10, 17, 18)),
        # two moves with the same ends
        ("international", "W:WK4:B13,20,32,37", "4x27x38x15", (13, 20, 32)),
        ("international", "W:WK4:B13,20,32,37", "4x31x42x15", (13, 20, 37)),
        # a man that becomes a king on its way
        ("russian", "W:W9:B6,11", "9x2x16", (6, 11)),
        # a straight run: any free square between the two pieces
        ("russian", "W:WK29:B22,11", "29x18x8", (11, 22)),
        ("russian", "W:WK29:B22,11", "29x15x8", (11, 22)),
        ("russian", "W:WK29:B22,11", "29x15x4", (11, 22)),
        # one jump, or a round and then that jump: all landing squares of the first are its ends
        ("english", "W:WK22:B9,10,17,18,26", "22x31", (26,)),
        ("english", "W:WK22:B9,10,17,18,26", "22x13x6x15x22x31", (9, 10, 17, 18, 26)),
        ("english", "W:WK22:B9,10,17,18,26", "22x15x6x13x22x31", (9, 10, 17, 18, 26)),
    ],
)
def test_read(variant: str, fen: str, text: str, captured: tuple[int, ...]) -> None:
    board = Board(fen, variant=variant)
    found = board.parse_pdn(text)
    assert found in board.legal_moves
    assert found.captured == captured


@pytest.mark.parametrize(
    ("variant", "fen", "text", "message"),
    [
        ("english", None, "", "cannot read move ''"),
        ("english", None, "11", "cannot read move '11'"),
        ("english", None, "11-15-", "cannot read move '11-15-'"),
        ("english", None, "11x15-18", "cannot read move '11x15-18'"),
        ("english", None, "11 - 15", "cannot read move '11 - 15'"),
        ("english", None, "1-0\n2", r"cannot read move '1-0\n2'"),
        ("english", None, "33-28", "cannot read move '33-28': square 33 is not on the board (1-32)"),
        ("english", None, "a8-b7", "cannot read move 'a8-b7': square a8 is not a playing square"),
        ("international", None, "a1-b2", "cannot read move 'a1-b2': unknown square 'a1'"),
        ("english", None, "11-19", "'11-19' is not legal: the piece on 11 cannot go there"),
        ("english", None, "22-18", "'22-18' is not legal: Black has no piece on 22"),
        ("english", None, "15-18", "'15-18' is not legal: Black has no piece on 15"),
        ("english", None, "11x15", "'11x15' is not legal: there is nothing to capture"),
        ("english", "B:W18:B14,9", "9-13", "'9-13' is not legal: a capture must be played"),
        ("english", "B:W18:B14,9", "14x22", "'14x22' is not legal: no legal capture goes that way"),
        ("english", "B:W18:B14,9", "14x23x30", "'14x23x30' is not legal: no legal capture goes that way"),
        ("english", "B:W16,19:B12", "12-16", "'12-16' is not legal: the game is over"),
        ("international", "W:W15:B8,19,20", "15x24", "'15x24' is not legal: the capture must be played to its end"),
        (
            "english",
            "W:WK30:B10,15,18,25,26",
            "30x23x7",
            "'30x23x7' is not legal: no legal capture goes that way",
        ),
        (
            "international",
            "W:WK4:B13,20,32,37",
            "4x15",
            "'4x15' is ambiguous: 4x27x38x15 or 4x31x42x15",
        ),
        (
            "international",
            "W:WK4:B13,20,32,37",
            "4-15",
            "'4-15' is ambiguous: 4x27x38x15 or 4x31x42x15",
        ),
    ],
)
def test_refused(variant: str, fen: str | None, text: str, message: str) -> None:
    with pytest.raises(MoveError) as caught:
        Board(fen, variant=variant).parse_pdn(text)
    assert str(caught.value) == message


def test_crowning_tells_captures_with_equal_pieces_apart() -> None:
    """A man takes the same four pieces over the crown row or not over it, and ends on one square."""
    rules = find_rules("russian")
    crowned = Move((9, 2, 11), (6, 7), crowned=True)
    plain = Move((9, 18, 11), (6, 7))
    assert notation.write_move(crowned, [crowned, plain], rules) == "9x2x11"
    assert notation.write_move(plain, [crowned, plain], rules) == "9x18x11"


@pytest.mark.parametrize(
    ("variant", "fen", "style", "texts"),
    [
        ("russian", "W:W22:B18", NUMERIC, ["22x15"]),
        ("russian", "W:W22:B18", ALGEBRAIC, ["c3xe5"]),
        ("russian", "W:W22:B18", file_style(find_rules("russian")), ["c3:e5"]),
        ("russian", "W:W22:B18", Style(capture=":"), ["22:15"]),
        ("russian", "W:W22:B1", ALGEBRAIC, ["c3-b4", "c3-d4"]),
        ("english", "W:WK22:B9,10,17,18", Style(algebraic=True, capture=":"), ["c3:c3"]),
        ("italian", "W:W24:B20,28", ALGEBRAIC, ["h3xf5"]),
        ("italian", "W:W24:B20,28", file_style(find_rules("italian")), ["24x15"]),
        ("spanish", "W:W24:B20,28", file_style(find_rules("spanish")), ["9x18"]),
        ("portuguese", "W:W24:B1", file_style(find_rules("portuguese")), ["9-13"]),
        ("spanish_giveaway", "W:W24:B20,28", file_style(find_rules("spanish_giveaway")), ["24x15"]),
        ("thai", "B:B9:W32", file_style(find_rules("thai")), ["24-19", "24-20"]),
        ("international", "W:W32:B1", Style(turned=True), ["19-23", "19-24"]),
    ],
)
def test_written_in_a_style(variant: str, fen: str, style: Style, texts: list[str]) -> None:
    board = Board(fen, variant)
    assert sorted(board.pdn(move, style) for move in board.legal_moves) == texts


def test_no_letters_on_the_large_board() -> None:
    board = Board(variant="international")
    with pytest.raises(ArgumentError, match="^squares of a 10x10 board have no algebraic names$"):
        board.pdn(board.legal_moves[0], ALGEBRAIC)
    with pytest.raises(ArgumentError, match="^squares of a 10x10 board have no algebraic names$"):
        board.fen(ALGEBRAIC)


def test_refused_in_the_words_of_the_text() -> None:
    """Numbers in a message are those of the style, too."""
    turned = Style(turned=True)
    board = Board("W:W24:B20,28", "spanish")
    with pytest.raises(MoveError) as caught:
        board.parse_pdn("10-14", turned)
    assert str(caught.value) == "'10-14' is not legal: White has no piece on 10"
    board = Board("W:WK4:B13,20,32,37", "international")
    with pytest.raises(MoveError) as caught:
        board.push_pdn("47x36", turned)
    assert str(caught.value) == "'47x36' is ambiguous: 47x24x13x36 or 47x20x9x36"
    assert board.push_pdn("47x24x13x36", turned).path == (4, 27, 38, 15)
