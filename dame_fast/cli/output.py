"""What commands print."""

import io
import json
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from dame_fast.board.board import Board
from dame_fast.position.squares import row_and_column

PROGRAM: Final = "dame-fast"

_WIDTH: Final = 400
_SQUARE_WIDTH: Final = 3


def write_json(value: object) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, separators=(",", ":")))


def write_error(text: str) -> None:
    """Print a line about an error on stderr."""
    click.echo(f"{PROGRAM}: {_one_line(text)}", err=True)


def plural(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "file"), plural(12345, "value")
    ('1 file', '12,345 values')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    """Return a time in the unit that suits.

    >>> duration(0.4), duration(90), duration(5400), duration(200_000)
    ('1 s', '90 s', '90 min', '56 h')
    """
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min")):
        if seconds < limit:
            return f"{max(round(seconds / unit), 1)} {name}"
    return f"{round(seconds / 3600)} h"


def plies_text(distance: int) -> str:
    """Return a distance in plies, without its sign.

    >>> plies_text(-1), plies_text(12)
    ('1 ply', '12 plies')
    """
    return f"{abs(distance)} {'ply' if abs(distance) == 1 else 'plies'}"


def draw_board(board: Board) -> str:
    """Return the board as a person needs it to type moves: empty squares have their numbers.

    >>> print(draw_board(Board("W:WK19,23:B12,K28")).splitlines()[2])
         9    10    11     b
    """
    rules, pieces = board.rules, board.pieces
    lines = [[" " * _SQUARE_WIDTH] * rules.rows for _ in range(rules.rows)]
    for square in range(1, rules.squares + 1):
        row, column = row_and_column(square, rules)
        lines[row][column] = pieces.get(square, str(square)).rjust(_SQUARE_WIDTH)
    return "\n".join("".join(line).rstrip() for line in lines)


def write_table(table: Table) -> None:
    """Print a table without the blanks at the ends of its lines, as wide as it needs."""
    console = Console(file=io.StringIO(), width=_WIDTH)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    click.echo("\n".join(line for line in lines if line))


def _one_line(text: str) -> str:
    r"""Return the text in one line that any terminal can show.

    >>> _one_line("a\n  b\x1b[1m")
    'a b\\x1b[1m'
    """
    joined = " ".join(line.strip() for line in text.splitlines())
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in joined)
