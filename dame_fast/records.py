"""What is told of positions, moves and lines, as plain dictionaries: the one definition of what programs read.

The command line prints them as JSON (`--json`), a server may send them. All distances are in plies, counted and signed
as in `dame_fast.MoveResult`; what is not known is None. Sides are "W" and "B", positions are FENs with the numbers of
the library.
"""

from collections.abc import Sequence
from typing import TypedDict

from dame_fast.board.board import Board
from dame_fast.errors import MissingTableError
from dame_fast.rules.draw_rule import DrawRule, plies_of
from dame_fast.rules.rules import Side
from dame_fast.tables.material import Material
from dame_fast.tables.results import CATEGORIES, Category, MoveResult
from dame_fast.tables.tablebase import Tablebase
from dame_fast.text.style import NUMERIC, Style


class MoveRecord(TypedDict):
    """A legal move and the result that it leads to, seen by the side that makes it; `missing`: which table is."""

    move: str
    category: Category
    wdl: int | None
    dtw: int | None
    dtz: int | None
    dtc: int | None
    capture: bool
    zeroing: bool
    missing: str | None


class PositionRecord(TypedDict):
    """A position, its result for the side to move, and all its moves, best first."""

    fen: str
    variant: str
    turn: Side
    category: Category
    wdl: int
    dtw: int | None
    dtz: int | None
    dtc: int | None
    moves: list[MoveRecord]


class LineRecord(TypedDict):
    """A line of best moves from a position to the end of the game; `winner` is None for a draw."""

    fen: str
    variant: str
    turn: Side
    draw_plies: int | None
    draw_captures: int | None
    moves: list[MoveRecord]
    winner: Side | None
    plies: int
    end: str


class LongestRecord(TypedDict):
    """One of the positions of a slice that take longest to win, or to lose."""

    fen: str
    variant: str
    turn: Side
    material: str
    metric: str
    draw_plies: int | None
    draw_captures: int | None
    category: Category
    plies: int


class LegalMoveRecord(TypedDict):
    """A legal move as the rules know it: squares are numbered from the top left, whatever the style of `move` is."""

    move: str
    path: tuple[int, ...]
    captured: tuple[int, ...]
    crowned: bool
    capture: bool
    zeroing: bool


class LegalMovesRecord(TypedDict):
    """A position and its legal moves."""

    fen: str
    variant: str
    turn: Side
    moves: list[LegalMoveRecord]


def move_record(result: MoveResult) -> MoveRecord:
    """Return the record of a move with its result."""
    return {
        "move": result.pdn,
        "category": result.category,
        "wdl": result.wdl,
        "dtw": result.dtw,
        "dtz": result.dtz,
        "dtc": result.dtc,
        "capture": result.capture,
        "zeroing": result.zeroing,
        "missing": result.missing,
    }


def position_record(tables: Tablebase, board: Board, *, clock: int | None = None) -> PositionRecord:
    """Return the record of a position.

    A position without a table of its own has the result that its moves prove. Raises what `Tablebase.probe_wdl` raises.

    >>> from dame_fast import open_tablebase
    >>> with open_tablebase() as tables:
    ...     record = position_record(tables, Board("W:WK18:BK15"))
    >>> record["category"], record["dtw"], [move["move"] for move in record["moves"]]
    ('win', 1, ['18x11'])
    """
    moves = tables.moves(board, clock=clock)
    wdl = _result(tables, board, moves, clock)
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "category": CATEGORIES[wdl],
        "wdl": wdl,
        "dtw": tables.get_dtw(board),
        "dtz": tables.get_dtz(board, clock=clock),
        "dtc": tables.get_dtc(board, clock=clock),
        "moves": [move_record(result) for result in moves],
    }


def _result(tables: Tablebase, board: Board, moves: Sequence[MoveResult], clock: int | None) -> int:
    """Return the result of a position: that of its table or, without one, what its moves prove."""
    try:
        return tables.probe_wdl(board, clock=clock)
    except MissingTableError:
        best = moves[0].wdl
        if best is None or (best < 1 and moves[-1].wdl is None):
            raise
        return best


def line_record(board: Board, line: Sequence[MoveResult], rule: DrawRule | None) -> LineRecord:
    """Return the record of a line that begins with the position of `board`."""
    end = board.copy()
    for result in line:
        end.push(result.move)
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "draw_plies": plies_of(rule, "draw_plies"),
        "draw_captures": plies_of(rule, "draw_captures"),
        "moves": [move_record(result) for result in line],
        "winner": end.winner(),
        "plies": len(line),
        "end": end.fen(),
    }


def longest_record(
    board: Board, material: Material, metric: str, category: Category, plies: int, rule: DrawRule | None
) -> LongestRecord:
    """Return the record of one of the longest positions of a slice."""
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "material": material.name,
        "metric": metric,
        "draw_plies": plies_of(rule, "draw_plies"),
        "draw_captures": plies_of(rule, "draw_captures"),
        "category": category,
        "plies": plies,
    }


def legal_moves_record(board: Board, style: Style = NUMERIC) -> LegalMovesRecord:
    """Return the record of a position and its legal moves, their texts in a style.

    >>> legal_moves_record(Board("W:WK18:BK15"))["moves"][0]["captured"]
    (15,)
    """
    moves: list[LegalMoveRecord] = [
        {
            "move": board.pdn(move, style),
            "path": move.path,
            "captured": move.captured,
            "crowned": move.crowned,
            "capture": move.is_capture,
            "zeroing": move.is_zeroing,
        }
        for move in board.legal_moves
    ]
    return {"fen": board.fen(), "variant": board.variant, "turn": board.turn, "moves": moves}
