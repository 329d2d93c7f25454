"""Perfect play: the best move, and the line to the end of the game, by whatever tables there are.

With distances to the end of the game (`dtw`) the winner goes the shortest way, the loser the longest one. With
distances to the next zeroing move (`dtz`) the same holds for each phase between two captures or moves of men, and with
those to the next capture (`dtc`) from one capture to the next; as these cannot be undone, every won game comes to its
end. With results alone (`wdl`) the distances of the phase are worked out on the spot (`dame_fast.tables.phase`, with
its limits), and play is that of `dtz`.

Tables of different metrics may be mixed, if those of each metric also hold what captures and crownings lead to, as
`dame-fast build` makes them. Where tables are missing nothing is guessed: moves to there are unknown, and the best move
is what the tables prove.

Whether a move is better than another is decided in the core (`src/probe/moves.h`); what is worked out here is what no
table holds.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, Protocol

import dame_fast._native as _native
from dame_fast.arguments import check_integer, check_number, check_type
from dame_fast.board.board import Board
from dame_fast.errors import ArgumentError, MissingTableError, VariantError, shown
from dame_fast.position.move import Move
from dame_fast.position.position import Position
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.rules.find import find_table_rules
from dame_fast.tables.metric import METRICS, WDL, WITH_PLIES, metric_of_rule
from dame_fast.tables.phase import PHASE_MOST, PHASE_POSITIONS, PhaseCache
from dame_fast.tables.results import CATEGORIES, MoveResult


class Tables(Protocol):
    """What perfect play asks of tables; `dame_fast.Tablebase` is one."""

    @property
    def variant(self) -> str:
        """The name of the rule set."""

    @property
    def draw_rule(self) -> DrawRule | None:
        """The draw rule that they are exact under; None: none."""

    def probe_position(self, position: Position, metric: str, clock: int = 0) -> tuple[int, int | None]:
        """Return result and plies (0 or more; None for a draw, and for "wdl"), or raise `MissingTableError`."""

    def move_values(self, position: Position, clock: int = 0) -> list[_native.MoveValue]:
        """Return what every legal move leads to; nothing if the game is over."""


def ranked_moves(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> list[MoveResult]:
    """Return every legal move with the result it leads to, best first; nothing if the game is over.

    Wins come first, the shortest of them before the others; then draws, in the order of how many replies lose for the
    opponent; then losses, the longest first; then moves to where there is no table, which are "unknown". Lengths are
    `dtw`, or `dtz` where not all the moves with this result have that, or else `dtc`. Of wins of one length, or without
    lengths, those that end the game come first. What is equal keeps the order of `Board.legal_moves`.

    `clock`: the counter of the draw rule of the tables, that of the board if it is None. Under a rule the order is that
    of `dtz`, which is worked out if no table holds it (`phases` keeps what was found), or, where only captures set the
    counter to 0, of `dtc`, which is not worked out: without tables of dtc moves are unknown. With a full counter the
    game is over.

    Raises `VariantError` if the board has other rules than the tables.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     for result in ranked_moves(tables, Board("W:WK8:B3,K12")):
    ...         print(result.pdn, result.category)
    8-11 draw
    8-4 loss
    """
    board = board_for(tables, board)
    return [ranked.result for ranked in _rank(tables, board, clock, phases)]


def best_result(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> MoveResult | None:
    """Return the best move and what it leads to, None if the game is over.

    It is the first of `ranked_moves` if that is a draw or has a distance. If there are results alone, the `dtz` of a
    win or loss is worked out, and the move is the best by that.

    Moves that are unknown are passed over if one is known to win, or if the value of the position itself says that none
    can be better than the best that is known.

    Raises `MissingTableError` if an unknown move could be better, and names it, or if there is no table of distances
    and the phase is too large for `phases`.
    """
    best = _find_best(tables, board_for(tables, board), clock, phases)
    return None if best is None else best.result


def best_move(tables: Tables, board: Board | str) -> Move | None:
    """Return the move of `best_result`, None if the game is over."""
    result = best_result(tables, board)
    return None if result is None else result.move


def mainline(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> list[MoveResult]:
    """Return a line of best moves of both sides, from the position to the end of the game.

    Every move is seen by the side that makes it; with tables of results alone, it has the `dtz` that was worked out.
    A drawn line ends where a position is reached for the second time, or with the ply that the draw rule counts last.
    It is empty if the game is over.

    Raises what `best_result` raises, and `MissingTableError` if proved wins alone lead round in a circle.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     line = mainline(tables, Board("W:WK15,K18:BK4"))
    >>> " ".join(result.pdn for result in line)
    '15-11 4-8 11x4'
    """
    start = board_for(tables, board)
    board = start.copy()
    clock = clock_of(tables, board, clock)
    phases = PhaseCache() if phases is None else phases
    line: list[MoveResult] = []
    seen = {board.position}
    while (best := _find_best(tables, board, clock, phases)) is not None:
        board.push(best.result.move)
        clock = best.value.clock
        line.append(best.result)
        if board.position in seen:
            if best.result.wdl == 0:
                break
            raise MissingTableError(f"no table shows the way to the end from {start.fen()}")
        seen.add(board.position)
    return line


class PerfectPlayer:
    """A policy for engines: the best move in any position of the tables. Call it, or `choose`.

    `limit`: most positions to look at where the tables hold no distances (`dame_fast.tables.phase`). One player
    remembers what it has found, so it should play a whole game.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     str(PerfectPlayer(tables)(Board("W:WK6,K9:BK15")))
    '9-14'
    """

    def __init__(self, tables: Tables, *, limit: int = PHASE_POSITIONS) -> None:
        if not callable(getattr(tables, "probe_position", None)):
            raise ArgumentError(f"the tables must be a Tablebase, not {shown(tables)}")
        self._tables = tables
        self._phases = PhaseCache(check_number("limit", limit, 0, PHASE_MOST))

    def choose(self, board: Board | str) -> Move:
        """Return the best move in a position, which may be a FEN.

        Raises `ArgumentError` if the game is over, and what `best_result` raises.
        """
        board = board_for(self._tables, board)
        result = best_result(self._tables, board, phases=self._phases)
        if result is None:
            raise ArgumentError(f"the game is over in {board.fen()}")
        return result.move

    __call__ = choose


def check_same_rules(tables: Tables, board: Board) -> None:
    """Raise `VariantError` if a board has other rules than the tables."""
    if board.variant != tables.variant:
        find_table_rules(board.rules)
        raise VariantError(f"the board is of {board.variant}, the tables are of {tables.variant}")


def board_for(tables: Tables, given: Board | str) -> Board:
    """Return a board with the rules of the tables, which a FEN gets.

    Raises what `check_same_rules` and `Board` raise, `ArgumentError` for what is neither a board nor a text.
    """
    if isinstance(given, str):
        return Board(given, tables.variant)
    check_same_rules(tables, check_type("the board", given, Board, "a Board or a FEN"))
    return given


def clock_of(tables: Tables, board: Board, clock: int | None) -> int:
    """Return the counter of the draw rule of tables, that of the board if `clock` is None; 0 without a rule.

    A counter that is full stays full: the game is drawn then, however many plies the board has gone on.

    Raises `ArgumentError` for a `clock` that is negative, or that no game under the draw rule can reach.
    """
    if clock is not None and check_integer("the clock", clock) < 0:
        raise ArgumentError(f"the clock must be 0 or more, not {clock}")
    rule = tables.draw_rule
    if rule is None:
        return 0
    if clock is not None and clock > rule.plies:
        raise ArgumentError(f"the clock must be 0 to {rule.plies}, not {clock}")
    return min(board.clock_of(rule), rule.plies) if clock is None else clock


class _Ranked(NamedTuple):
    """A move as users see it, and what the core says of it."""

    result: MoveResult
    value: _native.MoveValue


def _rank(tables: Tables, board: Board, clock: int | None, phases: PhaseCache | None) -> list[_Ranked]:
    check_same_rules(tables, board)
    values = tables.move_values(board.position, clock_of(tables, board, clock))
    rule = tables.draw_rule
    if rule is not None and METRICS[metric_of_rule(rule)].man_moves_end_phase:  # a phase that can be searched
        values = _work_out(tables, board, values, rule, PhaseCache() if phases is None else phases)
    moves = board.legal_moves
    return [_Ranked(_as_result(board, moves[i], values[i]), values[i]) for i in _native.order_moves(values)]


def _as_result(board: Board, move: Move, value: _native.MoveValue) -> MoveResult:
    wdl = value.wdl
    signed = (None if plies is None or wdl is None else wdl * plies for plies in value.plies)
    distances = dict(zip(METRICS, signed, strict=True))
    return MoveResult(
        move,
        board.pdn(move),
        CATEGORIES[wdl],
        wdl,
        **{name: distances[name] for name in WITH_PLIES},
        capture=move.is_capture,
        zeroing=move.is_zeroing,
        missing=value.missing,
    )


def _work_out(
    tables: Tables, board: Board, values: list[_native.MoveValue], rule: DrawRule, phases: PhaseCache
) -> list[_native.MoveValue]:
    """Find values that depend on the counter where no table holds distances; the search ends at the first failure."""
    probe = _prober(tables)
    failure: str | None = None
    found = []
    for i, value in enumerate(values):
        if value.wdl is None:
            after = _after(board, board.legal_moves[i])
            known = _try(tables, after.position, WDL, 0)
            if known is not None and failure is None:
                try:
                    plies = phases.find(tables.variant, probe, after.position, known[0]).plies(after.position)
                    assert plies is not None
                    value = _within_rule(tables, after, value, (known[0], plies), rule)
                except MissingTableError as error:
                    failure = str(error)
            if known is not None and failure is not None:
                value = value._replace(missing=failure)
        found.append(value)
    return found


def _within_rule(
    tables: Tables, after: Board, value: _native.MoveValue, theirs: tuple[int, int], rule: DrawRule
) -> _native.MoveValue:
    """Return the value of a move from result and plies of the position after it, both without the counter."""
    wdl, plies = theirs
    if value.clock + plies <= rule.plies:
        distances = tuple(plies + 1 if metric == metric_of_rule(rule) else None for metric in METRICS)
        return value._replace(wdl=-wdl, plies=distances, missing=None)
    traps = sum(reply.wdl == -1 for reply in tables.move_values(after.position, value.clock))
    return value._replace(wdl=0, traps=traps, missing=None)


def _find_best(tables: Tables, board: Board, clock: int | None, phases: PhaseCache | None) -> _Ranked | None:
    phases = PhaseCache() if phases is None else phases
    ranked = _rank(tables, board, clock, phases)
    if not ranked:
        return None
    best = ranked[0]
    unknown = next((result for result, _ in ranked if result.wdl is None), None)
    if unknown is not None and not _is_proved(tables, board, clock_of(tables, board, clock), best.result):
        raise MissingTableError(f"after {unknown.pdn}: {_explain(tables, _after(board, unknown.move), unknown)}")
    wdl = best.result.wdl
    equal = [one for one in ranked if one.result.wdl == wdl]
    if wdl is None or wdl == 0 or _have_distances(equal):
        return best
    return _find_shortest(tables, board, wdl, equal, phases)


def _explain(tables: Tables, after: Board, unknown: MoveResult) -> str | None:
    """Say at length why a move is unknown: where the table was looked for, and what builds it."""
    try:
        tables.probe_position(after.position, "wdl")
    except MissingTableError as error:
        return str(error)
    return unknown.missing


def _is_proved(tables: Tables, board: Board, clock: int, best: MoveResult) -> bool:
    """Tell whether a move is good enough though others are unknown: none can be better, or it wins."""
    if best.wdl is None or best.wdl == 1:
        return best.wdl == 1
    lengths = ((name, abs(length)) for name, length in best.distances.items() if length is not None)
    metric, plies = next(lengths, (WDL, None))
    own = _try(tables, board.position, metric, clock)
    return own == (best.wdl, plies) and (best.wdl == 0 or plies is not None)


def _find_shortest(tables: Tables, board: Board, wdl: int, equal: list[_Ranked], phases: PhaseCache) -> _Ranked:
    """Return the best of the moves that win (or lose), where there are results alone."""
    if wdl == 1:
        for one in equal:
            if one.result.zeroing or one.value.ends:
                return one._replace(result=replace(one.result, dtz=1))
    phase = phases.find(tables.variant, _prober(tables), board.position, wdl)
    measured = []
    for one in equal:
        plies = 0 if one.result.zeroing else phase.plies(_after(board, one.result.move).position)
        if plies is not None:
            measured.append(one._replace(result=replace(one.result, dtz=wdl * (plies + 1))))
    return min(measured, key=lambda one: one.result.dtz or 0)


def _have_distances(equal: list[_Ranked]) -> bool:
    return any(all(one.value.plies[metric] is not None for one in equal) for metric in range(len(METRICS)))


def _after(board: Board, move: Move) -> Board:
    after = board.copy()
    after.push(move)
    return after


def _try(tables: Tables, position: Position, metric: str, clock: int) -> tuple[int, int | None] | None:
    try:
        return tables.probe_position(position, metric, clock)
    except MissingTableError:
        return None


def _prober(tables: Tables) -> Callable[[Position], int]:
    return lambda position: tables.probe_position(position, WDL)[0]
