"""Perfect play: the best move, and the line to the end of the game, by whatever tables there are.

With distances to the end of the game (`dtw`) the winner goes the shortest way, the loser the longest one. With
distances to the next zeroing move (`dtz`) the same holds for each phase between two captures or moves of men; as these
cannot be undone, every won game comes to its end. With results alone (`wdl`) the distances of the phase are worked out
on the spot (`dame_fast.tables.phase`, with its limits), and play is that of `dtz`.

Tables of different metrics may be mixed, if those of each metric also hold what captures and crownings lead to, as
`dame-fast build` makes them.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import dame_fast._native as _native
from dame_fast.arguments import check_integer, check_number, check_type
from dame_fast.board.board import Board
from dame_fast.errors import ArgumentError, MissingTableError, VariantError, shown
from dame_fast.position.move import Move
from dame_fast.position.position import Position, position_after
from dame_fast.rules.find import find_table_rules
from dame_fast.tables.phase import PHASE_MOST, PHASE_POSITIONS, PhaseCache
from dame_fast.tables.results import CATEGORIES, MoveResult


class Tables(Protocol):
    """What perfect play asks of tables; `dame_fast.Tablebase` is one."""

    @property
    def variant(self) -> str:
        """The name of the rule set."""

    @property
    def draw_plies(self) -> int | None:
        """Plies without capture and man move after which the game is drawn; None: never."""

    @property
    def metrics(self) -> frozenset[str]:
        """The metrics of which there are tables."""

    def probe_position(self, position: Position, metric: str, clock: int = 0) -> tuple[int, int | None]:
        """Return result and plies (0 or more; None for a draw, and for "wdl"), or raise `MissingTableError`."""


def ranked_moves(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> list[MoveResult]:
    """Return every legal move with the result it leads to, best first.

    Wins come first, the shortest of them before the others; then draws, in the order of how many replies lose for the
    opponent; then losses, the longest first. Lengths are `dtw`, or `dtz` where not all the moves have that; without
    distances, only wins that end the game are put before others. What is equal keeps the order of
    `Board.legal_moves`.

    `clock`: plies since the last zeroing move, `board.clock` if it is None; it matters under a draw rule only. There
    the order is that of `dtz`, which is worked out if no table holds it (`phases` keeps what was found).

    Raises `MissingTableError`, naming the move, if no table covers the position after it, `VariantError` if the board
    has other rules than the tables.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     for result in ranked_moves(tables, Board("W:WK8:B3,K12")):
    ...         print(result.pdn, result.category)
    8-11 draw
    8-4 loss
    """
    board = board_for(tables, board)
    clock = clock_of(tables, board, clock)
    phases = PhaseCache() if phases is None else phases
    found: list[tuple[MoveResult, bool, int]] = []
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        clock_after = _clock_after(tables, clock, move.is_zeroing)
        pdn = board.pdn(move)
        try:
            wdl, dtw, dtz = _judge(tables, after.position, clock_after, move.is_zeroing, phases)
        except MissingTableError as error:
            raise MissingTableError(f"after {pdn}: {error}") from None
        traps = _count_traps(tables, after, clock_after) if wdl == 0 else 0
        result = MoveResult(move, pdn, CATEGORIES[wdl], wdl, dtw, dtz, capture=move.is_capture, zeroing=move.is_zeroing)
        found.append((result, after.is_game_over(), traps))
    lengths = {wdl: _lengths([result for result, _, _ in found if result.wdl == wdl]) for wdl in (1, -1)}

    def rank(entry: tuple[MoveResult, bool, int]) -> tuple[int, int, bool]:
        result, ends, traps = entry
        if result.wdl == 0:
            return 0, -traps, False
        length = lengths[result.wdl]
        return -result.wdl, 0 if length is None else length[result.move], not (ends and result.wdl == 1)

    return [result for result, _, _ in sorted(found, key=rank)]


def best_result(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> MoveResult | None:
    """Return the best move and what it leads to, None if there is no legal move.

    It is the first of `ranked_moves` if that is a draw or has a distance. If there are results alone, the `dtz` of a
    win or loss is worked out, and the move is the best by that.

    Raises `MissingTableError` if a table is missing, or if there is no table of distances and the phase is too large
    for `phases`.
    """
    board = board_for(tables, board)
    phases = PhaseCache() if phases is None else phases
    results = ranked_moves(tables, board, clock=clock, phases=phases)
    if not results:
        return None
    wdl = results[0].wdl
    equal = [result for result in results if result.wdl == wdl]
    if wdl == 0 or _lengths(equal) is not None:
        return results[0]
    phase = phases.find(tables.variant, _prober(tables), board.position, wdl)
    measured = []
    for result in equal:
        after = board.copy()
        after.push(result.move)
        plies = 0 if result.zeroing else phase.plies(after.position)
        if plies is not None:
            measured.append(replace(result, dtz=wdl * (plies + 1)))
    return min(measured, key=lambda result: result.dtz or 0)


def best_move(tables: Tables, board: Board | str) -> Move | None:
    """Return the move of `best_result`, None if there is no legal move."""
    result = best_result(tables, board)
    return None if result is None else result.move


def mainline(
    tables: Tables, board: Board | str, *, clock: int | None = None, phases: PhaseCache | None = None
) -> list[MoveResult]:
    """Return a line of best moves of both sides, from the position to the end of the game.

    Every move is seen by the side that makes it; with tables of results alone, it has the `dtz` that was worked out.
    A drawn line ends where a position is reached for the second time, or with the ply that the draw rule counts last.

    Raises what `best_result` raises.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     line = mainline(tables, Board("W:WK15,K18:BK4"))
    >>> " ".join(result.pdn for result in line)
    '15-11 4-8 11x4'
    """
    board = board_for(tables, board).copy()
    clock = clock_of(tables, board, clock)
    phases = PhaseCache() if phases is None else phases
    line: list[MoveResult] = []
    seen = {board.position}
    while (result := best_result(tables, board, clock=clock, phases=phases)) is not None:
        board.push(result.move)
        clock = _clock_after(tables, clock, result.zeroing)
        line.append(result)
        by_rule = tables.draw_plies is not None and clock >= tables.draw_plies
        if result.wdl == 0 and (board.position in seen or by_rule):
            break
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


def check_rules(tables: Tables, board: Board) -> None:
    """Raise `VariantError` if a board has other rules than the tables."""
    if board.variant != tables.variant:
        find_table_rules(board.rules)
        raise VariantError(f"the board is of {board.variant}, the tables are of {tables.variant}")


def board_for(tables: Tables, given: Board | str) -> Board:
    """Return a board with the rules of the tables, which a FEN gets.

    Raises what `check_rules` and `Board` raise, `ArgumentError` for what is neither a board nor a text.
    """
    if isinstance(given, str):
        return Board(given, tables.variant)
    check_rules(tables, check_type("the board", given, Board, "a Board or a FEN"))
    return given


def clock_of(tables: Tables, board: Board, clock: int | None) -> int:
    """Return the plies since the last zeroing move, those of the board if `clock` is None; 0 without a draw rule.

    A counter that is full stays full: the game is drawn then, however many plies the board has gone on.

    Raises `ArgumentError` for a `clock` that is negative, or that no game under the draw rule can reach.
    """
    if clock is not None and check_integer("the clock", clock) < 0:
        raise ArgumentError(f"the clock must be 0 or more, not {clock}")
    rule = tables.draw_plies
    if rule is None:
        return 0
    if clock is not None and clock > rule:
        raise ArgumentError(f"the clock must be 0 to {rule}, not {clock}")
    return min(board.clock, rule) if clock is None else clock


def _clock_after(tables: Tables, clock: int, zeroing: bool) -> int:
    """Return the counter after a move; it stops when it is full."""
    if zeroing or tables.draw_plies is None:
        return 0
    return min(clock + 1, tables.draw_plies)


def _judge(
    tables: Tables, after: Position, clock: int, zeroing: bool, phases: PhaseCache
) -> tuple[int, int | None, int | None]:
    """Return wdl, dtw and dtz of the move that has led to a position, as `MoveResult` has them."""
    rule = tables.draw_plies
    by_dtw = _try(tables, after, "dtw", 0) if rule is None and "dtw" in tables.metrics else None
    by_dtz = _try(tables, after, "dtz", clock) if "dtz" in tables.metrics else None
    if by_dtz is None and rule is not None:
        by_dtz = _within_rule(tables, after, clock, zeroing, rule, phases)
    found = by_dtw or by_dtz or tables.probe_position(after, "wdl", clock)
    dtz = _before(by_dtz)
    if zeroing and ("dtz" in tables.metrics or rule is not None):
        dtz = -found[0] or None
    return -found[0], _before(by_dtw), dtz


def _within_rule(
    tables: Tables, after: Position, clock: int, zeroing: bool, rule: int, phases: PhaseCache
) -> tuple[int, int | None]:
    """Return result and plies to the next zeroing move under a draw rule, where no table holds distances."""
    probe = _prober(tables)
    wdl = probe(after)
    if wdl == 0:
        return 0, None
    if zeroing:
        return wdl, 0
    plies = phases.find(tables.variant, probe, after, wdl).plies(after)
    assert plies is not None
    return (wdl, plies) if plies == 0 or clock + plies <= rule else (0, None)


def _try(tables: Tables, position: Position, metric: str, clock: int) -> tuple[int, int | None] | None:
    try:
        return tables.probe_position(position, metric, clock)
    except MissingTableError:
        return None


def _prober(tables: Tables) -> Callable[[Position], int]:
    return lambda position: tables.probe_position(position, "wdl")[0]


def _before(after: tuple[int, int | None] | None) -> int | None:
    """Turn result and plies of the opponent after a move into the plies of the mover before it."""
    if after is None or after[1] is None:
        return None
    return -after[0] * (after[1] + 1)


def _lengths(results: list[MoveResult]) -> dict[Move, int] | None:
    """Return the distances by which moves of one result are compared; None if some have none."""
    for lengths in ({r.move: r.dtw for r in results}, {r.move: r.dtz for r in results}):
        known = {move: length for move, length in lengths.items() if length is not None}
        if len(known) == len(lengths):
            return known
    return None


def _count_traps(tables: Tables, board: Board, clock: int) -> int:
    """Count the moves that lose a drawn position; moves to where no table is count as good ones."""
    traps = 0
    for path, captured, crowned, by_king in _native.legal_moves(board.variant, board.position):
        after = position_after(board.position, path, captured, crowned, by_king)
        clock_after = _clock_after(tables, clock, captured != 0 or not by_king)
        found = _try(tables, after, "wdl", clock_after)
        traps += found is not None and found[0] == 1
    return traps
