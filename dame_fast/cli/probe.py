"""`probe`: the value of positions, and what every move leads to."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, Unpack

import click

from dame_fast.arguments import check_number
from dame_fast.board.board import Board
from dame_fast.cli.options import TABLES_OF_RULE, db_option, draw_rule_options, examples, json_option, variant_option
from dame_fast.cli.output import write_error, write_json
from dame_fast.cli.status import DONE, exit_status
from dame_fast.cli.values import describe_value, paint
from dame_fast.errors import CorruptTableError, MissingTableError, PositionError
from dame_fast.records import PositionRecord, position_record
from dame_fast.rules.draw_rule import DrawRule, RulePlies
from dame_fast.rules.rules import SIDE_NAMES
from dame_fast.tables.metric import WITH_PLIES
from dame_fast.tables.tablebase import open_tablebase

_OF_ONE_POSITION: Final = (PositionError, MissingTableError, CorruptTableError)
"""What is wrong with one position, and not with those after it."""


@click.command(
    "probe",
    short_help="Look up positions, and what every move leads to.",
    epilog=examples("dame-fast probe W:WK19,K23:B12,K28", "dame-fast probe --db tables --json - < positions.txt"),
)
@click.argument("fens", metavar="FEN...", nargs=-1, required=True)
@db_option()
@variant_option("Rule set")
@draw_rule_options(TABLES_OF_RULE)
@click.option(
    "--clock",
    type=int,
    metavar="C",
    help="The counter of the draw rule, with --draw-plies or --draw-captures. [default: that of the FEN, or 0]",
)
@json_option("Print one JSON object a line for each position.")
def probe(
    fens: tuple[str, ...],
    db: tuple[str, ...] | None,
    variant: str,
    clock: int | None,
    as_json: bool,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Look up positions: the result with perfect play, and the result that every move leads to.

    FEN - reads positions from standard input, one a line; empty lines and those that start with # are passed over.
    Plies are shown if there are tables of distances: those to the end of the game, else those to the next capture or
    move of a man, else those to the next capture. Moves to where there is no table are unknown.

    A position that is refused does not keep those after it from being answered: its error stands in its place, with
    --json as an object {"line": N, "error": TEXT} of its own ("argument" in place of "line" for a FEN of the command
    line), and the exit status at the end is the greatest of all.
    """
    if clock is not None and all(plies is None for plies in draw_rule.values()):
        raise click.UsageError("--clock needs --draw-plies or --draw-captures", click.get_current_context())
    alone = len(fens) == 1 and fens[0] != "-"
    worst, answered = DONE, False
    with open_tablebase(db, variant=variant, **draw_rule) as tables:
        rule = tables.draw_rule
        if clock is not None and rule is not None:
            check_number("the clock", clock, 0, rule.plies)
        for given in _each_fen(fens):
            try:
                board = Board(given.fen, variant)
                found = position_record(tables, board, clock=clock)
            except _OF_ONE_POSITION as error:
                if alone:
                    raise
                worst = max(worst, exit_status(error))
                if as_json:
                    write_json({given.place: given.number, "error": str(error)})
                else:
                    write_error(f"{_PLACES[given.place]} {given.number}: {error}")
                continue
            if as_json:
                write_json(found)
                continue
            if not alone:
                click.echo(("\n" if answered else "") + found["fen"])
            _print(found, rule)
            answered = True
    if worst != DONE:
        raise click.exceptions.Exit(worst)


COMMANDS: Final = (probe,)

_PLACES: Final = {"line": "line", "argument": "FEN"}
"""Where a position was given, as JSON and as messages call it."""


class _Given(NamedTuple):
    """A FEN and where it stands."""

    place: str
    number: int
    fen: str


def _each_fen(fens: tuple[str, ...]) -> Iterator[_Given]:
    """Return the FENs of the arguments, and for - those of standard input."""
    for number, fen in enumerate(fens, 1):
        if fen != "-":
            yield _Given("argument", number, fen)
            continue
        if sys.stdin is None:
            raise click.UsageError("standard input is closed", click.get_current_context())
        for line, raw in enumerate(sys.stdin.buffer, 1):
            text = raw.decode(errors="backslashreplace").removeprefix("\ufeff").strip()
            if text and not text.startswith("#"):
                yield _Given("line", line, text)


def _print(found: PositionRecord, rule: DrawRule | None) -> None:
    value = describe_value(found["category"], _distances(found))
    if not found["moves"]:
        by_rule = found["wdl"] == 0 and rule is not None
        value = f"{describe_value(found['category'])} ({rule if by_rule else 'no legal move'})"
    click.echo(f"{SIDE_NAMES[found['turn']]} to move {paint(value, found['category'])}")
    width = max((len(move["move"]) for move in found["moves"]), default=0)
    for move in found["moves"]:
        value = describe_value(move["category"], _distances(move), move["missing"])
        click.echo(f"  {move['move']:<{width}}  {paint(value, move['category'])}")


def _distances(record: Mapping[str, Any]) -> dict[str, int | None]:
    return {name: record[name] for name in WITH_PLIES}
