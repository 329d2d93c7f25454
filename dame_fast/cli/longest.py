"""`longest`: the positions that take longest to win, or to lose."""

from collections.abc import Iterator, Sequence
from typing import Final, Unpack

import click

from dame_fast.arguments import check_number, check_pieces, threads_or_all
from dame_fast.board.board import Board
from dame_fast.cli.options import (
    TABLES_OF_RULE,
    db_option,
    draw_rule_options,
    examples,
    json_option,
    threads_option,
    variant_option,
)
from dame_fast.cli.output import plies_text, plural, write_json
from dame_fast.cli.progress import WorkProgress
from dame_fast.cli.values import paint
from dame_fast.errors import MissingTableError
from dame_fast.records import longest_record
from dame_fast.rules.draw_rule import RulePlies
from dame_fast.tables.material import Material, slices
from dame_fast.tables.metric import METRICS, WITH_PLIES
from dame_fast.tables.results import Category
from dame_fast.tables.tablebase import LONGEST_MOST, Tablebase, open_tablebase


@click.command(
    "longest",
    short_help="Print the positions that take longest to win.",
    epilog=examples("dame-fast longest KMMvM", "dame-fast longest --pieces 4 --loss --limit 3"),
)
@click.argument("material", required=False)
@click.option("--pieces", type=int, metavar="N", help="The longest of all slices of N pieces, instead of MATERIAL.")
@db_option()
@variant_option("Rule set")
@draw_rule_options(TABLES_OF_RULE)
@click.option(
    "--metric",
    type=click.Choice(WITH_PLIES),
    default=WITH_PLIES[0],
    show_default=True,
    help="; ".join(f"{name}: plies to the {METRICS[name].about}" for name in WITH_PLIES) + ".",
)
@click.option("--loss", is_flag=True, help="Those that the side to move loses, instead of those it wins.")
@click.option("--limit", type=int, default=10, show_default=True, metavar="N", help="Print at most N positions.")
@threads_option()
@json_option("Print one JSON object a line for each position.")
def longest_command(
    material: str | None,
    pieces: int | None,
    db: tuple[str, ...] | None,
    variant: str,
    metric: str,
    loss: bool,
    limit: int,
    threads: int | None,
    as_json: bool,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Print the positions of a slice that take longest, one a line: slice, plies and FEN.

    MATERIAL names the slice, the side to move first: KKvM has 2 kings against a man. Black is to move in all positions;
    with colours swapped and the board turned they are White's.
    """
    if (material is None) == (pieces is None):
        raise click.UsageError("give either MATERIAL or --pieces", click.get_current_context())
    check_number("limit", limit, 1, LONGEST_MOST)
    threads = threads_or_all(threads)
    wanted = slices(check_pieces(pieces)) if pieces is not None else [Material.parse(material or "")]
    result: Category = "loss" if loss else "win"
    with open_tablebase(db, variant=variant, **draw_rule) as tables:
        rule = tables.draw_rule
        lengths = _read_lengths(tables, wanted, metric, result)
        plies = max((length for length in lengths.values() if length is not None), default=None)
        chosen = [one for one, length in lengths.items() if length is not None and length == plies]
        # One more than is printed tells whether there are more.
        found = list(_find(tables, chosen, metric, result, min(limit + 1, LONGEST_MOST), threads))
    for one, board in found[:limit]:
        assert plies is not None
        if as_json:
            write_json(longest_record(board, one, metric, result, plies, rule))
        else:
            click.echo(f"{one.name}  {paint(plies_text(plies), result)}  {board.fen()}")
    if not as_json:
        _print_remarks(result, len(found), limit, len(wanted) - len(lengths), pieces)


COMMANDS: Final = (longest_command,)


def _read_lengths(
    tables: Tablebase, wanted: Sequence[Material], metric: str, result: Category
) -> dict[Material, int | None]:
    """Return the plies of the longest win (loss) of every slice that there is a table of.

    Raises `MissingTableError` if there is none.
    """
    lengths: dict[Material, int | None] = {}
    for one in wanted:
        try:
            lengths[one] = tables.longest_plies(one, metric=metric, result=result)
        except MissingTableError:
            if len(wanted) == 1:
                raise
    if not lengths:
        raise MissingTableError(tables.describe_missing(wanted[0].pieces, metric))
    return lengths


def _find(
    tables: Tablebase, chosen: Sequence[Material], metric: str, result: Category, limit: int, threads: int
) -> Iterator[tuple[Material, Board]]:
    """Look through slices one after the other until there are `limit` positions."""
    with WorkProgress() as progress:
        for one in chosen:
            boards = tables.longest(one, metric=metric, result=result, limit=limit, threads=threads, progress=progress)
            yield from ((one, board) for board in boards)
            limit -= len(boards)
            if limit == 0:
                return


def _print_remarks(result: Category, found: int, limit: int, left_out: int, pieces: int | None) -> None:
    if not found:
        click.echo(f"No position is {'won' if result == 'win' else 'lost'}")
    elif found > limit:
        click.echo("There are more (--limit)")
    if left_out:
        click.echo(f"{plural(left_out, 'slice')} of {pieces} pieces left out: there is no table")
