"""The workers of a cluster that is only planned, and what connects them."""

from dataclasses import dataclass
from typing import Final, SupportsIndex

from dame_fast.arguments import check_number, threads_or_all
from dame_fast.build.room import limit_bytes
from dame_fast.errors import ArgumentError

WORKERS_MOST: Final = 10_000
"""More workers than this are a mistake."""

NETWORK: Final = 10.0
"""Gbit a second of each worker, if nobody says otherwise."""

DISK_SPEED: Final = 500.0
"""MB a second of the file system, if nobody says otherwise."""

_MOST: Final = 1e9  # of GiB, of Gbit a second, of MB a second: what is more is a mistake


@dataclass(frozen=True, slots=True)
class Fleet:
    """So many workers that are all alike, and the file system that they share."""

    workers: int
    cores: int
    """Of each worker; it has as many threads."""
    memory: int | None = None
    """Bytes that each worker may use; None: as many as it likes."""
    network: float = NETWORK * 1e9 / 8
    """Bytes a second between a worker and the file system."""
    disk_speed: float = DISK_SPEED * 1e6
    """Bytes a second of the file system, for all workers together."""


def make_fleet(
    workers: SupportsIndex,
    cores: SupportsIndex | None = None,
    *,
    memory: float | None = None,
    network: float = NETWORK,
    disk_speed: float = DISK_SPEED,
) -> Fleet:
    """Return a fleet. `cores`: those of this machine if None; `memory`: GiB.

    `network`: Gbit a second, of each worker; `disk_speed`: MB a second, for all together.

    Raises `ArgumentError` for numbers that no fleet has.

    >>> make_fleet(4, 16, memory=64.0, network=1.0)
    Fleet(workers=4, cores=16, memory=68719476736, network=125000000.0, disk_speed=500000000.0)
    >>> make_fleet(4, 16, network=-1.0)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: the speed of the network must be more than 0 and at most 1e+09, not -1
    """
    return Fleet(
        check_number("the number of workers", workers, 1, WORKERS_MOST),
        threads_or_all(cores),
        None if memory is None else limit_bytes(memory),
        _check_speed("the speed of the network", network) * 1e9 / 8,
        _check_speed("the speed of the disk", disk_speed) * 1e6,
    )


def _check_speed(what: str, given: float) -> float:
    if not 0 < given <= _MOST:  # so that nan is refused as well
        raise ArgumentError(f"{what} must be more than 0 and at most {_MOST:g}, not {given:g}")
    return given
