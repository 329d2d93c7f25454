"""Positions of single pieces on the playing squares of a board, as the compiled core takes them."""

from typing import Final

import dame_fast._native as _native
from dame_fast.rules.rules import BLACK, WHITE, Rules, Side

Position = tuple[int, int, int, int, int]
"""Own men, own kings, other men, other kings (bitboards, bit = square - 1), and 0 if Black is to move, 1 if
White is; "own" are the pieces of the side to move."""

SIDES: Final[tuple[Side, Side]] = (BLACK, WHITE)
"""The side to move by the last number of a position."""


def start_position(rules: Rules) -> Position:
    """Return the position at the start of a game.

    >>> from dame_fast.rules.find import find_rules
    >>> [hex(part) for part in start_position(find_rules("english"))]
    ['0xfff', '0x0', '0xfff00000', '0x0', '0x0']
    """
    black = (1 << rules.men_at_start) - 1
    white = black << (rules.squares - rules.men_at_start)
    return (white, 0, black, 0, 1) if rules.first == WHITE else (black, 0, white, 0, 0)


def position_after(position: Position, path: tuple[int, ...], captured: int, crowned: bool, by_king: bool) -> Position:
    """Return the position after a legal move, given as the core gives it: `captured` is a bitboard.

    >>> from dame_fast import Board
    >>> position_after(Board("W:WK19:BK15").position, (19, 10), 1 << 14, crowned=False, by_king=True)
    (0, 0, 0, 512, 0)
    """
    return _native.position_after(position, path, captured, crowned, by_king)
