"""`probe`: the value of positions, and what every move leads to."""

import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from dame_fast.board import Board
from dame_fast.cli.options import examples, json_option, variant_option
from dame_fast.cli.output import write_json
from dame_fast.errors import DameError
from dame_fast.rules import SIDE_NAMES
from dame_fast.tablebase import CATEGORIES, Category, Tablebase, open_tablebase

_VERBS: Final[dict[Category, str]] = {"win": "wins", "draw": "draws", "loss": "loses"}


@click.command(
    "probe",
    short_help="Look up positions, and what every move leads to.",
    epilog=examples("dame-fast probe W:WK19,K23:B12,K28", "dame-fast probe --db tables --json - < positions.txt"),
)
@click.argument("fens", metavar="FEN...", nargs=-1, required=True)
@click.option("--db", metavar="DIR", help="Directory of the tables. [default: those of the package]")
@variant_option("Rule set")
@json_option("Print one JSON object a line for each position.")
def probe(fens: tuple[str, ...], db: str | None, variant: str, as_json: bool) -> None:
    """Look up positions: the result with perfect play, and the result that every move leads to.

    FEN - reads positions from standard input, one a line.
    """
    with open_tablebase(db, variant=variant) as tables:
        several = len(fens) > 1 or "-" in fens
        for number, (place, fen) in enumerate(_each_fen(fens)):
            try:
                board = Board(fen, variant)
                found = _describe(tables, board)
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


def _describe(tables: Tablebase, board: Board) -> dict[str, Any]:
    wdl = tables.probe_wdl(board)
    moves = [
        {
            "move": result.pdn,
            "category": result.category,
            "wdl": result.wdl,
            "dtw": result.dtw,
            "dtz": result.dtz,
            "capture": result.capture,
            "zeroing": result.zeroing,
        }
        for result in tables.moves(board)
    ]
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "category": CATEGORIES[wdl],
        "wdl": wdl,
        "dtw": tables.get_dtw(board),
        "dtz": tables.get_dtz(board),
        "moves": moves,
    }


def _print(board: Board, found: dict[str, Any]) -> None:
    ended = "" if found["moves"] else " (no legal move)"
    click.echo(f"{SIDE_NAMES[board.turn]} to move {_VERBS[found['category']]}{ended}")
    width = max((len(move["move"]) for move in found["moves"]), default=0)
    for move in found["moves"]:
        click.echo(f"  {move['move']:<{width}}  {_VERBS[move['category']]}")
