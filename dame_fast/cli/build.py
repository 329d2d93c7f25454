"""`build`: make tables."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Unpack

import click
from rich.table import Table

from dame_fast.arguments import check_path
from dame_fast.build.builder import build
from dame_fast.build.report import BuildResult
from dame_fast.build.room import in_bytes
from dame_fast.cli.build_options import Wanted, build_options
from dame_fast.cli.options import examples, files, json_option
from dame_fast.cli.output import plural, write_json, write_table
from dame_fast.cli.progress import LoggedProgress
from dame_fast.cli.status import going_on


@click.command(
    "build",
    short_help="Build tables into a directory.",
    epilog=examples("dame-fast build --pieces 4", "dame-fast build --slices KKMvKM --out tables --threads 8"),
)
@build_options
@click.option(
    "--log",
    metavar="FILE",
    shell_complete=files,
    help="Append one JSON object for every slice pair: time, rule set, metric, seconds, rate, memory, bytes; "
    "and one for every task of a cluster.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Build on a Dask cluster: tcp://HOST:PORT of its scheduler, or local:N for N processes of this machine. "
    "--memory is that of each worker (docs/scaling.md).",
)
@json_option("Print one JSON object at the end.")
def build_command(
    memory: float | None, out: str, log: str | None, scheduler: str | None, as_json: bool, **wanted: Unpack[Wanted]
) -> None:
    """Build tables into a directory.

    What is there already is checked and kept, so a build that was interrupted or killed goes on with the same command.
    One for which memory or disk do not suffice is refused before it starts, with status 1, or 2 if it is the limit of
    --memory that is too small.
    """
    start = time.perf_counter()
    with going_on(), LoggedProgress(None if log is None else check_path("log file", log)) as progress:
        result = build(out, memory=memory, scheduler=scheduler, progress=progress, **wanted)
    seconds = time.perf_counter() - start
    if as_json:
        _write_result(result, Path(out), seconds)
    else:
        _show_result(result, Path(out), seconds)
        show_summary(progress.records)


COMMANDS: Final = (build_command,)


def _write_result(result: BuildResult, out: Path, seconds: float) -> None:
    write_json(
        {
            "directory": str(out),
            "variant": result.plan.variant,
            "slices": len(result.plan.slices),
            "built": len(result.built),
            "positions": result.plan.positions,
            "bytes": result.bytes,
            "seconds": round(seconds, 3),
            **({} if result.cluster is None else {"cluster": asdict(result.cluster)}),
        }
    )


def _show_result(result: BuildResult, out: Path, seconds: float) -> None:
    there = len(result.plan.slices) - len(result.built)
    kept = f", {there:,} of them there already" if there else ""
    click.echo(f"{out}: {plural(len(result.plan.slices), 'slice')}{kept}, {plural(result.bytes, 'byte')}")
    built = sum(material.positions(result.plan.variant) for material in result.built)
    if built:
        threads = f" with {plural(result.plan.threads, 'thread')}" if result.cluster is None else ""
        click.echo(f"{plural(built, 'position')} built in {seconds:.1f} s ({built / seconds / 1e6:,.1f} M/s{threads})")
    if result.cluster is not None:
        report = result.cluster
        click.echo(
            f"{plural(report.tasks, 'task')}, {report.twice:,} of them begun twice; "
            f"{plural(report.lost, 'worker')} lost; work files: {in_bytes(report.read)} read, "
            f"{in_bytes(report.written)} written"
        )


def show_summary(records: Sequence[Mapping[str, Any]]) -> None:
    """Print a table: what each number of pieces took, in at most 80 columns."""
    if not records:
        return
    names = ("pieces", "slices", "positions", "solve", "check", "write", "M/s", "bytes", "pos/B")
    table = Table(*names, box=None, padding=(0, 1, 0, 0))
    for column in table.columns:
        column.justify = "right"
    for pieces in sorted({record["pieces"] for record in records}):
        some = [record for record in records if record["pieces"] == pieces]
        positions, size = (sum(record[key] for record in some) for key in ("positions", "bytes"))
        solve, check, write = (
            sum(record["seconds"][stage] for record in some) for stage in ("solve", "check", "write")
        )
        table.add_row(
            f"{pieces}",
            f"{sum(len(record['slices']) for record in some):,}",
            f"{positions:,}",
            _short(solve, 1000),
            _short(check, 1000),
            _short(write, 1000),
            _short(positions / solve / 1e6, 100) if solve else "",
            f"{size:,}",
            f"{positions / size:.1f}",
        )
    write_table(table)
    click.echo("(seconds; small slices are written while others are solved)")
    click.echo("(M/s: million positions solved a second; pos/B: positions a byte)")


def _short(number: float, most: float) -> str:
    """Return a number, with a decimal unless it is too large for one."""
    return f"{number:,.1f}" if number < most else f"{number:,.0f}"
