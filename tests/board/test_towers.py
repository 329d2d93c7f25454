"""Towers: rule by rule, against the slow twin, and as text (rule book, section 9.1)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import towers as twin
from reference.oracles import PerftRow, perft_rows

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, Move, MoveError, PositionError, VariantError, perft
from dame_fast.board.kinds import find_kind
from dame_fast.board.towers import Towers
from dame_fast.game.game import Game
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants
from dame_fast.text.style import ALGEBRAIC, NUMERIC, Style, file_style

VARIANTS = ("bashni", "bashni_again")
ROWS = [row for row in perft_rows() if row.variant in VARIANTS]
CIRCLE = "W:W22:B9,K10,17,18"
"""A man can capture a king and three men in two orders."""


def twin_position(board: Board) -> twin.Position:
    return twin.Position(tuple(board.pieces.items()), board.turn)


def random_board(random: Random, variant: str, most: int) -> Board:
    """Up to `most` pieces of each side in stacks of chance."""
    stacks: dict[int, str] = {}
    letters = ["wW"[random.random() < 0.5] for _ in range(random.randint(1, most))]
    letters += ["bB"[random.random() < 0.5] for _ in range(random.randint(1, most))]
    random.shuffle(letters)
    for letter in letters:
        square = random.randint(1, 32)
        stacks[square] = letter + stacks.get(square, "")
    for square, stack in stacks.items():
        if square <= 4 or square >= 29:  # whatever is on top there may be a king
            stacks[square] = stack[0].upper() + stack[1:]
    placed = tuple(stacks.get(square, "") for square in range(1, 33))
    kind = Towers(find_rules(variant))
    return Board(kind.write((placed, random.randint(0, 1))), variant)


def check_moves(board: Board) -> None:
    """The same moves as the twin, and each leads to the same position."""
    again = board.variant == "bashni_again"
    expected = {move.key for move in twin.legal_moves(twin_position(board), again=again)}
    found = set()
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        found.add((move.origin, move.target, move.captured, move.crowned, twin_position(after)))
        assert move.by_king == board.pieces[move.origin][0].isupper()
    assert found == expected, board
    assert len(found) == len(board.legal_moves)
    paths = twin.legal_paths(twin_position(board), again=again)
    assert perft(board, 1, paths=True) == len(paths), board


def check_texts(board: Board) -> None:
    texts = [board.pdn(move) for move in board.legal_moves]
    assert len(set(texts)) == len(texts)
    for text, move in zip(texts, board.legal_moves, strict=True):
        for written in (text, text.replace("x", ":"), text.replace("x", "-"), str(move)):
            assert board.parse_pdn(written) == move, board
    assert Board(board.fen(), board.variant) == board
    for style in (ALGEBRAIC, Style(capture=":", turned=True)):
        assert all(board.parse_pdn(board.pdn(move, style), style) == move for move in board.legal_moves)
        kind = Towers(board.rules)
        assert kind.write(kind.read(board.fen(style), style).position) == board.fen()


def results(fen: str, variant: str = "bashni") -> dict[str, str]:
    """The legal moves, and the position after each."""
    board = Board(fen, variant)
    found = {}
    for move in board.legal_moves:
        board.push(move)
        after = board.fen()
        board.pop()
        found[board.pdn(move)] = after
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.variant}-{row.depth}")
def test_perft(row: PerftRow) -> None:
    assert (row.fen, row.convention) == ("start", "keep")
    for variant in (row.variant, f"{row.variant}_giveaway"):
        assert perft(Board(variant=variant), row.depth, paths=True) == row.leaves


def test_the_perft_rows_are_all_there() -> None:
    assert [row.depth for row in ROWS] == [*range(1, 9)] * 2


@pytest.mark.parametrize("again", [False, True])
def test_perft_of_the_twin(again: bool) -> None:
    leaves = [row.leaves for row in ROWS if row.variant == ("bashni_again" if again else "bashni")]
    for depth in range(1, 6):
        assert twin.perft(twin.start_position(), depth, again=again, paths=True) == leaves[depth - 1]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(15))
def test_random_games(variant: str, seed: int) -> None:
    random = Random(seed)
    board = Board(variant=variant)
    while board.legal_moves and board.ply < 120:
        check_moves(board)
        check_texts(board)
        if board.ply % 20 == 0:
            again = variant == "bashni_again"
            assert perft(board, 2, paths=False) == twin.perft(twin_position(board), 2, again=again)
        board.push(random.choice(board.legal_moves))
        assert sum(map(len, board.pieces.values())) == 24  # no piece ever leaves the board


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(10))
def test_random_positions(variant: str, seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        board = random_board(random, variant, most=8 if variant == "bashni" else 6)
        check_moves(board)
        check_texts(board)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # the piece on top goes under the capturing stack, the rest stays
        ("W:W22:B18", {"c3xe5": "B:W15[b]:B"}),
        ("W:W22[b]:BK18", {"c3xe5": "B:W15[bB]:B"}),
        ("W:W22:B18[b]", {"c3xe5": "B:W15[b]:B18"}),
        # what is freed keeps its rank
        ("W:W22:B18[W]", {"c3xe5": "B:W15[b],K18:B"}),
        ("W:W22:BK18[wB]", {"c3xe5": "B:W15[B],18[B]:B"}),
        # a stack moves as one piece, with the rank of its top
        ("W:W18[BB]:B1", {"d4-c5": "B:W14[BB]:B1", "d4-e5": "B:W15[BB]:B1"}),
        ("B:W18[BB]:B1", {"b8-a7": "W:W18[BB]:B5", "b8-c7": "W:W18[BB]:B6"}),
        ("W:W6[bw]:B12", {"c7-b8": "B:WK1[bw]:B12", "c7-d8": "B:WK2[bw]:B12"}),
        # a man crowned in mid-capture goes on as a king
        ("W:W9:B6,11", {"b6xg5": "B:WK16[bb]:B", "b6xh4": "B:WK20[bb]:B"}),
        # men capture backwards
        ("W:W18:B22", {"d4xb2": "B:W25[b]:B"}),
        # a king does not turn back by 180 degrees, though nothing is in its way
        (
            "W:WK18:B15,22",
            {
                "d4xf6": "B:WK11[b]:B22",
                "d4xg7": "B:WK8[b]:B22",
                "d4xh8": "B:WK4[b]:B22",
                "d4xb2": "B:WK25[b]:B15",
                "d4xa1": "B:WK29[b]:B15",
            },
        ),
        # the square of a captured single piece is empty from then on: the last jump crosses e5
        (
            "W:WKa1:Be5,g5,f2,d2,b6,f4",
            {"a1xg3": "B:WK24[bbbbbb]:B", "a1xh2": "B:WK28[bbbbbb]:B"},
        ),
        # what is left of a stack that was jumped blocks: the same, but for one more piece on e5
        (
            "W:WKa1:Be5[b],g5,f2,d2,b6,f4",
            {"a1xc7": "B:WK6[bbbbb]:B15,19", "a1xd8": "B:WK2[bbbbb]:B15,19"},
        ),
        # a king must land where it can go on
        ("W:WK29:B22,23", {"a1xf2": "B:WK27[bb]:B", "a1xg1": "B:WK32[bb]:B"}),
        # two orders of the jumps leave different stacks
        (CIRCLE, {"c3xa5xc7xe5xc3": "B:W22[bbBb]:B", "c3xe5xc7xa5xc3": "B:W22[bBbb]:B"}),
        # or the same stack
        ("W:W22:B9,10,17,18", {"c3xc3": "B:W22[bbbb]:B"}),
        # prisoners do not move
        ("W:W:B1[w],K32[W]", {}),
    ],
)
def test_rules(fen: str, expected: dict[str, str]) -> None:
    assert results(fen) == expected


def test_jumping_again() -> None:
    assert results("W:W22:B18[b]", "bashni_again") == {"c3xc3": "B:W22[bb]:B"}
    assert set(results("W:WK18:B15,22", "bashni_again")) == {"d4xf6", "d4xg7", "d4xh8", "d4xb2", "d4xa1"}
    assert all(after.endswith("[bb]:B") for after in results("W:WK18:B15,22", "bashni_again").values())


def test_paths_count_apart() -> None:
    board = Board("W:W22:B9,10,17,18", "bashni")
    assert (perft(board, 1, paths=False), perft(board, 1, paths=True)) == (1, 2)
    assert perft(Board(CIRCLE, "bashni"), 1) == 2


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("c3xa5xc7xe5xc3", (22, 13, 6, 15, 22)),
        ("22x13x6x15x22", (22, 13, 6, 15, 22)),
        ("c3:e5:c7:a5:c3", (22, 15, 6, 13, 22)),
        (" c3-e5-c7-a5-c3\n", (22, 15, 6, 13, 22)),
    ],
)
def test_texts(text: str, path: tuple[int, ...]) -> None:
    assert Board(CIRCLE, "bashni").parse_pdn(text) == Move(path, (9, 10, 17, 18))


def test_texts_of_another_path() -> None:
    circle = Board("W:W22:B9,10,17,18", "bashni")
    assert circle.parse_pdn("c3xe5xc7xa5xc3") == circle.parse_pdn("c3xa5xc7xe5xc3") == circle.legal_moves[0]
    run = Board("W:WK29:B22,11", "bashni")
    assert {str(run.parse_pdn(text)) for text in ("a1xd4xg7", "a1xe5xg7", "29x18x8")} == {"29x15x8"}


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (None, "", "cannot read move ''"),
        (None, "c3", "cannot read move 'c3'"),
        (None, "33-28", "cannot read move '33-28': square 33 is not on the board (1-32)"),
        (None, "c2-c3", "cannot read move 'c2-c3': square c2 is not a playing square"),
        (None, "c3-e5", "'c3-e5' is not legal: the piece on c3 cannot go there"),
        (None, "22-15", "'22-15' is not legal: the piece on 22 cannot go there"),
        (None, "d4-e5", "'d4-e5' is not legal: White has no piece on d4"),
        (None, "b6-c5", "'b6-c5' is not legal: White has no piece on b6"),
        (None, "c3xe5", "'c3xe5' is not legal: there is nothing to capture"),
        ("W:W22:B18[w]", "c3-b4", "'c3-b4' is not legal: a capture must be played"),
        ("W:W22:B18[w]", "d4xb6", "'d4xb6' is not legal: White has no piece on d4"),
        ("W:W22:B18[w]", "c3xa5", "'c3xa5' is not legal: no legal capture goes that way"),
        ("W:W:B18[w]", "c3-b4", "'c3-b4' is not legal: the game is over"),
        (CIRCLE, "c3xc3", "'c3xc3' is ambiguous: c3xa5xc7xe5xc3 or c3xe5xc7xa5xc3"),
    ],
)
def test_moves_that_are_refused(fen: str | None, text: str, message: str) -> None:
    with pytest.raises(MoveError) as caught:
        Board(fen, "bashni").parse_pdn(text)
    assert str(caught.value) == message


def test_a_move_that_is_not_legal() -> None:
    with pytest.raises(MoveError) as caught:
        Board("W:W22:B18[w]", "bashni").push(Move((22, 17)))
    assert str(caught.value) == "c3-b4 is not a legal move in W:W22:B18[w]"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("W:W18[bB],K22:B9[w]", "W:W18[bB],K22:B9[w]"),
        ("'W : B b6 [ w ] : WK c3, d4[b B].'", "W:W18[bB],K22:B9[w]"),
        ("B:WK1[w],21-23:BK30-31", "B:WK1[w],21,22,23:BK30,K31"),
        ("W:W18:B", "W:W18:B"),
        ("W:W:B18[wwwwwwwwwwww]", "W:W:B18[wwwwwwwwwwww]"),
        ("B:W:BK29[w],K1[w]", "B:W:BK1[w],K29[w]"),
    ],
)
def test_fen(text: str, written: str) -> None:
    assert Board(text, "bashni").fen() == written


def test_clock_of_a_fen() -> None:
    assert Board("W:WK18[b]:BK1:H7:F12", "bashni").clock == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty FEN: ''"),
        ("X:W18:B1", "the side to move must be W or B, not 'X'"),
        ("W18[b]:B1", "no side to move: 'W18[b]:B1'"),
        ("W:W:W31", "more than one turn field: 'W:W:W31'"),
        ("W:W18:B1:B2", "Black is given twice: 'W:W18:B1:B2'"),
        ("W:W18[b]", "Black is missing: 'W:W18[b]'"),
        ("W:W18:B1:Q", "unknown field 'Q'"),
        ("W:W:B", "there is no piece on the board"),
        ("W:W18[bQ]:B1", "unknown piece 'Q' in '18[bQ]': men are w and b, kings W and B"),
        ("W:W18[]:B1", "there is no piece in the brackets of '18[]'"),
        ("W:W18[ ]:B1", "there is no piece in the brackets of '18[ ]'"),
        ("W:W18[b:B1", "the brackets of '18[b' are not one pair at its end"),
        ("W:W18b]:B1", "the brackets of '18b]' are not one pair at its end"),
        ("W:W18[b][w]:B1", "the brackets of '18[b][w]' are not one pair at its end"),
        ("W:W18[b]K:B1", "the brackets of '18[b]K' are not one pair at its end"),
        ("W:W[b]:B1", "a piece is missing in 'W[b]'"),
        ("W:W18,,19:B1", "a piece is missing in 'W18,,19'"),
        ("W:W18-20[b]:B1", "a range of stacks: '18-20[b]'"),
        ("W:W20-18:B1", "range '20-18' runs backwards"),
        ("W:W1-:B1", "unfinished range '1-'"),
        ("W:WQ5:B1", "unknown piece 'Q5'"),
        ("W:W33[b]:B1", "square 33 is not on the board (1-32)"),
        ("W:Wa2[b]:B1", "square a2 is not a playing square"),
        ("W:W18[b],18:B1", "square 18 is named twice"),
        ("W:W18[b]:Bd4", "square d4 is named twice"),
        ("W:W4[b]:B1", "a White man cannot stand on its crown row (square 4)"),
        ("W:W18:B29[w]", "a Black man cannot stand on its crown row (square 29)"),
        ("W:W18:B5[wwwwwwwwwwww]", "White has 13 pieces, more than the 12 it starts with"),
        ("W:W18[bbbbbb],19[BBBBBB]:B5", "Black has 13 pieces, more than the 12 it starts with"),
    ],
)
def test_fen_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Board(text, "bashni")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("style", "move", "fen"),
    [
        (NUMERIC, "c3xe5", "W:W22[b],K31:B18[WB]"),
        (ALGEBRAIC, "c3xe5", "W:Wc3[b],Ke1:Bd4[WB]"),
        (file_style(find_rules("bashni")), "c3xe5", "W:Wc3[b],Ke1:Bd4[WB]"),
        (Style(capture=":"), "c3:e5", "W:W22[b],K31:B18[WB]"),
        (Style(turned=True), "c3xe5", "W:WK2,11[b]:B15[WB]"),
    ],
)
def test_styles(style: Style, move: str, fen: str) -> None:
    """Moves have letters and the sign of the style; numbers that are read, and FENs, are those of the style."""
    board = Board("W:W22[b],K31:B18[WB]", "bashni")
    (found,) = board.legal_moves
    assert board.pdn(found, style) == move
    numbers = "11x18" if style.turned else "22x15"
    for text in ("c3xe5", "c3:e5", numbers):
        assert board.parse_pdn(text, style) == found
    assert board.fen(style) == fen
    kind = Towers(board.rules)
    assert kind.write(kind.read(fen, style).position) == board.fen()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("W:W18,15[b],18:B1", "square 18 is named twice"),
        ("W:W29:B1", "a White man cannot stand on its crown row (square 29)"),
        ("W:W33:B1", "square 33 is not on the board (1-32)"),
    ],
)
def test_fen_that_is_refused_with_turned_numbers(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Towers(find_rules("bashni")).read(text, Style(turned=True))
    assert str(caught.value) == message


def test_ambiguity_in_a_style() -> None:
    with pytest.raises(MoveError, match="^'11x11' is ambiguous: c3:a5:c7:e5:c3 or c3:e5:c7:a5:c3$"):
        Board(CIRCLE, "bashni").parse_pdn("11x11", Style(capture=":", turned=True))


@given(st.text(alphabet="WBKwbHF:,-.[] 0123456789abh'\"\n", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        board = Board(text, "bashni")
    except PositionError as error:
        refusal = str(error)
        assert "\n" not in refusal
    else:
        assert Board(board.fen(), "bashni") == board


def test_board() -> None:
    board = Board("W:W22[B],K5:B18[W]", "bashni")
    assert (board.turn, board.ply, board.clock) == ("W", 0, 0)
    assert board.pieces == {5: "W", 18: "bW", 22: "wB"}
    before = board.copy()
    assert board.push_pdn("c3xe5") == Move((22, 15), (18,))
    assert board.fen() == "B:WK5,15[Bb],K18:B"
    assert (board.is_game_over(), board.winner()) == (True, "W")
    assert Board(board.fen(), "bashni_giveaway").winner() == "B"
    assert board != before
    board.pop()
    assert board == before
    assert repr(board) == "Board('W:WK5,22[B]:B18[W]', variant='bashni')"
    assert str(board).splitlines()[:2] == ["   .     .     .     .", "W     .     .     ."]
    assert str(board).splitlines()[4] == "   .     b2    .     ."
    assert len({board.position, before.position}) == 1


def test_clock() -> None:
    board = Board("W:WK18[b],31:BK1", "bashni")
    for text, clock in (("d4-c5", 1), ("b8-a7", 2), ("e1-f2", 0)):
        board.push_pdn(text)
        assert board.clock == clock


def test_start() -> None:
    board = Board(variant="bashni")
    assert board.fen() == "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert board.turn == "W"
    assert str(board) == str(Board(variant="english"))


@pytest.mark.parametrize(
    ("fen", "variant", "ending"),
    [
        ("W:W:B18[w]", "bashni", "Black wins: White has no piece left"),
        ("W:W:B18[w]", "bashni_giveaway", "White wins: White has no piece left"),
        ("W:W29:B25[w],22", "bashni", "Black wins: White has no legal move"),
    ],
)
def test_end_of_a_game(fen: str, variant: str, ending: str) -> None:
    assert str(Game(Board(fen, variant)).ending) == ending


def test_repetition_and_counter() -> None:
    game = Game(Board("W:WK32[b]:BK1[w]", "bashni"))
    for _ in range(2):
        for text in ("g1-f2", "b8-c7", "f2-g1", "c7-b8"):
            assert game.ending is None
            game.push(game.board.parse_pdn(text))
    assert str(game.ending) == "Draw: the same position for the third time"
    counted = Game(Board("W:WK18[b]:BK1[w]", "bashni"), draw_plies=1)
    counted.push(counted.board.parse_pdn("d4-e3"))
    assert str(counted.ending) == "Draw: 1 ply without capture and man move"


def test_facts() -> None:
    found = {name: find_rules(name) for name in variants() if find_rules(name).kind == "towers"}
    assert sorted(found) == ["bashni", "bashni_again", "bashni_again_giveaway", "bashni_giveaway"]
    for name, rules in found.items():
        assert (rules.misere, rules.draw_plies, rules.first) == (name.endswith("giveaway"), 50, "W")
        assert (rules.squares, rules.rows, rules.men_at_start, rules.game_type) == (32, 8, 12, None)


@pytest.mark.parametrize(
    ("stacks", "message"),
    [
        (("w",) * 31, "not a board of towers: "),
        (("w",) * 32, "not a board of towers: "),
        (("wx", *[""] * 31), "not a stack: 'wx'"),
    ],
)
def test_what_the_core_refuses(stacks: tuple[str, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{message}"):
        _native.tower_moves("bashni", (stacks, 1))


def test_other_rule_sets_have_no_towers() -> None:
    with pytest.raises(VariantError, match="^no variant with towers: 'english'$"):
        _native.tower_moves("english", (("",) * 32, 1))
    with pytest.raises(VariantError, match="^no variant with towers: 'english'$"):
        find_kind(replace(find_rules("bashni"), id="english")).legal_moves((("",) * 32, 1))


def test_a_raised_flag_ends_perft() -> None:
    cancel = _native.Cancel()
    cancel.set()
    with pytest.raises(_native.Cancelled):
        _native.tower_perft("bashni", Towers(find_rules("bashni")).start(), 30, True, cancel)
