"""Plies to the next zeroing move where no table holds them: a small retrograde analysis on the spot.

Between two captures or moves of men only kings move; that is one **phase** of the game. Tables of results alone (`wdl`)
tell which king moves keep a win, but not which of them get on, so by them alone a won game may go round in circles.
Here the positions around a won or lost one are collected, ring by ring:

    winner to move      king moves that keep the win; where a capture or a man's move keeps it, the phase ends in 1 ply
    loser to move       all king moves; where there are none, it ends in 1 ply (or in 0: he has no move at all; in
                        giveaway it is the winner who has none)

and the distances are worked out backwards from the ends, until the position in question has one that no longer way can
improve: a way of n plies stays inside the first n rings.

Limits: about 10 microseconds and 400 bytes a position. Two kings against one take some 15,000 positions at most (0.1
seconds), three against two up to 1.6 million (half a minute), more pieces soon too many: `PHASE_POSITIONS` ends the
search.
"""

from collections.abc import Callable
from typing import Final

import dame_fast._native as _native
from dame_fast.errors import CorruptTableError, MissingTableError
from dame_fast.position.position import Position, position_after
from dame_fast.text.fen import write_fen

PHASE_POSITIONS: Final = 2_000_000
"""How many positions of a phase are looked at, unless the caller says otherwise."""

PHASE_MOST: Final = 10**9
"""More positions than this fit into no memory."""

_KEPT: Final = 4
_GROWTH: Final = 1.3  # between two attempts to work out the distances
_UNKNOWN: Final = -1


class PhaseCache:
    """The last phases that were searched, of one set of tables. Threads may share one. A pickle has only the limit.

    `limit`: most positions to look at in one search.
    """

    def __init__(self, limit: int = PHASE_POSITIONS) -> None:
        self._limit = limit
        self._kept: tuple[Phase, ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        """Leave out what was found: it is found again."""
        return PhaseCache, (self._limit,)

    def find(self, variant: str, probe: Callable[[Position], int], position: Position, wdl: int) -> "Phase":
        """Return a phase that knows the distance of a position that is won (`wdl` 1) or lost (-1).

        It also knows those after the winner's best move, and after every move of the loser. `probe` gives results,
        those with the counter at 0 if there is a draw rule. Raises what it raises, `MissingTableError` if `limit` is
        too small, `CorruptTableError` for results that contradict each other.
        """
        for older in self._kept:
            if older.plies(position) is not None:
                return older
        phase = Phase(variant, probe, position, wdl)
        phase.search(self._limit)
        kept, room = [phase], self._limit - len(phase)
        for older in self._kept[: _KEPT - 1]:
            room -= len(older)
            if room >= 0:
                kept.append(older)
        self._kept = tuple(kept)
        return phase


class Phase:
    """The positions around one that is won or lost, all with the same men, and their distances."""

    def __init__(self, variant: str, probe: Callable[[Position], int], root: Position, wdl: int) -> None:
        assert wdl in (1, -1)
        own_men, _, other_men, _, side = root
        self._variant = variant
        self._probe = probe
        self._root = root
        self._winner = side if wdl == 1 else 1 - side
        self._men = (own_men, other_men) if side == 0 else (other_men, own_men)  # Black's, White's
        # All by the number of the position. A move leads from one ring into the next or an earlier one.
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._keys: list[tuple[int, int, int]] = []
        self._rings: list[int] = []
        self._parents: list[list[int]] = []
        self._children: list[int] = []  # how many king moves of the loser
        self._ends: tuple[list[int], list[int]] = ([], [])  # positions that end the phase in 0 or 1 plies
        self._plies: list[int] = []
        self._radius = 0
        self._whole = False

    def __len__(self) -> int:
        """Count the positions."""
        return len(self._keys)

    def plies(self, position: Position) -> int | None:
        """Return the distance of a position, None if it was not found or if a shorter way might exist."""
        own_men, own_kings, other_men, other_kings, side = position
        if ((own_men, other_men) if side == 0 else (other_men, own_men)) != self._men:
            return None
        number = self._numbers.get((own_kings, other_kings, side))
        if number is None or number >= len(self._plies) or self._plies[number] == _UNKNOWN:
            return None
        plies = self._plies[number]
        return plies if self._whole or self._rings[number] + plies <= self._radius else None

    def search(self, limit: int) -> None:
        """Collect positions until the distance of the first one is certain."""
        ring = [self._add(self._root[1], self._root[3], self._root[4], 0)]
        checked = 0
        while True:
            ring = [child for number in ring for child in self._expand(number)]
            self._radius += 1
            self._whole = not ring
            bound = self._plies[0] if self._plies else _UNKNOWN
            if self._whole or len(self._keys) > checked * _GROWTH or 0 <= bound <= self._radius:
                self._work_back()
                checked = len(self._keys)
                if self.plies(self._root) is not None:
                    self._parents, self._children = [], []
                    return
            if self._whole:
                raise CorruptTableError(f"the tables contradict each other around {write_fen(self._root)}")
            if len(self._keys) > limit:
                raise MissingTableError(
                    f"no table of distances covers {write_fen(self._root)}, and the way to the next capture or move of "
                    f"a man leads through more than {limit:,} positions"
                )

    def _add(self, own_kings: int, other_kings: int, side: int, ring: int) -> int:
        key = (own_kings, other_kings, side)
        number = self._numbers[key] = len(self._keys)
        self._keys.append(key)
        self._rings.append(ring)
        self._parents.append([])
        self._children.append(0)
        return number

    def _expand(self, number: int) -> list[int]:
        """Enter the moves of a position; return the positions that are new."""
        own_kings, other_kings, side = self._keys[number]
        position = self._men[side], own_kings, self._men[1 - side], other_kings, side
        wins = side == self._winner
        moves = _native.legal_moves(self._variant, position)
        quiet = []
        for path, captured, crowned, by_king in moves:
            if by_king and not captured:
                quiet.append(position_after(position, path, captured, crowned, by_king))
            elif wins and self._probe(position_after(position, path, captured, crowned, by_king)) == -1:
                self._ends[1].append(number)
                return []
        if not quiet and not (wins and moves):
            self._ends[1 if moves else 0].append(number)
        new = []
        for after in quiet:
            key = (after[1], after[3], after[4])
            child = self._numbers.get(key)
            if child is None:
                if wins and self._probe(after) != -1:
                    continue
                child = self._add(*key, self._rings[number] + 1)
                new.append(child)
            self._parents[child].append(number)
            self._children[number] += 1
        return new

    def _work_back(self) -> None:
        """Work out the distances: in round n those of n plies are settled.

        The winner's is settled by the first of his moves that is, the loser's by the last one. Positions of the last
        ring have no moves yet, so nothing settles them.
        """
        self._plies = plies = [_UNKNOWN] * len(self._keys)
        unsettled = self._children.copy()
        settled, coming = self._ends
        now = 0
        while settled or coming:
            following: list[int] = []
            for number in settled:
                if plies[number] != _UNKNOWN:
                    continue
                plies[number] = now
                for parent in self._parents[number]:
                    unsettled[parent] -= 1
                    if self._keys[parent][2] == self._winner or unsettled[parent] == 0:
                        following.append(parent)
            settled, coming = [*coming, *following], []
            now += 1
