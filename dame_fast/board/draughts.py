"""Positions of single pieces on the playing squares of a board: all rule sets but those of towers and altdeutsch."""

from collections.abc import Sequence

import dame_fast._native as _native
from dame_fast.position.move import Move
from dame_fast.position.position import SIDES, Position, position_after, start_position
from dame_fast.position.squares import bits, squares_in
from dame_fast.rules.mover import mover_of
from dame_fast.rules.rules import BLACK, WHITE, Rules, Side
from dame_fast.text.fen import Setup, read_fen, write_styled_fen
from dame_fast.text.notation import read_move, write_move, write_path
from dame_fast.text.style import NUMERIC, Style

MAN: dict[Side, str] = {WHITE: "w", BLACK: "b"}
KING: dict[Side, str] = {WHITE: "W", BLACK: "B"}


class Draughts:
    """What a board needs to know of such positions: a `Kind` (`dame_fast.board.kinds`)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def usable(self, style: Style) -> Style:
        """Return what can be kept of a style."""
        return style

    def start(self) -> Position:
        """Return the starting position."""
        return start_position(self.rules)

    def read(self, fen: str, style: Style = NUMERIC) -> Setup[Position]:
        """Read a FEN; `PositionError`."""
        return read_fen(fen, self.rules, self.usable(style))

    def write(self, position: Position, style: Style = NUMERIC) -> str:
        """Return the FEN; `ArgumentError` for letters on a 10x10 board."""
        return write_styled_fen(position, self.rules, self.usable(style))

    def pieces(self, position: Position) -> dict[int, str]:
        """Return the piece on every occupied square, ascending."""
        own_men, own_kings, other_men, other_kings, side = position
        own, other = SIDES[side], SIDES[1 - side]
        sets = (
            (MAN[own], own_men),
            (KING[own], own_kings),
            (MAN[other], other_men),
            (KING[other], other_kings),
        )
        found = {square: letter for letter, bitboard in sets for square in squares_in(bitboard)}
        return dict(sorted(found.items()))

    def legal_moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move, each once."""
        return tuple(
            Move(path, squares_in(captured), crowned, by_king)
            for path, captured, crowned, by_king in _native.legal_moves(mover_of(self.rules), position)
        )

    def paths(self, position: Position) -> list[int]:
        """Return how many orders of jumps each legal move has."""
        return _native.move_paths(mover_of(self.rules), position)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        return position_after(position, move.path, bits(move.captured), move.crowned, move.by_king)

    def perft(self, position: Position, depth: int, paths: bool, cancel: _native.Cancel, cache_bytes: int = 0) -> int:
        """Count the leaves of the tree of legal moves."""
        return _native.perft(mover_of(self.rules), position, depth, paths, cancel, cache_bytes)

    def read_move(self, text: str, moves: Sequence[Move], position: Position, style: Style = NUMERIC) -> Move:
        """Return the legal move that a text means; `MoveError`."""
        return read_move(text, moves, position, self.rules, self.usable(style))

    def write_move(self, move: Move, moves: Sequence[Move], style: Style = NUMERIC) -> str:
        """Return the shortest text of a legal move; `ArgumentError` for letters on a 10x10 board."""
        return write_move(move, moves, self.rules, self.usable(style))

    def write_path(self, move: Move) -> str:
        """Return the text of a move with every landing square."""
        return write_path(move, self.rules, self.usable(NUMERIC))
