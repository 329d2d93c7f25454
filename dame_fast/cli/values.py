"""Results and distances as people read them: in words, and in colours where the output is a terminal.

Wins are green, draws yellow, losses red, all for the side that is spoken of.
"""

import os
from typing import Final

import click

from dame_fast.cli.output import plies_text
from dame_fast.tables.results import Category

_VERBS: Final[dict[Category, str]] = {"win": "wins", "draw": "draws", "loss": "loses"}
_COLOURS: Final[dict[Category, str]] = {"win": "green", "draw": "yellow", "loss": "red"}


def describe_value(category: Category, dtw: int | None = None, dtz: int | None = None) -> str:
    """Return a result with its distance in words.

    >>> describe_value("win", 61, 7), describe_value("loss", None, -1), describe_value("draw")
    ('wins in 61 plies', 'loses, next capture or man move in 1 ply', 'draws')
    """
    if dtw is not None:
        return f"{_VERBS[category]} in {plies_text(dtw)}"
    if dtz is not None:
        return f"{_VERBS[category]}, next capture or man move in {plies_text(dtz)}"
    return _VERBS[category]


def paint(text: str, category: Category) -> str:
    """Return a text in the colour of a result, unless the environment has NO_COLOR (https://no-color.org).

    `click.echo` takes colours off where the output is no terminal.
    """
    return text if not text or os.environ.get("NO_COLOR") else click.style(text, fg=_COLOURS[category])
