"""A game from any position: the moves made, and what ends it (rule book, section 5)."""

from dataclasses import dataclass
from typing import Final

from dame_fast.board.board import Board
from dame_fast.position.move import Move
from dame_fast.position.position import Position
from dame_fast.rules.draw_rule import choose_rule
from dame_fast.rules.rules import BLACK, SIDE_NAMES, WHITE, Side

REPETITIONS: Final = 3
"""A position that occurs that often, with the same side to move, is drawn."""


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

    `draw_plies`: plies without capture and man move that make it a draw (None: never); `draw_captures`: plies without a
    capture. The rule of a rule set is
    `Game(board, draw_plies=board.rules.draw_plies, draw_captures=board.rules.draw_captures)`.

    >>> game = Game(Board("W:WK18:BK11"))
    >>> game.push(game.board.parse_pdn("18-15"))
    >>> game.push(game.board.parse_pdn("11x18"))
    >>> str(game.ending)
    'Black wins: White has no piece left'
    """

    def __init__(self, board: Board, draw_plies: int | None = None, *, draw_captures: int | None = None) -> None:
        self._board = board.copy()
        self._draw_rule = choose_rule(draw_plies=draw_plies, draw_captures=draw_captures)
        self._positions: list[Position] = [board.position]
        self._agreed: Ending | None = None

    @property
    def board(self) -> Board:
        """The board; whoever changes it uses the methods of the game."""
        return self._board

    @property
    def plies(self) -> int:
        """How many moves the game has."""
        return len(self._positions) - 1

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
        if self._positions.count(board.position) >= REPETITIONS:
            return Ending(None, "the same position for the third time")
        if board.result_at_end(self._draw_rule) == 0:
            return Ending(None, str(self._draw_rule))
        return None

    def push(self, move: Move) -> None:
        """Make a legal move."""
        self._board.push(move)
        self._positions.append(self._board.position)

    def pop(self) -> None:
        """Take the last move back."""
        self._board.pop()
        self._positions.pop()

    def resign(self, side: Side) -> None:
        """End the game: a side gives up."""
        self._agreed = Ending(BLACK if side == WHITE else WHITE, f"{SIDE_NAMES[side]} resigns")

    def agree_draw(self) -> None:
        """End the game: both sides want a draw."""
        self._agreed = Ending(None, "agreed")
