"""Positions on all 64 squares (rule book, section 4.13).

A position has the form of all draughts positions, with bit 0 for a8, bit 7 for h8 and bit 63 for h1. People only see
algebraic names, in FEN as well:

    W:Wa1,Kd4:Bc6,Kf8           White to move, a White man on a1, a White king on d4, and so on
"""

from dame_fast import _native
from dame_fast.draughts import Draughts
from dame_fast.fen import Position
from dame_fast.move import Move
from dame_fast.squares import algebraic_name, squares_in


class Altdeutsch(Draughts):
    """What a board needs to know of such positions: a `Kind` (`dame_fast.kinds`)."""

    def name(self, square: int) -> str:
        """Return the algebraic name of a square."""
        return algebraic_name(square, self.rules)

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move, each once."""
        return tuple(
            Move(path, squares_in(captured), crowned, by_king)
            for path, captured, crowned, by_king in _native.altdeutsch_moves(self.rules, position)
        )

    def perft(self, position: Position, depth: int, paths: bool, cancel: _native.Cancel) -> int:
        """Count the leaves of the tree of legal moves."""
        return _native.altdeutsch_perft(self.rules, position, depth, paths, cancel)
