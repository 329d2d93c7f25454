"""What the coordinator asks of whatever runs tasks on workers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dame_fast.build.cluster.tasks import Outcome, Task
from dame_fast.build.cluster.worker import Job


@dataclass(frozen=True, slots=True)
class Event:
    """A task has ended on a worker."""

    worker: str
    task: Task
    outcome: Outcome | None
    """None: the worker was lost before it was done."""


class SchedulerLost(Exception):
    """The scheduler has gone, and all tasks with it."""


class Executor(Protocol):
    """Runs tasks on workers that come and go."""

    @property
    def dashboard(self) -> str | None:
        """The address of a page that shows what goes on, if there is one."""

    def open(self, job: Job) -> None:
        """Begin.

        Raises `ArgumentError` for an address that is none, `BuildError` if nobody answers.
        """

    def workers(self) -> Mapping[str, str | None]:
        """Return all workers by their names, with why one cannot do tasks of the job; None: it can.

        Raises `SchedulerLost`.
        """

    def submit(self, worker: str, task: Task) -> None:
        """Let a worker do a task, after those that it has been given before."""

    def wait(self, seconds: float) -> Sequence[Event]:
        """Return what has happened; wait for something at most so long.

        Raises `SchedulerLost`.
        """

    def forget_all(self) -> None:
        """Hear no more of tasks that were submitted."""

    def reopen(self) -> bool:
        """Look for the scheduler that was lost; False: it has not come back yet."""

    def close(self) -> None:
        """End: tasks that are being done are given up."""
