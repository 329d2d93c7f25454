"""What workers do at which time: whether they compute, read and write, or have no task."""

from dataclasses import dataclass
from typing import Final

COMPUTE: Final = "computing"
MOVE: Final = "moving"

ROWS_MOST: Final = 24

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
WIDTHS: Final = (
    *(1, 2, 5, 10, 15, 30),
    *(_MINUTE * count for count in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * count for count in (1, 2, 3, 4, 6, 12)),
    *(_DAY * count for count in (1, 2, 5, 10, 20, 50)),
)
"""Seconds that a row of a table of times may stand for."""


@dataclass(frozen=True, slots=True)
class UsageRow:
    """A span of time, and which shares of the workers' time it was that they did something."""

    start: float
    """Seconds from the beginning."""
    computing: float
    moving: float


class Usage:
    """Gathers what workers do, in spans of time of the same length."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._spans: dict[str, list[tuple[float, float]]] = {COMPUTE: [], MOVE: []}

    def add(self, what: str, start: float, end: float) -> None:
        """Take note that a worker did something (COMPUTE or MOVE) for some time."""
        self._spans[what].append((start, end))

    def share(self, what: str, seconds: float) -> float:
        """Return which share of all workers' time they did something, in a build of so many seconds.

        >>> usage = Usage(workers=2)
        >>> usage.add("computing", 0.0, 3.0)
        >>> usage.share("computing", 6.0)
        0.25
        """
        return sum(end - start for start, end in self._spans[what]) / (self._workers * seconds)

    def rows(self, seconds: float) -> tuple[int, list[UsageRow]]:
        """Cut the time of a build into at most 24 rows; return the seconds of a row, and the rows.

        Each row stands for seconds, minutes, hours or days, as many as a clock shows.

        >>> usage = Usage(workers=1)
        >>> usage.add("moving", 20.0, 30.0)
        >>> usage.add("computing", 30.0, 40.0)
        >>> width, rows = usage.rows(40.0)
        >>> width, [row.moving for row in rows[9:16]]
        (2, [0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
        """
        width = next((width for width in WIDTHS if seconds <= ROWS_MOST * width), None)
        width = width or -(-int(seconds / ROWS_MOST + 1) // _DAY) * _DAY
        count = max(-(-int(seconds * 1000) // (1000 * width)), 1)
        computing, moving = (self._shares(what, width, count, seconds) for what in (COMPUTE, MOVE))
        return width, [UsageRow(float(i * width), computing[i], moving[i]) for i in range(count)]

    def _shares(self, what: str, width: int, count: int, seconds: float) -> list[float]:
        busy = [0.0] * count
        for start, end in self._spans[what]:
            for i in range(int(start // width), min(int(end // width) + 1, count)):
                busy[i] += max(min(end, (i + 1) * width) - max(start, i * width), 0.0)
        lengths = [min(width, seconds - i * width) for i in range(count)]
        return [sum_ / (self._workers * length) for sum_, length in zip(busy, lengths, strict=True)]
