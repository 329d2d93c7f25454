"""`verify`: whether the files of a directory are whole, and whether their values are right."""

import os
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Final

import click
from rich.progress import Progress, TaskID

from dame_fast import _native
from dame_fast.arguments import BYTES_MOST, check_number, check_path, threads_or_all
from dame_fast.cli.options import examples, json_option, threads_option, variant_option
from dame_fast.cli.output import make_progress, plural, write_json
from dame_fast.errors import ArgumentError, CorruptTableError, quote
from dame_fast.fen import write_fen
from dame_fast.files import TableName, file_name, read_header, rule_of, table_files
from dame_fast.interrupt import run_native
from dame_fast.manifest import MANIFEST, check_manifest
from dame_fast.results import CATEGORIES
from dame_fast.rules import find_table_rules
from dame_fast.tablebase import CACHE_BYTES


@click.command(
    "verify",
    short_help="Check the files of a directory, or all their values.",
    epilog=examples("dame-fast verify tables", "dame-fast verify tables --full --threads 8"),
)
@click.argument("directory", metavar="DIR")
@click.option("--full", is_flag=True, help="Check every value against those after each move, in memory.")
@click.option(
    "--sample",
    metavar="N|P%",
    help="The same for N positions of each slice, without much memory, or for P % of all, in memory.",
)
@variant_option("Rule set that the tables have to be of", default=None)
@threads_option()
@json_option("Print one JSON object.")
def verify(
    directory: str, full: bool, sample: str | None, variant: str | None, threads: int | None, as_json: bool
) -> None:
    """Check the tables in DIR: all their checksums, and the manifest if there is one.

    The first thing that is wrong ends it, with status 4 for a damaged table and 3 for a missing one.
    """
    if full and sample is not None:
        raise click.UsageError("--full and --sample cannot be used together", click.get_current_context())
    threads = threads_or_all(threads)
    extent = Extent.parse(sample) if sample is not None else Extent()
    folder = check_path("directory", directory)
    paths = table_files(folder)
    variant = read_header(paths[0])["variant"] if variant is None else variant
    find_table_rules(variant)
    size = _check_files(paths, variant)
    unlisted = check_manifest(folder, paths)
    values = _check_values(paths, variant, extent, threads) if full or sample else 0
    if as_json:
        write_json(
            {
                "variant": variant,
                "files": len(paths),
                "bytes": size,
                "manifest": unlisted is not None,
                "unlisted": len(paths) if unlisted is None else unlisted,
                "check": "full" if full else "sample" if sample else "files",
                "values": values,
            }
        )
        return
    known = "checksums agree (there is no manifest)" if unlisted is None else "checksums and manifest agree"
    click.echo(f"{plural(len(paths), 'file')} of {plural(size, 'byte')}: {known}")
    if unlisted:
        click.echo(f"{plural(unlisted, 'whole file')} not listed in {MANIFEST} (a build was ended, or still runs)")
    if values:
        sampled = "" if full else "sampled "
        slices = {(name.material, name.draw_plies) for name in (TableName.parse(path.name) for path in paths)}
        click.echo(f"{plural(len(slices), 'slice')}, {plural(values, sampled + 'value')} consistent")


COMMANDS: Final = (verify,)


def _check_files(paths: list[Path], variant: str) -> int:
    """Read and decode every block of every file; return the size of all files in bytes."""
    headers = [read_header(path, variant) for path in paths]
    size = sum(header["bytes"] for header in headers)
    with make_progress("B") as progress:
        task = progress.add_task("checksums", total=size)
        for path, header in zip(paths, headers, strict=True):
            if path.name != file_name(header):
                raise CorruptTableError(f"{path}: holds {file_name(header)}")
            run_native(_native.Table(str(path), variant).check)
            progress.advance(task, header["bytes"])
    return size


SAMPLES_MOST: Final = 2**63 - 1
"""Most positions of a slice that can be asked for."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many values of each slice are checked: all of them, so many, or a share."""

    number: int | None = None
    share: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Extent":
        """Read `1000` (of each slice) or `0.1%` (of all).

        Raises `ArgumentError` for anything else.
        """
        try:
            extent = cls(share=float(text[:-1]) / 100) if text.endswith("%") else cls(number=int(text))
        except ValueError:
            raise ArgumentError(f"not a number of positions or a share such as 0.1%: {quote(text)}") from None
        if extent.number is not None:
            check_number("the number of samples", extent.number, 1, SAMPLES_MOST)
        if extent.share is not None and not 0 < extent.share <= 1:
            raise ArgumentError(f"the share of samples must be more than 0 and at most 100 %, not {quote(text)}")
        return extent

    def samples(self, positions: int) -> int | None:
        """Return how many of so many positions are drawn; None: every one is looked at."""
        return self.number if self.share is None else max(ceil(positions * self.share), 1)

    @property
    def in_memory(self) -> bool:
        """Whether it pays to read all tables into memory first."""
        return self.number is None


def _check_values(paths: list[Path], variant: str, extent: Extent, threads: int) -> int:
    """Check values against those after each move; return how many. Tables of one draw rule belong together."""
    done = 0
    with make_progress("values") as progress:
        for rule in sorted({rule_of(path) for path in paths}, key=lambda rule: rule or 0):
            chosen = [path for path in paths if rule_of(path) == rule]
            done += _check_rule(chosen, variant, extent, threads, progress)
    return done


def _check_rule(paths: list[Path], variant: str, extent: Extent, threads: int, progress: Progress) -> int:
    library = _native.Library(variant, CACHE_BYTES)
    for path in paths:
        library.add(os.fspath(path))
    tables = sorted({TableName.of(header) for header in library.headers}, key=TableName.order)
    distances = {table.material for table in tables if table.metric != "wdl"}
    # A table of distances is checked together with that of win, draw and loss.
    tables = [table for table in tables if table.metric != "wdl" or table.material not in distances]
    sizes = {table: table.material.positions(variant) for table in tables}
    samples = {table: extent.samples(size) for table, size in sizes.items()}
    task = progress.add_task("reading", total=sum(samples[table] or sizes[table] for table in tables))
    if extent.in_memory:
        run_native(lambda cancel: library.preload(library.largest, BYTES_MOST, threads, cancel))
    if extent == Extent():
        progress.update(task, description="captures")
        run_native(lambda cancel: library.resolve(library.largest, threads, cancel))
    progress.reset(task)
    done = 0
    for table in tables:
        progress.update(task, description=str(table))
        done += _check_slice(library, table, samples[table], threads, progress, task, done)
    progress.remove_task(task)
    return done


def _check_slice(
    library: _native.Library,
    table: TableName,
    sample: int | None,
    threads: int,
    progress: Progress,
    task: TaskID,
    before: int,
) -> int:
    counter = _native.Counter()
    report = run_native(
        lambda cancel: library.verify(table.material, threads, cancel, counter, sample, metric=table.metric),
        lambda: progress.update(task, completed=before + counter.value),
    )
    name = table.material.name
    if report["first_wrong"] is not None:
        position, stored, derived = report["first_wrong"]
        raise CorruptTableError(
            f"{name}: {report['wrong']:,} of {report['positions']:,} values are wrong, the first in "
            f"{write_fen(position)}: {_outcome(*stored)} is stored, its moves make it {_outcome(*derived)}"
        )
    if sample is None and not report["counts_agree"]:
        win, draw, loss = report["counts"]
        longest = "" if table.metric == "wdl" else f", or longest lines than {report['longest']} plies"
        raise CorruptTableError(
            f"{name}: the header counts something else than {win:,} won, {draw:,} drawn and "
            f"{loss:,} lost positions{longest}"
        )
    progress.update(task, completed=before + report["positions"])
    return report["positions"]


def _outcome(wdl: int, plies: int | None) -> str:
    """Return a value in words.

    >>> _outcome(1, None), _outcome(-1, 4)
    ('win', 'loss in 4 plies')
    """
    return CATEGORIES[wdl] if plies is None else f"{CATEGORIES[wdl]} in {plies} plies"
