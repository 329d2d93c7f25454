"""Perft: the leaves of the tree of legal moves, counted."""

from typing import Final

from dame_fast.arguments import BYTES_MOST, check_number, check_type
from dame_fast.board.board import Board, check_board
from dame_fast.board.kinds import find_kind
from dame_fast.interrupt import run_native
from dame_fast.position.move import Move

PERFT_DEPTH: Final = 1000
"""The largest depth of `perft`; hardly a count of that depth would ever end."""


def perft(board: Board | str, depth: int, *, paths: bool | None = None, cache_bytes: int = 0) -> int:
    """Count the leaves of the tree of legal moves, `depth` plies deep; no draw ends a line.

    `board` may be a FEN, of a position of English draughts.

    A line that ends earlier, because a side has no legal move, adds nothing. Captures that differ only in the order of
    their jumps count apart with `paths`, as one move without. By default they count as in the tables that are published
    for the rule set: apart, but as one move on 10x10 boards and in altdeutsch (`Rules.perft_by_moves`). Releases the
    GIL.

    The counts of positions are remembered in `cache_bytes` bytes, if any: gigabytes make large depths ten to a hundred
    times as quick. (Not those of custom rules, towers and altdeutsch.)

    Raises `ArgumentError` for a depth outside 0 to 1000, for a negative number of bytes, and for a count of 2**128 or
    more, `MemoryError` for too many bytes, `PositionError` for a FEN that cannot be read.

    >>> perft(Board(), 5), perft(Board(), 9, cache_bytes=10**7)
    (7361, 3963680)
    >>> turning = Board("W:WK22:B9,10,17,18")  # round four men, one way or the other
    >>> perft(turning, 1), perft(turning, 1, paths=False)
    (2, 1)
    """
    board = check_board(board)
    depth = check_number("depth", depth, 0, PERFT_DEPTH)
    orders = _counts_orders(board, paths)
    cache_bytes = check_number("cache_bytes", cache_bytes, 0, BYTES_MOST)
    kind, position = find_kind(board.rules), board.position
    return run_native(lambda cancel: kind.perft(position, depth, orders, cancel, cache_bytes))


def divide(
    board: Board | str, depth: int, *, paths: bool | None = None, cache_bytes: int = 0
) -> list[tuple[Move, int]]:
    """Return the part of every legal move in `perft`, whose sum they are: `depth` is 1 to 1000.

    With paths, a move that stands for several orders of jumps has the leaves below it as many times. Raises what
    `perft` raises.

    >>> [(str(move), leaves) for move, leaves in divide(Board("W:WK22:B9,10,17,18,1"), 2)]
    [('22x15x6x13x22', 4)]
    """
    board = check_board(board)
    depth = check_number("depth", depth, 1, PERFT_DEPTH)
    orders = _counts_orders(board, paths)
    times = find_kind(board.rules).paths(board.position) if orders else [1] * len(board.legal_moves)
    parts = []
    for move, weight in zip(board.legal_moves, times, strict=True):
        after = board.copy()
        after.push(move)
        parts.append((move, weight * perft(after, depth - 1, paths=orders, cache_bytes=cache_bytes)))
    return parts


def _counts_orders(board: Board, paths: bool | None) -> bool:
    if paths is None:
        return not board.rules.perft_by_moves
    return check_type("paths", paths, bool, "True, False or None")
