"""Results: what they are called, and what a move leads to."""

from dataclasses import dataclass
from typing import Final, Literal

from dame_fast.position.move import Move
from dame_fast.tables.metric import WITH_PLIES

Category = Literal["win", "draw", "loss", "unknown"]

CATEGORIES: Final[dict[int | None, Category]] = {1: "win", 0: "draw", -1: "loss", None: "unknown"}
"""Results by their number; None: no table tells."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """A legal move and the result it leads to, seen by the side that makes it.

    Distances are counted from **before** the move, so the best move has the distances of the position: in a
    position of dtw 61 it has dtw 61, and a move that wins at once has dtw 1. They are > 0 if the move wins and < 0 if
    it loses; None for a draw, and where there is no table of distances.

    A move is "unknown" if the table that its result depends on is missing.
    """

    move: Move
    pdn: str
    """The text of the move, as `Board.pdn` gives it."""
    category: Category
    wdl: int | None
    """1, 0 or -1; None if unknown."""
    dtw: int | None
    """Plies to the end of the game. None under a draw rule, where the fewest plies may be too many in one phase."""
    dtz: int | None
    """Plies to the next capture or move of a man, or to the end of the game if that is nearer; 1 or -1 if the move
    itself is one."""
    dtc: int | None
    """Plies to the next capture, or to the end of the game if that is nearer; 1 or -1 if the move itself is one."""
    capture: bool
    zeroing: bool
    """Whether the move sets the counter of quiet plies to 0."""
    missing: str | None = None
    """Of an unknown move: which table is missing."""

    @property
    def distances(self) -> dict[str, int | None]:
        """The plies in each metric that counts some; they are the fields of those names."""
        return {name: getattr(self, name) for name in WITH_PLIES}
