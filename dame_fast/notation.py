"""Moves as text: the move notation of PDN (rule book, section 7).

Written: `11-15` for a quiet move, `11x18` for a capture of any length by its ends; if two legal captures have
the same ends, both with every landing square: `4x27x38x15`.

Read as well: every landing square where the ends would do, `:` or `-` for `x`, algebraic squares on 8x8,
the jumps of one move in another order, and any free landing square of a king between two pieces in line.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from dame_fast.errors import MoveError, quote
from dame_fast.fen import SIDES, Position
from dame_fast.move import Move
from dame_fast.rules import SIDE_NAMES, Rules, Side
from dame_fast.squares import bit, read_square, squares_between, squares_in

_SQUARE = "(?:[0-9]+|[a-h][1-8])"
_MOVE = re.compile(f"{_SQUARE}(?:(?:x{_SQUARE})+|(?::{_SQUARE})+|(?:-{_SQUARE})+)")


Name = Callable[[int], str]
"""How a square is written: `str` for its number."""


def write_path(move: Move, name: Name = str) -> str:
    """Return the text of a move with every landing square."""
    return ("x" if move.is_capture else "-").join(map(name, move.path))


def write_move(move: Move, moves: Sequence[Move], name: Name = str) -> str:
    """Return the shortest text that tells `move` from the other legal `moves` of its position.

    >>> long, short = Move((4, 27, 38, 15), (13, 20, 32)), Move((4, 31, 42, 15), (13, 20, 37))
    >>> write_move(long, [long]), write_move(long, [long, short])
    ('4x15', '4x27x38x15')
    """
    assert move in moves
    ends = [other for other in moves if (other.origin, other.target) == (move.origin, move.target)]
    if move.is_capture and len(ends) == 1:
        return f"{name(move.origin)}x{name(move.target)}"
    return write_path(move, name)


def read_move(text: str, moves: Sequence[Move], position: Position, rules: Rules, name: Name = str) -> Move:
    """Return the one of the legal `moves` of `position` that the text means.

    A text with all landing squares of a legal move means that move, also where its ends alone would fit two
    (a king may jump one piece, or first make a round and then jump it: `22x31`).

    Raises `MoveError`, with the text and the reason, if it cannot be read, fits two moves (both are named) or
    is not legal.
    """
    path, separator = read_path(text, rules)
    jumps = _follow(path, position, rules)
    found = find_move(text, path, separator, moves, lambda move: jumps == (move.captured, move.crowned), name)
    if found is not None:
        return found
    own_men, own_kings, _, _, side = position
    owned = bool(bit(path[0]) & (own_men | own_kings))
    raise not_legal(text, path[0], separator, moves, SIDES[side], owned=owned, name=name)


def find_move(
    text: str,
    path: tuple[int, ...],
    separator: str,
    moves: Sequence[Move],
    is_same: Callable[[Move], bool],
    name: Name = str,
) -> Move | None:
    """Return the one of the legal `moves` that a path means, None if it is not legal.

    `is_same` tells whether the jumps along the path do what a move does.

    Raises `MoveError` if it fits two.
    """
    fitting = [move for move in moves if (move.origin, move.target) == (path[0], path[-1])]
    if separator != "-":
        fitting = [move for move in fitting if move.is_capture]
    for move in fitting:
        if move.path == path or is_same(move):
            return move
    if len(path) == 2 and len(fitting) == 1:
        return fitting[0]
    if len(path) == 2 and fitting:
        named = " or ".join(write_path(move, name) for move in fitting)
        raise MoveError(f"{quote(text)} is ambiguous: {named}")
    return None


def not_legal(
    text: str, origin: int, separator: str, moves: Sequence[Move], side: Side, *, owned: bool, name: Name = str
) -> MoveError:
    """Return the error that says why a text is none of the legal moves.

    `owned`: a piece of the side to move stands on the first square.
    """
    reason = _reason(name(origin), separator, moves, side, owned=owned)
    return MoveError(f"{quote(text)} is not legal: {reason}")


def read_path(text: str, rules: Rules) -> tuple[tuple[int, ...], str]:
    """Return the squares of a move text and the separator between them.

    Raises `MoveError`.
    """
    bare = text.strip()
    if not _MOVE.fullmatch(bare):
        raise MoveError(f"cannot read move {quote(bare)}")
    separator = next(mark for mark in "x:-" if mark in bare)
    try:
        return tuple(read_square(square, rules) for square in bare.split(separator)), separator
    except ValueError as reason:
        raise MoveError(f"cannot read move {quote(bare)}: {reason}") from None


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


def _reason(origin: str, separator: str, moves: Sequence[Move], side: Side, *, owned: bool) -> str:
    """Say why a text is none of the legal moves."""
    must_capture = any(move.is_capture for move in moves)
    if not moves:
        return "the game is over"
    if not owned:
        return f"{SIDE_NAMES[side]} has no piece on {origin}"
    if separator == "-":
        return "a capture must be played" if must_capture else f"the piece on {origin} cannot go there"
    return "no legal capture goes that way" if must_capture else "there is nothing to capture"
