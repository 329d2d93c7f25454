"""Draughts on all 64 squares: rule by rule, against the slow twin, and as text (rule book, section 9.2)."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import altdeutsch as twin
from reference.altdeutsch import Switches
from reference.oracles import PerftRow, perft_rows

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, Move, MoveError, PositionError, perft
from dame_fast.board.altdeutsch import Altdeutsch
from dame_fast.game.game import Game
from dame_fast.position.position import SIDES, Position
from dame_fast.position.squares import algebraic_name
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants
from dame_fast.rules.rules import Rules, switches_of
from dame_fast.rules.switches import Priority
from dame_fast.text.style import ALGEBRAIC, NUMERIC, Style, file_style

ROWS = [row for row in perft_rows() if row.variant == "altdeutsch"]
RULES = find_rules("altdeutsch")
SWITCHES = [Switches(flying, most) for flying in (False, True) for most in (False, True)]


def kind_of(switches: Switches) -> Altdeutsch:
    priority: Priority = "most" if switches.most_pieces else "free"
    return Altdeutsch(Rules.derive(RULES, name="house", flying_kings=switches.flying_king, priority=priority))


def name(square: int) -> str:
    return algebraic_name(square, RULES)


def twin_position(position: Position) -> twin.Position:
    pieces = Altdeutsch(RULES).pieces(position)
    return twin.Position(tuple(sorted((name(square), piece) for square, piece in pieces.items())), SIDES[position[-1]])


def random_position(random: Random, most: int) -> Position:
    """Up to `most` pieces of each side anywhere; those on their last row are kings."""
    squares = random.sample(range(1, 65), 2 * most)
    lists: dict[str, list[str]] = {"W": [], "B": []}
    for side, last_row, count in (("W", "8", random.randint(1, most)), ("B", "1", random.randint(0, most))):
        for _ in range(count):
            square = name(squares.pop())
            lists[side].append("K" * (square[1] == last_row or random.random() < 0.4) + square)
    turn = random.choice("WB")
    return Altdeutsch(RULES).read(f"{turn}:W{','.join(lists['W'])}:B{','.join(lists['B'])}").position


def check_moves(kind: Altdeutsch, position: Position, switches: Switches) -> None:
    """The same moves as the twin, and each leads to the same position; texts are read as they were written."""
    expected = {(move.key, move.after) for move in twin.legal_moves(twin_position(position), switches)}
    found = set()
    moves = kind.legal_moves(position)
    texts = [kind.write_move(move, moves) for move in moves]
    for text, move in zip(texts, moves, strict=True):
        key = name(move.origin), name(move.target), frozenset(map(name, move.captured)), move.crowned
        found.add((key, twin_position(kind.after(position, move))))
        for written in (text, text.replace("x", ":"), text.replace("x", "-"), kind.write_path(move)):
            assert kind.read_move(written, moves, position) == move, kind.write(position)
    assert found == expected, kind.write(position)
    assert len(found) == len(moves) == len(set(texts))
    paths = twin.legal_paths(twin_position(position), switches)
    assert kind.perft(position, 1, True, _native.Cancel()) == len(paths), kind.write(position)
    assert kind.read(kind.write(position)).position == position


def results(fen: str, switches: Switches = twin.PLAIN) -> dict[str, str]:
    """The legal moves, and the position after each."""
    kind = kind_of(switches)
    position = kind.read(fen).position
    moves = kind.legal_moves(position)
    return {kind.write_move(move, moves): kind.write(kind.after(position, move)) for move in moves}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.depth))
def test_perft(row: PerftRow) -> None:
    assert (row.fen, row.convention) == ("start", "drop")
    for variant in ("altdeutsch", "altdeutsch_giveaway"):
        assert perft(Board(variant=variant), row.depth) == row.leaves
    for switches in SWITCHES:  # alike to this depth
        kind = kind_of(switches)
        assert kind.perft(kind.start(), row.depth, False, _native.Cancel()) == row.leaves


def test_the_perft_rows_are_all_there() -> None:
    assert [row.depth for row in ROWS] == [1, 2, 3, 4, 5]


def test_perft_of_the_twin() -> None:
    for row in ROWS[:3]:
        assert twin.perft(twin.start_position(), row.depth) == row.leaves


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_random_games(switches: Switches, seed: int) -> None:
    random = Random(seed)
    kind = kind_of(switches)
    position = kind.start()
    for ply in range(100):
        check_moves(kind, position, switches)
        if ply % 20 == 0:
            leaves = twin.perft(twin_position(position), 2, switches)
            assert kind.perft(position, 2, False, _native.Cancel()) == leaves
        moves = kind.legal_moves(position)
        if not moves:
            break
        position = kind.after(position, random.choice(moves))


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_random_positions(switches: Switches, seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        check_moves(kind_of(switches), random_position(random, most=9), switches)


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # a man moves diagonally forward only
        ("W:Wd4:Bh8", {"d4-c5": "B:Wc5:Bh8", "d4-e5": "B:We5:Bh8"}),
        ("B:WKh8:Bd4", {"d4-c3": "W:WKh8:Bc3", "d4-e3": "W:WKh8:Be3"}),
        # it captures in five directions
        ("W:Wd4:Bc5", {"d4xb6": "B:Wb6:B"}),
        ("W:Wd4:Bd5", {"d4xd6": "B:Wd6:B"}),
        ("W:Wd4:Be5", {"d4xf6": "B:Wf6:B"}),
        ("W:Wd4:Bc4", {"d4xb4": "B:Wb4:B"}),
        ("W:Wd4:Be4", {"d4xf4": "B:Wf4:B"}),
        ("W:Wd4:BKc3,d3,e3", {"d4-c5": "B:Wc5:BKc3,d3,e3", "d4-e5": "B:We5:BKc3,d3,e3"}),
        ("B:WKd5,d3:Bd4", {"d4xd2": "W:WKd5:Bd2"}),
        # several jumps in any of them
        ("W:Wd4:Be4,g4,h5", {"d4xh6": "B:Wh6:B"}),
        # over the edge there is no way round
        ("W:Wh4:Ba5,a4", {"h4-g5": "B:Wg5:Ba5,a4"}),
        # own pieces and two in line are not jumped
        ("W:Wa2,a3:Ba4,a5", {"a2-b3": "B:Wa3,b3:Ba5,a4", "a3-b4": "B:Wb4,a2:Ba5,a4"}),
        # crowned by a jump, a man stops, though a king could go on
        ("W:Wd6:Bd7,e8", {"d6xd8": "B:WKd8:Be8"}),
        ("W:Wa7:BKh8", {"a7-b8": "B:WKb8:BKh8"}),
        # a king moves one square in all eight directions
        (
            "W:WKa1:Bh8",
            {"a1-a2": "B:WKa2:Bh8", "a1-b1": "B:WKb1:Bh8", "a1-b2": "B:WKb2:Bh8"},
        ),
        # and captures in all of them, the neighbour only
        ("W:WKd4:Bd3,a4", {"d4xd2": "B:WKd2:Ba4"}),
        # a captured piece is not jumped twice: no way back over d5
        ("W:WKd4:Bd5", {"d4xd6": "B:WKd6:B"}),
        # the square that it came from is empty: a round may end there
        ("W:WKd4:Bd5,e6,f5,e4", {"d4xd4": "B:WKd4:B"}),
        # free choice: one piece or two
        ("W:Wd4:Bc5,e5,g7", {"d4xb6": "B:Wb6:Bg7,e5", "d4xh8": "B:WKh8:Bc5"}),
        # a piece that cannot move, and a side that cannot
        ("B:WKb1,a1:Ba2", {}),
    ],
)
def test_rules(fen: str, expected: dict[str, str]) -> None:
    assert results(fen) == expected


def test_switches() -> None:
    flying = Switches(flying_king=True)
    assert set(results("W:WKa1:Ba4", flying)) == {"a1xa5", "a1xa6", "a1xa7", "a1xa8"}
    # it must land where it can go on
    expected = {f"a1x{end}": f"B:WK{end}:B" for end in ("e6", "f6", "g6", "h6")}
    assert results("W:WKa1:Ba4,d6", flying) == expected
    assert set(results("W:Wd4:Bc5,e5,g7", Switches(most_pieces=True))) == {"d4xh8"}


def test_a_captured_piece_blocks_a_flying_king() -> None:
    """The king comes to e7, but on its way down to e2 the piece on e4 stands that it has captured."""
    found = results("W:WKa4,f3:Be4,g6,f7,e2", Switches(flying_king=True))
    assert found["a4xe7"] == "B:WKe7,f3:Be2"
    assert not any("Ke1" in after for after in found.values())


def test_paths_count_apart() -> None:
    board = Board("W:WKd4:Bd5,e6,f5,e4", "altdeutsch")
    assert (perft(board, 1), perft(board, 1, paths=True)) == (1, 2)


@pytest.mark.parametrize(
    ("fen", "text", "captured"),
    [
        ("W:WKd4:Bd5,e6,f5,e4", "d4xd4", ("d5", "e4", "e6", "f5")),
        ("W:WKd4:Bd5,e6,f5,e4", "d4xd6xf6xf4xd4", ("d5", "e4", "e6", "f5")),
        ("W:WKd4:Bd5,e6,f5,e4", " d4:f4:f6:d6:d4\n", ("d5", "e4", "e6", "f5")),
        ("W:Wd4:Bd5", "d4-d6", ("d5",)),
        ("W:Wd4:B", "d4-e5", ()),
    ],
)
def test_texts(fen: str, text: str, captured: tuple[str, ...]) -> None:
    assert sorted(map(name, Board(fen, "altdeutsch").parse_pdn(text).captured)) == sorted(captured)


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (None, "", "cannot read move ''"),
        (None, "b2", "cannot read move 'b2'"),
        (None, "b2-i3", "cannot read move 'b2-i3'"),
        (None, "50-41", "cannot read move '50-41': unknown square '50'"),
        (None, "b2-b3", "'b2-b3' is not legal: the piece on b2 cannot go there"),
        (None, "b2xc3", "'b2xc3' is not legal: there is nothing to capture"),
        (None, "c7-c6", "'c7-c6' is not legal: White has no piece on c7"),
        ("W:Wd4:Bd5", "d4-e5", "'d4-e5' is not legal: a capture must be played"),
        ("W:Wd4:Bd5", "d4xb6", "'d4xb6' is not legal: no legal capture goes that way"),
        ("W:W:Bd5", "d4xb6", "'d4xb6' is not legal: the game is over"),
        ("W:WKd4:Bd5,e6,e4,f5", "d4xf6", "'d4xf6' is not legal: no legal capture goes that way"),
        ("W:WKa1:BKb1,c2,b2,d4", "a1xe5", "'a1xe5' is ambiguous: a1xc1xc3xe5 or a1xc3xe5"),
    ],
)
def test_moves_that_are_refused(fen: str | None, text: str, message: str) -> None:
    with pytest.raises(MoveError) as caught:
        Board(fen, "altdeutsch").parse_pdn(text)
    assert str(caught.value) == message


def test_a_move_that_is_not_legal() -> None:
    with pytest.raises(MoveError) as caught:
        Board("W:Wd4:Bd5", "altdeutsch").push(Move((36, 27)))
    assert str(caught.value) == "d4-c5 is not a legal move in W:Wd4:Bd5"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("W:Wa1,Kd4:Bc6,Kf8", "W:WKd4,a1:BKf8,c6"),
        ('" B : BK c6 : W d4 , h7 ."', "B:Wh7,d4:BKc6"),
        ("W:W:Bd5", "W:W:Bd5"),
    ],
)
def test_fen(text: str, written: str) -> None:
    assert Board(text, "altdeutsch").fen() == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty FEN: ''"),
        ("X:Wd4:Bd5", "the side to move must be W or B, not 'X'"),
        ("Wd4:Bd5", "no side to move: 'Wd4:Bd5'"),
        ("W:Wd4", "Black is missing: 'W:Wd4'"),
        ("W:W:B", "there is no piece on the board"),
        ("W:W18:Bd5", "unknown square '18'"),
        ("W:W18-20:Bd5", "unknown square '18'"),
        ("W:Wa1-c1:Bd5", "unknown piece 'a1-c1'"),
        ("W:Wi1:Bd5", "unknown piece 'i1'"),
        ("W:Wd9:Bd5", "unknown piece 'd9'"),
        ("W:Wd4[b]:Bd5", "unknown piece 'd4[b]'"),
        ("W:Wd4,Kd4:Bd5", "square d4 is named twice"),
        ("W:Wd4:Bd4", "square d4 is named twice"),
        ("W:Wa8:Bd5", "a White man cannot stand on its crown row (square a8)"),
        ("W:Wa7:Bh1", "a Black man cannot stand on its crown row (square h1)"),
        (
            "W:Wa1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,a3:B",
            "White has 17 pieces, more than the 16 it starts with",
        ),
    ],
)
def test_fen_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Board(text, "altdeutsch")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("style", "sign"),
    [(NUMERIC, "x"), (ALGEBRAIC, "x"), (file_style(RULES), "x"), (Style(turned=True), "x"), (Style(capture=":"), ":")],
)
def test_styles(style: Style, sign: str) -> None:
    """All texts have letters, only the sign is heeded."""
    board = Board("W:Wd4,Ka1:Bd5", "altdeutsch")
    (move,) = board.legal_moves
    assert board.pdn(move, style) == f"d4{sign}d6"
    assert board.parse_pdn("d4xd6", style) == board.parse_pdn("d4:d6", style) == move
    assert board.fen(style) == board.fen() == "W:Wd4,Ka1:Bd5"
    with pytest.raises(MoveError, match="^cannot read move '36x20': unknown square '36'$"):
        board.parse_pdn("36x20", style)


def test_ambiguity_in_a_style() -> None:
    with pytest.raises(MoveError, match="^'a1xe5' is ambiguous: a1:c1:c3:e5 or a1:c3:e5$"):
        Board("W:WKa1:BKb1,c2,b2,d4", "altdeutsch").parse_pdn("a1xe5", Style(capture=":", turned=True))


@given(st.text(alphabet="WBKHF:,-. 12345678abcdefgh'\"\n", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        board = Board(text, "altdeutsch")
    except PositionError as error:
        refusal = str(error)
        assert "\n" not in refusal
    else:
        assert Board(board.fen(), "altdeutsch") == board


def test_board() -> None:
    board = Board("W:Wd4,Ka1:Bd5:H3", "altdeutsch")
    assert (board.turn, board.ply, board.clock) == ("W", 0, 3)
    assert board.pieces == {28: "b", 36: "w", 57: "W"}
    before = board.copy()
    assert board.push_pdn("d4xd6") == Move((36, 20), (28,))
    assert (board.fen(), board.clock) == ("B:Wd6,Ka1:B", 0)
    assert (board.is_game_over(), board.winner()) == (True, "W")
    assert Board(board.fen(), "altdeutsch_giveaway").winner() == "B"
    board.pop()
    assert board == before
    assert repr(board) == "Board('W:Wd4,Ka1:Bd5', variant='altdeutsch')"
    assert str(board).splitlines() == [
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . b . . . .",
        ". . . w . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        "W . . . . . . .",
    ]


def test_clock() -> None:
    board = Board("W:WKa1,b2:BKh8", "altdeutsch")
    for text, clock in (("a1-a2", 1), ("h8-h7", 2), ("b2-c3", 0)):
        board.push_pdn(text)
        assert board.clock == clock


def test_start() -> None:
    board = Board(variant="altdeutsch")
    assert (board.turn, len(board.pieces), len(board.legal_moves)) == ("W", 32, 14)
    rows = str(board).splitlines()
    assert rows == ["b b b b b b b b"] * 2 + [". . . . . . . ."] * 4 + ["w w w w w w w w"] * 2
    assert board == Board(board.fen(), "altdeutsch")


@pytest.mark.parametrize(
    ("fen", "variant", "ending"),
    [
        ("W:W:Bd5", "altdeutsch", "Black wins: White has no piece left"),
        ("W:W:Bd5", "altdeutsch_giveaway", "White wins: White has no piece left"),
        ("W:Wa6:Bb7,c8", "altdeutsch", "Black wins: White has no legal move"),
    ],
)
def test_end_of_a_game(fen: str, variant: str, ending: str) -> None:
    assert str(Game(Board(fen, variant)).ending) == ending


def test_repetition() -> None:
    game = Game(Board("W:WKa1:BKh8", "altdeutsch"))
    for _ in range(2):
        for text in ("a1-a2", "h8-h7", "a2-a1", "h7-h8"):
            assert game.ending is None
            game.push(game.board.parse_pdn(text))
    assert str(game.ending) == "Draw: the same position for the third time"


def test_facts() -> None:
    found = {each: find_rules(each) for each in variants() if find_rules(each).kind == "altdeutsch"}
    assert sorted(found) == ["altdeutsch", "altdeutsch_giveaway"]
    for variant, rules in found.items():
        assert (rules.misere, rules.draw_plies, rules.first) == (variant.endswith("giveaway"), 50, "W")
        assert (rules.squares, rules.columns, rules.rows, rules.men_squares) == (64, 8, 8, 56)
        assert (rules.men_at_start, rules.flying_kings, rules.priority, rules.game_type) == (16, False, "free", None)


@pytest.mark.parametrize(
    "change",
    [
        {"crowning": "goes_man"},
        {"removal": "at_once"},
        {"priority": "italian"},
        {"men_capture_backwards": True},
        {"men_capture_kings": False},
        {"capture_optional": True},
    ],
)
def test_rules_that_the_core_does_not_play(change: dict[str, object]) -> None:
    kind = Altdeutsch(replace(RULES, **change))  # type: ignore[arg-type]
    for call in (kind.legal_moves, lambda position: kind.perft(position, 1, False, _native.Cancel())):
        with pytest.raises(ArgumentError, match="^not supported for this rule set$"):
            call(kind.start())


def test_too_many_pieces_for_the_core() -> None:
    with pytest.raises(PositionError):
        _native.altdeutsch_moves(switches_of(RULES), ((1 << 17) - 1, 0, 1 << 63, 0, 0))


def test_too_many_ways_to_capture() -> None:
    rules = Rules.derive("altdeutsch", name="house", flying_kings=True)
    white = (square for square in range(1, 65) if 0x206A000404708F08 >> square - 1 & 1)
    names = ",".join(f"K{algebraic_name(square, rules)}" for square in white)
    board = Board(f"B:W{names}:BK{algebraic_name(5, rules)}", rules)
    for call in (lambda: board.legal_moves, lambda: perft(board, 1)):
        with pytest.raises(PositionError, match="^there are too many ways to capture$"):
            call()


def test_a_raised_flag_ends_perft() -> None:
    cancel = _native.Cancel()
    cancel.set()
    with pytest.raises(_native.Cancelled):
        _native.altdeutsch_perft(switches_of(RULES), Altdeutsch(RULES).start(), 30, True, cancel)
