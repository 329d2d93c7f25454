"""A board: a position with its rules, the moves made on it, and the counter of quiet plies.

A board knows no draws of its own: repetitions and draw rules belong to the game. Moves go on, whatever the counters
say; `Board.result_at_end` tells what a draw rule makes of them.
"""

from typing import Any, Self

import dame_fast._native as _native
from dame_fast.arguments import CLOCK_MOST, check_number, check_type
from dame_fast.board.kinds import find_kind
from dame_fast.errors import MoveError
from dame_fast.position.move import Move
from dame_fast.position.position import SIDES, Position
from dame_fast.position.squares import row_and_column
from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule
from dame_fast.rules.find import find_rules
from dame_fast.rules.rules import Rules, Side
from dame_fast.text.style import NUMERIC, Style


class Board:
    """A position on which moves can be made and taken back.

    `fen` is a FEN (rule book, section 7; what `dame_fast.text.fen.read_fen` reads), None for the starting
    position; `variant` is one of `dame_fast.variants()`, or rules (`Rules.derive` makes custom ones); `style` is how
    the squares of the FEN are numbered (`file_style` for FENs of PDN files). Squares are PDN
    numbers everywhere but in the texts of towers and altdeutsch, which have letters; what a position is made of is up
    to the rule set (`dame_fast.board.kinds`).

    Wherever a method takes a move, it takes the text of one as well.

    Raises `PositionError` for a FEN that cannot be read or is not legal, `VariantError` for an unknown
    variant. All methods raise `ArgumentError` for an argument of the wrong type.

    Two boards are equal if rules, pieces and side to move agree; moves made and clock do not count. A board
    changes, so it has no hash: use `(board.variant, board.position)` as a key. Copies (`copy`, `copy.copy`,
    `copy.deepcopy`) and pickles have the moves made, in a history of their own.

    >>> board = Board("W:WK19,K23:B12,K28")
    >>> board.turn, len(board.legal_moves)
    ('W', 6)
    >>> move = board.push_pdn("19-15")
    >>> board
    Board('B:WK15,K23:B12,K28', variant='english')
    >>> board.pop() == move
    True
    """

    __slots__ = ("_capture_clock", "_clock", "_kind", "_legal_moves", "_position", "_rules", "_stack")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, fen: str | None = None, variant: str | Rules = "english", *, style: Style = NUMERIC) -> None:
        self._rules = find_rules(variant)
        self._kind = find_kind(self._rules)
        self._clock = 0
        self._position: Any
        _check_style(style)
        if fen is None:
            self._position = self._kind.start()
        else:
            setup = self._kind.read(fen, style)
            self._position, self._clock = setup.position, setup.clock
        self._capture_clock = self._clock
        self._legal_moves: tuple[Move, ...] | None = None
        self._stack: list[tuple[Move, Any, int, int]] = []

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._rules

    @property
    def variant(self) -> str:
        """The name of the rule set."""
        return self._rules.id

    @property
    def turn(self) -> Side:
        """The side to move: `WHITE` ("W") or `BLACK` ("B")."""
        return SIDES[self._position[-1]]

    @property
    def position(self) -> Position:
        """What the compiled core takes, seen by the side to move.

        Own men, own kings, other men, other kings (bitboards, bit = square - 1), and 0 if Black is to move,
        1 if White is. Of towers it is a `dame_fast.board.towers.TowerPosition` instead, which no table takes.
        """
        position: Position = self._position
        return position

    @property
    def pieces(self) -> dict[int, str]:
        """The piece on every occupied square, ascending: `w` and `b` are men, `W` and `B` kings.

        Of towers it is the whole stack, from top to bottom.

        >>> Board("W:WK19,23:B12,K28").pieces
        {12: 'b', 19: 'W', 23: 'w', 28: 'B'}
        >>> Board("W:WK19[bB],23:B12", variant="bashni").pieces
        {12: 'b', 19: 'WbB', 23: 'w'}
        """
        return self._kind.pieces(self._position)

    @property
    def clock(self) -> int:
        """Plies since the last capture or move of a man, counted on from what the FEN gave (else from 0)."""
        return self._clock

    @property
    def capture_clock(self) -> int:
        """Plies since the last capture, counted on from the `clock` that the FEN gave (else from 0).

        A FEN does not say how many plies came before the last move of a man, so there may have been more.
        """
        return self._capture_clock

    def clock_of(self, draw_rule: DrawRule | None) -> int:
        """Return the counter that a draw rule looks at, `clock` or `capture_clock`; 0 without a rule."""
        if draw_rule is None:
            return 0
        check_type("the draw rule", draw_rule, DrawRule, "a DrawRule or None")
        return self._clock if DRAW_COUNTERS[draw_rule.counter]["man_moves_reset"] else self._capture_clock

    @property
    def repetitions(self) -> int:
        """How many times this position has occurred on the board, with the same side to move; 1: for the first time.

        >>> board = Board("W:WK1:BK32")
        >>> for move in ("1-6", "32-28", "6-1", "28-32"):
        ...     board.push(move)
        >>> board.repetitions
        2
        """
        return 1 + [position for _, position, _, _ in self._stack].count(self._position)

    @property
    def ply(self) -> int:
        """Number of moves made on this board and not taken back."""
        return len(self._stack)

    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves made on this board and not taken back, the oldest first."""
        return tuple(move for move, _, _, _ in self._stack)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, each once, in the fixed order of the core; empty if the game is over.

        Raises `PositionError` if there are too many ways to capture to list them, which only made-up positions of
        custom rules, towers and altdeutsch have.
        """
        if self._legal_moves is None:
            self._legal_moves = self._kind.legal_moves(self._position)
        return self._legal_moves

    def push(self, move: Move | str) -> None:
        """Make a legal move.

        Raises `MoveError`, the board unchanged, if it is not one of `legal_moves`, or a text that `parse_pdn` refuses.
        """
        made = self._legal(move)
        self._stack.append((made, self._position, self._clock, self._capture_clock))
        self._position = self._kind.after(self._position, made)
        self._clock = 0 if made.is_zeroing else self._clock + 1
        self._capture_clock = 0 if made.is_capture else self._capture_clock + 1
        self._legal_moves = None

    def push_pdn(self, text: str, style: Style = NUMERIC) -> Move:
        """Make the move of a PDN text and return it.

        Raises `MoveError`, the board unchanged, as `parse_pdn` does.
        """
        move = self.parse_pdn(text, style)
        self.push(move)
        return move

    def pop(self) -> Move:
        """Take the last move back and return it.

        Raises `MoveError` if no move was made on this board.
        """
        if not self._stack:
            raise MoveError("there is no move to take back")
        move, self._position, self._clock, self._capture_clock = self._stack.pop()
        self._legal_moves = None
        return move

    def parse_pdn(self, text: str, style: Style = NUMERIC) -> Move:
        """Return the legal move that a PDN text means (`11-15`, `11x18`, `11x18x25`, `c3-d4`, `c3:e5`).

        Letters and both signs of a capture are read in every style; only its numbers may be others.

        Raises `MoveError`, with the text and the reason, if it cannot be read, fits two moves or is not
        legal.

        >>> Board("W:WK4:B13,20,32,37", variant="international").parse_pdn("4x15")
        Traceback (most recent call last):
        dame_fast.errors.MoveError: '4x15' is ambiguous: 4x27x38x15 or 4x31x42x15
        """
        _check_style(style)
        return self._kind.read_move(text, self.legal_moves, self._position, style)

    def pdn(self, move: Move | str, style: Style = NUMERIC) -> str:
        """Return the text of a legal move: captures by their ends, or every landing square where two fit.

        Moves of towers and altdeutsch have letters in every style, a style only changes the sign of a capture. A move
        that is given as text has the numbers of the library, whatever the style is.

        Raises `MoveError` if it is not one of `legal_moves`, `ArgumentError` for letters on a 10x10 board.

        >>> board = Board("W:WK30:B10,15,18,25,26")
        >>> sorted(board.pdn(move) for move in board.legal_moves)
        ['30x21', '30x7']
        >>> from dame_fast.text.style import file_style
        >>> board = Board("W:WK1:B10,19", variant="thai")
        >>> [board.pdn(move, style) for move in board.legal_moves for style in (NUMERIC, file_style(board.rules))]
        ['1x24', '32x9']
        """
        _check_style(style)
        return self._kind.write_move(self._legal(move), self.legal_moves, style)

    def fen(self, style: Style = NUMERIC) -> str:
        """Return the FEN: White first, squares ascending, without counters; that of altdeutsch always has letters.

        Raises `ArgumentError` for letters on a 10x10 board.

        >>> Board("B:B 12,K28 : WK23,K19.").fen()
        'B:WK19,K23:B12,K28'
        """
        _check_style(style)
        return self._kind.write(self._position, style)

    def is_game_over(self) -> bool:
        """Tell whether the side to move has no legal move (or no piece); draws are not looked at."""
        return not self.legal_moves

    def result_at_end(self, draw_rule: DrawRule | None = None, clock: int | None = None) -> int | None:
        """Return the result for the side to move if the game is over: 1 won, 0 drawn, -1 lost; None if it goes on.

        A side without a piece or a move comes first, whatever the counter says. Then the game is drawn by `draw_rule`
        (None: there is none), of whose plies `clock` were made (None: those of the board, `clock_of`).

        >>> from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule
        >>> Board("B:W16,19:B12").result_at_end(), Board("W:WK1:BK32:H4").result_at_end(DrawRule("draw_plies", 4))
        (-1, 0)
        """
        kept = self.clock_of(draw_rule)
        made = kept if clock is None else check_number("the clock", clock, 0, CLOCK_MOST)
        return _native.result_at_end(self._rules.misere, bool(self.legal_moves), draw_rule, made)

    def winner(self) -> Side | None:
        """Return the side that has won; None as long as there is a legal move.

        >>> Board("B:W16,19:B12").winner()
        'W'
        """
        result = self.result_at_end()
        side: int = self._position[-1]
        return None if result is None else SIDES[side if result == 1 else 1 - side]

    def copy(self) -> Self:
        """Return a board of its own with the same position, counters and moves made."""
        other = type(self).__new__(type(self))
        other._rules, other._kind = self._rules, self._kind
        other._position = self._position
        other._clock, other._capture_clock = self._clock, self._capture_clock
        other._legal_moves = self._legal_moves
        other._stack = self._stack.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()  # all but the list of moves made never changes

    def __getstate__(self) -> tuple[Any, ...]:
        return self._rules, self._position, self._clock, self._capture_clock, tuple(self._stack)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._rules, self._position, self._clock, self._capture_clock, made = state
        self._kind = find_kind(self._rules)
        self._legal_moves = None
        self._stack = list(made)

    def _legal(self, move: Move | str) -> Move:
        """Return a legal move that is given as such or as text."""
        if isinstance(move, str):
            return self.parse_pdn(move)
        if check_type("a move", move, Move, "a Move or text") not in self.legal_moves:
            raise MoveError(f"{self._write(move)} is not a legal move in {self.fen()}")
        return move

    def _write(self, move: Move) -> str:
        """Return the text of a move, which may be one of another board."""
        on_board = all(1 <= square <= self._rules.squares for square in move.path)
        return self._kind.write_path(move) if on_board else str(move)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self._rules == other._rules and self._position == other._position

    def __repr__(self) -> str:
        variant = repr(self.variant) if self._rules.base is None else f"<custom rules {self.variant!r}>"
        return f"Board({self.fen()!r}, variant={variant})"

    def __str__(self) -> str:
        """Return the board as text, one line a row, seen from White: `.` is an empty playing square.

        Of a stack it shows the piece on top and the number of all its pieces.
        """
        drawn = [[""] * self._rules.rows for _ in range(self._rules.rows)]
        pieces = self.pieces
        for square in range(1, self._rules.squares + 1):
            row, column = row_and_column(square, self._rules)
            stack = pieces.get(square, ".")
            drawn[row][column] = stack if len(stack) == 1 else f"{stack[0]}{len(stack)}"
        width = max(len(cell) for row in drawn for cell in row)
        return "\n".join(" ".join(cell.ljust(width) for cell in row).rstrip() for row in drawn)


def check_board(given: Board | str, variant: str | Rules = "english") -> Board:
    """Return a board that is given as such, or as the FEN of a position of `variant`.

    Raises `PositionError` for a FEN that cannot be read, `ArgumentError` for anything else.

    >>> check_board("W:W18:B1"), check_board(None)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: a board must be a Board or a FEN, not None
    """
    if isinstance(given, str):
        return Board(given, variant)
    return check_type("a board", given, Board, "a Board or a FEN")


def _check_style(given: Style) -> None:
    check_type("the style", given, Style, "a Style")
