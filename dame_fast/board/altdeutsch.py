"""Positions on all 64 squares (rule book, section 9.2).

A position has the form of all draughts positions, with bit 0 for a8, bit 7 for h8 and bit 63 for h1. People only see
algebraic names, in FEN as well:

    W:Wa1,Kd4:Bc6,Kf8           White to move, a White man on a1, a White king on d4, and so on
"""

import dame_fast._native as _native
from dame_fast.board.draughts import Draughts
from dame_fast.position.move import Move
from dame_fast.position.position import Position
from dame_fast.position.squares import squares_in
from dame_fast.rules.rules import Rules, switches_of
from dame_fast.text.style import Style


class Altdeutsch(Draughts):
    """What a board needs to know of such positions: a `Kind` (`dame_fast.board.kinds`)."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self._switches = switches_of(rules)

    def usable(self, style: Style) -> Style:
        """Return the style of the same sign with letters, which all texts have here."""
        return style.with_letters()

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move, each once."""
        return tuple(
            Move(path, squares_in(captured), crowned, by_king)
            for path, captured, crowned, by_king in _native.altdeutsch_moves(self._switches, position)
        )

    def paths(self, position: Position) -> list[int]:
        """Return how many orders of jumps each legal move has."""
        return _native.altdeutsch_move_paths(self._switches, position)

    def perft(self, position: Position, depth: int, paths: bool, cancel: _native.Cancel, cache_bytes: int = 0) -> int:
        """Count the leaves of the tree of legal moves."""
        return _native.altdeutsch_perft(self._switches, position, depth, paths, cancel)
