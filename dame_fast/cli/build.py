"""`build` and `plan`: make tables, and say beforehand what that takes."""

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TypeVar, Unpack

import click
from rich import box
from rich.table import Table

from dame_fast.arguments import check_path
from dame_fast.build.builder import BuildResult, build
from dame_fast.build.plan import Plan, in_gib, make_plan
from dame_fast.cli.options import draw_rule_options, draw_rule_record, json_option, threads_option, variant_option
from dame_fast.cli.output import make_progress, plural, write_json, write_table
from dame_fast.cli.status import InterruptedBuildError
from dame_fast.rules.draw_rule import RulePlies
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS, WDL

Decorated = TypeVar("Decorated", bound=Callable[..., object])


def _slices(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[Material, ...]:
    return () if text is None else tuple(Material.parse(name.strip()) for name in text.split(","))


def _build_options(command: Decorated) -> Decorated:
    for option in reversed(
        (
            click.option("--pieces", type=int, metavar="N", help="All slices of 2 to N pieces."),
            click.option(
                "--slices",
                callback=_slices,
                metavar="KKvK,...",
                help="Only these slices, and all that they depend on.",
            ),
            variant_option("Rule set"),
            click.option(
                "--metric",
                default=WDL,
                show_default=True,
                metavar="|".join(METRICS),
                help="What to find out (see docs/metrics.md).",
            ),
            draw_rule_options("Build tables that are exact under"),
            threads_option(),
            click.option("--memory", type=float, metavar="GiB", help="Use no more memory than this."),
        )
    ):
        command = option(command)
    return command


@click.command("build")
@_build_options
@click.option("--out", default="tables", show_default=True, metavar="DIR", help="Directory to write into.")
@click.option(
    "--log", metavar="FILE", help="Append one JSON object for every slice pair: seconds, rate, memory, bytes."
)
@json_option("Print one JSON object at the end.")
def build_command(
    pieces: int | None,
    slices: tuple[Material, ...],
    variant: str,
    metric: str,
    threads: int | None,
    memory: float | None,
    out: str,
    log: str | None,
    as_json: bool,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Build tables into a directory.

    What is there already is checked and kept, so a build that was interrupted or killed goes on with the same command.

    \b
    Examples:
      dame-fast build --pieces 4
      dame-fast build --slices KKMvKM --out tables --threads 8
    """  # noqa: D301
    start = time.perf_counter()
    try:
        with BuildProgress(log) as progress:
            result = build(
                out,
                variant=variant,
                pieces=pieces,
                slices=slices,
                threads=threads,
                memory=memory,
                metric=metric,
                **draw_rule,
                progress=progress,
            )
    except KeyboardInterrupt:
        raise InterruptedBuildError("interrupted; the same command goes on where it stopped") from None
    seconds = time.perf_counter() - start
    if as_json:
        _write_result(result, Path(out), seconds)
    else:
        _show_result(result, Path(out), seconds)
        _show_summary(progress.records)


@click.command("plan")
@_build_options
@json_option("Print one JSON object.")
def plan_command(
    pieces: int | None,
    slices: tuple[Material, ...],
    variant: str,
    metric: str,
    threads: int | None,
    memory: float | None,
    as_json: bool,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Say what a build takes: slices, positions, memory, disk and time. Nothing is built.

    The time is estimated from a few small slices that are solved for this purpose, which takes one to three seconds.

    \b
    Example:
      dame-fast plan --pieces 6
    """  # noqa: D301
    plan = make_plan(
        variant,
        pieces,
        slices=slices,
        threads=threads,
        metric=metric,
        **draw_rule,
    )
    _show_plan(plan, memory, as_json)


COMMANDS: Final = (build_command, plan_command)


class BuildProgress:
    """Shows a build on stderr: one bar for all of it, one for the slice (a context manager and a `Progress`).

    `log` is the name of a file that gets one line of JSON for every slice pair.
    """

    def __init__(self, log: str | None = None) -> None:
        self.records: list[Mapping[str, Any]] = []
        self._log = None if log is None else check_path("log file", log).open("a", encoding="utf-8")
        self._progress = make_progress("positions")
        self._all = self._progress.add_task("all slices", total=None)
        self._slice = self._progress.add_task("", total=None, visible=False)
        self._done = self._before = 0  # of all positions; when the slice began

    def __enter__(self) -> "BuildProgress":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
        if self._log is not None:
            self._log.close()

    def start(self, name: str, unit: str, total: int) -> None:
        """Set the length of the bar for the whole build."""
        self._progress.reset(self._all, total=total, description=name)

    def rename(self, name: str, total: int | None = None) -> None:
        """Show an empty bar for what is done with a slice; only solving is counted."""
        self._before = self._done
        self._progress.reset(self._slice, total=total, visible=True, description=name)

    def reach(self, done: int) -> None:
        """Move both bars on."""
        self._done = done
        self._progress.update(self._all, completed=done)
        self._progress.update(self._slice, completed=done - self._before)

    def end(self) -> None:
        """Take the bar of the slice away."""
        self._progress.update(self._slice, visible=False)

    def finish(self, record: Mapping[str, Any]) -> None:
        """Remember the pair for the summary, and write its line of the log."""
        self.records.append(record)
        if self._log is not None:
            self._log.write(json.dumps(record) + "\n")
            self._log.flush()

    def note(self, text: str) -> None:
        """Print the line above the bars."""
        click.echo(f"dame-fast: {text}", err=True)


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
        }
    )


def _show_result(result: BuildResult, out: Path, seconds: float) -> None:
    there = len(result.plan.slices) - len(result.built)
    kept = f", {there:,} of them there already" if there else ""
    click.echo(f"{out}: {plural(len(result.plan.slices), 'slice')}{kept}, {plural(result.bytes, 'byte')}")
    built = sum(material.positions(result.plan.variant) for material in result.built)
    if built:
        click.echo(
            f"{plural(built, 'position')} built in {seconds:.1f} s "
            f"({built / seconds / 1e6:,.1f} M/s with {plural(result.plan.threads, 'thread')})"
        )


def _show_summary(records: list[Mapping[str, Any]]) -> None:
    """Print a table: what each number of pieces took."""
    if not records:
        return
    names = (
        "pieces",
        "slices",
        "positions",
        "solve s",
        "check s",
        "write s",
        "M/s solving",
        "bytes",
        "positions/byte",
    )
    table = Table(*names, box=box.SIMPLE)
    for column in table.columns:
        column.justify = "right"
    for pieces in sorted({record["pieces"] for record in records}):
        some = [record for record in records if record["pieces"] == pieces]
        positions, size = sum(one["positions"] for one in some), sum(one["bytes"] for one in some)
        solve, check, write = (sum(one["seconds"][stage] for one in some) for stage in ("solve", "check", "write"))
        table.add_row(
            str(pieces),
            f"{sum(len(one['slices']) for one in some):,}",
            f"{positions:,}",
            f"{solve:.2f}",
            f"{check:.2f}",
            f"{write:.2f}",
            f"{positions / solve / 1e6:,.1f}",
            f"{size:,}",
            f"{positions / size:.1f}",
        )
    write_table(table)


def _show_plan(plan: Plan, memory: float | None, as_json: bool) -> None:
    fits, spills = plan.fits(memory), plan.spills(memory)
    seconds = plan.measure_seconds()
    largest = max(plan.pairs, key=lambda pair: pair.positions)
    facts: dict[str, object] = {
        "variant": plan.variant,
        "metric": plan.metric,
        **draw_rule_record(plan.draw_rule),
        "slices": len(plan.slices),
        "positions": plan.positions,
        "largest": largest.material.name,
        "memory": plan.memory,
        "least_memory": plan.least_memory,
        "disk": plan.disk,
        "seconds": round(seconds, 1),
        "threads": plan.threads,
        "fits": None if memory is None else fits,
    }
    if as_json:
        write_json(facts)
        return
    click.echo(f"slices     {len(plan.slices):,} of {plan.variant}")
    click.echo(f"positions  {plan.positions:,}")
    click.echo(f"largest    {largest.material.name} and its mirror, {plural(largest.positions, 'position')}")
    less = f", or {in_gib(plan.least_memory)} GiB with values in files" if plan.least_memory < plan.memory else ""
    click.echo(f"memory     {in_gib(plan.memory)} GiB{less}")
    if memory is not None:
        how = "too little" if not fits else "with values in files" if spills else "in memory"
        click.echo(f"limit      {memory:g} GiB: {how}")
    click.echo(f"disk       about {_size(plan.disk)}")
    click.echo(f"time       about {_duration(seconds)} with {plural(plan.threads, 'thread')}")


def _size(count: int) -> str:
    """Return a number of bytes in the largest unit that suits.

    >>> _size(1_664_182), _size(30_000_000_000)
    ('1.7 MB', '30.0 GB')
    """
    unit, name = next((u, n) for u, n in ((10**9, "GB"), (10**6, "MB"), (1, "bytes")) if count >= u or u == 1)
    return f"{count / unit:.1f} {name}" if unit > 1 else f"{count} {name}"


def _duration(seconds: float) -> str:
    """Return a time in the unit that suits.

    >>> _duration(0.4), _duration(90), _duration(5400), _duration(200_000)
    ('1 s', '90 s', '90 min', '56 h')
    """
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min")):
        if seconds < limit:
            return f"{max(round(seconds / unit), 1)} {name}"
    return f"{round(seconds / 3600)} h"
