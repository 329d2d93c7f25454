"""What a build tells whoever watches it."""

from typing import Protocol


class Reporter(Protocol):
    """Hears how a build goes on. Calls come from the thread that called `build`."""

    def start(self, positions: int, finished: int) -> None:
        """Begin: `positions` in all, `finished` of them in tables that are there already."""

    def stage(self, name: str, stage: str, positions: int) -> None:
        """Enter a stage ("solve", "load", "write") of the slice `name`; the stage counts that many positions."""

    def advance(self, positions: int) -> None:
        """Count positions of the stage "solve" that have been solved since the last call."""

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

    def note(self, text: str) -> None:
        """Ignore it."""
