"""The options of `plan` that describe a cluster."""

from typing import TypedDict

import click

from dame_fast.build.cluster.simulation.fleet import DISK_SPEED, NETWORK, Fleet, make_fleet
from dame_fast.cli.build_options import Wanted
from dame_fast.cli.options import Decorated
from dame_fast.errors import ArgumentError


class Described(TypedDict):
    """What describes a cluster, as it was given: arguments of `find_fleet`."""

    workers: int | None
    cores: int | None
    memory_per_worker: float | None
    network: float | None
    disk_speed: float | None
    price: float | None


def fleet_options(command: Decorated) -> Decorated:
    """Add the parameters of `Described` to a command."""
    for option in reversed(
        (
            click.option("--workers", type=int, metavar="N", help="Plan a build on a cluster of N workers instead."),
            click.option("--cores", type=int, metavar="T", help="Of each worker. [default: those of this machine]"),
            click.option(
                "--memory-per-worker",
                type=float,
                metavar="GiB",
                help="Memory of each worker. [default: as much as it likes]",
            ),
            click.option(
                "--network", type=float, metavar="GBIT", help=f"Gbit/s of each worker. [default: {NETWORK:g}]"
            ),
            click.option(
                "--disk-speed",
                type=float,
                metavar="MB",
                help=f"MB/s of the file system that all workers share, altogether. [default: {DISK_SPEED:g}]",
            ),
            click.option("--price", type=float, metavar="P", help="Of one worker for an hour, in any currency."),
        )
    ):
        command = option(command)
    return command


def find_fleet(described: Described, wanted: Wanted, memory: float | None) -> Fleet | None:
    """Return the cluster that is described; None: there is none.

    Raises `ArgumentError` for numbers that no cluster has, and for options that say nothing without another one.
    """
    workers = described["workers"]
    if workers is None:
        for name, given in described.items():
            if given is not None:
                raise ArgumentError(f"--{name.replace('_', '-')} needs --workers")
        return None
    if wanted["threads"] is not None:
        raise ArgumentError("--threads is of this machine; with --workers it is --cores")
    if memory is not None:
        raise ArgumentError("--memory is of this machine; with --workers it is --memory-per-worker")
    price = described["price"]
    if price is not None and not 0 <= price < 1e9:
        raise ArgumentError(f"the price must be at least 0 and less than 1e+09, not {price:g}")
    network, disk_speed = described["network"], described["disk_speed"]
    return make_fleet(
        workers,
        described["cores"],
        memory=described["memory_per_worker"],
        network=NETWORK if network is None else network,
        disk_speed=DISK_SPEED if disk_speed is None else disk_speed,
    )
