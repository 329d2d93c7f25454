"""How long work is going: what builds, verifications and searches tell whoever watches them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Progress(Protocol):
    """Hears how work goes on. Calls come from the thread that asked for the work; work that fails does not end."""

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        """Begin with so many bytes ("B"), positions ("positions") or values ("values").

        They come in so many parts, whose `name` ("slices", "files") is that of the work; 0: in one.
        """

    def rename(self, name: str, total: int | None = None) -> None:
        """Enter a part, or a stage of it, which counts so many of the same; None: it is not counted."""

    def reach(self, done: int) -> None:
        """Hear how much has been done since the start."""

    def end(self) -> None:
        """Hear that all has been done."""

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Hear which parts are done, and what became of them, as a line of a log."""

    def note(self, text: str) -> None:
        """Say something that a person should know, in one line."""


class SilentProgress:
    """Progress that nobody hears of; also the base of those that hear a part of it."""

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        """Ignore it."""

    def rename(self, name: str, total: int | None = None) -> None:
        """Ignore it."""

    def reach(self, done: int) -> None:
        """Ignore it."""

    def end(self) -> None:
        """Ignore it."""

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""
