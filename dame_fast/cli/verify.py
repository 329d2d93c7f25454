"""`verify`: whether the files of a directory are whole, and whether their values are right."""

from typing import Final

import click

from dame_fast.build.machine import available_memory
from dame_fast.build.room import limit_bytes
from dame_fast.cli.options import directories, examples, json_option, slices_options, threads_option, variant_option
from dame_fast.cli.output import plural, write_json
from dame_fast.cli.progress import WorkProgress
from dame_fast.tables.manifest import MANIFEST
from dame_fast.tables.material import Material
from dame_fast.tables.verification import EVERY_VALUE, Extent, verify_directory


@click.command(
    "verify",
    short_help="Check the files of a directory, or all their values.",
    epilog=examples(
        "dame-fast verify tables",
        "dame-fast verify tables --full --threads 8",
        "dame-fast verify tables --slices KKKKvKKKK --sample 0.1%",
    ),
)
@click.argument("directory", metavar="DIR", shell_complete=directories)
@slices_options("Only the tables of 2 to N pieces.", "Only the tables of these slices, in all metrics.")
@click.option("--full", is_flag=True, help="Check every value against those after each move, in memory.")
@click.option(
    "--sample",
    metavar="N|P%",
    help="The same for N positions of each slice, without much memory, or for P % of all, in memory.",
)
@variant_option("Rule set that the tables have to be of", default=None)
@threads_option()
@click.option(
    "--memory",
    type=float,
    metavar="GiB",
    help="Read no more tables than this into memory for --full and P%. [default: 3/4 of what is available]",
)
@json_option("Print one JSON object.")
def verify(
    directory: str,
    pieces: int | None,
    slices: tuple[Material, ...],
    full: bool,
    sample: str | None,
    variant: str | None,
    threads: int | None,
    memory: float | None,
    as_json: bool,
) -> None:
    """Check the tables in DIR: all their checksums, and manifest.json and SHA256SUMS if they are there.

    The first thing that is wrong ends it, with status 4 for a damaged table and 3 for a missing one.
    """
    if full and sample is not None:
        raise click.UsageError("--full and --sample cannot be used together", click.get_current_context())
    extent = EVERY_VALUE if full else None if sample is None else Extent.parse(sample)
    with WorkProgress() as progress:
        found = verify_directory(
            directory,
            extent=extent,
            pieces=pieces,
            slices=slices,
            variant=variant,
            threads=threads,
            memory=_bytes_for_tables(memory),
            progress=progress,
        )
    if as_json:
        write_json(
            {
                "variant": found.variant,
                "files": found.files,
                "bytes": found.bytes,
                "manifest": found.unlisted is not None,
                "unlisted": found.files if found.unlisted is None else found.unlisted,
                "check": "full" if full else "sample" if sample else "files",
                "values": found.values,
            }
        )
        return
    known = "checksums agree (there is no manifest)" if found.unlisted is None else "checksums and manifest agree"
    click.echo(f"{plural(found.files, 'file')} of {plural(found.bytes, 'byte')}: {known}")
    if found.unlisted:
        whole = plural(found.unlisted, "whole file")
        click.echo(f"{whole} not listed in {MANIFEST} (a build or merge is not finished)")
    if found.values:
        sampled = "" if full else "sampled "
        click.echo(f"{plural(found.slices, 'slice')}, {plural(found.values, sampled + 'value')} consistent")


COMMANDS: Final = (verify,)


def _bytes_for_tables(limit: float | None) -> int | None:
    """Return the bytes of a limit in GiB; without one, of memory that leaves some for all else."""
    if limit is None:
        available = available_memory()
        return None if available is None else available * 3 // 4
    return limit_bytes(limit)
