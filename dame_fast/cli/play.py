"""`play`: a person against the tables, in the terminal."""

import random
import sys
from contextlib import suppress
from importlib import import_module
from typing import Final, Unpack

import click

from dame_fast.board.board import Board
from dame_fast.cli.options import TABLES_OF_RULE, db_option, draw_rule_options, examples, variant_option
from dame_fast.cli.output import draw_board, plies_text
from dame_fast.cli.values import describe_value, paint
from dame_fast.errors import ArgumentError, MissingTableError, MoveError
from dame_fast.game.game import Ending, Game
from dame_fast.position.move import Move
from dame_fast.rules.draw_rule import RulePlies
from dame_fast.rules.rules import BLACK, SIDE_NAMES, WHITE, Side
from dame_fast.tables.results import Category
from dame_fast.tables.tablebase import Tablebase, open_tablebase

OFFER_PLIES: Final = 8
"""Plies between a draw offer that was declined and the next one."""

_HELP: Final = """\
A move is its squares: 11-15, 11x18, and 11x18x25 where 11x25 is ambiguous.
w and b are men, W and B kings; a number is an empty square.

  moves   the legal moves            undo     take back your last move
  hint    the best move              draw     offer a draw
  board   show the board again       resign   give the game up
  help    this text                  quit     leave the game (or Ctrl-D)"""


@click.command(
    "play",
    short_help="Play against the tables.",
    epilog=examples("dame-fast play W:WK19,K23:B12,K28", "dame-fast play W:WK6,K9:BK15 --side black"),
)
@click.argument("fen", metavar="FEN|start")
@db_option()
@variant_option("Rule set")
@draw_rule_options(TABLES_OF_RULE)
@click.option("--side", type=click.Choice(["white", "black"]), help="Your side. [default: the one to move]")
@click.option(
    "--level",
    type=click.Choice(["perfect", "random"]),
    default="perfect",
    show_default=True,
    help="How the computer plays.",
)
@click.option("--seed", type=int, metavar="S", help="Makes random moves the same every time.")
def play_command(
    fen: str,
    db: tuple[str, ...] | None,
    variant: str,
    side: str | None,
    level: str,
    seed: int | None,
    **draw_rule: Unpack[RulePlies],
) -> None:
    """Play a game from FEN, or from the starting position, against the computer.

    It plays by the tables; where none covers the position, it plays a random move and says so. A position that comes
    for the third time (in Italian draughts for the fourth) is a draw.
    """
    board = Board(None if fen == "start" else fen, variant)
    person = board.turn if side is None else WHITE if side == "white" else BLACK
    with open_tablebase(db, variant=variant, **draw_rule) as tables:
        chance = random.Random(seed)
        Dialogue(Game(board, **draw_rule), tables, person, chance, perfect=level == "perfect").run()


COMMANDS: Final = (play_command,)


class Dialogue:
    """One game between a person at the keyboard and the computer."""

    def __init__(self, game: Game, tables: Tablebase, person: Side, chance: random.Random, *, perfect: bool) -> None:
        self._game = game
        self._tables = tables
        self._person = person
        self._chance = chance
        self._perfect = perfect
        self._next_offer = 0
        self._left = False
        self._commands = {
            "moves": self._show_moves,
            "hint": self._hint,
            "board": self._show_board,
            "help": lambda: click.echo(_HELP),
            "undo": self._undo,
            "draw": self._offer_draw,
            "resign": lambda: game.resign(person),
            "quit": self._leave,
        }

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        with suppress(ImportError):
            import_module("readline")  # makes input() edit lines
        click.echo(f"You play {SIDE_NAMES[self._person]}. Type a move, or help.")
        self._show_board()
        while not self._left:
            ending = self._game.ending
            if ending is not None:
                click.echo(paint(f"{ending}.", self._category(ending)))
                return
            if self._game.board.turn == self._person:
                self._listen()
            else:
                self._answer()
        click.echo("Goodbye.")

    def _category(self, ending: Ending) -> Category:
        """Return what an ending is for the person."""
        if ending.winner is None:
            return "draw"
        return "win" if ending.winner == self._person else "loss"

    def _listen(self) -> None:
        """Do what the person types: a command, or a move."""
        text = _ask(f"{SIDE_NAMES[self._person]} to move: ")
        if text is None:
            click.echo()
            self._leave()
        elif text.lower() in self._commands:
            self._commands[text.lower()]()
        elif text:
            try:
                self._push(self._game.board.parse_pdn(text))
            except MoveError as error:
                click.echo(f"{error} (type moves or help)")

    def _answer(self) -> None:
        """Make the computer's move."""
        board = self._game.board
        move, note = self._choose(board)
        click.echo(f"{SIDE_NAMES[board.turn]} plays {board.pdn(move)}{note}")
        self._push(move)

    def _choose(self, board: Board) -> tuple[Move, str]:
        """Return the computer's move, and what has to be said about it."""
        if self._perfect:
            with suppress(MissingTableError):
                move = self._tables.best_move(board)
                assert move is not None
                return move, ""
            best = self._tables.moves(board)[0]
            if best.wdl is not None:
                return best.move, " (good, but without all tables not surely the best)"
            return self._chance.choice(board.legal_moves), " (no table covers the position: a random move)"
        return self._chance.choice(board.legal_moves), ""

    def _push(self, move: Move) -> None:
        self._game.push(move)
        self._show_board()

    def _show_board(self) -> None:
        click.echo(draw_board(self._game.board))

    def _show_moves(self) -> None:
        board = self._game.board
        click.echo(" ".join(board.pdn(move) for move in board.legal_moves))

    def _hint(self) -> None:
        board = self._game.board
        try:
            move = self._tables.best_move(board)
            best = next(result for result in self._tables.moves(board) if result.move == move)
            value = describe_value(best.category, best.distances)
            click.echo(f"{best.pdn} {paint(value, best.category)}")
        except MissingTableError as error:
            click.echo(f"No hint: {error}")

    def _undo(self) -> None:
        """Take moves back until the person is to move again."""
        if self._game.plies < 2:
            click.echo("There is no move of yours to take back.")
            return
        self._game.pop()
        self._game.pop()
        self._next_offer = min(self._next_offer, self._game.plies + OFFER_PLIES)
        self._show_board()

    def _offer_draw(self) -> None:
        wait = self._next_offer - self._game.plies
        if wait > 0:
            click.echo(f"The computer has declined; you may offer a draw again in {plies_text(wait)}.")
        elif self._tables.get_wdl(self._game.board) == 0:
            self._game.agree_draw()
        else:
            self._next_offer = self._game.plies + OFFER_PLIES
            click.echo("The computer declines the draw.")

    def _leave(self) -> None:
        self._left = True


def _ask(prompt: str) -> str | None:
    """Return a line of the person without blanks around it, None at the end of the input."""
    if sys.stdin is None:
        return None
    try:
        return input(prompt).strip()
    except EOFError:
        return None
    except UnicodeDecodeError:
        raise ArgumentError("standard input is no text") from None
