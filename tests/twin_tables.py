"""Tables that answer from the slow twin: any mix of metrics, any draw rule, no files.

The distances to the end of the game are those of `reference.solver`. Those to the next zeroing move, and all results
under a draw rule, are worked out here, position by position.
"""

import random
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import NamedTuple, cast

from reference import moves as twin
from reference.rules import ENGLISH
from reference.solver import Solution, solve, wdl

import dame_fast._native as _native
from dame_fast import Board, MissingTableError, Tablebase
from dame_fast.position.position import Position, position_after
from dame_fast.position.squares import bits
from dame_fast.rules.draw_rule import choose_rule
from dame_fast.rules.find import find_rules
from dame_fast.tables.metric import METRICS
from dame_fast.tables.missing import Search
from dame_fast.tables.phase import PHASE_POSITIONS, PhaseCache

SAMPLE = 100
"""How many positions of three pieces are played."""

Value = tuple[int, int | None]
"""Result, and plies without a sign; None for a draw."""


NO_PLIES: tuple[int | None, ...] = (None,) * len(METRICS)
"""Of a move that draws, or is unknown, in every metric."""


class Successors(NamedTuple):
    quiet: tuple[Position, ...]
    """After king moves without a capture."""
    zeroing: tuple[Position, ...]


class TwinLibrary:
    """Stands in for `_native.Library`. `pieces`: the most pieces of the tables of each metric."""

    def __init__(
        self,
        dtw: Mapping[Position, Value],
        dtz: Mapping[Position, Value],
        pieces: Mapping[str, int],
        draw_plies: int | None = None,
    ) -> None:
        self._values = {"dtw": dtw, "dtz": dtz}
        self.pieces = pieces
        self.draw_plies = draw_plies

    def probe_plies(self, metric: str, position: Position, clock: int = 0) -> Value:
        result, plies = self._find(position, metric, metric)
        if self.draw_plies is not None and plies and clock + plies > self.draw_plies:
            return 0, None
        return result, plies

    def probe(self, position: Position, clock: int = 0) -> int:
        if self._is_full(clock):
            return 0 if find_moves(position) else -1
        if clock and self.draw_plies is not None:
            raise MissingTableError(f"a table of results alone does not know what {clock} plies change")
        return self._find(position, "wdl", "dtz")[0]

    def move_values(self, position: Position, clock: int = 0) -> list[_native.MoveValue]:
        """What every move leads to, by the definitions: no word of the core, and one move after the other."""
        moves = find_moves(position)
        if not moves or self._is_full(clock):
            return []
        return [self._judge(after, zeroing, 0 if zeroing else clock + 1) for after, zeroing in moves]

    def _is_full(self, clock: int) -> bool:
        return self.draw_plies is not None and clock >= self.draw_plies

    def _judge(self, after: Position, zeroing: bool, clock: int) -> _native.MoveValue:
        """The value of a move that has led to a position, for the side that made it."""
        clock = 0 if self.draw_plies is None else clock
        replies = find_moves(after)
        ends = not replies or self._is_full(clock)
        try:
            theirs = self._result(after, clock)
        except MissingTableError as error:
            return _native.MoveValue(None, NO_PLIES, 0, clock, ends, str(error))
        if theirs == 0:
            traps = 0 if ends else sum(self._is_lost(*reply, clock) for reply in replies)
            return _native.MoveValue(0, NO_PLIES, traps, clock, ends, None)
        plies = list(NO_PLIES)
        if "dtw" in self.pieces:
            plies[METRICS["dtw"].code] = self._plies_before("dtw", after)
        if "dtz" in self.pieces or self.draw_plies is not None:
            plies[METRICS["dtz"].code] = 1 if zeroing or not replies else self._plies_before("dtz", after)
        return _native.MoveValue(-theirs, tuple(plies), 0, clock, ends, None)

    def _result(self, position: Position, clock: int) -> int:
        """By whatever table there is; the counter takes wins and losses away and gives none."""
        failures = []
        for probe in (self.probe, self._draw, *(self._result_by(metric) for metric in ("dtz", "dtw"))):
            try:
                return probe(position, clock)
            except MissingTableError as error:
                failures.append(error)
        raise failures[0]

    def _draw(self, position: Position, clock: int) -> int:
        if self.probe(position) == 0:
            return 0
        raise MissingTableError("no draw")

    def _is_lost(self, reply: Position, zeroing: bool, clock: int) -> bool:
        """Whether a reply loses, as far as tables tell."""
        try:
            return self._result(reply, 0 if zeroing or self.draw_plies is None else clock + 1) == 1
        except MissingTableError:
            return False

    def _result_by(self, metric: str) -> Callable[[Position, int], int]:
        return lambda position, clock: self.probe_plies(metric, position, clock)[0]

    def _plies_before(self, metric: str, after: Position) -> int | None:
        try:
            plies = self.probe_plies(metric, after)[1]
        except MissingTableError:
            return None
        return None if plies is None else plies + 1

    def _find(self, position: Position, metric: str, source: str) -> Value:
        if count_pieces(position) > self.pieces.get(metric, 0):
            raise MissingTableError(f"no {metric} table of {count_pieces(position)} pieces")
        return self._values[source][position]


class TwinTables(Tablebase):
    """An open tablebase that asks a `TwinLibrary`."""

    def __init__(self, library: TwinLibrary, limit: int = PHASE_POSITIONS) -> None:
        self._rules = find_rules("english")
        self._directories = (Path("twin"),)
        self._draw_rule = choose_rule(draw_plies=library.draw_plies)
        self._search = Search(self._directories, "english", self._draw_rule, ())
        self._metrics = frozenset(library.pieces)
        self._phases = PhaseCache(limit)
        self._changing = Lock()
        self._library = cast(_native.Library, library)


def count_pieces(position: Position) -> int:
    return sum(pieces.bit_count() for pieces in position[:4])


def board_of(position: Position) -> Board:
    board = Board()
    board._position = position
    return board


def native_position(position: twin.Position) -> Position:
    white = bits(tuple(position.white_men)), bits(tuple(position.white_kings))
    black = bits(tuple(position.black_men)), bits(tuple(position.black_kings))
    return (*white, *black, 1) if position.turn == "W" else (*black, *white, 0)


def distances_to_win(solution: Solution) -> dict[Position, Value]:
    """The values of a solution, either side to move."""
    return {
        native_position(placed): (wdl(plies), plies)
        for position, plies in solution.items()
        for placed in (position, twin.turned(position, ENGLISH))
    }


def find_moves(position: Position) -> list[tuple[Position, bool]]:
    """The position after every legal move, and whether the move is zeroing."""
    moves = _native.legal_moves("english", position)
    return [(position_after(position, *move), bool(move[1]) or not move[3]) for move in moves]


def find_successors(positions: Iterable[Position]) -> dict[Position, Successors]:
    found = {}
    for position in positions:
        after = find_moves(position)
        found[position] = Successors(
            tuple(child for child, zeroing in after if not zeroing),
            tuple(child for child, zeroing in after if zeroing),
        )
    return found


def distances_to_zeroing(
    successors: Mapping[Position, Successors], draw_plies: int | None = None
) -> dict[Position, Value]:
    """Results and distances to the next zeroing move, from nothing but the moves."""
    values: dict[Position, Value] = {}
    for _, group in groupby(sorted(successors, key=_progress), _progress):
        unsettled = list(group)
        plies = 0
        changed = True
        while unsettled and (changed or plies <= 1) and plies <= (draw_plies or len(successors)):
            settled = {
                position: value for position in unsettled if (value := _settle(successors[position], values, plies))
            }
            values.update(settled)
            unsettled = [position for position in unsettled if position not in settled]
            changed = bool(settled)
            plies += 1
        values.update(dict.fromkeys(unsettled, (0, None)))
    return values


def _settle(successors: Successors, values: Mapping[Position, Value], plies: int) -> Value | None:
    """The value of a position that is won or lost in exactly so many plies, with all shorter ones known."""
    quiet = [values.get(child, (0, None)) for child in successors.quiet]
    zeroing = [values[child][0] for child in successors.zeroing]
    if not quiet and not zeroing:
        return -1, 0
    if plies == 0:
        return None
    if -1 in zeroing or any(result == -1 for result, _ in quiet):
        return 1, plies
    if all(result == 1 for result in zeroing) and all(result == 1 for result, _ in quiet):
        return -1, plies
    return None


def _progress(position: Position) -> tuple[int, int, int]:
    """Pieces, men, and rows that the men still have to go: what only zeroing moves change, and what falls then."""
    own_men, _, other_men, _, side = position
    black, white = (own_men, other_men) if side == 0 else (other_men, own_men)
    rows = sum(7 - square // 4 for square in range(32) if black >> square & 1)
    rows += sum(square // 4 for square in range(32) if white >> square & 1)
    return count_pieces(position), (black | white).bit_count(), rows


class Twin(NamedTuple):
    """All positions of up to some number of pieces."""

    pieces: int
    dtw: Mapping[Position, Value]
    dtz: Mapping[Position, Value]
    successors: Mapping[Position, Successors]

    def tables(self, *metrics: str, **pieces: int) -> TwinTables:
        largest = dict.fromkeys(metrics, self.pieces) | pieces
        return TwinTables(TwinLibrary(self.dtw, self.dtz, largest))

    def with_rule(self, draw_plies: int, *metrics: str) -> TwinTables:
        values = distances_to_zeroing(self.successors, draw_plies)
        return TwinTables(TwinLibrary({}, values, dict.fromkeys(metrics, self.pieces), draw_plies))

    def sample(self, pieces: int, result: int, count: int | None = None) -> list[Position]:
        """Positions with pieces on both sides, `count` of them by chance."""
        found = [
            position
            for position, (wdl, _) in self.dtw.items()
            if wdl == result and count_pieces(position) == pieces and position[0] | position[1]
        ]
        return found if count is None else random.Random(pieces).sample(found, count)

    def decided(self, pieces: int) -> list[Position]:
        """Won and lost ones: all of 2 pieces, a sample of more."""
        count = None if pieces == 2 else SAMPLE
        return [*self.sample(pieces, 1, count), *self.sample(pieces, -1, count)]


def make_twin(pieces: int) -> Twin:
    dtw = distances_to_win(solve(pieces))
    successors = find_successors(dtw)
    return Twin(pieces, dtw, distances_to_zeroing(successors), successors)
