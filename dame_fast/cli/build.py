"""`build`: make tables."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import click
from rich import box
from rich.table import Table

from dame_fast.arguments import check_path
from dame_fast.build.builder import BuildResult, build
from dame_fast.cli.options import build_options, files, json_option
from dame_fast.cli.output import make_progress, plural, write_json, write_table
from dame_fast.errors import BuildError
from dame_fast.tables.material import Material


class InterruptedBuildError(BuildError):
    """Ctrl-C during a build."""

    exit_status = 130


@click.command("build")
@build_options
@click.option(
    "--log",
    metavar="FILE",
    shell_complete=files,
    help="Append one JSON object for every slice pair: seconds, rate, memory, bytes.",
)
@json_option("Print one JSON object at the end.")
def build_command(
    pieces: int | None,
    slices: tuple[Material, ...],
    variant: str,
    metric: str | None,
    draw_plies: int | None,
    threads: int | None,
    memory: float | None,
    out: str,
    log: str | None,
    as_json: bool,
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
                draw_plies=draw_plies,
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


COMMANDS: Final = (build_command,)


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
