"""A game from any position: the moves made, and what ends it (rule book, section 5)."""

from dataclasses import dataclass
from typing import Any, Final, Self

from dame_fast.arguments import check_choice
from dame_fast.board.board import Board, check_board
from dame_fast.errors import MoveError
from dame_fast.position.move import Move
from dame_fast.rules.draw_rule import choose_rule, plies_of
from dame_fast.rules.rules import BLACK, SIDE_NAMES, WHITE, Side

_ORDINALS: Final = {3: "third", 4: "fourth"}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game has ended."""

    winner: Side | None
    """None: drawn."""
    reason: str

    def __str__(self) -> str:
        """Return it in words."""
        return f"{'Draw' if self.winner is None else SIDE_NAMES[self.winner] + ' wins'}: {self.reason}"


class Game:
    """A game on a board of its own.

    It begins with the position of `board` (a `Board`, or a FEN of English draughts). The moves that were made on the
    board before are the past of the game: positions that occurred in it count as repeated, and the counters of quiet
    plies go on from there, but they are none of its moves and cannot be taken back.

    `draw_plies`: plies without capture and man move that make it a draw, 1 to 253 (None: never); `draw_captures`: the
    same without a capture. The rule of a rule set is
    `Game(board, draw_plies=board.rules.draw_plies, draw_captures=board.rules.draw_captures)`. A position that occurs
    for the third time (in Italian draughts for the fourth, `Rules.repetitions`), with the same side to move, is a draw
    in all games.

    Two games are equal if their boards, all moves made on these, draw rule, beginning and agreed ending are. A game
    changes, so it has no hash. Copies and pickles are games of their own.

    Raises `ArgumentError` for other arguments, `PositionError` for a FEN that cannot be read.

    >>> game = Game("W:WK18:BK11")
    >>> game.push("18-15")
    >>> game.push("11x18")
    >>> str(game.ending), game.plies
    ('Black wins: White has no piece left', 2)
    >>> game.push("18-14")
    Traceback (most recent call last):
    dame_fast.errors.MoveError: the game is over (Black wins: White has no piece left)
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, board: Board | str, draw_plies: int | None = None, *, draw_captures: int | None = None) -> None:
        self._board = check_board(board).copy()
        self._draw_rule = choose_rule(draw_plies=draw_plies, draw_captures=draw_captures)
        self._start = self._board.ply
        self._agreed: Ending | None = None

    @property
    def board(self) -> Board:
        """The board, its past included; whoever changes it uses the methods of the game."""
        return self._board

    @property
    def draw_plies(self) -> int | None:
        """Plies without capture and man move that make the game a draw; None: never."""
        return plies_of(self._draw_rule, "draw_plies")

    @property
    def draw_captures(self) -> int | None:
        """Plies without a capture that make the game a draw; None: never."""
        return plies_of(self._draw_rule, "draw_captures")

    @property
    def plies(self) -> int:
        """How many moves the game has; those of its past do not count."""
        return max(self._board.ply - self._start, 0)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the game, the oldest first."""
        return self._board.move_stack[self._start :]

    @property
    def ending(self) -> Ending | None:
        """How the game has ended, None if it goes on.

        A side without a move has lost (in giveaway won), whatever the counters say.
        """
        if self._agreed is not None:
            return self._agreed
        board = self._board
        winner = board.winner()
        if winner is not None:
            has_piece = any(piece[0].upper() == board.turn for piece in board.pieces.values())
            lack = "legal move" if has_piece else "piece left"
            return Ending(winner, f"{SIDE_NAMES[board.turn]} has no {lack}")
        if board.repetitions >= board.rules.repetitions:
            return Ending(None, f"the same position for the {_ORDINALS[board.rules.repetitions]} time")
        if board.result_at_end(self._draw_rule) == 0:
            return Ending(None, str(self._draw_rule))
        return None

    def push(self, move: Move | str) -> None:
        """Make a legal move, given as such or as text.

        Raises `MoveError`, the game unchanged, for a move that is not legal, and after the end of the game.
        """
        self._check_going_on()
        self._board.push(move)

    def pop(self) -> Move:
        """Take the last move back and return it; with it what was agreed after it, so that the game goes on.

        Raises `MoveError` if the game has no move; those of its past stay.
        """
        if self.plies == 0:
            raise MoveError("the game has no move to take back")
        self._agreed = None
        return self._board.pop()

    def resign(self, side: Side) -> None:
        """End the game: a side, `WHITE` ("W") or `BLACK` ("B"), gives up.

        Raises `ArgumentError` for another side, `MoveError` after the end of the game.
        """
        check_choice("the side that resigns", side, (WHITE, BLACK))
        self._check_going_on()
        self._agreed = Ending(BLACK if side == WHITE else WHITE, f"{SIDE_NAMES[side]} resigns")

    def agree_draw(self) -> None:
        """End the game: both sides want a draw.

        Raises `MoveError` after the end of the game.
        """
        self._check_going_on()
        self._agreed = Ending(None, "agreed")

    def copy(self) -> Self:
        """Return a game of its own with the same moves."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._board = self._board.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def _check_going_on(self) -> None:
        ending = self.ending
        if ending is not None:
            raise MoveError(f"the game is over ({ending})")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._key() == other._key()

    def _key(self) -> tuple[object, ...]:
        board = self._board
        return board, board.clock, board.capture_clock, board.move_stack, self._start, self._draw_rule, self._agreed

    def __repr__(self) -> str:
        rule = "" if self._draw_rule is None else f", {self._draw_rule.counter}={self._draw_rule.plies}"
        return f"<Game of {self.plies} plies on {self._board!r}{rule}>"
