"""Squares of the board: PDN numbers, bits, rows and columns, algebraic names.

Squares are numbered row by row from the top left, White at the bottom (rule book, section 1); the bit of a
square in a bitboard is its number less one. The plain and the mirrored board:

      b8  d8  f8  h8      1   2   3   4           a8  c8  e8  g8      1   2   3   4
    a7  c7  e7  g7      5   6   7   8               b7  d7  f7  h7      5   6   7   8
      b6  d6  f6  h6      9  10  11  12           a6  c6  e6  g6      9  10  11  12
    ...                 ...                       ...                 ...
    a1  c1  e1  g1      29  30  31  32              b1  d1  f1  h1      29  30  31  32

Where all 64 squares are playing squares they are numbered in the same way, a8 = 1, h1 = 64; people only see
their algebraic names.
"""

import re

from dame_fast.errors import ArgumentError, quote
from dame_fast.rules.rules import Rules

_NUMBER = re.compile("[0-9]+")
_ALGEBRAIC = re.compile("([a-h])([1-8])")
_COLUMNS = "abcdefgh"
_LONGEST_NUMBER = 9


def bit(square: int) -> int:
    """Return the bitboard that holds `square` alone."""
    assert square >= 1
    return 1 << (square - 1)


def bits(squares: tuple[int, ...]) -> int:
    """Return the bitboard of some squares.

    >>> bits((1, 3))
    5
    """
    return sum(map(bit, set(squares)))


def squares_in(bitboard: int) -> tuple[int, ...]:
    """Return the squares of a bitboard, ascending.

    >>> squares_in(0b1000_0000_0101)
    (1, 3, 12)
    """
    assert bitboard >= 0
    found = []
    while bitboard:
        found.append((bitboard & -bitboard).bit_length())
        bitboard &= bitboard - 1
    return tuple(found)


def row_and_column(square: int, rules: Rules) -> tuple[int, int]:
    """Return row and column of a square on the full board, both from 0 at the top left.

    >>> from dame_fast.rules.find import find_rules
    >>> row_and_column(1, find_rules("english")), row_and_column(29, find_rules("english"))
    ((0, 1), (7, 0))
    """
    row, place = divmod(square - 1, rules.columns)
    if _plays_on_all(rules):
        return row, place
    return row, 2 * place + (row + 1 + rules.mirrored) % 2


def algebraic_name(square: int, rules: Rules) -> str:
    """Return the name of a square of an 8x8 board by column and row.

    >>> from dame_fast.rules.find import find_rules
    >>> [algebraic_name(1, find_rules(variant)) for variant in ("english", "italian", "altdeutsch")]
    ['b8', 'a8', 'a8']
    """
    assert rules.rows == len(_COLUMNS)
    row, column = row_and_column(square, rules)
    return f"{_COLUMNS[column]}{rules.rows - row}"


def squares_between(start: int, end: int, rules: Rules) -> tuple[int, ...] | None:
    """Return the squares strictly between two squares of one diagonal, from `start` on; None off diagonals.

    Where all squares are playing squares, rows and columns are lines as well.

    >>> from dame_fast.rules.find import find_rules
    >>> squares_between(29, 11, find_rules("english"))
    (25, 22, 18, 15)
    >>> squares_between(29, 30, find_rules("english")) is None
    True
    """
    row, column = row_and_column(start, rules)
    end_row, end_column = row_and_column(end, rules)
    down, right = end_row - row, end_column - column
    length = max(abs(down), abs(right))
    is_line = abs(down) == abs(right) or (_plays_on_all(rules) and 0 in (down, right))
    if length == 0 or not is_line:
        return None
    down, right = down // length, right // length
    return tuple(_square_at(row + step * down, column + step * right, rules) for step in range(1, length))


def read_square(text: str, rules: Rules) -> int:
    """Read a PDN number, or on 8x8 boards an algebraic name such as `e3`; on all 64 squares names alone.

    Raises `ArgumentError`, its text the reason, for anything else; the caller adds what the square belongs to.

    >>> from dame_fast.rules.find import find_rules
    >>> read_square("29", find_rules("english")), read_square("a1", find_rules("english"))
    (29, 29)
    """
    if _NUMBER.fullmatch(text) and not _plays_on_all(rules):
        square = int(text) if len(text) <= _LONGEST_NUMBER else 0
        if not 1 <= square <= rules.squares:
            raise ArgumentError(f"square {text[:_LONGEST_NUMBER]} is not on the board (1-{rules.squares})")
        return square
    name = _ALGEBRAIC.fullmatch(text)
    if name is None or rules.rows != len(_COLUMNS):
        raise ArgumentError(f"unknown square {quote(text)}")
    row, column = rules.rows - int(name[2]), _COLUMNS.index(name[1])
    if not _is_playing(row, column, rules):
        board = " of the mirrored board" if rules.mirrored else ""
        raise ArgumentError(f"square {text} is not a playing square{board}")
    return _square_at(row, column, rules)


def _square_at(row: int, column: int, rules: Rules) -> int:
    assert _is_playing(row, column, rules)
    square = row * rules.columns + (column if _plays_on_all(rules) else column // 2) + 1
    assert 1 <= square <= rules.squares
    return square


def _is_playing(row: int, column: int, rules: Rules) -> bool:
    return _plays_on_all(rules) or (row + column + rules.mirrored) % 2 == 1


def _plays_on_all(rules: Rules) -> bool:
    return rules.columns == rules.rows
