"""The kinds of positions that a board can hold, and the module of each.

A kind knows how positions of one rule set are set up, read, written and changed; `Board` leaves all of that to it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

import dame_fast._native as _native
from dame_fast.board.altdeutsch import Altdeutsch
from dame_fast.board.draughts import Draughts
from dame_fast.board.towers import Towers
from dame_fast.position.move import Move
from dame_fast.rules.rules import Kind as KindName
from dame_fast.rules.rules import Rules
from dame_fast.text.fen import Setup
from dame_fast.text.style import NUMERIC, Style

P = TypeVar("P")


class Kind(Protocol[P]):
    """What a board needs to know of positions `P`.

    They never change and can be compared and hashed; their last item is 0 if Black is to move, 1 if White is.
    A kind may ignore a part of a style: moves of towers and all texts of altdeutsch have letters in every style.
    """

    def start(self) -> P:
        """Return the starting position."""

    def read(self, fen: str, style: Style = NUMERIC) -> Setup[P]:
        """Read a FEN; `PositionError`."""

    def write(self, position: P, style: Style = NUMERIC) -> str:
        """Return the FEN; `ArgumentError` for letters on a board without them."""

    def pieces(self, position: P) -> dict[int, str]:
        """Return what stands on every occupied square, ascending; its first letter is the piece that can be seen."""

    def legal_moves(self, position: P) -> tuple[Move, ...]:
        """Return every legal move, each once, in a fixed order."""

    def paths(self, position: P) -> list[int]:
        """Return how many orders of jumps are that move, for every legal move in the order of `legal_moves`."""

    def after(self, position: P, move: Move) -> P:
        """Return the position after a legal move."""

    def perft(self, position: P, depth: int, paths: bool, cancel: _native.Cancel, cache_bytes: int = 0) -> int:
        """Count the leaves of the tree of legal moves; releases the GIL. Compiled kernels remember counts."""

    def read_move(self, text: str, moves: Sequence[Move], position: P, style: Style = NUMERIC) -> Move:
        """Return the legal move that a text means; `MoveError`."""

    def write_move(self, move: Move, moves: Sequence[Move], style: Style = NUMERIC) -> str:
        """Return the shortest text that tells a legal move from the others; `ArgumentError` as `write` does."""

    def write_path(self, move: Move) -> str:
        """Return the text of a move with every landing square."""


_KINDS: Final[dict[KindName, Callable[[Rules], Kind[Any]]]] = {
    "draughts": Draughts,
    "towers": Towers,
    "altdeutsch": Altdeutsch,
}


def find_kind(rules: Rules) -> Kind[Any]:
    """Return the kind of position that a rule set is played with."""
    return _KINDS[rules.kind](rules)
