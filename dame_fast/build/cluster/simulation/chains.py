"""The longest chain of tasks that wait for each other: no number of workers makes a build shorter than that."""

from dataclasses import dataclass

from dame_fast.build.cluster.tasks import CHECK, WRITE, Task
from dame_fast.tables.material import Material


@dataclass(frozen=True, slots=True)
class _Link:
    """A task, and the one that it had to wait for longest."""

    seconds: float  # of the whole chain up to here
    material: Material | None = None
    before: "_Link | None" = None


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of tasks that wait for each other."""

    seconds: float
    pairs: tuple[tuple[str, float], ...]
    """The pairs that its tasks belong to, in their order, and the seconds of the chain that are each one's."""


class Chains:
    """Finds the longest chain, from the tasks as they begin and end.

    What a task waits for is what it reads. A table is written when the sample of its pair has been checked.
    """

    def __init__(self) -> None:
        self._made: dict[Material, _Link] = {}  # the longest chain up to the values of a pair that are made so far
        self._checked: dict[Material, _Link] = {}
        self._before: dict[tuple[Material, str, int], _Link] = {}  # what all tasks of a step wait for
        self._longest = _Link(0.0)

    def begin(self, task: Task) -> None:
        """Take note that a task can be done."""
        key = _step(task)
        if key in self._before:
            return
        if task.kind == WRITE:
            self._before[key] = self._checked[task.pair.material]
            return
        links = (self._made.get(values.pair.material) for values in task.reads)
        self._before[key] = max((link for link in links if link is not None), key=_seconds, default=_Link(0.0))

    def end(self, task: Task, seconds: float) -> None:
        """Take note that a task has taken so long."""
        before = self._before[_step(task)]
        link = _Link(before.seconds + seconds, task.pair.material, before)
        self._longest = max(self._longest, link, key=_seconds)
        if task.kind != WRITE:
            ends = self._checked if task.kind == CHECK else self._made
            ends[task.pair.material] = max(ends.get(task.pair.material, link), link, key=_seconds)

    @property
    def longest(self) -> Chain:
        """The longest chain so far."""
        pairs: dict[str, float] = {}
        link: _Link | None = self._longest
        while link is not None and link.material is not None:
            before = 0.0 if link.before is None else link.before.seconds
            pairs[link.material.name] = pairs.get(link.material.name, 0.0) + link.seconds - before
            link = link.before
        return Chain(self._longest.seconds, tuple(reversed(pairs.items())))


def _step(task: Task) -> tuple[Material, str, int]:
    """All tasks of a step read as many parts of their own pair."""
    return task.pair.material, task.kind, len(task.reads[0].parts)


def _seconds(link: _Link) -> float:
    return link.seconds
