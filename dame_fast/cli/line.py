"""`line`: perfect play from a position to the end of the game."""

from typing import Final, Unpack

import click

from dame_fast.board.board import Board
from dame_fast.cli.options import (
    TABLES_OF_RULE,
    db_option,
    draw_rule_options,
    examples,
    json_option,
    variant_option,
)
from dame_fast.cli.output import plies_text, write_json
from dame_fast.cli.values import paint
from dame_fast.records import line_record
from dame_fast.rules.draw_rule import DrawRule, RulePlies
from dame_fast.rules.rules import SIDE_NAMES, Side
from dame_fast.tables.metric import METRICS
from dame_fast.tables.results import MoveResult
from dame_fast.tables.tablebase import open_tablebase


@click.command(
    "line",
    short_help="Print a line of best moves to the end of the game.",
    epilog=examples("dame-fast line W:WK19,K23:B12,K28", "dame-fast line B:WK6,K9:BK15 --json"),
)
@click.argument("fen")
@db_option()
@variant_option("Rule set")
@draw_rule_options(TABLES_OF_RULE)
@json_option("Print one JSON object.")
def line_command(
    fen: str, db: tuple[str, ...] | None, variant: str, as_json: bool, **draw_rule: Unpack[RulePlies]
) -> None:
    """Print a line of best moves of both sides, one a line, and how it ends.

    Behind each move stand the plies to the end of the game or, where no table holds these, those to the next capture or
    move of a man (with a z), or to the next capture (with a c); the move is counted in. A drawn line ends where a
    position comes back.
    """
    board = Board(fen, variant)
    with open_tablebase(db, variant=variant, **draw_rule) as tables:
        line, rule = tables.mainline(board), tables.draw_rule
    record = line_record(board, line, rule)
    if as_json:
        write_json(record)
        return
    width = max((len(result.pdn) for result in line), default=0)
    for result in line:
        click.echo(f"{result.pdn:<{width}}  {paint(_distance(result), result.category)}".rstrip())
        board.push(result.move)
    click.echo(_ending(record["winner"], len(line), board, rule))


COMMANDS: Final = (line_command,)


def _distance(result: MoveResult) -> str:
    for name, plies in result.distances.items():
        if plies is not None:
            return f"{abs(plies)}{name[-1] if METRICS[name].captures_end_phase else ''}"
    return ""


def _ending(winner: Side | None, plies: int, board: Board, rule: DrawRule | None) -> str:
    if winner is not None:
        return f"{SIDE_NAMES[winner]} wins in {plies_text(plies)}" if plies else f"{SIDE_NAMES[winner]} has won"
    if board.result_at_end(rule) == 0:
        return f"Draw: {rule}"
    return "Draw: the position comes back"
