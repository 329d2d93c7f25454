"""What commands print: JSON on stdout, progress on stderr."""

import json

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


def write_json(value: object) -> None:
    """Print a value as one line of JSON."""
    click.echo(json.dumps(value, separators=(",", ":")))


def plural(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "file"), plural(12345, "value")
    ('1 file', '12,345 values')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


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
