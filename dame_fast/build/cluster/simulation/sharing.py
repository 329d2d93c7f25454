"""Transfers that go on at the same time, and share what one file system can do."""

from heapq import heappop, heappush


class Sharing:
    """Each transfer is as fast as the network of its worker, or has an equal share of the file system if that is less.

    Times are seconds from the beginning, and never go back.
    """

    def __init__(self, each: float, together: float) -> None:
        """Take bytes a second: of one transfer at most, and of all."""
        self._each = each
        self._together = together
        self._now = 0.0
        self._moved = 0.0  # bytes that a transfer that goes on from the beginning has moved
        self._ends: list[tuple[float, int]] = []  # what that will have moved when a transfer ends, and whose it is

    def begin(self, now: float, worker: int, count: float) -> None:
        """Begin a transfer of so many bytes."""
        self._advance(now)
        heappush(self._ends, (self._moved + count, worker))

    def next_end(self) -> float | None:
        """Return when the first transfer ends if none begins before; None: there is none.

        >>> sharing = Sharing(each=100.0, together=150.0)
        >>> sharing.begin(0.0, 1, 1000.0)
        >>> sharing.next_end()
        10.0
        >>> sharing.begin(4.0, 2, 1000.0)
        >>> sharing.next_end()
        12.0
        """
        if not self._ends:
            return None
        return self._now + max(self._ends[0][0] - self._moved, 0.0) / self._rate()

    def end(self) -> int:
        """End the first transfer at that time; return whose it is."""
        end = self.next_end()
        assert end is not None
        self._advance(end)
        return heappop(self._ends)[1]

    def _advance(self, now: float) -> None:
        if self._ends:
            self._moved += (now - self._now) * self._rate()
        self._now = now

    def _rate(self) -> float:
        return min(self._each, self._together / len(self._ends))
