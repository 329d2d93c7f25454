"""FEN: what is read, what is refused and how, and that writing is the inverse of reading."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import DRAUGHTS

from dame_fast.board.board import Board
from dame_fast.errors import PositionError
from dame_fast.position.position import Position, start_position
from dame_fast.position.squares import bits
from dame_fast.rules.find import find_rules
from dame_fast.rules.rules import BLACK, WHITE, Rules, Side
from dame_fast.text.fen import Setup, read_fen, write_fen, write_styled_fen
from dame_fast.text.style import file_style

ENGLISH = find_rules("english")
INTERNATIONAL = find_rules("international")


@st.composite
def positions(draw: st.DrawFn, variant: str) -> Position:
    """Any legal position of a rule set, one-sided ones too."""
    rules = find_rules(variant)
    squares = draw(st.permutations(range(1, rules.squares + 1)))
    white = draw(st.integers(0, rules.men_at_start))
    black = draw(st.integers(0 if white else 1, rules.men_at_start))
    white_pieces = split(draw, squares[:white], WHITE, rules)
    black_pieces = split(draw, squares[white : white + black], BLACK, rules)
    if draw(st.booleans()):
        return (*white_pieces, *black_pieces, 1)
    return (*black_pieces, *white_pieces, 0)


def split(draw: st.DrawFn, squares: list[int], side: Side, rules: Rules) -> tuple[int, int]:
    """Men and kings on some squares, by chance; on the crown row there are kings only."""
    kings = {square for square in squares if draw(st.booleans()) or rules.is_crown_square(square, side)}
    return bits(tuple(set(squares) - kings)), bits(tuple(kings))


@pytest.mark.parametrize("variant", DRAUGHTS)
@settings(deadline=None)
@given(data=st.data())
def test_round_trip(variant: str, data: st.DataObject) -> None:
    rules = find_rules(variant)
    position = data.draw(positions(variant))
    text = write_fen(position)
    assert read_fen(text, rules) == Setup(position)
    assert write_fen(read_fen(text, rules).position) == text


@settings(deadline=None)
@given(position=positions("english"), data=st.data())
def test_order_spaces_and_ornaments_change_nothing(position: Position, data: st.DataObject) -> None:
    turn, *lists = write_fen(position).split(":")
    shuffled = [
        listed[0] + " , ".join(data.draw(st.permutations(listed[1:].split(",")))) if listed[1:] else listed
        for listed in data.draw(st.permutations(lists))
    ]
    text = " : ".join([turn, *shuffled]).replace("K", "K ") + data.draw(st.sampled_from(["", ".", " . "]))
    quotes = data.draw(st.sampled_from(["", '"', "'"]))
    assert read_fen(f" {quotes} {text} {quotes} ", ENGLISH).position == position


@settings(deadline=None)
@given(st.text(alphabet="WBKHF:,-.0123456789abh '\"\n", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        position = read_fen(text, ENGLISH).position
    except PositionError as error:
        refusal = str(error)
        assert "\n" not in refusal
    else:
        assert read_fen(write_fen(position), ENGLISH).position == position


@pytest.mark.parametrize(
    ("variant", "start"),
    [
        ("english", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("russian", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("italian", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("thai", "B:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8"),
        ("thai12_giveaway", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
    ],
)
def test_start(variant: str, start: str) -> None:
    assert write_fen(start_position(find_rules(variant))) == start


def test_start_on_the_large_board() -> None:
    assert start_position(INTERNATIONAL) == read_fen("W:W31-50:B1-20", INTERNATIONAL).position


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("B:B12,K28:WK23,K19", "B:WK19,K23:B12,K28"),
        ("W:W21-23,K12-14:B1-4.", "W:WK12,K13,K14,21,22,23:B1,2,3,4"),
        ("W:W21 - 23 , K 12 - 12:B", "W:WK12,21,22,23:B"),
        ("W:We3,Kf8:Bb6", "W:WK3,23:B9"),
        ("W:W18:B", "W:W18:B"),
        ("W:W:B12", "W:W:B12"),
        ("B : W 18 : B 01", "B:W18:B1"),
        ("'W:W18:B1.'", "W:W18:B1"),
        ("w:w18:b1", "W:W18:B1"),
        ("b:wk18,k20-21:bb6", "B:WK18,K20,K21:B9"),
        ("\ufeffW:W18:B1\r\n", "W:W18:B1"),
        ("W:W18.:B1.", "W:W18:B1"),
        ("W:WK18 . :B .", "W:WK18:B"),
        ('[FEN "W:W18:B1"]', "W:W18:B1"),
        ('[FEN "W:W18.:B1."]\r\n', "W:W18:B1"),
        (" [ fen 'W:W18:B1' ] ", "W:W18:B1"),
        ('W:W18:B1"', "W:W18:B1"),
        ('W:W18:B1.".', "W:W18:B1"),
        ("\"W:W18:B1'", "W:W18:B1"),
        ("WbbbbbbbbbbbbeeeeeeeewwwwwwwwwwwW", "W:W21,22,23,24,25,26,27,28,29,30,31,K32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("BWeeB" + "e" * 27 + "w", "B:WK1,32:BK4"),
        ("'weeeeeeeeeeeeeeeeeweeeeeeeeeeeeee'", "W:W18:B"),
    ],
)
def test_read(text: str, written: str) -> None:
    assert write_fen(read_fen(text, ENGLISH).position) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("W:Wh1,Ka8:Bb7", "W:WK1,32:B5"),
        ("B:Wb1:Bd3,Kg2", "B:W29:B22,K28"),
    ],
)
def test_read_on_the_mirrored_board(text: str, written: str) -> None:
    assert write_fen(read_fen(text, find_rules("italian")).position) == written


@pytest.mark.parametrize(
    ("variant", "text", "written"),
    [
        ("spanish", "W:W1-12:B21-32", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("thai", "B:W1-8:B25-32", "B:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8"),
        ("portuguese", "W:Wh1,2,K10-11:B32", "W:WK22,K23,31,32:B1"),
        ("italian", "W:W31:B2", "W:W31:B2"),
    ],
)
def test_read_with_the_numbers_of_files(variant: str, text: str, written: str) -> None:
    rules = find_rules(variant)
    style = file_style(rules)
    position = read_fen(text, rules, style).position
    assert write_fen(position) == written
    assert read_fen(write_styled_fen(position, rules, style), rules, style).position == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W:W33:B1", "square 33 is not on the board (1-32)"),
        ("W:W29:B1", "a White man cannot stand on its crown row (square 29)"),
        ("W:W5:B6,5", "square 5 is named twice"),
        ("W:W5:B6,4-5", "square 5 is named twice"),
        ("W:W5:Bh2", "square h2 is named twice"),
        ("W:W7-5:B8", "range '7-5' runs backwards"),
    ],
)
def test_refused_with_the_numbers_of_files(text: str, message: str) -> None:
    rules = find_rules("thai")
    with pytest.raises(PositionError) as caught:
        read_fen(text, rules, file_style(rules))
    assert str(caught.value) == message


@pytest.mark.parametrize(("suffix", "clock"), [("", 0), (":H7:F12", 7), (":F12:H7", 7), (":H 7", 7), (":F3.", 0)])
def test_lidraughts_suffix(suffix: str, clock: int) -> None:
    assert read_fen("W:W18:B1" + suffix, ENGLISH).clock == clock


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty FEN: ''"),
        (" . ", "empty FEN: ' . '"),
        ('""', "empty FEN: '\"\"'"),
        ("hello", "the side to move must be W or B, not 'hello'"),
        ("x:W18:B1", "the side to move must be W or B, not 'x'"),
        ("X:W18:B1", "the side to move must be W or B, not 'X'"),
        ("WB:W18:B1", "the side to move must be W or B, not 'WB'"),
        ("\n?:W18:B1", "the side to move must be W or B, not '?'"),
        ("W18:B1", "no side to move: 'W18:B1'"),
        ("WK18:B1", "no side to move: 'WK18:B1'"),
        (":W18:B1", "no side to move: ':W18:B1'"),
        ("W:W:W31", "more than one turn field: 'W:W:W31'"),
        ("W:B:W18:B1", "more than one turn field: 'W:B:W18:B1'"),
        ("W", "White is missing: 'W'"),
        ("W::", "a field has no colour: 'W::'"),
        ("W:W18:B1:", "a field has no colour: 'W:W18:B1:'"),
        ("W:B1", "White is missing: 'W:B1'"),
        ("W:W18", "Black is missing: 'W:W18'"),
        ("W:W18:B1:W19", "White is given twice: 'W:W18:B1:W19'"),
        ("W:W18:B1:B2", "Black is given twice: 'W:W18:B1:B2'"),
        ("W:W18:B33", "square 33 is not on the board (1-32)"),
        ("W:W0:B1", "square 0 is not on the board (1-32)"),
        ("W:W1-2000000000:B1", "square 200000000 is not on the board (1-32)"),
        ("W:W18,19,18:B1", "square 18 is named twice"),
        ("W:W12:B12", "square 12 is named twice"),
        ("W:W20-22,K21:B1", "square 21 is named twice"),
        ("W:W23,e3:B1", "square e3 is named twice"),
        ("W:We3,23:B1", "square 23 is named twice"),
        ("W:Wc3,c3:B1", "square c3 is named twice"),
        ("W:W20-22,Ka3:B1", "square a3 is named twice"),
        ("W:Wa3,K20-22:B1", "square 21 is named twice"),
        ("W:Wa8:B1", "square a8 is not a playing square"),
        ("W:W1-:B1", "unfinished range '1-'"),
        ("W:WK-5:B1", "unfinished range 'K-5'"),
        ("W:W23-21:B1", "range '23-21' runs backwards"),
        ("W:W21-22-23:B1", "unknown piece '21-22-23'"),
        ("W:W12-K14:B1", "unknown piece '12-K14'"),
        ("W:WQ5:B1", "unknown piece 'Q5'"),
        ("W:Wkk5:B1", "unknown piece 'kk5'"),
        ("W:W18...:B1", "unknown piece '18...'"),
        ("W:w18:W19:B1", "White is given twice: 'W:w18:W19:B1'"),
        ("W:w:W31", "more than one turn field: 'W:w:W31'"),
        ('[FEN ""]', "empty FEN: '[FEN \"\"]'"),
        ('[Event "W:W18:B1"]', "the side to move must be W or B, not '[Event \"W'"),
        ("\ufeff", "empty FEN: '\\ufeff'"),
        ("W" + "e" * 31, "a Hub position has 33 letters on this board, not 32: '" + "W" + "e" * 31 + "'"),
        ("W" + "e" * 32, "there is no piece on the board"),
        ("WeeeweeeeeeeeeeeeeeeeeeeeeeeeeeeB", "a White man cannot stand on its crown row (square 4)"),
        ("\ud800", "the side to move must be W or B, not '\\ud800'"),
        ("W:W18\0:B1", "unknown piece '18\\x00'"),
        ("W:W1 8:B1", "unknown piece '1 8'"),
        ("W:WK:B1", "unknown piece 'K'"),
        ("W:W18..:B1", "unknown piece '18..'"),
        ("W:W18,:B1", "a piece is missing in 'W18,'"),
        ("W:W18,,20:B1", "a piece is missing in 'W18,,20'"),
        ("W:W18:B1:X3", "unknown field 'X3'"),
        ("W:W18:B1:H", "unknown field 'H'"),
        ("W:W18:B1:H1:H2", "H is given twice: 'W:W18:B1:H1:H2'"),
        ("W:W4:B12", "a White man cannot stand on its crown row (square 4)"),
        ("W:W18:B29", "a Black man cannot stand on its crown row (square 29)"),
        ("W:W18:BKh2,g1", "a Black man cannot stand on its crown row (square g1)"),
        ("W:W20-32:B1", "White has 13 pieces, more than the 12 it starts with"),
        ("W:W32:BK1-14", "Black has 14 pieces, more than the 12 it starts with"),
        ("W:W:B", "there is no piece on the board"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_fen(text, ENGLISH)
    assert str(caught.value) == message


def test_position_strings_of_hub() -> None:
    """One letter a square, from square 1 of the style on; 10x10 boards have 50 of them."""
    start = "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert read_fen(start, INTERNATIONAL).position == start_position(INTERNATIONAL)
    thai = find_rules("thai")
    assert write_fen(read_fen("Bw" + "e" * 29 + "Bb", thai, file_style(thai)).position) == "B:W32:B1,K2"
    assert write_fen(read_fen("Bb" + "e" * 29 + "Ww", thai).position) == "B:WK31,32:B1"
    assert Board("Bb" + "e" * 30 + "w", "bashni").fen() == "B:W32:B1"
    with pytest.raises(PositionError) as caught:
        Board("Wb" + "e" * 62 + "w", "altdeutsch")
    assert str(caught.value).startswith("the side to move must be W or B, not 'Wbee")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W:W51:B1", "square 51 is not on the board (1-50)"),
        ("W:We3:B1", "unknown square 'e3'"),
        ("W:W5:B12", "a White man cannot stand on its crown row (square 5)"),
        ("W:W30-50:B1", "White has 21 pieces, more than the 20 it starts with"),
    ],
)
def test_refused_on_the_large_board(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_fen(text, INTERNATIONAL)
    assert str(caught.value) == message
