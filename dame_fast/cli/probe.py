"""`probe`: the value of positions, and what every move leads to."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, Unpack

import click

from dame_fast.board.board import Board
from dame_fast.cli.options import TABLES_OF_RULE, db_option, draw_rule_options, examples, json_option, variant_option
from dame_fast.cli.output import plies_text, write_json
from dame_fast.errors import DameError, MissingTableError
from dame_fast.rules.draw_rule import DrawRule, RulePlies
from dame_fast.rules.rules import SIDE_NAMES
from dame_fast.tables.metric import METRICS, WITH_PLIES
from dame_fast.tables.results import CATEGORIES, Category, MoveResult
from dame_fast.tables.tablebase import Tablebase, open_tablebase

_VERBS: Final[dict[Category, str]] = {"win": "wins", "draw": "draws", "loss": "loses", "unknown": "unknown"}


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
    db: str | None,
    variant: str,
    clock: int | None,
    as_json: bool,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Look up positions: the result with perfect play, and the result that every move leads to.

    FEN - reads positions from standard input, one a line. Plies are shown if there are tables of distances: those to
    the end of the game, else those to the next capture or move of a man, else those to the next capture. Moves to where
    there is no table are unknown.
    """
    if clock is not None and all(plies is None for plies in draw_rule.values()):
        raise click.UsageError("--clock needs --draw-plies or --draw-captures", click.get_current_context())
    with open_tablebase(db, variant=variant, **draw_rule) as tables:
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
                _print(board, found, tables.draw_rule)


COMMANDS: Final = (probe,)


def move_record(result: MoveResult) -> dict[str, Any]:
    """Return what JSON output says of a move."""
    return {
        "move": result.pdn,
        "category": result.category,
        "wdl": result.wdl,
        **result.distances,
        "capture": result.capture,
        "zeroing": result.zeroing,
        "missing": result.missing,
    }


def describe_value(category: Category, distances: Mapping[str, int | None], missing: str | None = None) -> str:
    """Return a result with its first distance in words; of an unknown move, which table is missing.

    >>> describe_value("win", {"dtw": 61, "dtz": 7}), describe_value("loss", {"dtw": None, "dtz": -1})
    ('wins in 61 plies', 'loses, next capture or man move in 1 ply')
    >>> describe_value("unknown", {}, "no table of KKvK")
    'unknown (no table of KKvK)'
    """
    if missing is not None:
        return f"{category} ({missing})"
    for name, plies in distances.items():
        if plies is not None:
            what = f", {METRICS[name].about}" if METRICS[name].captures_end_phase else ""
            return f"{_VERBS[category]}{what} in {plies_text(plies)}"
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
    moves = tables.moves(board, clock=clock)
    wdl = _result(tables, board, moves, clock)
    return {
        "fen": board.fen(),
        "variant": board.variant,
        "turn": board.turn,
        "category": CATEGORIES[wdl],
        "wdl": wdl,
        **{name: _distance(tables, board, name, clock) for name in WITH_PLIES},
        "moves": [move_record(result) for result in moves],
    }


def _distance(tables: Tablebase, board: Board, metric: str, clock: int | None) -> int | None:
    try:
        return tables.probe_distance(board, metric, clock=clock)
    except MissingTableError:
        return None


def _distances_in(record: Mapping[str, Any]) -> dict[str, int | None]:
    return {name: record[name] for name in WITH_PLIES}


def _result(tables: Tablebase, board: Board, moves: list[MoveResult], clock: int | None) -> int:
    """Return the result of a position: that of its table or, without one, what its moves prove."""
    try:
        return tables.probe_wdl(board, clock=clock)
    except MissingTableError:
        best = moves[0].wdl
        if best is None or (best < 1 and moves[-1].wdl is None):
            raise
        return best


def _print(board: Board, found: dict[str, Any], rule: DrawRule | None) -> None:
    if found["moves"]:
        value = describe_value(found["category"], _distances_in(found))
    elif found["wdl"] != 0 or rule is None:
        value = f"{_VERBS[found['category']]} (no legal move)"
    else:
        value = f"{_VERBS[found['category']]} ({rule})"
    click.echo(f"{SIDE_NAMES[board.turn]} to move {value}")
    width = max((len(move["move"]) for move in found["moves"]), default=0)
    for move in found["moves"]:
        value = describe_value(move["category"], _distances_in(move), move["missing"])
        click.echo(f"  {move['move']:<{width}}  {value}")
