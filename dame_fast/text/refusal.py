"""Why a move text is none of the legal moves: the reason for the error message.

The jumps that the text could mean are followed as if some rules did not hold, and the first rule that such a capture
breaks is the reason. Where a text names nothing but its ends, all captures of the piece are tried, up to a limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from dame_fast.position.move import Move
from dame_fast.position.position import SIDES, Position
from dame_fast.position.squares import bit, bits, row_and_column, squares_between
from dame_fast.rules.rules import SIDE_NAMES, WHITE, Rules, Side

_JUMPS_MOST: Final = 5000
_DIAGONALS: Final = ((-1, -1), (-1, 1), (1, -1), (1, 1))

_MUST_CAPTURE = "a capture must be played"
_MUST_END = "the capture must be played to its end"
_MUST_GO_ON = "the king must land where its capture goes on"
_NO_KING = "a man may not capture a king"
_NOT_BACKWARDS = "a man may not capture backwards"
_NEIGHBOUR = "a king captures only a piece that is next to it"
_BEHIND = "a king lands directly behind the piece it captures"
_STAYS = "a captured piece stays in the way until the move is over"
_STAYS_MAN = "a man that passes the last row in mid-capture stays a man"
_CROWNED = "a man that reaches the last row is crowned and stops"
_UNKNOWN = "no legal capture goes that way"


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A capture, legal or not: its squares, what it takes, and the rule that it breaks."""

    path: tuple[int, ...]
    captured: tuple[int, ...]
    """In the order of the jumps."""
    broken: str | None


def refuse(
    path: Sequence[int], separator: str, moves: Sequence[Move], position: Position, rules: Rules, origin: str
) -> str:
    """Say why the squares of a text, with this separator between them, are none of the legal `moves`.

    `origin` is the first square as it is written. A text with `-` that passes an enemy piece means a capture. The jumps
    of altdeutsch are not followed.
    """
    own_men, own_kings, _, _, side = position
    owned = bool(bit(path[0]) & (own_men | own_kings))
    plain = refuse_plainly(separator, moves, SIDES[side], rules, origin, owned=owned)
    if not moves or not owned or rules.kind != "draughts":
        return plain
    if separator == "-" and not _passes_enemy(path, position, rules):
        return plain if plain == _MUST_CAPTURE else _refuse_quiet(path, position, rules) or plain
    found = _Jumper(path[0], position, rules).meant_by(tuple(path))
    if found is None:
        return plain
    return found.broken or _lesser(found, moves, position, rules)


def refuse_plainly(separator: str, moves: Sequence[Move], side: Side, rules: Rules, origin: str, *, owned: bool) -> str:
    """Say why a text is none of the legal `moves`, without a look at its squares but the first.

    `owned`: a piece of the side to move stands there.
    """
    can_capture = any(move.is_capture for move in moves)
    if not moves:
        return "the game is over"
    if not owned:
        return f"{SIDE_NAMES[side]} has no piece on {origin}"
    if separator == "-":
        must_capture = can_capture and not rules.capture_optional
        return _MUST_CAPTURE if must_capture else f"the piece on {origin} cannot go there"
    return _UNKNOWN if can_capture else "there is nothing to capture"


def _passes_enemy(path: Sequence[int], position: Position, rules: Rules) -> bool:
    _, _, other_men, other_kings, _ = position
    return any(bits(squares_between(*step, rules) or ()) & (other_men | other_kings) for step in pairwise(path))


def _refuse_quiet(path: Sequence[int], position: Position, rules: Rules) -> str | None:
    own_men, own_kings, other_men, other_kings, side = position
    start, end = path[0], path[-1]
    between = squares_between(start, end, rules) if len(path) == 2 else None
    pieces = own_men | own_kings | other_men | other_kings
    if between is not None and not bits((*between, end)) & pieces:
        if bit(start) & own_men and not between and not _is_forwards(start, end, SIDES[side], rules):
            return "a man may not move backwards"
        if bit(start) & own_kings and not rules.flying_kings:
            return "a king moves one square at a time"
    return None


def _lesser(found: _Attempt, moves: Sequence[Move], position: Position, rules: Rules) -> str:
    """Say which captures take precedence over one that breaks no other rule."""
    if rules.priority == "free":
        return _UNKNOWN
    _, own_kings, _, other_kings, _ = position
    best = next(move for move in moves if move.is_capture)
    by_king = bool(bit(found.path[0]) & own_kings)
    if rules.priority != "king_first" and len(found.captured) < len(best.captured):
        return "a capture of more pieces must be played"
    if rules.priority in ("italian", "king_first") and best.by_king and not by_king:
        return "a king that can capture must capture"
    kings = bits(found.captured) & other_kings
    if kings.bit_count() < (bits(best.captured) & other_kings).bit_count():
        return "a capture of more kings must be played"
    return "a capture that takes kings sooner must be played" if rules.priority == "italian" else _UNKNOWN


class _Jumper:
    """The captures of one piece, those that break a rule of jumping too."""

    def __init__(self, origin: int, position: Position, rules: Rules) -> None:
        own_men, own_kings, other_men, other_kings, side = position
        self._rules, self._side = rules, SIDES[side]
        self._origin = origin
        self._is_king = bool(bit(origin) & own_kings)
        self._others, self._kings = other_men | other_kings, other_kings
        self._pieces = (own_men | own_kings | self._others) & ~bit(origin)
        self._jumps_left = _JUMPS_MOST

    def meant_by(self, path: tuple[int, ...]) -> _Attempt | None:
        """Return the capture along these squares, or between them if there are two, that breaks the fewest rules."""
        meant = None
        for attempt in self._attempts((self._origin,), (), self._is_king, None, path):
            fits = attempt.path == path or (len(path) == 2 and attempt.path[-1] == path[-1])
            if fits and attempt.broken is None:
                return attempt
            if fits and (meant is None or len(attempt.path) < len(meant.path)):
                meant = attempt
        return meant

    def _attempts(
        self,
        path: tuple[int, ...],
        captured: tuple[int, ...],
        is_king: bool,
        broken: str | None,
        wanted: tuple[int, ...],
    ) -> Iterator[_Attempt]:
        """Follow the jumps from the end of `path`, along the wanted squares where all of them are named."""
        every_square = len(wanted) > 2
        for over, lands in self._jumps(path[-1], captured, flies=is_king, gone=captured):
            behind = lands if is_king and self._rules.landing == "any" else lands[:1]
            after = (*captured, over)
            onward = [self._goes_on(land, after, is_king) for land in behind]
            for place, land in enumerate(lands):
                if every_square and wanted[len(path)] != land:
                    continue
                self._jumps_left -= 1
                if self._jumps_left < 0:
                    return
                rule = broken or self._broken_by(path[-1], over, land, is_king, captured)
                yield _Attempt((*path, land), after, rule or self._unfinished(onward, place))
                if every_square and len(path) + 1 == len(wanted):
                    continue
                for as_king, more in self._after_landing(land, is_king):
                    yield from self._attempts((*path, land), after, as_king, rule or more, wanted)

    def _after_landing(self, land: int, is_king: bool) -> Iterator[tuple[bool, str | None]]:
        """Whether the piece may go on as a king, and the rule that it would break by that."""
        crowning = self._rules.crowning
        if is_king or not self._rules.is_crown_square(land, self._side):
            yield is_king, None
        elif crowning == "goes_man":
            yield False, None
            yield True, _STAYS_MAN
        else:
            yield True, _CROWNED if crowning == "stops" else None

    def _broken_by(self, at: int, over: int, land: int, is_king: bool, captured: tuple[int, ...]) -> str | None:
        """Return the rule that a jump breaks."""
        rules = self._rules
        before = squares_between(at, over, rules) or ()
        behind = squares_between(over, land, rules) or ()
        if rules.removal == "at_end" and set(captured) & {*before, *behind, land}:
            return _STAYS
        if is_king:
            if before and not rules.flying_kings:
                return _NEIGHBOUR
            return _BEHIND if behind and rules.landing == "next" else None
        if bit(over) & self._kings and not rules.men_capture_kings:
            return _NO_KING
        if not rules.men_capture_backwards and not _is_forwards(at, land, self._side, rules):
            return _NOT_BACKWARDS
        return None

    def _unfinished(self, onward: list[bool], place: int) -> str | None:
        """Return the rule that is broken by ending a move on one of several landing squares."""
        if place < len(onward) and onward[place]:
            return _MUST_END
        return _MUST_GO_ON if self._rules.must_go_on and any(onward) else None

    def _goes_on(self, at: int, captured: tuple[int, ...], is_king: bool) -> bool:
        """Whether a capture that has come to `at` can go on there by all rules."""
        if not is_king and self._rules.is_crown_square(at, self._side):
            if self._rules.crowning == "stops":
                return False
            is_king = self._rules.crowning == "goes_king"
        flies = is_king and self._rules.flying_kings
        gone = captured if self._rules.removal == "at_once" else ()
        return any(
            self._broken_by(at, over, lands[0], is_king, captured) is None
            for over, lands in self._jumps(at, captured, flies=flies, gone=gone)
        )

    def _jumps(
        self, at: int, captured: tuple[int, ...], *, flies: bool, gone: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every enemy piece that can be jumped from a square, in any direction, and the free squares behind it."""
        pieces = self._pieces & ~bits(gone)
        for line in _lines(at, self._rules):
            free = [not bit(square) & pieces for square in line]
            first = next((place for place, is_free in enumerate(free) if not is_free), len(line))
            if first >= len(line) - 1 or (first > 0 and not flies):
                continue
            if line[first] in captured or not bit(line[first]) & self._others:
                continue
            last = first + 1
            while last < len(line) and free[last] and (flies or last == first + 1):
                last += 1
            if last > first + 1:
                yield line[first], line[first + 1 : last]


@lru_cache(maxsize=1024)
def _lines(square: int, rules: Rules) -> tuple[tuple[int, ...], ...]:
    """Return the squares of each diagonal from a square on, its neighbour first."""
    row, column = row_and_column(square, rules)
    lines = []
    for down, right in _DIAGONALS:
        line = []
        for other in range(1, rules.squares + 1):
            other_row, other_column = row_and_column(other, rules)
            length = (other_row - row) * down
            if length > 0 and (other_column - column) * right == length:
                line.append(other)
        lines.append(tuple(line if down > 0 else line[::-1]))
    return tuple(lines)


def _is_forwards(start: int, end: int, side: Side, rules: Rules) -> bool:
    start_row, end_row = row_and_column(start, rules)[0], row_and_column(end, rules)[0]
    return end_row < start_row if side == WHITE else end_row > start_row
