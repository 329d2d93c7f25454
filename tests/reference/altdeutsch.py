"""Draughts on all 64 squares (rule book, section 9.2), written for reading.

A board is a dict from a square to its piece, `w b` men, `W B` kings. A square is (column, row), both from 0, seen from
White: a1 is (0, 0). Empty squares are not in the dict.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from reference.rules import Color

Square = tuple[int, int]
Direction = tuple[int, int]
Board = dict[Square, str]

SIZE = 8
ALL_DIRECTIONS = [(column, row) for column in (-1, 0, 1) for row in (-1, 0, 1) if (column, row) != (0, 0)]


class Position(NamedTuple):
    pieces: tuple[tuple[str, str], ...]
    """Name of the square and piece, sorted."""
    turn: Color


class Move(NamedTuple):
    path: tuple[str, ...]
    """Origin and every landing square."""
    captured: frozenset[str]
    crowned: bool
    after: Position

    @property
    def key(self) -> tuple[str, str, frozenset[str], bool]:
        """Captures with the same key are the same move (rule 2.6)."""
        return self.path[0], self.path[-1], self.captured, self.crowned


class Switches(NamedTuple):
    """What players may agree on."""

    flying_king: bool = False
    most_pieces: bool = False


PLAIN = Switches()


def name_of(square: Square) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def square_of(name: str) -> Square:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def start_position() -> Position:
    rows = (("1", "w"), ("2", "w"), ("7", "b"), ("8", "b"))
    return Position(tuple(sorted((column + row, man) for column in "abcdefgh" for row, man in rows)), "W")


def color_of(piece: str) -> Color:
    return "W" if piece in "wW" else "B"


def line(square: Square, direction: Direction) -> Iterator[Square]:
    """The squares from here to the edge, without this one."""
    for length in range(1, SIZE):
        column, row = square[0] + length * direction[0], square[1] + length * direction[1]
        if not (0 <= column < SIZE and 0 <= row < SIZE):
            return
        yield column, row


class Game:
    """The board with the rules for the side to move."""

    def __init__(self, position: Position, switches: Switches) -> None:
        self.board = {square_of(name): piece for name, piece in position.pieces}
        self.turn = position.turn
        self.flying = switches.flying_king
        ahead = 1 if self.turn == "W" else -1
        self.last_row = SIZE - 1 if self.turn == "W" else 0
        self.man_moves = [(-1, ahead), (1, ahead)]
        self.man_captures = [(-1, ahead), (0, ahead), (1, ahead), (-1, 0), (1, 0)]

    def free(self, square: Square, direction: Direction, far: bool) -> list[Square]:
        """The empty squares that follow in a direction, one of them if the piece does not fly."""
        squares = list(takewhile(lambda each: each not in self.board, line(square, direction)))
        return squares if far else squares[:1]

    def quiet(self, origin: Square, piece: str) -> Iterator[Square]:
        for direction in ALL_DIRECTIONS if piece.isupper() else self.man_moves:
            yield from self.free(origin, direction, piece.isupper() and self.flying)

    def captures(
        self, square: Square, piece: str, came: Direction | None, straight: bool, captured: tuple[Square, ...]
    ) -> list[tuple[tuple[Square, ...], tuple[Square, ...]]]:
        """Every way to go on: landing squares, and all captured pieces. The piece itself is not on the board."""
        far = piece.isupper() and self.flying
        found: list[tuple[tuple[Square, ...], tuple[Square, ...]]] = []
        for direction in ALL_DIRECTIONS if piece.isupper() else self.man_captures:
            if direction == came and not straight:
                continue
            reach = self.free(square, direction, far=True) if far else []
            victim = next(line(reach[-1] if reach else square, direction), None)
            if (
                victim is None
                or victim not in self.board
                or victim in captured
                or color_of(self.board[victim]) == self.turn
            ):
                continue
            landings = self.free(victim, direction, far)
            taken = (*captured, victim)
            ends, longer = [], []
            for landing in landings:
                onward = []
                if piece.isupper() or landing[1] != self.last_row:  # crowned by a jump, a man stops
                    onward = self.captures(landing, piece, direction, True, taken)
                if not onward:
                    ends.append(((landing,), taken))
                else:  # straight on, the last landing square before the next piece is named
                    named = onward
                    if landing != landings[-1]:
                        named = self.captures(landing, piece, direction, False, taken)
                    longer += [((landing, *path), pieces) for path, pieces in named]
            found += longer or ends
        return found


def legal_paths(position: Position, switches: Switches = PLAIN) -> list[Move]:
    """All legal moves, captures once for every order of jumps."""
    game = Game(position, switches)
    own = [(square, piece) for square, piece in game.board.items() if color_of(piece) == game.turn]

    def move(path: tuple[Square, ...], captured: tuple[Square, ...], piece: str) -> Move:
        crowned = piece.islower() and path[-1][1] == game.last_row
        after = {square: other for square, other in game.board.items() if square not in (path[0], *captured)}
        after[path[-1]] = piece.upper() if crowned else piece
        pieces = tuple(sorted((name_of(square), other) for square, other in after.items()))
        names = tuple(map(name_of, path))
        return Move(names, frozenset(map(name_of, captured)), crowned, Position(pieces, other_color))

    other_color: Color = "B" if game.turn == "W" else "W"
    moves = []
    for origin, piece in own:
        del game.board[origin]  # its square counts as empty
        runs = game.captures(origin, piece, None, True, ())
        game.board[origin] = piece
        moves += [move((origin, *path), captured, piece) for path, captured in runs]
    if not moves:
        return [move((origin, target), (), piece) for origin, piece in own for target in game.quiet(origin, piece)]
    most = max(len(one.captured) for one in moves)
    return [one for one in moves if len(one.captured) == most] if switches.most_pieces else moves


def legal_moves(position: Position, switches: Switches = PLAIN) -> list[Move]:
    """Each legal move once. Of several paths the smallest one is shown."""
    distinct: dict[object, Move] = {}
    for move in sorted(legal_paths(position, switches), key=lambda each: each.path):
        distinct.setdefault(move.key, move)
    return list(distinct.values())


def perft(position: Position, depth: int, switches: Switches = PLAIN, *, paths: bool = False) -> int:
    """Count the leaves of the tree of legal moves at a depth in plies."""
    if depth == 0:
        return 1
    moves = legal_paths(position, switches) if paths else legal_moves(position, switches)
    return sum(perft(move.after, depth - 1, switches, paths=paths) for move in moves)
