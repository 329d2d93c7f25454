"""A listener to progress that keeps what it hears."""

from collections.abc import Mapping, Sequence
from typing import Any

from dame_fast.progress import SilentProgress


class Heard(SilentProgress):
    """Keeps what is said; of what is reached the last number of each stage alone."""

    def __init__(self) -> None:
        self.starts: list[tuple[str, str, int, int]] = []
        self.names: list[str] = []
        self.reached: list[int] = []
        self.ended = 0
        self.finished: list[str] = []

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        """Keep a stage; the one before is over."""
        assert self.ended == len(self.starts)
        self.starts.append((name, measure, total, parts))
        self.reached.append(0)

    def rename(self, name: str, total: int | None = None) -> None:
        """Keep the name of a part."""
        self.names.append(name)

    def reach(self, done: int) -> None:
        """Keep a number, which must not be less than the one before."""
        assert done >= self.reached[-1]
        self.reached[-1] = done

    def end(self) -> None:
        """Count the ends of stages."""
        self.ended += 1

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Keep the names of what is finished."""
        self.finished += parts
