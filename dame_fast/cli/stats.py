"""`stats`: what the headers of the tables in a directory say."""

import csv
import io
import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import click
from rich import box
from rich.table import Table

from dame_fast.arguments import check_path
from dame_fast.cli.options import directories, examples
from dame_fast.cli.output import write_table
from dame_fast.errors import ArgumentError, CorruptTableError, VariantError
from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule, rule_order
from dame_fast.rules.find import find_table_rules
from dame_fast.tables.files import read_header, table_files
from dame_fast.tables.material import Material

COLUMNS: Final = (
    "variant",
    "metric",
    *DRAW_COUNTERS,
    "pieces",
    "sm",
    "sk",
    "om",
    "ok",
    "positions",
    "win",
    "draw",
    "loss",
    "max_win",
    "max_loss",
    "bytes",
)
"""sm, sk, om, ok: men and kings of the side to move, men and kings of the other side."""


Row = dict[str, Any]


@click.command(
    "stats",
    short_help="Print wins, draws and losses of every slice.",
    epilog=examples("dame-fast stats tables --format csv"),
)
@click.argument("directory", metavar="DIR", shell_complete=directories)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="For people, or for programs.",
)
def stats(directory: str, form: str) -> None:
    """Print what the tables in DIR hold: wins, draws and losses of every slice.

    Names and counts are those of the side to move, whose pieces stand first: KKvM has 2 kings against a man.
    """
    rows = [_read_row(path) for path in table_files(check_path("directory", directory))]
    rows.sort(key=lambda row: [row[column] for column in ("pieces", "sm", "sk", "om", "ok")])
    if form == "csv":
        _print_csv(rows)
    elif form == "json":
        click.echo("[\n" + ",\n".join(f"  {json.dumps(row)}" for row in rows) + "\n]")
    else:
        _print_tables(rows)


COMMANDS: Final = (stats,)


def _read_row(path: Path) -> Row:
    header = read_header(path)
    try:
        find_table_rules(header["variant"])
    except VariantError as error:
        raise VariantError(f"{path}: {error}") from None
    material = Material(*header["material"])
    try:
        positions = material.positions(header["variant"])
    except ArgumentError as error:
        raise CorruptTableError(f"{path}: header: {error}") from None
    if header["win"] + header["draw"] + header["loss"] != positions:
        raise CorruptTableError(f"{path}: header: win, draw and loss do not add up")
    facts: Row = {**header, "pieces": material.pieces, "positions": positions}
    facts.update(zip(("sm", "sk", "om", "ok"), material, strict=True))
    return {column: facts[column] for column in COLUMNS}


def _print_csv(rows: Sequence[Row]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    click.echo(text.getvalue(), nl=False)


def _print_tables(rows: Sequence[Row]) -> None:
    """Print one table for each rule set and metric."""

    def heading(row: Row) -> tuple[str, str, tuple[int, int]]:
        return row["variant"], row["metric"], rule_order(DrawRule.among(row))

    for (variant, metric, _), group in groupby(sorted(rows, key=heading), heading):
        some = list(group)
        rule = DrawRule.among(some[0])
        limit = "" if rule is None else f", drawn after {rule}"
        _print_table(f"{variant}, {metric}{limit}", some)


def _print_table(title: str, rows: Sequence[Row]) -> None:
    counts = ("positions", "win", "draw", "loss", "bytes")
    table = Table(title=title, title_justify="left", box=box.SIMPLE, show_footer=True)
    table.add_column("slice", f"{len(rows)} in all")
    for column in counts:
        table.add_column(column, f"{sum(row[column] for row in rows):,}", justify="right", no_wrap=True)
    for row in rows:
        name = Material(row["sm"], row["sk"], row["om"], row["ok"]).name
        table.add_row(name, *(f"{row[column]:,}" for column in counts))
    write_table(table)
