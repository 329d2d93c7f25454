"""Towers (rule book, section 9.1), written for reading.

A board is a dict from (row, column) to a stack, the text of its pieces from top to bottom: `w b` men, `W B` kings. Row
0 is the top row, White moves towards it. Empty squares are not in the dict.
"""

from collections.abc import Iterator
from typing import NamedTuple

from reference.rules import Color

Square = tuple[int, int]
Direction = tuple[int, int]
Board = dict[Square, str]

SIZE = 8
ALL_DIRECTIONS: tuple[Direction, ...] = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Position(NamedTuple):
    stacks: tuple[tuple[int, str], ...]
    """Number of the square (section 1) and stack, ascending."""
    turn: Color


class Move(NamedTuple):
    path: tuple[int, ...]
    """Origin and every landing square."""
    jumped: tuple[int, ...]
    """The stacks that lose their top piece, jump by jump; empty for a quiet move."""
    crowned: bool
    after: Position

    @property
    def key(self) -> tuple[int, int, tuple[int, ...], bool, Position]:
        """Captures with the same key are the same move: rule 2.6, and the same stacks are left by it."""
        return self.path[0], self.path[-1], tuple(sorted(self.jumped)), self.crowned, self.after


class Run(NamedTuple):
    """A capture that is complete. The board is that after the move, with the capturing stack at the end."""

    path: tuple[Square, ...]
    jumped: tuple[Square, ...]
    crowned: bool
    board: Board


def number_of(square: Square) -> int:
    return square[0] * (SIZE // 2) + square[1] // 2 + 1


def square_of(number: int) -> Square:
    row, place = divmod(number - 1, SIZE // 2)
    return row, 2 * place + (row + 1) % 2


def start_position() -> Position:
    stacks = [(number, "b") for number in range(1, 13)] + [(number, "w") for number in range(21, 33)]
    return Position(tuple(stacks), "W")


def color_of(stack: str) -> Color:
    """The top piece gives a stack its colour."""
    return "W" if stack[0] in "wW" else "B"


def is_king(stack: str) -> bool:
    return stack[0] in "WB"


def crowned(stack: str) -> str:
    """The man on top becomes a king."""
    return stack[0].upper() + stack[1:]


def on_board(square: Square) -> bool:
    return 0 <= square[0] < SIZE and 0 <= square[1] < SIZE


def line(square: Square, direction: Direction) -> Iterator[Square]:
    """The squares from here to the edge, without this one."""
    square = square[0] + direction[0], square[1] + direction[1]
    while on_board(square):
        yield square
        square = square[0] + direction[0], square[1] + direction[1]


def free_run(board: Board, square: Square, direction: Direction) -> list[Square]:
    """The empty squares that follow in a direction."""
    free = []
    for each in line(square, direction):
        if each in board:
            break
        free.append(each)
    return free


class Capture:
    """All captures of one side; `again` is the reading in which a stack may be jumped more than once in a move."""

    def __init__(self, turn: Color, *, again: bool) -> None:
        self.turn = turn
        self.again = again
        self.last_row = 0 if turn == "W" else SIZE - 1

    def find_victim(self, board: Board, square: Square, direction: Direction, king: bool) -> Square | None:
        """The stack that can be jumped in this direction (rule 2.2), whatever was jumped before."""
        reach = free_run(board, square, direction) if king else []
        victim = next(line(reach[-1] if reach else square, direction), None)
        if victim is None or victim not in board or color_of(board[victim]) == self.turn:
            return None
        return victim if free_run(board, victim, direction) else None

    def runs(
        self, board: Board, square: Square, stack: str, came: Direction | None, jumped: tuple[Square, ...]
    ) -> dict[Direction, list[Run]]:
        """Every way to capture on by the direction of the next jump; the stack is not on the board."""
        found = {}
        for direction in ALL_DIRECTIONS:
            turns_back = came is not None and direction == (-came[0], -came[1])
            if turns_back and is_king(stack) and not self.again:
                continue
            victim = self.find_victim(board, square, direction, is_king(stack))
            if victim is None or (victim in jumped and not self.again):
                continue
            found[direction] = self.after_jump(board, victim, direction, stack, jumped)
        return found

    def after_jump(
        self, board: Board, victim: Square, direction: Direction, stack: str, jumped: tuple[Square, ...]
    ) -> list[Run]:
        """Every way to end the capture that jumps this stack next."""
        left = dict(board)
        taken, rest = board[victim][0], board[victim][1:]
        del left[victim]
        if rest:
            left[victim] = rest
        stack += taken
        jumped = (*jumped, victim)

        landings = free_run(left, victim, direction)
        if not is_king(stack):
            landings = landings[:1]
        ends: list[Run] = []
        longer: list[Run] = []
        for landing in landings:
            becomes_king = not is_king(stack) and landing[0] == self.last_row
            standing = crowned(stack) if becomes_king else stack
            onward = self.runs(left, landing, standing, direction, jumped)
            if not onward:
                ends.append(Run((landing,), jumped, becomes_king, {**left, landing: standing}))
            for turn, runs in onward.items():
                # Straight on, all landing squares before the next stack mean the same; the last one is named.
                if turn == direction and landing != landings[-1]:
                    continue
                # And so they do straight back; there it is the first one.
                if turn == (-direction[0], -direction[1]) and landing != landings[0]:
                    continue
                longer += [
                    Run((landing, *run.path), run.jumped, run.crowned or becomes_king, run.board) for run in runs
                ]
        return longer or ends  # section 3, "go on"


def legal_paths(position: Position, *, again: bool = False) -> list[Move]:
    """All legal moves, captures once for every order of jumps and every choice of turning squares."""
    board = {square_of(number): stack for number, stack in position.stacks}
    capture = Capture(position.turn, again=again)
    other: Color = "B" if position.turn == "W" else "W"
    own = [(square, stack) for square, stack in board.items() if color_of(stack) == position.turn]

    def position_of(after: Board) -> Position:
        return Position(tuple(sorted((number_of(square), stack) for square, stack in after.items())), other)

    def without(origin: Square) -> Board:
        return {square: stack for square, stack in board.items() if square != origin}

    moves = []
    for origin, stack in own:
        for runs in capture.runs(without(origin), origin, stack, None, ()).values():
            for run in runs:
                path = tuple(map(number_of, (origin, *run.path)))
                moves.append(Move(path, tuple(map(number_of, run.jumped)), run.crowned, position_of(run.board)))
    if moves:  # rule 2.3
        return moves
    ahead = -1 if position.turn == "W" else 1
    for origin, stack in own:
        for direction in ALL_DIRECTIONS:
            targets = free_run(board, origin, direction)
            if not is_king(stack):
                targets = targets[:1] if direction[0] == ahead else []
            for target in targets:
                becomes_king = not is_king(stack) and target[0] == capture.last_row
                after = {**without(origin), target: crowned(stack) if becomes_king else stack}
                path = (number_of(origin), number_of(target))
                moves.append(Move(path, (), becomes_king, position_of(after)))
    return moves


def legal_moves(position: Position, *, again: bool = False) -> list[Move]:
    """Each legal move once. Of several paths the smallest one is shown."""
    distinct: dict[object, Move] = {}
    for move in sorted(legal_paths(position, again=again)):
        distinct.setdefault(move.key, move)
    return list(distinct.values())


def perft(position: Position, depth: int, *, again: bool = False, paths: bool = False) -> int:
    """Count the leaves of the tree of legal moves at a depth in plies."""
    if depth == 0:
        return 1
    moves = legal_paths(position, again=again) if paths else legal_moves(position, again=again)
    return sum(perft(move.after, depth - 1, again=again, paths=paths) for move in moves)
