"""Metrics: what a table can say of a position. The pages of facts stand in `src/base/metric.h`."""

from dataclasses import dataclass
from typing import Final

import dame_fast._native as _native
from dame_fast.errors import ArgumentError, quote
from dame_fast.rules.draw_rule import DrawRule


@dataclass(frozen=True, slots=True)
class Metric:
    """The page of one metric.

    >>> find_metric("dtz").about, find_metric("wdl").has_plies
    ('next capture or man move', False)
    """

    name: str
    about: str
    """What it is, or what its plies lead to."""
    code: int
    """Its number in files."""
    has_plies: bool
    """Whether it counts plies; such a table means nothing without that of win, draw and loss beside it."""
    captures_end_phase: bool
    man_moves_end_phase: bool
    """Whether such a move is what the plies lead to."""
    draw_counters: tuple[str, ...]
    """The counters of draw rules under which a table can be exact."""
    positions_per_byte: int
    """How many a file holds, by experience: docs/benchmarks.md."""

    def allows(self, rule: DrawRule | None) -> bool:
        """Whether there can be tables of it that are exact under a draw rule."""
        return rule is None or rule.counter in self.draw_counters


METRICS: Final = {metric.name: metric for metric in (Metric(**page) for page in _native.metric_pages())}
"""All metrics by name, in the order of their numbers: that of win, draw and loss is the first."""

WDL: Final = next(iter(METRICS))
"""The name of the metric of win, draw and loss."""

WITH_PLIES: Final = tuple(name for name, metric in METRICS.items() if metric.has_plies)
"""The names of those that count plies."""


def find_metric(name: str) -> Metric:
    """Return a metric by its name, or raise `ArgumentError`."""
    if name not in METRICS:
        raise ArgumentError(f"unknown metric {quote(name)} (known: {', '.join(METRICS)})")
    return METRICS[name]


def metric_of_rule(rule: DrawRule) -> str:
    """Return the metric that results under a draw rule follow from: plies to the move that sets the counter to 0.

    >>> metric_of_rule(DrawRule("draw_plies", 40))
    'dtz'
    """
    return next(name for name in reversed(WITH_PLIES) if METRICS[name].allows(rule))
