"""Positions of towers (rule book, section 9.1): stacks of pieces on the playing squares of the 8x8 board.

A stack is a text: its pieces from top to bottom, `w` and `b` men, `W` and `B` kings. The piece on top gives its colour
and rank. In a FEN the pieces under the top one follow the square in brackets:

    W:W18[bB],K22:B9[w]         a White man on 18, under it a Black man and a Black king; and so on
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import dame_fast._native as _native
from dame_fast.errors import PositionError, quote
from dame_fast.position.move import Move
from dame_fast.position.position import SIDES
from dame_fast.position.squares import squares_between
from dame_fast.rules.rules import BLACK, WHITE, Rules, Side
from dame_fast.text.fen import Setup, check_count, check_square, read_item, split_fen
from dame_fast.text.notation import find_move, split_move, write_move, write_path
from dame_fast.text.refusal import refuse_plainly
from dame_fast.text.style import ALGEBRAIC, NUMERIC, Style

TowerPosition = tuple[tuple[str, ...], int]
"""The stack on each square, "" where it is empty, and 0 if Black is to move, 1 if White is."""

LETTERS: Final = "wbWB"

_STACK = re.compile(r"([^\[\]]*)\[([^\[\]]*)\]")


class Towers:
    """What a board needs to know of such positions: a `Kind` (`dame_fast.board.kinds`)."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def start(self) -> TowerPosition:
        """Return the starting position."""
        men = self.rules.men_at_start
        empty = self.rules.squares - 2 * men
        return (*["b"] * men, *[""] * empty, *["w"] * men), int(self.rules.white_begins)

    def read(self, fen: str, style: Style = NUMERIC) -> Setup[TowerPosition]:
        """Read a FEN; squares may be algebraic, numbers are those of `style`.

        Raises `PositionError`, quoting the offending text: for what is wrong in any FEN, and for letters in brackets
        that are no pieces, brackets that are empty or not closed, and more pieces of a side, those in stacks of the
        other one included, than it starts with.

        >>> from dame_fast.rules.find import find_rules
        >>> towers = Towers(find_rules("bashni"))
        >>> towers.write(towers.read("W : B b6[w] : WK22, 18[bB].").position)
        'W:W18[bB],K22:B9[w]'
        """
        fields = split_fen(fen, self.rules)
        taken: dict[int, str] = {}
        for colour, listed in fields.lists.items():
            self._read_stacks(listed, colour, taken, style)
        pieces = "".join(taken.values())
        for colour in SIDES:
            check_count(colour, pieces.upper().count(colour), self.rules)
        if not taken:
            raise PositionError("there is no piece on the board")
        stacks = tuple(taken.get(square, "") for square in range(1, self.rules.squares + 1))
        return Setup((stacks, SIDES.index(fields.turn)), fields.clock)

    def _read_stacks(self, listed: str, colour: Side, taken: dict[int, str], style: Style) -> None:
        """Read one list without its colour, and add its stacks to `taken`."""
        for item in listed.split(",") if listed.strip() else ():
            top, under = _split_stack(item.strip())
            is_king, squares = read_item(top, colour + listed, self.rules, style)
            if under and len(squares) > 1:
                raise PositionError(f"a range of stacks: {quote(item.strip())}")
            for square, name in squares.items():
                check_square(square, name, colour, taken, self.rules, is_king=is_king)
                taken[square] = (colour if is_king else colour.lower()) + under

    def write(self, position: TowerPosition, style: Style = NUMERIC) -> str:
        """Return the FEN, the squares ascending from square 1 of its style.

        >>> from dame_fast.rules.find import find_rules
        >>> towers = Towers(find_rules("bashni"))
        >>> position = towers.read("W:WK22,18[bB]:B6[w]").position
        >>> towers.write(position, ALGEBRAIC), towers.write(position, Style(turned=True))
        ('W:Wd4[bB],Kc3:Bc7[w]', 'W:WK11,15[bB]:B27[w]')
        """
        side = position[1]
        lists: dict[Side, list[str]] = {WHITE: [], BLACK: []}
        for square, stack in list(self.pieces(position).items())[:: -1 if style.turned else 1]:
            king = "K" if stack[0].isupper() else ""
            under = f"[{stack[1:]}]" if stack[1:] else ""
            lists[_colour(stack)].append(f"{king}{style.write_square(square, self.rules)}{under}")
        return f"{SIDES[side]}:W{','.join(lists[WHITE])}:B{','.join(lists[BLACK])}"

    def pieces(self, position: TowerPosition) -> dict[int, str]:
        """Return the stack on every occupied square, ascending."""
        return {square: stack for square, stack in enumerate(position[0], 1) if stack}

    def legal_moves(self, position: TowerPosition) -> tuple[Move, ...]:
        """Return every legal move, each once."""
        return tuple(
            Move(path, tuple(sorted(jumped)), crowned, by_king)
            for path, jumped, crowned, by_king in _native.tower_moves(self.rules.id, position)
        )

    def after(self, position: TowerPosition, move: Move) -> TowerPosition:
        """Return the position after a legal move."""
        if move.is_capture:
            found = self._follow(position, move.path)
            assert found is not None
            return found
        stacks, side = list(position[0]), position[1]
        stack = stacks[move.origin - 1]
        stacks[move.origin - 1] = ""
        stacks[move.target - 1] = stack[0].upper() + stack[1:] if move.crowned else stack
        return tuple(stacks), 1 - side

    def _follow(self, position: TowerPosition, path: tuple[int, ...]) -> TowerPosition | None:
        """Return the position after jumps along a path, None if one fails.

        Whether the rules ask for this capture is not looked at.
        """
        stacks, side = list(position[0]), position[1]
        hand = stacks[path[0] - 1]
        if not hand or _colour(hand) != SIDES[side]:
            return None
        stacks[path[0] - 1] = ""
        for start, end in pairwise(path):
            between = squares_between(start, end, self.rules)
            if between is None or stacks[end - 1] or (len(between) > 1 and hand[0].islower()):
                return None
            over = [square for square in between if stacks[square - 1]]
            if len(over) != 1 or _colour(stacks[over[0] - 1]) == SIDES[side]:
                return None
            hand += stacks[over[0] - 1][0]
            stacks[over[0] - 1] = stacks[over[0] - 1][1:]
            if self.rules.is_crown_square(end, SIDES[side]):
                hand = hand[0].upper() + hand[1:]
        stacks[path[-1] - 1] = hand
        return tuple(stacks), 1 - side

    def paths(self, position: TowerPosition) -> list[int]:
        """Return how many orders of jumps each legal move has."""
        return _native.tower_move_paths(self.rules.id, position)

    def perft(
        self, position: TowerPosition, depth: int, paths: bool, cancel: _native.Cancel, cache_bytes: int = 0
    ) -> int:
        """Count the leaves of the tree of legal moves."""
        return _native.tower_perft(self.rules.id, position, depth, paths, cancel)

    def read_move(self, text: str, moves: Sequence[Move], position: TowerPosition, style: Style = NUMERIC) -> Move:
        """Return the legal move that a text means, its squares algebraic or numbers of `style`; `MoveError`."""
        parts = split_move(text, self.rules, style)
        after = self._follow(position, parts.path)
        letters = style.with_letters()
        found = find_move(parts, moves, lambda move: after == self.after(position, move), self.rules, letters)
        if found is not None:
            return found
        stack, side = position[0][parts.path[0] - 1], SIDES[position[1]]
        owned = stack != "" and _colour(stack) == side
        raise parts.not_legal(refuse_plainly(parts.separator, moves, side, self.rules, parts.origin, owned=owned))

    def write_move(self, move: Move, moves: Sequence[Move], style: Style = NUMERIC) -> str:
        """Return the shortest text of a legal move: letters, with the sign of `style` for a capture."""
        return write_move(move, moves, self.rules, style.with_letters())

    def write_path(self, move: Move) -> str:
        """Return the text of a move with every landing square."""
        return write_path(move, self.rules, ALGEBRAIC)


def _colour(stack: str) -> Side:
    return WHITE if stack[0] in "wW" else BLACK


def _split_stack(item: str) -> tuple[str, str]:
    """Return a piece of a list without its brackets, and the letters inside them."""
    if "[" not in item and "]" not in item:
        return item, ""
    match = _STACK.fullmatch(item)
    if match is None:
        raise PositionError(f"the brackets of {quote(item)} are not one pair at its end")
    under = "".join(match[2].split())
    if not under:
        raise PositionError(f"there is no piece in the brackets of {quote(item)}")
    for letter in under:
        if letter not in LETTERS:
            raise PositionError(f"unknown piece {quote(letter)} in {quote(item)}: men are w and b, kings W and B")
    return match[1].strip(), under
