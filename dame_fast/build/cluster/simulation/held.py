"""What a worker that is only planned holds in memory of what it has read and made."""

from collections.abc import Iterable

from dame_fast.build.cluster.simulation.costs import Read
from dame_fast.build.plan import Pair
from dame_fast.tables.material import Material


class Held:
    """Bytes of the values of each pair. What is more than a budget goes, from the pair that was used longest ago.

    Which blocks of a pair are held is not known: of what is read of it, so much is there as of all of it.
    """

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._bytes: dict[Material, float] = {}  # the last used last
        self._sum = 0.0

    def read(self, reads: Iterable[Read]) -> float:
        """Read what a task needs; return the bytes that were not there.

        >>> from dame_fast.build.plan import make_plan
        >>> held, pair = Held(1000.0), make_plan(pieces=2).pairs[0]
        >>> held.read([Read(pair, 800.0, 400.0)]), held.read([Read(pair, 800.0, 400.0)])
        (400.0, 200.0)
        """
        total = 0.0
        for pair, whole, wanted in reads:
            there = self._bytes.pop(pair.material, 0.0)
            missing = wanted * (1 - there / whole) if there < whole else 0.0
            self._bytes[pair.material] = there + missing
            self._sum += missing
            total += missing
        self._trim()
        return total

    def put(self, pair: Pair, count: float) -> None:
        """Take what a task has made."""
        self._bytes[pair.material] = self._bytes.pop(pair.material, 0.0) + count
        self._sum += count
        self._trim()

    def _trim(self) -> None:
        while self._sum > self._budget and self._bytes:
            material = next(iter(self._bytes))
            surplus = self._sum - self._budget
            if self._bytes[material] > surplus:
                self._bytes[material] -= surplus
                self._sum -= surplus
            else:
                self._sum -= self._bytes.pop(material)
