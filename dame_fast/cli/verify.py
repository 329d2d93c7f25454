"""`verify`: whether the files of a directory are whole, and whether their values are right."""

import os
from pathlib import Path
from typing import Final

import click
from rich.progress import Progress, TaskID

from dame_fast import _native
from dame_fast.build.builder import available_threads
from dame_fast.cli.manifest import check_manifest
from dame_fast.cli.options import examples, json_option, threads_option, variant_option
from dame_fast.cli.output import make_progress, plural, write_json
from dame_fast.errors import ArgumentError, CorruptTableError
from dame_fast.fen import write_fen
from dame_fast.files import file_name, read_header, table_files
from dame_fast.interrupt import run_native
from dame_fast.material import Material
from dame_fast.results import CATEGORIES
from dame_fast.rules import find_rules
from dame_fast.tablebase import CACHE_BYTES


@click.command(
    "verify",
    short_help="Check the files of a directory, or all their values.",
    epilog=examples("dame-fast verify tables", "dame-fast verify tables --full --threads 8"),
)
@click.argument("directory", metavar="DIR")
@click.option("--full", is_flag=True, help="Check every value against those after each move, in memory.")
@click.option("--sample", type=int, metavar="N", help="The same for N positions of each slice.")
@variant_option("Rule set that the tables have to be of", default=None)
@threads_option()
@json_option("Print one JSON object.")
def verify(
    directory: str, full: bool, sample: int | None, variant: str | None, threads: int | None, as_json: bool
) -> None:
    """Check the tables in DIR: all their checksums, and the manifest if there is one.

    The first thing that is wrong ends it, with status 4 for a damaged table and 3 for a missing one.
    """
    if full and sample is not None:
        raise click.UsageError("--full and --sample cannot be used together", click.get_current_context())
    threads = available_threads() if threads is None else threads
    for name, number in (("threads", threads), ("samples", sample)):
        if number is not None and number < 1:
            raise ArgumentError(f"the number of {name} must be 1 or more, not {number}")
    folder = Path(directory)
    paths = table_files(folder)
    variant = read_header(paths[0])["variant"] if variant is None else variant
    find_rules(variant)
    size = _check_files(paths, variant)
    listed = check_manifest(folder, paths)
    values = _check_values(paths, variant, sample, threads) if full or sample else 0
    if as_json:
        write_json(
            {
                "variant": variant,
                "files": len(paths),
                "bytes": size,
                "manifest": listed,
                "check": "full" if full else "sample" if sample else "files",
                "values": values,
            }
        )
        return
    known = "checksums and manifest agree" if listed else "checksums agree (there is no manifest)"
    click.echo(f"{plural(len(paths), 'file')} of {plural(size, 'byte')}: {known}")
    if values:
        sampled = "" if full else "sampled "
        click.echo(f"{plural(len(paths), 'slice')}, {plural(values, sampled + 'value')} consistent")


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


def _check_values(paths: list[Path], variant: str, sample: int | None, threads: int) -> int:
    """Check all values, or `sample` of each slice, against those after each move; return how many."""
    library = _native.Library(variant, CACHE_BYTES)
    for path in paths:
        library.add(os.fspath(path))
    slices = [Material(*header["material"]) for header in library.headers]
    slices.sort(key=lambda material: (material.pieces, material))
    total = sum(sample or material.positions(variant) for material in slices)
    done = 0
    with make_progress("values") as progress:
        task = progress.add_task("reading", total=total)
        if sample is None:
            run_native(lambda cancel: library.preload(library.largest, threads, cancel))
            progress.update(task, description="captures")
            run_native(lambda cancel: library.resolve(library.largest, threads, cancel))
        progress.reset(task)
        for material in slices:
            progress.update(task, description=material.name)
            done += _check_slice(library, material, sample, threads, progress, task, done)
    return done


def _check_slice(
    library: _native.Library,
    material: Material,
    sample: int | None,
    threads: int,
    progress: Progress,
    task: TaskID,
    before: int,
) -> int:
    counter = _native.Counter()
    report = run_native(
        lambda cancel: library.verify(material, threads, cancel, counter, sample),
        lambda: progress.update(task, completed=before + counter.value),
    )
    if report["first_wrong"] is not None:
        position, stored, derived = report["first_wrong"]
        raise CorruptTableError(
            f"{material.name}: {report['wrong']:,} of {report['positions']:,} values are wrong, the first in "
            f"{write_fen(position)}: {CATEGORIES[stored]} is stored, its moves make it {CATEGORIES[derived]}"
        )
    if sample is None and not report["counts_agree"]:
        win, draw, loss = report["counts"]
        raise CorruptTableError(
            f"{material.name}: the header counts something else than {win:,} won, {draw:,} drawn and "
            f"{loss:,} lost positions"
        )
    progress.update(task, completed=before + report["positions"])
    return report["positions"]
