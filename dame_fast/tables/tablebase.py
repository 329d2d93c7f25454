"""Open tables: the value of any position they cover, and of every move in it.

Values are those of perfect play without draw counters, unless the tables were built for one
(`Tablebase.draw_plies`). Positions with a capture pending are covered as well.

Distances have a sign: a dtw of 61 is a win in 61 plies, -40 a loss in 40 plies, 0 a loss on the board, or in giveaway
a win.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import dame_fast._native as _native
from dame_fast.arguments import PIECES_MOST, check_choice, check_integer, check_number, check_threads
from dame_fast.board.board import Board
from dame_fast.errors import ArgumentError, MissingTableError
from dame_fast.interrupt import run_native
from dame_fast.position.move import Move
from dame_fast.position.position import Position
from dame_fast.progress import Progress, SilentProgress
from dame_fast.rules.draw_rule import choose_rule
from dame_fast.rules.rules import Rules
from dame_fast.tables.batch import probe_rows
from dame_fast.tables.material import Material, check_material
from dame_fast.tables.metric import METRICS, WDL, WITH_PLIES, find_metric
from dame_fast.tables.open_tables import CACHE_BYTES, OpenTables
from dame_fast.tables.perfect import best_result, board_for, clock_of, mainline, ranked_moves
from dame_fast.tables.places import Directories
from dame_fast.tables.results import Category, MoveResult
from dame_fast.text.fen import write_fen

if TYPE_CHECKING:  # probing one position needs no NumPy, and every command would wait for it
    import numpy as np
    import numpy.typing as npt

LONGEST_MOST: Final = 1_000_000
"""Most positions that `Tablebase.longest` returns."""


class Tablebase(OpenTables):
    """The tables of one rule set and one draw rule in one or more directories; `open_tablebase` makes it.

    A context manager. Any number of threads may use it at once. Once it is closed, everything but `close`,
    `variant`, `directory`, `directories` and `repr` raises `ArgumentError`.

    Every method that takes a board takes a FEN as well, and one that takes a `Material` its name. They raise
    `VariantError` if the board has another rule set, `PositionError` for a FEN that cannot be read, `ArgumentError` for
    what is none of these, and `CorruptTableError` or `OSError` if a table cannot be read. `MissingTableError` says
    where the table was looked for, and which command makes it.

    Files are opened when they are read, with a quarter of the file descriptors that the process may have, from 8 to
    512. The directories are held open: they may be moved, and the working directory changed. A file that was replaced
    since raises `CorruptTableError` when it is opened again.

    A copy (`copy.copy`, `copy.deepcopy`) shares files and memory; each of the two is closed and preloaded by itself. A
    pickle names the directories, and whoever loads it opens and preloads the tables there again. Two tablebases are
    equal only if they are one.

    `clock` is the counter of the draw rule of the tables: plies since the last capture or move of a man (`draw_plies`),
    or since the last capture (`draw_captures`). By default it is that of the board (`Board.clock_of`). Without a draw
    rule it is not looked at.
    """

    def probe_wdl(self, board: Board | str, *, clock: int | None = None) -> int:
        """Return the result for the side to move: 1 won, 0 drawn, -1 lost.

        Raises `MissingTableError` if no table covers the position.

        >>> with open_tablebase() as tables:
        ...     tables.probe_wdl(Board("W:WK19,K23:BK28")), tables.probe_wdl(Board("B:W16,19:B12"))
        (1, -1)
        """
        return self._probe(board, WDL, clock)[0]

    def get_wdl(self, board: Board | str, default: int | None = None, *, clock: int | None = None) -> int | None:
        """Return what `probe_wdl` does, or `default` if no table covers the position.

        >>> with open_tablebase() as tables:
        ...     tables.get_wdl(Board()) is None
        True
        """
        try:
            return self.probe_wdl(board, clock=clock)
        except MissingTableError:
            return default

    def probe_dtw(self, board: Board | str) -> int | None:
        """Return the plies to the end of the game, > 0 if won, <= 0 if lost (in giveaway 0 is won); None for a draw.

        Raises `MissingTableError` if no table of dtw covers the position; the end of the game needs none.
        """
        return self.probe_distance(board, "dtw")

    def get_dtw(self, board: Board | str, default: int | None = None) -> int | None:
        """Return what `probe_dtw` does, or `default` if no table of dtw covers the position."""
        try:
            return self.probe_dtw(board)
        except MissingTableError:
            return default

    def probe_dtz(self, board: Board | str, *, clock: int | None = None) -> int | None:
        """Return the plies to the next capture or move of a man, signed like those of `probe_dtw`; None for a draw.

        Raises `MissingTableError` if no table of dtz covers the position; the end of the game needs none.
        """
        return self.probe_distance(board, "dtz", clock=clock)

    def get_dtz(self, board: Board | str, default: int | None = None, *, clock: int | None = None) -> int | None:
        """Return what `probe_dtz` does, or `default` if no table of dtz covers the position."""
        try:
            return self.probe_dtz(board, clock=clock)
        except MissingTableError:
            return default

    def probe_dtc(self, board: Board | str, *, clock: int | None = None) -> int | None:
        """Return the plies to the next capture, signed like those of `probe_dtw`; None for a draw.

        Raises `MissingTableError` if no table of dtc covers the position; the end of the game needs none.
        """
        return self.probe_distance(board, "dtc", clock=clock)

    def get_dtc(self, board: Board | str, default: int | None = None, *, clock: int | None = None) -> int | None:
        """Return what `probe_dtc` does, or `default` if no table of dtc covers the position."""
        try:
            return self.probe_dtc(board, clock=clock)
        except MissingTableError:
            return default

    def probe_distance(self, board: Board | str, metric: str, *, clock: int | None = None) -> int | None:
        """Return the plies in a metric that counts some, as `probe_dtw`, `probe_dtz` and `probe_dtc` do.

        Raises `ArgumentError` for another metric, `MissingTableError` as they do.
        """
        check_choice("the metric", metric, WITH_PLIES)
        self._opened()
        board = board_for(self, board)
        own_men, own_kings, other_men, other_kings, _ = board.position
        alone = not (own_men | own_kings and other_men | other_kings)  # which needs no table
        if metric in self._metrics or alone:
            wdl, plies = self._probe(board, metric, clock)
            return None if plies is None else wdl * plies
        clock_of(self, board, clock)
        if board.is_game_over():
            return 0
        raise MissingTableError(self._search.describe(tuple(map(int.bit_count, board.position[:4])), metric))

    def moves(self, board: Board | str, *, clock: int | None = None) -> list[MoveResult]:
        """Return every legal move with the result it leads to, best first (`dame_fast.tables.perfect.ranked_moves`).

        Moves to where there is no table are "unknown" and come last. There are no moves if the game is over, which it
        is with a full counter too.

        >>> with open_tablebase() as tables:
        ...     for result in tables.moves(Board("W:WK8:B3,K12")):
        ...         print(result.pdn, result.category)
        8-11 draw
        8-4 loss
        """
        self._opened()
        return ranked_moves(self, board, clock=clock, phases=self._phases)

    def best_move(self, board: Board | str, *, clock: int | None = None) -> Move | None:
        """Return the move of perfect play, None if the game is over.

        It is the first of `moves`, unless there are no distances: those of the current phase are worked out then
        (`dame_fast.tables.phase`), which takes up to seconds for the first move of a phase.

        A move that is known to win is played though others are unknown. Raises `MissingTableError` if an unknown move
        could be better, and for a phase that is too large for that.
        """
        self._opened()
        result = best_result(self, board, clock=clock, phases=self._phases)
        return None if result is None else result.move

    def mainline(self, board: Board | str, *, clock: int | None = None) -> list[MoveResult]:
        """Return a line of best moves of both sides to the end of the game (`dame_fast.tables.perfect.mainline`).

        A drawn line ends where a position comes back; where the game is over the line is empty. Raises what `best_move`
        raises.

        >>> with open_tablebase() as tables:
        ...     line = tables.mainline(Board("W:WK15,K18:BK4"))
        >>> " ".join(result.pdn for result in line)
        '15-11 4-8 11x4'
        """
        self._opened()
        return mainline(self, board, clock=clock, phases=self._phases)

    def probe_position(self, position: Position, metric: str, clock: int = 0) -> tuple[int, int | None]:
        """Return result and plies of a position as `Board.position` gives it, without checks of its rule set.

        `metric` is one of `dame_fast.tables.metric.METRICS`; the plies have no sign, and are None for a draw and for
        "wdl". A result is also taken from a table of distances if no other table covers the position.

        Raises `MissingTableError` if no table covers it.
        """
        library = self._opened()
        clock = self._check_clock(clock)
        check_choice("the metric", metric, tuple(METRICS))
        if find_metric(metric).has_plies:
            return library.probe_plies(metric, position, clock)
        try:
            return library.probe(position, clock), None
        except MissingTableError:
            for other in sorted(self._metrics - {WDL}, reverse=True):
                with suppress(MissingTableError):
                    return self.probe_position(position, other, clock)[0], None
            raise

    def move_values(self, position: Position, clock: int = 0) -> list[_native.MoveValue]:
        """Return what every legal move leads to, in the order of `Board.legal_moves`, without checks of the rule set.

        `moves` puts them in order.
        """
        return self._opened().move_values(position, clock)

    def probe_many(
        self, positions: npt.ArrayLike, *, threads: int = 1, default: int | None = None
    ) -> npt.NDArray[np.int8]:
        """Return the results of many positions: an int8 array of shape (n,). Releases the GIL.

        `positions`: integers of shape (n, 5). A row holds own men, own kings, other men, other kings as
        bitboards (bit = square - 1, on the board as it lies; "own" are the pieces of the side to move), and
        the side to move, 0 for Black and 1 for White: what `Board.position` is.

        Raises `ArgumentError` for another shape or type, a negative number, or a row that another thread changes
        meanwhile, `PositionError` for a row that is no legal position, and `MissingTableError` for a row that no
        table covers, unless there is a `default` for those. Rows are named by their number, counted from 0.

        >>> with open_tablebase() as tables:
        ...     tables.probe_many([Board("W:WK19,K23:BK28").position, Board("B:WK1:BK32").position]).tolist()
        [1, 0]
        """
        return probe_rows(self._opened(), self._rules.squares, positions, threads, default)

    def longest_plies(self, material: Material | str, *, metric: str = "dtw", result: Category = "win") -> int | None:
        """Return the plies of the longest win or loss of a slice; None if nothing in it is won or lost.

        The header of the table says it. Arguments and exceptions are those of `longest`.

        >>> with open_tablebase() as tables:
        ...     material = Material.parse("KvMM")
        ...     tables.longest_plies(material), tables.longest_plies(material, result="loss")
        (13, 62)
        """
        check_choice("the metric", metric, WITH_PLIES)
        check_choice("the result", result, ("win", "loss"))
        wanted = check_material(material)
        for header in self._opened().headers:
            if header["metric"] == metric and header["material"] == wanted:
                return header["max_win" if result == "win" else "max_loss"]
        raise MissingTableError(self._search.describe(wanted, metric))

    def longest(
        self,
        material: Material | str,
        *,
        metric: str = "dtw",
        result: Category = "win",
        limit: int = 10,
        threads: int = 1,
        progress: Progress | None = None,
    ) -> list[Board]:
        """Return the positions of a slice that take longest, in the order in which the table holds them.

        Black is to move in all of them: with colours swapped and the board turned they are White's.

        `metric`: the plies meant, "dtw" or another metric that counts some. `result` is "win", for the longest wins of
        the side to move, or "loss". Positions with a capture pending count. At most `limit` are returned; it is empty
        if nothing is won (lost). `progress` hears of the values that were looked at.

        Raises `ArgumentError` for another metric or result, for more than 12 pieces, and unless `limit` is 1 to
        1,000,000 and `threads` 1 to 4096; `MissingTableError` if there is no table of the slice, or of one that
        captures lead to where these have to be played out; `CorruptTableError` or `OSError` if a table cannot be read.

        >>> with open_tablebase() as tables:
        ...     boards = tables.longest(Material.parse("MvM"))
        ...     [board.fen() for board in boards], tables.probe_dtw(boards[0])
        (['B:W30:B25'], 13)
        """
        threads = check_threads(threads)
        limit = check_number("limit", limit, 1, LONGEST_MOST)
        library = self._opened()
        material = check_material(material)
        self.longest_plies(material, metric=metric, result=result)
        progress = progress or SilentProgress()
        progress.start(material.name, "values", material.values(self.variant))
        counter = _native.Counter()
        wdl = 1 if result == "win" else -1
        positions = run_native(
            lambda cancel: library.longest(tuple(material), metric, wdl, limit, threads, cancel, counter),
            lambda: progress.reach(counter.value),
        )
        progress.reach(counter.value)
        progress.end()
        return [Board(write_fen(position), self.variant) for position in positions]

    def __contains__(self, board: Board | str) -> bool:
        """Tell whether the tables cover a position."""
        return self.get_wdl(board) is not None

    def _check_clock(self, clock: int) -> int:
        """Return the plies that count for a draw rule, 0 if there is none."""
        if self._draw_rule is not None:
            return check_number("the clock", clock, 0, self._draw_rule.plies)
        if check_integer("the clock", clock) < 0:
            raise ArgumentError(f"the clock must be 0 or more, not {clock}")
        return 0

    def _probe(self, board: Board | str, metric: str, clock: int | None) -> tuple[int, int | None]:
        self._opened()
        board = board_for(self, board)
        return self.probe_position(board.position, metric, clock_of(self, board, clock))


def open_tablebase(
    directory: Directories | None = None,
    *,
    variant: str | Rules = "english",
    draw_plies: int | None = None,
    draw_captures: int | None = None,
    cache_bytes: int = CACHE_BYTES,
    preload: int | None = None,
    preload_bytes: int | None = None,
    resolve: bool = False,
) -> Tablebase:
    """Open the tables in one or more directories: all metrics, but one draw rule only.

    `directory`: a path, or a sequence of paths, the first of which counts where a table is in several. None: the
    directories in the variable `DAME_TABLES` of the environment, or those that ship with the package
    (`dame_fast.tables.places`).

    `draw_plies`: the tables for a draw after that many plies without capture and man move (`KKvK.n40.wdl`);
    `draw_captures`: those for a draw after that many plies without a capture (`KKvK.c100.wdl`); neither: those without
    a draw rule.

    At most `cache_bytes` bytes of decoded blocks are kept; tables of at most `preload` pieces, or whatever fits into
    `preload_bytes` bytes, are read into memory at once, and with `resolve` each probe of them becomes one look-up
    (`Tablebase.preload`).

    Raises `MissingTableError` if there is no such directory, or no table of this draw rule in them,
    `CorruptTableError` for a damaged file, `VariantError` for a file of another rule set and for custom rules, of which
    there are no tables, `ArgumentError` for two files of one slice and metric that differ, for a number out of range,
    for `resolve` without `preload`, or if `directory` is something else; `OSError` if it cannot be read.

    >>> with open_tablebase(variant="english") as tables:
    ...     tables.variant, tables.materials[0].name
    ('english', 'KvK')
    """
    if resolve and preload is None and preload_bytes is None:
        raise ArgumentError("resolve needs preload or preload_bytes: what is resolved is in memory")
    rule = choose_rule(draw_plies=draw_plies, draw_captures=draw_captures)
    tables = Tablebase(directory, variant, cache_bytes, rule)
    if preload is not None or preload_bytes is not None:
        tables.preload(PIECES_MOST if preload is None else preload, max_bytes=preload_bytes, resolve=resolve)
    return tables
