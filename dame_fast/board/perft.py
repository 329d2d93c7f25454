"""Perft: the leaves of the tree of legal moves, counted."""

from typing import Final

from dame_fast.arguments import BYTES_MOST, check_number, check_type
from dame_fast.board.board import Board, check_board
from dame_fast.board.kinds import find_kind
from dame_fast.interrupt import run_native

PERFT_DEPTH: Final = 1000
"""The largest depth of `perft`; no count of that depth can be reached."""


def perft(board: Board | str, depth: int, *, paths: bool = False, cache_bytes: int = 0) -> int:
    """Count the leaves of the tree of legal moves, `depth` plies deep; no draw ends a line.

    `board` may be a FEN, of a position of English draughts.

    A line that ends earlier, because a side has no legal move, adds nothing. With `paths`, captures that
    differ only in the order of their jumps count apart. Releases the GIL.

    The counts of positions are remembered in `cache_bytes` bytes, if any: gigabytes make large depths ten to a hundred
    times as quick. (Not those of custom rules, towers and altdeutsch.)

    Raises `ArgumentError` for a depth outside 0 to 1000 and for a negative number of bytes, `MemoryError` for too many,
    `PositionError` for a FEN that cannot be read.

    >>> perft(Board(), 5), perft(Board(), 9, cache_bytes=10**7)
    (7361, 3963680)
    """
    board = check_board(board)
    depth = check_number("depth", depth, 0, PERFT_DEPTH)
    check_type("paths", paths, bool, "True or False")
    cache_bytes = check_number("cache_bytes", cache_bytes, 0, BYTES_MOST)
    kind, position = find_kind(board.rules), board.position
    return run_native(lambda cancel: kind.perft(position, depth, paths, cancel, cache_bytes))
