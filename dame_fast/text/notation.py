"""Moves as text: the move notation of PDN (rule book, section 7).

Written: `11-15` for a quiet move, `11x18` for a capture of any length by its ends; if two legal captures have
the same ends, both with every landing square: `4x27x38x15`.

Read as well: every landing square where the ends would do, `:` or `-` for `x`, algebraic squares on 8x8,
the jumps of one move in another order, and any free landing square of a king between two pieces in line.

A `Style` (`dame_fast.text.style`) writes the same with letters, with `:`, or with the numbers of a PDN file.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dame_fast.arguments import check_text
from dame_fast.errors import ArgumentError, MoveError, quote
from dame_fast.position.move import Move
from dame_fast.position.position import SIDES, Position
from dame_fast.position.squares import bit, squares_between, squares_in
from dame_fast.rules.rules import Rules
from dame_fast.text.refusal import refuse
from dame_fast.text.style import NUMERIC, Style

_SQUARE = "(?:[0-9]+|[a-h][1-8])"
_MOVE = re.compile(f"{_SQUARE}(?:(?:x{_SQUARE})+|(?::{_SQUARE})+|(?:-{_SQUARE})+)")


def write_move(move: Move, moves: Sequence[Move], rules: Rules, style: Style = NUMERIC) -> str:
    """Return the shortest text that tells `move` from the other legal `moves` of its position.

    Raises `ArgumentError` for letters on a board without them.

    >>> from dame_fast.rules.find import find_rules
    >>> rules = find_rules("international")
    >>> long, short = Move((4, 27, 38, 15), (13, 20, 32)), Move((4, 31, 42, 15), (13, 20, 37))
    >>> write_move(long, [long], rules), write_move(long, [long, short], rules)
    ('4x15', '4x27x38x15')
    """
    assert move in moves
    squares = move.path
    if len(squares) > 2:
        ends = squares[0], squares[-1]
        if sum((other.path[0], other.path[-1]) == ends for other in moves) == 1:
            squares = ends
    return _write(squares, move, rules, style)


def write_path(move: Move, rules: Rules, style: Style = NUMERIC) -> str:
    """Return the text of a move with every landing square.

    >>> from dame_fast.rules.find import find_rules
    >>> from dame_fast.text.style import ALGEBRAIC
    >>> write_path(Move((22, 15, 6), (10, 18)), find_rules("english"), ALGEBRAIC)
    'c3xe5xc7'
    """
    return _write(move.path, move, rules, style)


def read_move(text: str, moves: Sequence[Move], position: Position, rules: Rules, style: Style = NUMERIC) -> Move:
    """Return the one of the legal `moves` of `position` that the text means; its numbers are those of `style`.

    A text with all landing squares of a legal move means that move, also where its ends alone would fit two
    (a king may jump one piece, or first make a round and then jump it: `22x31`).

    Raises `MoveError`, with the text and the reason, if it cannot be read, fits two moves (both are named) or
    is not legal.
    """
    parts = split_move(text, rules, style)
    jumps = _follow(parts.path, position, rules)
    found = find_move(parts, moves, lambda move: jumps == (move.captured, move.crowned), rules, style)
    if found is None:
        raise parts.not_legal(refuse(parts.path, parts.separator, moves, position, rules, parts.origin))
    return found


@dataclass(frozen=True, slots=True)
class MoveText:
    """A move text and its parts."""

    text: str
    path: tuple[int, ...]
    separator: str
    """What stands between its squares: `x`, `:` or `-`."""
    origin: str
    """Its first square, as it is written."""

    def not_legal(self, reason: str) -> MoveError:
        """Return the error for a text that is none of the legal moves."""
        return MoveError(f"{quote(self.text)} is not legal: {reason}")


def split_move(text: str, rules: Rules, style: Style) -> MoveText:
    """Take a move text apart; its numbers are those of `style`.

    Raises `MoveError`, `ArgumentError` for what is no text.

    >>> from dame_fast.rules.find import find_rules
    >>> split_move("c3:e5", find_rules("russian"), NUMERIC)
    MoveText(text='c3:e5', path=(22, 15), separator=':', origin='c3')
    """
    bare = check_text("a move", text).strip()
    if not _MOVE.fullmatch(bare):
        raise MoveError(f"cannot read move {quote(bare)}")
    separator = next(mark for mark in "x:-" if mark in bare)
    squares = bare.split(separator)
    try:
        path = tuple(style.read_square(square, rules) for square in squares)
    except ArgumentError as reason:
        raise MoveError(f"cannot read move {quote(bare)}: {reason}") from None
    return MoveText(text, path, separator, squares[0])


def find_move(
    parts: MoveText, moves: Sequence[Move], is_same: Callable[[Move], bool], rules: Rules, style: Style
) -> Move | None:
    """Return the one of the legal `moves` that a text means, None if it is not legal.

    `is_same` tells whether the jumps along its squares do what a move does.

    Raises `MoveError` if it fits two, which are named in `style`.
    """
    path = parts.path
    fitting = [move for move in moves if (move.origin, move.target) == (path[0], path[-1])]
    if parts.separator != "-":
        fitting = [move for move in fitting if move.is_capture]
    for move in fitting:
        if move.path == path or is_same(move):
            return move
    if len(path) == 2 and len(fitting) == 1:
        return fitting[0]
    if len(path) == 2 and fitting:
        named = " or ".join(write_path(move, rules, style) for move in fitting)
        raise MoveError(f"{quote(parts.text)} is ambiguous: {named}")
    return None


def _write(squares: Sequence[int], move: Move, rules: Rules, style: Style) -> str:
    separator = style.capture if move.is_capture else "-"
    return separator.join(style.write_square(square, rules) for square in squares)


def _follow(path: tuple[int, ...], position: Position, rules: Rules) -> tuple[tuple[int, ...], bool] | None:
    """Return the pieces captured along a path of jumps, and whether a man is crowned; None if a jump fails.

    Whether the rules ask for this capture is not looked at: the answer is compared with the legal moves.
    """
    own_men, own_kings, other_men, other_kings, side = position
    was_king = bool(bit(path[0]) & own_kings)
    is_king = was_king
    captured = 0
    occupied = (own_men | own_kings | other_men | other_kings) & ~bit(path[0])
    for start, end in pairwise(path):
        between = squares_between(start, end, rules)
        if between is None or bit(end) & occupied:
            return None
        if len(between) > 1 and not (is_king and rules.flying_kings):
            return None
        jumped = [bit(square) for square in between if bit(square) & occupied]
        if len(jumped) != 1 or not jumped[0] & (other_men | other_kings) & ~captured:
            return None
        captured |= jumped[0]
        if rules.removal == "at_once":
            occupied &= ~captured
        if rules.crowning == "goes_king":
            is_king = is_king or rules.is_crown_square(end, SIDES[side])
    is_king = is_king or rules.is_crown_square(path[-1], SIDES[side])
    return squares_in(captured), is_king and not was_king
