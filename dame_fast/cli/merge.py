"""`merge`: join directories of tables into one."""

from pathlib import Path
from typing import Final

import click

from dame_fast.build.merge import merge_directories
from dame_fast.cli.options import directories, examples, json_option
from dame_fast.cli.output import plural, write_json
from dame_fast.cli.progress import WorkProgress
from dame_fast.cli.status import going_on


@click.command(
    "merge",
    short_help="Join directories of tables into one.",
    epilog=examples(
        "dame-fast merge /media/six /media/seven --into tables", "cd tables && sha256sum -c --quiet SHA256SUMS"
    ),
)
@click.argument("sources", metavar="DIR...", nargs=-1, required=True, shell_complete=directories)
@click.option(
    "--into",
    metavar="DIR",
    required=True,
    shell_complete=directories,
    help="Directory to copy the tables into; it is made if it is not there.",
)
@json_option("Print one JSON object at the end.")
def merge(sources: tuple[str, ...], into: str, as_json: bool) -> None:
    """Copy the tables of each DIR into one directory, and list them in its manifest.json and SHA256SUMS.

    Every table is checked on its way. One that is there already, or in several directories, must be the same file.
    A merge that was interrupted or killed goes on with the same command.
    """
    with going_on(), WorkProgress() as progress:
        found = merge_directories(sources, into, progress=progress)
    if as_json:
        write_json(
            {
                "directory": into,
                "variant": found.variant,
                "files": found.files,
                "bytes": found.bytes,
                "copied": found.copied,
            }
        )
        return
    click.echo(f"{Path(into)}: {plural(found.files, 'file')} of {plural(found.bytes, 'byte')}")
    click.echo(f"{found.copied:,} copied, {found.files - found.copied:,} there already")


COMMANDS: Final = (merge,)
