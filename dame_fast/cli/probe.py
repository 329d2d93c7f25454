"""`probe`: the value of positions, and what every move leads to."""

import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from dame_fast.board.board import Board
from dame_fast.cli.options import db_option, draw_plies_option, examples, json_option, variant_option
from dame_fast.cli.output import plies_text, write_json
from dame_fast.errors import DameError
from dame_fast.rules.rules import SIDE_NAMES
from dame_fast.tables.results import CATEGORIES, Category, MoveResult
from dame_fast.tables.tablebase import Tablebase, open_tablebase

_VERBS: Final[dict[Category, str]] = {"win": "wins", "draw": "draws", "loss": "loses"}


@click.command(
    "probe",
    short_help="Look up positions, and what every move leads to.",
    epilog=examples("dame-fast probe W:WK19,K23:B12,K28", "dame-fast probe --db tables --json - < positions.txt"),
)
@click.argument("fens", metavar="FEN...", nargs=-1, required=True)
@db_option()
@variant_option("Rule set")
@draw_plies_option()
@click.option(
    "--clock",
    type=int,
    metavar="C",
    help="Plies since the last capture or move of a man; with --draw-plies. [default: those of the FEN, or 0]",
)
@json_option("Print one JSON object a line for each position.")
def probe(
    fens: tuple[str, ...],
    db: tuple[str, ...] | None,
    variant: str,
    draw_plies: int | None,
    clock: int | None,
    as_json: bool,
) -> None:
    """Look up positions: the result with perfect play, and the result that every move leads to.

    FEN - reads positions from standard input, one a line. Plies are shown if there are tables of distances: those to
    the end of the game, else those to the next capture or move of a man.
    """
    if clock is not None and draw_plies is None:
        raise click.UsageError("--clock needs --draw-plies", click.get_current_context())
    with open_tablebase(db, variant=variant, draw_plies=draw_plies) as tables:
        several = len(fens) > 1 or "-" in fens
        for number, (place, fen) in enumerate(_each_fen(fens)):
            try:
                board = Board(fen, variant)
                found = _describe(tables, board, clock)
            except DameError as error:
                error.args = (f"{place}{error}",)
                raise
            if as_json:
                write_json(found)
            else:
                if several:
                    click.echo(("" if number == 0 else "\n") + found["fen"])
                _print(board, found)


COMMANDS: Final = (probe,)


def move_record(result: MoveResult) -> dict[str, Any]:
    """Return what JSON output says of a move."""
    return {
        "move": result.pdn,
        "category": result.category,
        "wdl": result.wdl,
        "dtw": result.dtw,
        "dtz": result.dtz,
        "capture": result.capture,
        "zeroing": result.zeroing,
    }


def describe_value(category: Category, dtw: int | None, dtz: int | None) -> str:
    """Return a result with its distance in words.

    >>> describe_value("win", 61, 7), describe_value("loss", None, -1), describe_value("draw", None, None)
    ('wins in 61 plies', 'loses, next capture or man move in 1 ply', 'draws')
    """
    if dtw is not None:
        return f"{_VERBS[category]} in {plies_text(dtw)}"
    if dtz is not None:
        return f"{_VERBS[category]}, next capture or man move in {plies_text(dtz)}"
    return _VERBS[category]


def _each_fen(fens: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Return where each FEN stands, for messages, and the FEN; of one FEN alone nobody has to be told."""
    for number, fen in enumerate(fens, 1):
        if fen == "-":
            if sys.stdin is None:
                raise click.UsageError("standard input is closed", click.get_current_context())
            for line, text in enumerate(sys.stdin.buffer, 1):
                if text.strip():
                    yield f"line {line}: ", text.decode(errors="backslashreplace").strip()
        else:
            yield "" if len(fens) == 1 else f"FEN {number}: ", fen


def _describe(tables: Tablebase, board: Board, clock: int | None) -> dict[str, Any]:
    wdl = tables.probe_wdl(board, clock=clock)
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "category": CATEGORIES[wdl],
        "wdl": wdl,
        "dtw": tables.get_dtw(board),
        "dtz": tables.get_dtz(board, clock=clock),
        "moves": [move_record(result) for result in tables.moves(board, clock=clock)],
    }


def _print(board: Board, found: dict[str, Any]) -> None:
    if found["moves"]:
        value = describe_value(found["category"], found["dtw"], found["dtz"])
        click.echo(f"{SIDE_NAMES[board.turn]} to move {value}")
    else:
        click.echo(f"{SIDE_NAMES[board.turn]} to move {_VERBS[found['category']]} (no legal move)")
    width = max((len(move["move"]) for move in found["moves"]), default=0)
    for move in found["moves"]:
        value = describe_value(move["category"], move["dtw"], move["dtz"])
        click.echo(f"  {move['move']:<{width}}  {value}")
