"""What became of slice pairs that were built, and of a whole build."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dame_fast.build.plan import Pair, Plan
from dame_fast.rules.draw_rule import DrawRule, rule_record
from dame_fast.tables.material import Material


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
    """Of the stages "solve", "check" (a sample of the values) and "write" (encode, compress, publish).

    On a cluster the workers' seconds together; a build that went on there may have none of a stage.
    """
    bytes: int = 0
    """Of the files."""

    @classmethod
    def of(cls, plan: Plan, pair: Pair) -> "PairLog":
        """Begin the log of a pair."""
        slices = tuple(member.name for member in pair.members)
        return cls(slices, pair.material.pieces, pair.positions, plan.variant, plan.metric, plan.draw_rule)

    @contextmanager
    def measure(self, stage: str) -> Iterator[None]:
        """Add the time that the block takes to a stage."""
        start = time.perf_counter()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start

    def as_json(self) -> dict[str, object]:
        """Return the record of a build log for a pair that was finished just now.

        `rate` is that of solving, in positions a second; None if it was solved before.
        """
        solve = self.seconds.get("solve", 0.0)
        stages = dict.fromkeys(("solve", "check", "write"), 0.0) | self.seconds
        return {
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "variant": self.variant,
            "metric": self.metric,
            **rule_record(self.draw_rule),
            "slices": list(self.slices),
            "pieces": self.pieces,
            "positions": self.positions,
            "seconds": {stage: round(seconds, 6) for stage, seconds in stages.items()},
            "rate": round(self.positions / solve) if solve else None,
            "peak_memory": peak_memory(),
            "bytes": self.bytes,
        }


@dataclass(slots=True)
class ClusterReport:
    """What has happened on the cluster."""

    tasks: int = 0
    """That were done."""
    twice: int = 0
    """Of those, how many were begun more than once."""
    lost: int = 0
    """Times that a worker has gone in the middle of a task."""
    read: int = 0
    written: int = 0
    """Bytes of work files that workers have read and written."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build has done."""

    built: tuple[Material, ...]
    """Slices that were solved by this build; the others were there before."""
    plan: Plan
    bytes: int
    """Size of all table files together."""
    cluster: ClusterReport | None = None
    """What has happened on the cluster, if the build was one."""


def peak_memory() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
