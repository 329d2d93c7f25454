"""What is said where a table is missing: which, where it was looked for, and the command that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import dame_fast._native as _native
from dame_fast.arguments import PIECES_MOST
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS, metric_of_rule
from dame_fast.tables.places import write_places


@dataclass(frozen=True, slots=True)
class Search:
    """Where tables of one rule set and draw rule were looked for, and the headers of those that were found."""

    directories: tuple[Path, ...]
    variant: str
    draw_rule: DrawRule | None
    headers: tuple[_native.Header, ...]

    def describe(self, material: _native.MaterialTuple, metric: str) -> str:
        r"""Return the message for a table that was not found: one line.

        >>> search = Search((Path("/a"), Path("/b")), "russian", None, ())
        >>> print(*search.describe((0, 1, 0, 1), "dtw").split("; "), sep="\n")
        no table of KvK with the metric dtw in /a, /b (no dtw table is there)
        dame-fast build --pieces 2 --variant russian --metric dtw --out DIR makes it
        """
        pieces = sum(material)
        name = f"{pieces} pieces" if pieces > PIECES_MOST else Material(*material).name
        return self.describe_pieces(name, pieces, metric)

    def describe_pieces(self, what: str, pieces: int, metric: str) -> str:
        """Return the message for `what` (a slice, or all) of so many pieces."""
        with_metric = f" with the metric {metric}" if METRICS[metric].has_plies else ""
        found = [sum(header["material"]) for header in self.headers if header["metric"] == metric]
        there = f"largest there: {max(found)} pieces" if found else f"no {metric} table is there"
        text = f"no table of {what}{with_metric} in {write_places(self.directories)} ({there})"
        return text if pieces > PIECES_MOST else f"{text}; {' '.join(self._command(pieces, metric))} makes it"

    def _command(self, pieces: int, metric: str) -> Sequence[str]:
        command = ["dame-fast", "build", "--pieces", str(pieces)]
        if self.variant != "english":
            command += ["--variant", self.variant]
        if self.draw_rule is not None and not METRICS[metric].has_plies:
            metric = metric_of_rule(self.draw_rule)  # results are made together with the distances
        if METRICS[metric].has_plies:
            command += ["--metric", metric]
        if self.draw_rule is not None:
            command += [self.draw_rule.option, str(self.draw_rule.plies)]
        return [*command, "--out", "DIR"]
