"""How long work is going: what builds, verifications and searches tell whoever watches them."""

from collections.abc import Mapping
from typing import Any, Protocol


class Progress(Protocol):
    """Hears how work goes on. Calls come from the thread that asked for the work; work that fails does not end."""

    def start(self, name: str, unit: str, total: int) -> None:
        """Begin with something: so many bytes ("B"), positions ("positions") or values ("values")."""

    def rename(self, name: str, total: int | None = None) -> None:
        """Enter a part of it, which counts so many of the unit; None: that is not known, or it is not counted."""

    def reach(self, done: int) -> None:
        """Hear how many of all have been done since the start."""

    def end(self) -> None:
        """Hear that all have been done."""

    def finish(self, record: Mapping[str, Any]) -> None:
        """Hear what became of a part, as a line of a log: of a build, a slice pair whose files are published."""

    def note(self, text: str) -> None:
        """Say something that a person should know, in one line."""


class SilentProgress:
    """Progress that nobody hears of; also the base of those that hear a part of it."""

    def start(self, name: str, unit: str, total: int) -> None:
        """Ignore it."""

    def rename(self, name: str, total: int | None = None) -> None:
        """Ignore it."""

    def reach(self, done: int) -> None:
        """Ignore it."""

    def end(self) -> None:
        """Ignore it."""

    def finish(self, record: Mapping[str, Any]) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""
