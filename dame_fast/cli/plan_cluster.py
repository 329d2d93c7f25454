"""What `plan` says of a build on a cluster."""

from typing import Final

import click

from dame_fast.build.cluster.simulation.fleet import Fleet
from dame_fast.build.cluster.simulation.simulate import Forecast, simulate
from dame_fast.build.cluster.simulation.usage import COMPUTE, MOVE
from dame_fast.build.cluster.worker import least_memory
from dame_fast.build.estimate import measure_speed
from dame_fast.build.plan import Plan
from dame_fast.build.room import GIB, in_bytes, in_gib
from dame_fast.cli.output import duration, plural, write_json
from dame_fast.errors import ArgumentError
from dame_fast.rules.draw_rule import rule_record

PAIRS_SHOWN: Final = 3
"""Of the longest chain: those that take most of it."""

_BAR: Final = 50
_HOUR: Final = 3600
_UNITS: Final = ((24 * _HOUR, "d"), (_HOUR, "h"), (60, "min"), (1, "s"))


def plan_on_cluster(plan: Plan, fleet: Fleet, price: float | None, *, as_json: bool) -> None:
    """Print what a build by a fleet takes. `plan`: for the threads of one worker; `price`: of one for an hour.

    Raises `ArgumentError` at the end if the workers have too little memory.
    """
    least = least_memory(plan, fleet.cores)
    forecast = simulate(plan, fleet, measure_speed(plan.with_threads(1)))
    hours = fleet.workers * forecast.seconds / _HOUR
    cost = None if price is None else price * hours
    if as_json:
        _write_facts(plan, fleet, forecast, least, cost)
    else:
        _show(plan, fleet, forecast, least, cost)
    if fleet.memory is not None and least > fleet.memory:
        raise ArgumentError(
            f"each worker needs {in_gib(least)} GiB of memory at least, the limit is {fleet.memory / GIB:g} GiB"
            f"{_fewer_cores(plan, fleet.cores, fleet.memory)}"
        )


def _fewer_cores(plan: Plan, cores: int, memory: int) -> str:
    """Say how many cores of a worker could be used instead."""
    if cores == 1:
        return ""
    low, high = 0, cores
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if least_memory(plan, middle) <= memory else (low, middle)
    if low == 0:
        return f"; even with one core {in_gib(least_memory(plan, 1))} GiB"
    return f"; it suffices for {plural(low, 'core')}"


def _write_facts(plan: Plan, fleet: Fleet, forecast: Forecast, least: int, cost: float | None) -> None:
    usage = forecast.usage
    width, rows = usage.rows(forecast.seconds)
    write_json(
        {
            "variant": plan.variant,
            "metric": plan.metric,
            **rule_record(plan.draw_rule),
            "slices": len(plan.slices),
            "positions": plan.positions,
            "workers": fleet.workers,
            "cores": fleet.cores,
            "memory_per_worker": fleet.memory,
            "least_memory": least,
            "fits": fleet.memory is None or least <= fleet.memory,
            "seconds": round(forecast.seconds, 1),
            "tasks": forecast.tasks,
            "events": forecast.events,
            "computing": round(usage.share(COMPUTE, forecast.seconds), 4),
            "moving": round(usage.share(MOVE, forecast.seconds), 4),
            "read": round(forecast.read),
            "written": round(forecast.written),
            "largest_task": forecast.largest,
            "largest_seconds": round(forecast.largest_seconds, 1),
            "chain_seconds": round(forecast.chain.seconds, 1),
            "chain": [{"slice": name, "seconds": round(seconds, 1)} for name, seconds in forecast.chain.pairs],
            "tables": forecast.tables,
            "work_files": round(forecast.work_files),
            "cost": None if cost is None else round(cost, 2),
            "row_seconds": width,
            "rows": [{"computing": round(row.computing, 4), "moving": round(row.moving, 4)} for row in rows],
        }
    )


def _show(plan: Plan, fleet: Fleet, forecast: Forecast, least: int, cost: float | None) -> None:
    usage, chain = forecast.usage, forecast.chain
    computing, moving = (usage.share(what, forecast.seconds) for what in (COMPUTE, MOVE))
    click.echo(f"slices     {len(plan.slices):,} of {plan.variant}")
    click.echo(f"positions  {plan.positions:,}")
    click.echo(f"workers    {fleet.workers:,} of {plural(fleet.cores, 'core')}")
    memory = "" if fleet.memory is None else f", {fleet.memory / GIB:g} GiB there"
    how = ": too little" if fleet.memory is not None and least > fleet.memory else ""
    click.echo(f"memory     each worker {in_gib(least)} GiB at least{memory}{how}")
    work_files = in_bytes(round(forecast.work_files))
    click.echo(f"disk       about {in_bytes(forecast.tables)}, and {work_files} for work files at their peak")
    click.echo(f"time       about {duration(forecast.seconds)} for {plural(forecast.tasks, 'task')}")
    click.echo(f"use        {computing:.0%} computing, {moving:.0%} reading and writing, the rest waiting for tasks")
    click.echo(f"traffic    {in_bytes(round(forecast.read))} read, {in_bytes(round(forecast.written))} written")
    click.echo(f"largest    {forecast.largest}, {duration(forecast.largest_seconds)}")
    most = sorted(chain.pairs, key=lambda pair: -pair[1])[:PAIRS_SHOWN]
    named = ", ".join(f"{name} {duration(seconds)}" for name, seconds in most)
    pairs = plural(len(chain.pairs), "slice pair")
    click.echo(f"chain      {duration(chain.seconds)}: tasks that wait for each other, of {pairs}")
    click.echo(f"           most of it {named}")
    if cost is not None:
        click.echo(f"cost       {cost:,.2f}")
    _show_usage(forecast)


def _show_usage(forecast: Forecast) -> None:
    """Print a bar for each span of time, in at most 80 columns."""
    width, rows = forecast.usage.rows(forecast.seconds)
    unit, name = next(found for found in _UNITS if width >= found[0])
    click.echo("\nfrom       # computing, - reading and writing, . waiting for tasks")
    for row in rows:
        computing = round(_BAR * row.computing)
        moving = min(round(_BAR * (row.computing + row.moving)), _BAR) - computing
        bar = "#" * computing + "-" * moving + "." * (_BAR - computing - moving)
        click.echo(f"{round(row.start / unit):>6,} {name:<3} {bar} {row.computing:4.0%} {row.moving:4.0%}")
