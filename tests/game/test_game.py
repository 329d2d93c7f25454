"""Games: what belongs to them of a board's past, what ends them, and what is refused."""

import copy
import pickle
from collections.abc import Callable

import pytest

from dame_fast import BLACK, WHITE, ArgumentError, Board, Game, MoveError, PositionError, Rules

KINGS = "W:WK1:BK32"
ROUND = ("1-6", "32-28", "6-1", "28-32")
"""Back to the same position in four plies."""
DRAWN = "Draw: the same position for the third time"


def play(game: Game | Board, *moves: str) -> None:
    for move in moves:
        game.push(move)


def test_repetition() -> None:
    game = Game(KINGS)
    play(game, *ROUND, *ROUND[:-1])
    assert game.ending is None
    game.push(ROUND[-1])
    assert (str(game.ending), game.plies) == (DRAWN, 8)
    game.pop()
    assert game.ending is None


@pytest.mark.parametrize("variant", ["italian", "italian_giveaway"])
def test_italian_repetition_is_the_fourth(variant: str) -> None:
    game = Game(Board(KINGS, variant))
    play(game, *("1-5", "32-28", "5-1", "28-32") * 2)
    assert (game.board.repetitions, game.ending) == (3, None)
    play(game, "1-5", "32-28", "5-1")
    assert game.ending is None
    game.push("28-32")
    assert str(game.ending) == "Draw: the same position for the fourth time"


def test_custom_rules_repeat_as_their_base_does() -> None:
    house = Rules.derive("italian", name="house", men_capture_kings=True)
    game = Game(Board(KINGS, house))
    play(game, *("1-5", "32-28", "5-1", "28-32") * 3)
    assert str(game.ending) == "Draw: the same position for the fourth time"


def test_the_past_of_a_board_counts() -> None:
    """Moves made before the game: their positions are repeated and their plies counted, but none is a move of it."""
    board = Board(KINGS)
    play(board, *ROUND, "1-6")
    game = Game(board, draw_plies=9)
    assert (game.plies, game.moves, game.board.clock, game.ending) == (0, (), 5, None)
    assert game.board.move_stack == board.move_stack
    with pytest.raises(MoveError) as caught:
        game.pop()
    assert str(caught.value) == "the game has no move to take back"
    assert (game.plies, game.board.ply) == (0, 5)
    play(game, "32-28", "6-1")
    assert game.ending is None
    game.push("28-32")
    assert (str(game.ending), game.plies, game.board.repetitions) == (DRAWN, 3, 3)
    assert [str(game.pop()) for _ in range(3)] == ["28-32", "6-1", "32-28"]
    with pytest.raises(MoveError, match="no move to take back"):
        game.pop()
    assert board.ply == 5


def test_the_counter_goes_on_from_the_board() -> None:
    board = Board(KINGS)
    play(board, "1-6", "32-28")
    game = Game(board, draw_plies=4)
    play(game, "6-10", "28-24")
    assert str(game.ending) == "Draw: 4 plies without capture and man move"
    assert str(Game(Board(f"{KINGS}:H4"), draw_plies=4).ending) == "Draw: 4 plies without capture and man move"
    assert str(Game(Board(f"{KINGS}:H4"), draw_plies=1).ending) == "Draw: 1 ply without capture and man move"


def test_a_side_without_a_move_has_lost_whatever_the_counter_says() -> None:
    assert str(Game(Board("B:W16,19:B12:H50"), draw_plies=40).ending) == "White wins: Black has no legal move"


def test_plies_are_never_negative() -> None:
    board = Board(KINGS)
    play(board, "1-6")
    game = Game(board)
    game.board.pop()  # not by the methods of the game
    assert (game.plies, game.moves) == (0, ())
    with pytest.raises(MoveError):
        game.pop()


def test_nothing_happens_after_the_end() -> None:
    game = Game("W:WK18:BK11")
    play(game, "18-15", "11x18")
    text = "the game is over (Black wins: White has no piece left)"
    calls: tuple[Callable[[], None], ...] = (lambda: game.push("1-6"), lambda: game.resign(WHITE), game.agree_draw)
    for call in calls:
        with pytest.raises(MoveError) as caught:
            call()
        assert str(caught.value) == text
    assert str(game.pop()) == "11x18"
    game.push("11x18")


def test_resigning_and_agreeing() -> None:
    game = Game(KINGS)
    game.push("1-6")
    game.resign(BLACK)
    assert str(game.ending) == "White wins: Black resigns"
    with pytest.raises(MoveError) as caught:
        game.push("32-28")
    assert str(caught.value) == "the game is over (White wins: Black resigns)"
    game.pop()
    assert (game.ending, game.plies) == (None, 0)
    game.agree_draw()
    assert str(game.ending) == "Draw: agreed"


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (0, "draw_plies must be 1 to 253, not 0"),
        (-1, "draw_plies must be 1 to 253, not -1"),
        (254, "draw_plies must be 1 to 253, not 254"),
        (2.5, "draw_plies must be a number or None, not 2.5"),
        ("40", "draw_plies must be a number or None, not '40'"),
        (True, "draw_plies must be a number or None, not True"),
    ],
)
def test_draw_rules(rule: int, text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Game(Board(), draw_plies=rule)
    assert str(caught.value) == text
    assert Game(Board(), draw_plies=1).draw_plies == 1


def test_other_arguments() -> None:
    with pytest.raises(ArgumentError) as caught:
        Game(None)  # type: ignore[arg-type]
    assert str(caught.value) == "a board must be a Board or a FEN, not None"
    with pytest.raises(PositionError):
        Game("W:W31:B33")
    with pytest.raises(ArgumentError) as caught:
        Game(KINGS).resign("w")  # type: ignore[arg-type]
    assert str(caught.value) == "the side that resigns must be W or B, not 'w'"
    with pytest.raises(MoveError):
        Game(KINGS).push("1-10")


def test_equality_copies_and_pickles() -> None:
    board = Board(KINGS)
    play(board, *ROUND)
    game = Game(board, draw_plies=40)
    game.push("1-6")
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game
        assert (other.plies, other.board.repetitions, other.draw_plies) == (1, 2, 40)
        other.pop()
        assert (game.plies, game.board.ply) == (1, 5)
        assert other != game
        with pytest.raises(MoveError):
            other.pop()
        other.resign(WHITE)
        assert game.ending is None
    board.push("1-6")
    assert Game(board, draw_plies=40) != game  # begun later
    assert game != board
    assert repr(game) == "<Game of 1 plies on Board('B:WK6:BK32', variant='english'), draw_plies=40>"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)
