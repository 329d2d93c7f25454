"""Results and distances as people read them: in words, and in colours where the output is a terminal.

Wins are green, draws yellow, losses red, what is unknown grey, all for the side that is spoken of.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from dame_fast.cli.output import plies_text
from dame_fast.tables.metric import METRICS
from dame_fast.tables.results import Category

_VERBS: Final[dict[Category, str]] = {"win": "wins", "draw": "draws", "loss": "loses", "unknown": "unknown"}
_COLOURS: Final[dict[Category, str]] = {"win": "green", "draw": "yellow", "loss": "red", "unknown": "bright_black"}


def describe_value(
    category: Category, distances: Mapping[str, int | None] = MappingProxyType({}), missing: str | None = None
) -> str:
    """Return a result with the first of its distances in words; of an unknown move, which table is missing.

    >>> describe_value("win", {"dtw": 61, "dtz": 7}), describe_value("loss", {"dtw": None, "dtz": -1})
    ('wins in 61 plies', 'loses, next capture or man move in 1 ply')
    >>> describe_value("draw"), describe_value("unknown", missing="no table of KKvK")
    ('draws', 'unknown (no table of KKvK)')
    """
    if missing is not None:
        return f"{_VERBS[category]} ({missing})"
    for name, plies in distances.items():
        if plies is not None:
            what = f", {METRICS[name].about}" if METRICS[name].captures_end_phase else ""
            return f"{_VERBS[category]}{what} in {plies_text(plies)}"
    return _VERBS[category]


def paint(text: str, category: Category) -> str:
    """Return a text in the colour of a result, unless the environment has NO_COLOR (https://no-color.org).

    `click.echo` takes colours off where the output is no terminal.
    """
    return text if not text or os.environ.get("NO_COLOR") else click.style(text, fg=_COLOURS.get(category))
