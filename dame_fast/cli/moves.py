"""`perft` and `moves`: what the rules allow."""

import re
from typing import Final

import click

from dame_fast.arguments import check_number
from dame_fast.board.board import Board
from dame_fast.board.perft import PERFT_DEPTH, divide, perft
from dame_fast.cli.options import examples, json_option, variant_option
from dame_fast.cli.output import write_json
from dame_fast.errors import ArgumentError
from dame_fast.records import legal_moves_record
from dame_fast.text.style import ALGEBRAIC, NUMERIC, file_style

MEMORY_MOST: Final = 2**20
"""GiB of `perft --memory`."""

_NEGATIVE = re.compile("-[0-9]+")
_STYLES: Final = {"numeric": NUMERIC, "algebraic": ALGEBRAIC}


class DepthCommand(click.Command):
    """A command whose argument may be a negative number, which is no option then."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put negative numbers behind `--`."""
        negative = [arg for arg in args if _NEGATIVE.fullmatch(arg)]
        if negative and "--" not in args:
            args = [arg for arg in args if arg not in negative] + ["--", *negative]
        return super().parse_args(ctx, args)


@click.command(
    "perft",
    cls=DepthCommand,
    short_help="Count the lines of play of a given length.",
    epilog=examples(
        "dame-fast perft 8", "dame-fast perft 4 --divide --fen W:WK19,K23:B12,K28", "dame-fast perft 16 --memory 4"
    ),
)
@click.argument("depth", type=int)
@variant_option("Rule set")
@click.option("--fen", metavar="FEN", help="Position to start from. [default: the starting position]")
@click.option("--divide", "divided", is_flag=True, help="Print the count below each move first.")
@click.option("--paths", is_flag=True, help="Count captures that differ only in the order of their jumps apart.")
@click.option("--moves", "by_moves", is_flag=True, help="Count such captures as one move.")
@click.option("--memory", type=float, metavar="GiB", help="Remember counts of positions in so much memory.")
def count(
    depth: int,
    variant: str,
    fen: str | None,
    divided: bool,
    paths: bool,
    by_moves: bool,
    memory: float | None,
) -> None:
    """Count the leaves of the tree of legal moves, DEPTH plies deep.

    The last line is the count alone. Without --paths and --moves it is the one in published tables: by paths, but by
    moves on 10x10 boards and in altdeutsch.
    """
    depth = check_number("depth", depth, 0, PERFT_DEPTH)
    if paths and by_moves:
        raise click.UsageError("--paths and --moves cannot be used together", click.get_current_context())
    orders = None if paths == by_moves else paths
    cache_bytes = 0 if memory is None else _bytes_of(memory)
    board = Board(fen, variant)
    if divided and depth > 0:
        parts = divide(board, depth, paths=orders, cache_bytes=cache_bytes)
        for move, leaves in parts:
            click.echo(f"{board.pdn(move)}: {leaves}")
        total = sum(leaves for _, leaves in parts)
    else:
        total = perft(board, depth, paths=orders, cache_bytes=cache_bytes)
    click.echo(str(total))


def _bytes_of(memory: float) -> int:
    if not 0 < memory <= MEMORY_MOST:
        raise ArgumentError(f"the memory must be more than 0 and at most {MEMORY_MOST} GiB, not {memory:g}")
    return int(memory * 2**30)


@click.command(
    "moves",
    short_help="Print the legal moves of a position.",
    epilog=examples(
        "dame-fast moves W:WK19,K23:B12,K28", "dame-fast moves W:Wc3:Bd4 --variant russian --notation file"
    ),
)
@click.argument("fen")
@variant_option("Rule set")
@click.option(
    "--notation",
    type=click.Choice(["numeric", "algebraic", "file"]),
    default="numeric",
    show_default=True,
    help="11-15, or c3-d4, or as PDN files of the rule set have it.",
)
@json_option("Print one JSON object.")
def show_moves(fen: str, variant: str, notation: str, as_json: bool) -> None:
    """Print the legal moves of a position, one a line.

    Captures have all their landing squares where their ends alone would fit two. FEN is read with numbers from the
    top left, or with letters, in every notation. Moves of towers and altdeutsch have letters in all of them.
    """
    board = Board(fen, variant)
    style = file_style(board.rules) if notation == "file" else _STYLES[notation]
    if not as_json:
        for move in board.legal_moves:
            click.echo(board.pdn(move, style))
        return
    write_json(legal_moves_record(board, style))


COMMANDS: Final = (count, show_moves)
