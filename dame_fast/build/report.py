"""What became of a slice pair that was built."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dame_fast.rules.draw_rule import DrawRule, rule_record


@dataclass(slots=True)
class PairLog:
    """What became of one slice pair."""

    slices: tuple[str, ...]
    pieces: int
    positions: int
    variant: str
    metric: str
    draw_rule: DrawRule | None
    seconds: dict[str, float] = field(default_factory=dict)
    """Of the stages "solve", "check" (a sample of the values) and "write" (encode, compress, publish)."""
    bytes: int = 0
    """Of the files."""

    @contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        """Add the time that the block takes to a stage."""
        start = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start

    def as_json(self) -> dict[str, object]:
        """Return the record of a build log for a pair that was finished just now.

        `rate` is that of solving, in positions a second.
        """
        return {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "variant": self.variant,
            "metric": self.metric,
            **rule_record(self.draw_rule),
            "slices": list(self.slices),
            "pieces": self.pieces,
            "positions": self.positions,
            "seconds": {stage: round(seconds, 6) for stage, seconds in self.seconds.items()},
            "rate": round(self.positions / self.seconds["solve"]),
            "peak_memory": peak_memory(),
            "bytes": self.bytes,
        }


def peak_memory() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
