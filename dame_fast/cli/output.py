"""What commands print: JSON on stdout, progress on stderr."""

import io
import json
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

_WIDTH: Final = 200


def write_json(value: object) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, separators=(",", ":")))


def plural(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "file"), plural(12345, "value")
    ('1 file', '12,345 values')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def write_table(table: Table) -> None:
    """Print a table without the blanks at the ends of its lines, as wide as it needs."""
    console = Console(file=io.StringIO(), width=_WIDTH)
    with console.capture() as capture:
        console.print(table)
    lines = (line.rstrip() for line in capture.get().splitlines())
    click.echo("\n".join(line for line in lines if line))


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
