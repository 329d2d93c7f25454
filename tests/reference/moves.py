"""Positions and legal moves, written for reading.

Outside, squares are the numbers of section 1. Inside, they are (row, column) pairs: row 0 is the top row,
column 0 the left one, White moves towards row 0. A board is a dict that holds occupied squares only.
"""

from collections.abc import Iterable
from typing import NamedTuple

from reference.rules import Color, Rules

Square = tuple[int, int]
Direction = tuple[int, int]


class Position(NamedTuple):
    """Squares of the pieces and the side to move."""

    white_men: frozenset[int]
    white_kings: frozenset[int]
    black_men: frozenset[int]
    black_kings: frozenset[int]
    turn: Color


class Move(NamedTuple):
    """One move of one side."""

    origin: int
    path: tuple[int, ...]
    """Every landing square; the last one is where the move ends."""
    jumped: tuple[int, ...]
    """The captured squares in the order of the jumps; empty for a quiet move."""
    crowned: bool

    @property
    def end(self) -> int:
        return self.path[-1]

    @property
    def captured(self) -> frozenset[int]:
        return frozenset(self.jumped)

    @property
    def key(self) -> tuple[int, int, frozenset[int], bool]:
        """Two captures with the same key are the same move (rule 2.6)."""
        return self.origin, self.end, self.captured, self.crowned

    def __str__(self) -> str:
        return ("x" if self.jumped else "-").join(map(str, (self.origin, *self.path)))


class Piece(NamedTuple):
    color: Color
    king: bool


class Run(NamedTuple):
    """The rest of a capture as seen from some square on its way. `jumped` also holds what came before."""

    path: tuple[Square, ...]
    jumped: tuple[Square, ...]
    crowned: bool


def square_of(number: int, rules: Rules) -> Square:
    """Row and column of a numbered square (section 1)."""
    row, place = divmod(number - 1, rules.size // 2)
    indented = (row % 2 == 0) != rules.mirrored
    return row, 2 * place + int(indented)


def number_of(square: Square, rules: Rules) -> int:
    """The inverse of `square_of`."""
    row, column = square
    return row * (rules.size // 2) + column // 2 + 1


def start_position(rules: Rules) -> Position:
    """The first rows of each side full of men (section 1)."""
    men = rules.men_rows * rules.size // 2
    black = frozenset(range(1, men + 1))
    white = frozenset(rules.squares + 1 - number for number in black)
    return Position(white, frozenset(), black, frozenset(), rules.first)


def turned(position: Position, rules: Rules) -> Position:
    """The same position seen from the other side of the table, with the colours swapped."""

    def turn(numbers: frozenset[int]) -> frozenset[int]:
        return frozenset(rules.squares + 1 - number for number in numbers)

    white_men, white_kings, black_men, black_kings, color = position
    return Position(turn(black_men), turn(black_kings), turn(white_men), turn(white_kings), opponent(color))


def opponent(color: Color) -> Color:
    return "B" if color == "W" else "W"


def step(square: Square, direction: Direction) -> Square:
    """The next square in a direction, which may lie off the board."""
    return square[0] + direction[0], square[1] + direction[1]


class Table:
    """The board with what the side to move needs to know about it."""

    def __init__(self, position: Position, rules: Rules) -> None:
        self.rules = rules
        self.color: Color = position.turn
        self.pieces: dict[Square, Piece] = {}
        groups = (
            (position.white_men, Piece("W", king=False)),
            (position.white_kings, Piece("W", king=True)),
            (position.black_men, Piece("B", king=False)),
            (position.black_kings, Piece("B", king=True)),
        )
        for numbers, piece in groups:
            for number in numbers:
                square = square_of(number, rules)
                assert square not in self.pieces, f"two pieces on {number}"
                self.pieces[square] = piece

        ahead = -1 if position.turn == "W" else 1
        self.last_row = 0 if position.turn == "W" else rules.size - 1
        self.forward: list[Direction] = [(ahead, -1), (ahead, 1)]
        self.all_directions: list[Direction] = [*self.forward, (-ahead, -1), (-ahead, 1)]

    def own(self) -> list[tuple[Square, bool]]:
        """The squares of the side to move, each with whether a king stands there."""
        return [(square, piece.king) for square, piece in self.pieces.items() if piece.color == self.color]

    def is_free(self, square: Square, jumped: tuple[Square, ...] = ()) -> bool:
        """Whether a piece that has jumped these may stand on the square or cross it."""
        row, column = square
        if not (0 <= row < self.rules.size and 0 <= column < self.rules.size):
            return False
        # Turkish strike: a captured piece blocks the way until the move is over, unless it vanishes at once.
        return square not in self.pieces or (self.rules.removal == "at once" and square in jumped)

    def quiet(self, origin: Square, king: bool) -> list[Square]:
        """Where the piece can go without a capture (rule 2.1)."""
        targets = []
        for direction in self.all_directions if king else self.forward:
            target = step(origin, direction)
            while self.is_free(target):
                targets.append(target)
                if not (king and self.rules.flying_king):
                    break
                target = step(target, direction)
        return targets

    def jump(
        self, square: Square, direction: Direction, king: bool, jumped: tuple[Square, ...]
    ) -> tuple[Square, list[Square]] | None:
        """The piece that can be jumped in this direction and the squares to land on (rule 2.2)."""
        rules = self.rules
        far = king and rules.flying_king
        victim = step(square, direction)
        while far and self.is_free(victim, jumped):
            victim = step(victim, direction)

        piece = self.pieces.get(victim)
        if piece is None or piece.color == self.color:
            return None
        if victim in jumped:  # rule 2.4
            return None
        if piece.king and not king and not rules.men_capture_kings:
            return None

        landings: list[Square] = []
        landing = step(victim, direction)
        while self.is_free(landing, jumped):
            landings.append(landing)
            if not (far and rules.landing == "any"):
                break
            landing = step(landing, direction)
        return (victim, landings) if landings else None

    def runs(self, square: Square, king: bool, jumped: tuple[Square, ...]) -> dict[Direction, list[Run]]:
        """Every way to capture on from a square, by the direction of the first jump."""
        found = {}
        for direction in self.all_directions if king or self.rules.men_capture_back else self.forward:
            jump = self.jump(square, direction, king, jumped)
            if jump is not None:
                victim, landings = jump
                found[direction] = self.after_jump(direction, landings, king, (*jumped, victim))
        return found

    def after_jump(
        self, direction: Direction, landings: list[Square], king: bool, jumped: tuple[Square, ...]
    ) -> list[Run]:
        """Every way to end a capture after a jump that allows these landing squares."""
        crowning = self.rules.crowning
        stops: list[Run] = []
        longer: list[Run] = []
        for landing in landings:
            on_last_row = not king and landing[0] == self.last_row
            onward: dict[Direction, list[Run]] = {}
            if not (on_last_row and crowning == "stop"):
                becomes_king = on_last_row and crowning == "king"
                onward = self.runs(landing, king or becomes_king, jumped)
            if not onward:
                # However the system crowns, a man whose move ends on the last row is a king (rule 2.1).
                stops.append(Run((landing,), jumped, on_last_row))
            for turn, runs in onward.items():
                # Straight on, all landing squares before the next piece mean the same; the last one is named.
                if turn == direction and landing != landings[-1]:
                    continue
                for run in runs:
                    crowned = run.crowned or (on_last_row and crowning == "king")
                    longer.append(Run((landing, *run.path), run.jumped, crowned))
        # Section 3, "go on". Where there is one landing square only, this is rule 2.3.
        if longer and self.rules.go_on:
            return longer
        return stops + longer

    def captures(self) -> list[tuple[Square, Run]]:
        """All captures with their origin, before any priority."""
        found = []
        for origin, king in self.own():
            piece = self.pieces.pop(origin)  # rule 2.4: its square counts as empty
            for runs in self.runs(origin, king, ()).values():
                found += [(origin, run) for run in runs]
            self.pieces[origin] = piece
        return found

    def rank(self, origin: Square, run: Run) -> tuple[int | tuple[bool, ...], ...]:
        """Only captures of the highest rank may be played: the column "priority" of section 3."""
        by_king = self.pieces[origin].king
        kings = tuple(self.pieces[square].king for square in run.jumped)
        match self.rules.priority:
            case "free":
                return ()
            case "quantity":
                return (len(kings),)
            case "quantity+kings":
                return (len(kings), sum(kings))
            case "king first":
                return (by_king,)
            case "italian":  # section 4.9; as tuples, kings early are greater than kings late
                return (len(kings), by_king, sum(kings), kings)


def legal_paths(position: Position, rules: Rules) -> list[Move]:
    """All legal moves, captures once for every order of jumps and every choice of turning squares."""
    table = Table(position, rules)

    def number(squares: Iterable[Square]) -> tuple[int, ...]:
        return tuple(number_of(square, rules) for square in squares)

    captures = table.captures()
    moves = []
    if captures:
        best = max(table.rank(origin, run) for origin, run in captures)
        moves = [
            Move(number_of(origin, rules), number(run.path), number(run.jumped), run.crowned)
            for origin, run in captures
            if table.rank(origin, run) == best
        ]
    if not captures or rules.capture_optional:  # rule 2.3
        for origin, king in table.own():
            for target in table.quiet(origin, king):
                crowned = not king and target[0] == table.last_row
                moves.append(Move(number_of(origin, rules), number([target]), (), crowned))
    return moves


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """Each legal move once (rule 2.6), by origin and path. Of several paths the smallest one is shown."""
    distinct: dict[tuple[int, int, frozenset[int], bool], Move] = {}
    for move in sorted(legal_paths(position, rules)):
        distinct.setdefault(move.key, move)
    return list(distinct.values())


def play(position: Position, move: Move) -> Position:
    """The position after a legal move."""
    white_men, white_kings, black_men, black_kings, turn = position
    gone = move.captured
    if turn == "W":
        men, kings = _moved(white_men, white_kings, move)
        return Position(men, kings, black_men - gone, black_kings - gone, "B")
    men, kings = _moved(black_men, black_kings, move)
    return Position(white_men - gone, white_kings - gone, men, kings, "W")


def _moved(men: frozenset[int], kings: frozenset[int], move: Move) -> tuple[frozenset[int], frozenset[int]]:
    end = frozenset((move.end,))
    origin = frozenset((move.origin,))
    if move.origin in kings:
        return men, (kings - origin) | end
    assert move.origin in men, f"no piece for {move}"
    if move.crowned:
        return men - origin, kings | end
    return (men - origin) | end, kings
