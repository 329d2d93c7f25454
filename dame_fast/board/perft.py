"""Perft: the leaves of the tree of legal moves, counted."""

from typing import Final

from dame_fast.arguments import BYTES_MOST, check_number
from dame_fast.board.board import Board
from dame_fast.board.kinds import find_kind
from dame_fast.interrupt import run_native

PERFT_DEPTH: Final = 1000
"""The largest depth of `perft`; no count of that depth can be reached."""


def perft(board: Board, depth: int, *, paths: bool = False, cache_bytes: int = 0) -> int:
    """Count the leaves of the tree of legal moves, `depth` plies deep; no draw ends a line.

    A line that ends earlier, because a side has no legal move, adds nothing. With `paths`, captures that
    differ only in the order of their jumps count apart. Releases the GIL.

    The counts of positions are remembered in `cache_bytes` bytes, if any: gigabytes make large depths ten to a hundred
    times as quick. (Not those of custom rules, towers and altdeutsch.)

    Raises `ArgumentError` for a depth outside 0 to 1000 and for a negative number of bytes, `MemoryError` for too many.

    >>> perft(Board(), 5), perft(Board(), 9, cache_bytes=10**7)
    (7361, 3963680)
    """
    depth = check_number("depth", depth, 0, PERFT_DEPTH)
    cache_bytes = check_number("cache_bytes", cache_bytes, 0, BYTES_MOST)
    return run_native(lambda cancel: find_kind(board.rules).perft(board.position, depth, paths, cancel, cache_bytes))
