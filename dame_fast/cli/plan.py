"""`plan`: say what a build takes, and whether this machine has it."""

from typing import Final, Unpack

import click

from dame_fast.arguments import check_path
from dame_fast.build.estimate import estimate_seconds
from dame_fast.build.plan import make_plan
from dame_fast.build.room import Room, find_room, in_bytes, in_gib
from dame_fast.cli.build_options import Wanted, build_options
from dame_fast.cli.fleet_options import Described, find_fleet, fleet_options
from dame_fast.cli.options import examples, json_option
from dame_fast.cli.output import duration, plural, write_json
from dame_fast.cli.plan_cluster import plan_on_cluster
from dame_fast.rules.draw_rule import rule_record


@click.command(
    "plan",
    short_help="Say what a build takes: memory, disk and time.",
    epilog=examples(
        "dame-fast plan --pieces 6", "dame-fast plan --pieces 9 --workers 64 --cores 16 --memory-per-worker 256"
    ),
)
@build_options
@fleet_options
@json_option("Print one JSON object.")
def plan_command(
    memory: float | None,
    out: str,
    as_json: bool,
    workers: int | None,
    cores: int | None,
    memory_per_worker: float | None,
    network: float | None,
    disk_speed: float | None,
    price: float | None,
    **wanted: Unpack[Wanted],
) -> None:
    """Say what a build takes, and whether this machine has it: slices, positions, memory, disk and time.

    Nothing is built. The time is estimated from a few small slices that are solved for this purpose, which takes two to
    four seconds. A build that cannot fit ends with status 1, or 2 if it is the limit of --memory that is too small.

    With --workers a build on a cluster, from nothing, is simulated (docs/scaling.md): time, what its workers do
    meanwhile, what travels between them and the file system that they share. Their cores are taken to be as fast as
    those of this machine.
    """
    described = Described(
        workers=workers,
        cores=cores,
        memory_per_worker=memory_per_worker,
        network=network,
        disk_speed=disk_speed,
        price=price,
    )
    fleet = find_fleet(described, wanted, memory)
    if fleet is not None:
        wanted["threads"] = fleet.cores
        plan_on_cluster(make_plan(**wanted), fleet, price, as_json=as_json)
        return
    room = find_room(make_plan(**wanted), check_path("directory", out), memory)
    seconds = estimate_seconds(room.plan, work_files=room.lacks_memory)
    if as_json:
        _write_facts(room, seconds)
    else:
        _show(room, seconds)
    room.check()


COMMANDS: Final = (plan_command,)


def _write_facts(room: Room, seconds: float) -> None:
    plan = room.plan
    write_json(
        {
            "variant": plan.variant,
            "metric": plan.metric,
            **rule_record(plan.draw_rule),
            "slices": len(plan.slices),
            "positions": plan.positions,
            "largest": plan.largest.material.name,
            "memory": plan.memory,
            "least_memory": room.least_memory,
            "available_memory": room.memory,
            "disk": plan.disk,
            "work_files": room.work_bytes,
            "free_disk": room.disk,
            "seconds": round(seconds, 1),
            "threads": plan.threads,
            "fits": room.fits,
        }
    )


def _show(room: Room, seconds: float) -> None:
    plan, largest = room.plan, room.plan.largest
    click.echo(f"slices     {len(plan.slices):,} of {plan.variant}")
    click.echo(f"positions  {plan.positions:,}")
    click.echo(f"largest    {largest.material.name} and its mirror, {plural(largest.positions, 'position')}")
    memory, least = in_gib(plan.memory), in_gib(room.least_memory)
    less = f", or {least} GiB with work files" if least != memory else ""
    available = "" if room.memory is None else f" ({in_gib(room.memory, up=False)} GiB available)"
    click.echo(f"memory     {memory} GiB{less}{available}")
    if room.limit is not None:
        how = "too little" if not room.in_limit else "with work files" if room.lacks_memory else "in memory"
        click.echo(f"limit      {room.limit:g} GiB: {how}")
    values = f", and {in_bytes(room.work_bytes)} for work files while it runs" if room.work_bytes else ""
    free = "" if room.disk is None else f" ({in_bytes(room.disk)} free)"
    click.echo(f"disk       about {in_bytes(plan.disk)}{values}{free}")
    click.echo(f"time       about {duration(seconds)} with {plural(plan.threads, 'thread')}")
