"""How far work is: what builds, verifications and searches tell whoever watches them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Progress(Protocol):
    """Hears how work goes on.

    All calls come from the thread that asked for the work. Work that fails makes no call of `end`.
    """

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        """Begin some work.

        `total` is how much there is to do, in bytes ("B"), "positions" or "values", as `measure` says. `parts` is how
        many slices or files these are, and `name` what they are called ("slices"). With 0 parts the work is one piece,
        and `name` is what is done.
        """

    def rename(self, name: str, total: int | None = None) -> None:
        """Begin a part, or a stage of one. `total` is how much there is to do in it; None: nobody counts it."""

    def reach(self, done: int) -> None:
        """Hear how much has been done since the start."""

    def end(self) -> None:
        """Hear that all has been done."""

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Hear which parts are done, and what became of them, as a line of a log."""

    def log(self, record: Mapping[str, Any]) -> None:
        """Hear what became of a task, as a line of a log."""

    def status(self, text: str) -> None:
        """Hear how things stand, in a few words."""

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

    def log(self, record: Mapping[str, Any]) -> None:
        """Ignore it."""

    def status(self, text: str) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""
