"""`variants`: the rule sets there are."""

from dataclasses import asdict
from typing import Any, Final

import click
from rich import box
from rich.table import Table

from dame_fast.cli.options import examples, json_option
from dame_fast.cli.output import write_json, write_table
from dame_fast.rules.registry import variants
from dame_fast.rules.rules import SIDE_NAMES, Rules

_CORNERS: Final = {"top_left": "top left", "bottom_right": "bottom right"}


@click.command(
    "variants",
    short_help="Print the rule sets and what they are.",
    epilog=examples("dame-fast variants", "dame-fast variants --json"),
)
@json_option("Print one JSON array: every fact of every rule set.")
def list_variants(as_json: bool) -> None:
    """Print the rule sets: one line each, in the order of their names.

    GameType is the tag of PDN files, "1 is" where such files have square 1, seen by White. This program has it at
    the top left in all rule sets.
    """
    if as_json:
        write_json([_facts(rules) for rules in variants().values()])
    else:
        _print_table()


COMMANDS: Final = (list_variants,)


def _facts(rules: Rules) -> dict[str, Any]:
    derived = ("first", "board", "numbering")
    return asdict(rules) | {name: getattr(rules, name) for name in derived}


def _print_table() -> None:
    table = Table(box=box.SIMPLE)
    for column in ("variant", "GameType", "board", "men", "first", "notation", "1 is", "what it is"):
        table.add_column(column, no_wrap=True, justify="right" if column == "men" else "left")
    for rules in variants().values():
        table.add_row(
            rules.id,
            rules.game_type or "",
            rules.board,
            str(rules.men_at_start),
            SIDE_NAMES[rules.first],
            rules.notation,
            _CORNERS[rules.numbering],
            rules.about,
        )
    write_table(table)
