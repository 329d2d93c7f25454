"""Positions as text: the FEN of draughts, `turn:W...:B...` (rule book, section 7).

    W:WK19,K23:B12,K28          White to move, two White kings, a Black man on 12, a Black king on 28

Written: White's list first, squares ascending, no ranges, no final dot.

Read as well: the lists in either order, ranges (`21-32`, `K12-14`), algebraic squares on 8x8 (`We3,Kf8`), lower-case
letters (`w:wk19:b12`), spaces and line ends, a byte order mark, quotes around it or on one side, a full stop after
either list, the counters that lidraughts adds (`:H0:F1`), a whole tag of a PDN file (`[FEN "W:W18:B1"]`), and the
position strings of the Hub protocol, W or B for the side to move and a letter for each square (`Wbbbeee...`).
"""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from dame_fast.arguments import check_text, check_type
from dame_fast.errors import ArgumentError, PositionError, quote
from dame_fast.position.position import SIDES, Position
from dame_fast.position.squares import bits, squares_in
from dame_fast.rules.rules import BLACK, SIDE_NAMES, WHITE, Rules, Side
from dame_fast.text.style import NUMERIC, Style

P = TypeVar("P")

_PIECE = re.compile(r"([Kk]?)\s*([0-9]+|[a-h][1-8])")
_RANGE = re.compile(r"([Kk]?)\s*([0-9]+)\s*-\s*([0-9]+)")
_HALF_RANGE = re.compile(r"[Kk]?\s*(?:[0-9]+\s*-|-\s*[0-9]+)")
_COUNTER = re.compile(r"([HF])\s*([0-9]{1,9})")
_TAG = re.compile(r"\[\s*FEN\s*(.*?)\s*\]", re.IGNORECASE | re.DOTALL)
_HUB = re.compile(r"[WwBb][WwBbe]{8,}")
_ORNAMENTS = re.compile(r"""^[\s"']+|[\s"']+$""")
_BYTE_ORDER_MARK: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Setup(Generic[P]):
    """What a FEN says: the position, and the plies that its lidraughts suffix counts if it has one."""

    position: P
    clock: int = 0
    """Plies since the last capture or move of a man."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The parts of a FEN, its lists of pieces not read yet."""

    turn: Side
    lists: dict[Side, str]
    """What follows the letter of each colour."""
    clock: int


def write_fen(position: Position) -> str:
    """Return the FEN of a position.

    >>> write_fen((0x800, 0x8000000, 0, 0x440000, 0))
    'B:WK19,K23:B12,K28'
    """
    return _write_fen(position, str)


def write_styled_fen(position: Position, rules: Rules, style: Style) -> str:
    """Return the FEN of a position in the style of a file, its squares ascending from square 1 of that style.

    >>> from dame_fast.rules.find import find_rules
    >>> from dame_fast.text.style import ALGEBRAIC, file_style
    >>> thai = find_rules("thai")
    >>> setup = read_fen("W:WK19,23:B12", thai)
    >>> write_styled_fen(setup.position, thai, file_style(thai)), write_styled_fen(setup.position, thai, ALGEBRAIC)
    ('W:W10,K14:B21', 'W:WKf4,e3:Bh6')
    >>> read_fen("W:W10,K14:B21", thai, file_style(thai)) == setup
    True
    """
    return _write_fen(position, lambda square: style.write_square(square, rules), -1 if style.turned else 1)


def read_fen(text: str, rules: Rules, style: Style = NUMERIC) -> Setup[Position]:
    """Read a FEN; its numbers are those of `style`.

    Raises `PositionError`, quoting the offending text, for anything that cannot be read, and for positions
    that the rules do not allow: a man on its crown row, more pieces of one side than it starts with, no piece
    at all. A board with pieces of one side only is legal.

    >>> from dame_fast.rules.find import find_rules
    >>> read_fen('"W : Wb2, K 9-10 : B 1."', find_rules("english"))
    Setup(position=(16777216, 768, 1, 0, 1), clock=0)
    >>> write_fen(read_fen("Beeee" + "e" * 10 + "WwBb" + "e" * 14, find_rules("english")).position)
    'B:WK15,16:BK17,18'
    >>> read_fen("W:W31:B33", find_rules("english"))
    Traceback (most recent call last):
    dame_fast.errors.PositionError: square 33 is not on the board (1-32)
    """
    fields = split_fen(text, rules)
    position = _read_position(fields.turn, fields.lists, rules, style)
    return Setup(position, fields.clock)


def split_fen(text: str, rules: Rules) -> Fields:
    """Take a FEN apart into side to move, lists of pieces and counter of plies.

    Raises `PositionError`, quoting the offending text, `ArgumentError` for what is no text.

    >>> from dame_fast.rules.find import find_rules
    >>> split_fen("W:W18[b].:b1:H3", find_rules("bashni"))
    Fields(turn='W', lists={'W': '18[b]', 'B': '1'}, clock=3)
    """
    check_type("the rules", rules, Rules, "Rules")
    bare = _bare(check_text("a FEN", text))
    if _HUB.fullmatch(bare) and rules.columns != rules.rows:
        return _split_hub(bare, rules)
    turn, *fields = (field.strip() for field in bare.split(":"))
    side = _read_turn(turn, text)
    lists: dict[Side, str] = {}
    counters: dict[str, int] = {}
    for field in fields:
        colour = _colour(field)
        if colour is not None:
            if colour in lists:
                raise PositionError(_twice(colour, fields, text))
            lists[colour] = _without_dot(field[1:])
        else:
            _read_counter(field, counters, text)
    for colour, name in SIDE_NAMES.items():
        if colour not in lists:
            raise PositionError(f"{name} is missing: {quote(text)}")
    return Fields(side, lists, counters.get("H", 0))


def _split_hub(text: str, rules: Rules) -> Fields:
    """Take a position string of the Hub protocol apart; its squares have the numbers of the file's style, from 1 on."""
    if len(text) != rules.squares + 1:
        raise PositionError(
            f"a Hub position has {rules.squares + 1} letters on this board, not {len(text)}: {quote(text)}"
        )
    pieces: dict[Side, list[str]] = {WHITE: [], BLACK: []}
    for number, letter in enumerate(text[1:], 1):
        colour = _colour(letter)
        if colour is not None:
            pieces[colour].append(f"{'K' if letter.isupper() else ''}{number}")
    return Fields(_read_turn(text[0], text), {colour: ",".join(listed) for colour, listed in pieces.items()}, 0)


def _bare(text: str) -> str:
    """Take off the brackets of a tag, spaces, quotes and the final dot."""
    bare = text.strip().removeprefix(_BYTE_ORDER_MARK).strip()
    if tag := _TAG.fullmatch(bare):
        bare = tag[1]
    bare = _ORNAMENTS.sub("", _without_dot(_ORNAMENTS.sub("", bare)))
    if not bare:
        raise PositionError(f"empty FEN: {quote(text)}")
    return bare


def _without_dot(text: str) -> str:
    """Take off one full stop; more are no full stop."""
    return text if text.endswith("..") else text.removesuffix(".").rstrip()


def _colour(field: str) -> Side | None:
    for colour in SIDES:
        if field.startswith((colour, colour.lower())):
            return colour
    return None


def _read_turn(turn: str, text: str) -> Side:
    colour = _colour(turn)
    if colour is not None and len(turn) == 1:
        return colour
    if turn == "" or (colour is not None and _PIECE.match(turn[1:].lstrip())):
        raise PositionError(f"no side to move: {quote(text)}")
    raise PositionError(f"the side to move must be W or B, not {quote(turn)}")


def _twice(colour: Side, fields: list[str], text: str) -> str:
    if fields[0].upper() == colour:
        return f"more than one turn field: {quote(text)}"
    return f"{SIDE_NAMES[colour]} is given twice: {quote(text)}"


def _read_counter(field: str, counters: dict[str, int], text: str) -> None:
    if not field:
        raise PositionError(f"a field has no colour: {quote(text)}")
    match = _COUNTER.fullmatch(field)
    if match is None:
        raise PositionError(f"unknown field {quote(field)}")
    if match[1] in counters:
        raise PositionError(f"{match[1]} is given twice: {quote(text)}")
    counters[match[1]] = int(match[2])


def check_count(colour: Side, count: int, rules: Rules) -> None:
    """Refuse more pieces of one side than it starts with."""
    if count > rules.men_at_start:
        limit = f"more than the {rules.men_at_start} it starts with"
        raise PositionError(f"{SIDE_NAMES[colour]} has {count} pieces, {limit}")


def check_square(square: int, name: str, colour: Side, taken: Container[int], rules: Rules, *, is_king: bool) -> None:
    """Refuse a piece on a square that is taken, and a man on its crown row; `name` is how the text calls the square."""
    if square in taken:
        raise PositionError(f"square {name} is named twice")
    if not is_king and rules.is_crown_square(square, colour):
        raise PositionError(f"a {SIDE_NAMES[colour]} man cannot stand on its crown row (square {name})")


def _read_position(side: Side, lists: dict[Side, str], rules: Rules, style: Style) -> Position:
    taken: set[int] = set()
    pieces: dict[Side, tuple[int, int]] = {}
    for colour, listed in lists.items():
        men, kings = _read_pieces(listed, colour, taken, rules, style)
        check_count(colour, men.bit_count() + kings.bit_count(), rules)
        pieces[colour] = men, kings
    if not taken:
        raise PositionError("there is no piece on the board")
    if side == WHITE:
        return (*pieces[WHITE], *pieces[BLACK], 1)
    return (*pieces[BLACK], *pieces[WHITE], 0)


def _read_pieces(listed: str, colour: Side, taken: set[int], rules: Rules, style: Style) -> tuple[int, int]:
    """Read one list without its colour; return men and kings, and add their squares to `taken`."""
    men = kings = 0
    for item in listed.split(",") if listed.strip() else ():
        is_king, squares = read_item(item.strip(), colour + listed, rules, style)
        for square, name in squares.items():
            check_square(square, name, colour, taken, rules, is_king=is_king)
            taken.add(square)
        if is_king:
            kings |= bits(tuple(squares))
        else:
            men |= bits(tuple(squares))
    return men, kings


def read_item(item: str, field: str, rules: Rules, style: Style) -> tuple[bool, dict[int, str]]:
    """Read one piece or one range: whether it is of kings, and its squares with the names that the text has for them.

    >>> from dame_fast.rules.find import find_rules
    >>> [read_item(item, "", find_rules("english"), NUMERIC) for item in ("Ka3", "9-10")]
    [(True, {21: 'a3'}), (False, {9: '9', 10: '10'})]
    """
    if not item:
        raise PositionError(f"a piece is missing in {quote(field)}")
    if piece := _PIECE.fullmatch(item):
        return piece[1] != "", {_read_square(piece[2], rules, style): piece[2]}
    if piece := _RANGE.fullmatch(item):
        first, last = _read_square(piece[2], rules, style), _read_square(piece[3], rules, style)
        if int(piece[2]) > int(piece[3]):
            raise PositionError(f"range {quote(item)} runs backwards")
        squares = range(min(first, last), max(first, last) + 1)
        return piece[1] != "", {square: str(style.number(square, rules)) for square in squares}
    if _HALF_RANGE.fullmatch(item):
        raise PositionError(f"unfinished range {quote(item)}")
    raise PositionError(f"unknown piece {quote(item)}")


def _read_square(text: str, rules: Rules, style: Style) -> int:
    try:
        return style.read_square(text, rules)
    except ArgumentError as reason:
        raise PositionError(str(reason)) from None


def _write_fen(position: Position, name: Callable[[int], str], order: int = 1) -> str:
    def listed(men: int, kings: int) -> str:
        crowned = squares_in(kings)
        return ",".join("K" * (square in crowned) + name(square) for square in squares_in(men | kings)[::order])

    own_men, own_kings, other_men, other_kings, side = position
    own, other = listed(own_men, own_kings), listed(other_men, other_kings)
    white, black = (own, other) if SIDES[side] == WHITE else (other, own)
    return f"{SIDES[side]}:W{white}:B{black}"
