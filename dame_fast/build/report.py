"""What a build tells whoever watches it."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(slots=True)
class PairLog:
    """What became of one slice pair."""

    slices: tuple[str, ...]
    pieces: int
    positions: int
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
        """Return one record of a build log; the rate is that of solving, in positions a second."""
        return {
            "slices": list(self.slices),
            "positions": self.positions,
            "seconds": {stage: round(seconds, 4) for stage, seconds in self.seconds.items()},
            "rate": round(self.positions / self.seconds["solve"]),
            "peak_memory": peak_memory(),
            "bytes": self.bytes,
        }


def peak_memory() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class Reporter(Protocol):
    """Hears how a build goes on. Calls come from the thread that called `build`."""

    def start(self, positions: int, finished: int) -> None:
        """Begin: `positions` in all, `finished` of them in tables that are there already."""

    def stage(self, name: str, stage: str, positions: int) -> None:
        """Enter a stage ("load", "solve", "check", "write") of the slice `name`, which counts that many positions."""

    def advance(self, positions: int) -> None:
        """Count positions of the stage "solve" that have been solved since the last call."""

    def finish(self, log: PairLog) -> None:
        """Hear that the files of a slice pair have been published."""

    def note(self, text: str) -> None:
        """Say something that a person should know, in one line."""


class SilentReporter:
    """A reporter that says nothing."""

    def start(self, positions: int, finished: int) -> None:
        """Ignore it."""

    def stage(self, name: str, stage: str, positions: int) -> None:
        """Ignore it."""

    def advance(self, positions: int) -> None:
        """Ignore it."""

    def finish(self, log: PairLog) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""
