"""What commands print: JSON on stdout, progress on stderr."""

import io
import json
from types import TracebackType
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from dame_fast.board.board import Board
from dame_fast.position.squares import row_and_column
from dame_fast.progress import SilentProgress

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


class RateColumn(ProgressColumn):
    """How many units a second are done."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the rate in millions."""
        rate = task.finished_speed or task.speed
        return Text("" if rate is None else f"{rate / 1e6:,.1f} M {self._unit}/s")


def make_progress(unit: str) -> Progress:
    """Return a progress display (a context manager) on stderr; it is silent where stderr is no terminal."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        RateColumn(unit),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


class BarProgress(SilentProgress):
    """Shows work on stderr: one bar after the other (a context manager and a `Progress` of the package)."""

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> "BarProgress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def start(self, name: str, unit: str, total: int) -> None:
        """Show an empty bar."""
        self._bars = make_progress(unit)
        self._task = self._bars.add_task(name, total=total)
        self._bars.start()

    def rename(self, name: str, total: int | None = None) -> None:
        """Change what is said beside the bar."""
        if self._bars is not None:
            self._bars.update(self._task, description=name)

    def reach(self, done: int) -> None:
        """Move the bar on."""
        if self._bars is not None:
            self._bars.update(self._task, completed=done)

    def end(self) -> None:
        """Take the bar away."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
