"""`play`: whole games, by a person at a pseudo-terminal."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]
import pytest
from small_tables import Command

from dame_fast import Board, open_tablebase

PROMPT = r"(?:White|Black) to move: "
WON = "W:WK15,K18:BK4"
DRAWN = "B:WK1:BK32"

Start = Callable[..., Any]


@pytest.fixture
def start(three_pieces: Path) -> Iterator[Start]:
    """Start a game in a terminal, on the tables of 3 pieces; without colours unless they are wanted."""
    running = []

    def spawn(*arguments: str, colours: bool = False) -> Any:
        given = ["-P", "-m", "dame_fast", "play", *arguments, "--db", str(three_pieces)]
        plain = {**os.environ, "NO_COLOR": "" if colours else "1"}
        child = pexpect.spawn(sys.executable, given, encoding="utf-8", timeout=20, echo=False, env=plain)
        running.append(child)
        return child

    yield spawn
    for child in running:
        child.close(force=True)


def end(child: Any, text: str, status: int = 0) -> None:
    """Expect the last words."""
    child.expect_exact(text)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == status


def say(child: Any, text: str) -> None:
    child.expect(PROMPT)
    child.sendline(text)


def test_a_game_won(start: Start) -> None:
    child = start(WON)
    child.expect_exact("You play White.")
    say(child, "15-11")
    child.expect_exact("Black plays 4-8")
    say(child, "11x4")
    end(child, "White wins: Black has no piece left.")


def test_a_game_won_with_hints(start: Start) -> None:
    """Two kings against one in the double corner, with the computer to defend as long as it can."""
    child = start("W:WK6,K9:BK15")
    for _ in range(14):
        say(child, "hint")
        child.expect(r"([0-9]+[x-][0-9]+) wins")
        say(child, child.match[1])
        if child.expect(["Black plays ", "White wins"]) == 1:
            break
    end(child, ": Black has no ")


def test_a_game_lost(start: Start) -> None:
    """The person plays Black, and the computer's way is the shortest."""
    child = start(WON, "--side", "black")
    child.expect_exact("White plays 15-11")
    say(child, "4-8")
    child.expect_exact("White plays 11x4")
    end(child, "White wins: Black has no piece left.")


def test_colours(start: Start) -> None:
    """Green is what is good for the person."""
    child = start(WON, colours=True)
    say(child, "hint")
    child.expect_exact("15-11 \x1b[32mwins\x1b[0m")
    say(child, "resign")
    end(child, "\x1b[31mBlack wins: White resigns.\x1b[0m")


def test_resigning(start: Start) -> None:
    child = start(DRAWN)
    say(child, " Resign ")
    end(child, "White wins: Black resigns.")


def test_a_draw_accepted(start: Start) -> None:
    child = start(DRAWN)
    say(child, "draw")
    end(child, "Draw: agreed.")


def test_a_draw_refused(start: Start) -> None:
    child = start("W:WK6,K9:BK15")
    say(child, "draw")
    child.expect_exact("The computer declines the draw.")
    say(child, "draw")
    child.expect_exact("you may offer a draw again in 8 plies.")
    for left in (6, 4, 2):
        say(child, "hint")
        child.expect(r"([0-9]+[x-][0-9]+) wins")
        say(child, child.match[1])
        say(child, "draw")
        child.expect_exact(f"you may offer a draw again in {left} plies.")
    say(child, "hint")
    child.expect(r"([0-9]+[x-][0-9]+) wins")
    say(child, child.match[1])
    say(child, "draw")
    child.expect_exact("The computer declines the draw.")
    say(child, "quit")
    end(child, "Goodbye.")


def test_moves_that_are_not_legal(start: Start) -> None:
    child = start(WON)
    for text, answer in (
        ("15-4", "'15-4' is not legal: the piece on 15 cannot go there"),
        ("nonsense", "cannot read move 'nonsense' (type moves or help)"),
        ("4-8", "White has no piece on 4"),
    ):
        say(child, text)
        child.expect_exact(answer)
    say(child, "moves")
    child.expect_exact("15-11")
    say(child, "quit")
    end(child, "Goodbye.")


def test_undo(start: Start) -> None:
    child = start(WON)
    say(child, "undo")
    child.expect_exact("There is no move of yours to take back.")
    say(child, "15-11")
    child.expect_exact("Black plays 4-8")
    say(child, "undo")
    say(child, "moves")
    child.expect_exact("15-11")
    say(child, "15-19")
    child.expect("Black plays 4-8")
    say(child, "quit")
    end(child, "Goodbye.")


def test_the_end_of_the_input(start: Start) -> None:
    child = start(WON)
    child.expect(PROMPT)
    child.sendeof()
    end(child, "Goodbye.")


def test_ctrl_c(start: Start) -> None:
    child = start(WON)
    child.expect(PROMPT)
    child.sendintr()
    end(child, "dame-fast: interrupted", 130)


def test_threefold_repetition(start: Start) -> None:
    """White shuffles in its corner; the computer has nothing better to do either, sooner or later."""
    child = start("W:WK1:BK32", "--level", "random", "--seed", "1")
    for ply in range(200):
        say(child, "1-5" if ply % 2 == 0 else "5-1")
        if child.expect(["Black plays ", "Draw"]) == 1:
            break
        if child.expect([PROMPT, r"Draw", "wins"]) != 0:
            break
        child.sendline("board")
    end(child, ": the same position for the third time.")


def test_everything_at_once(command: Command, three_pieces: Path) -> None:
    """From a pipe: all commands, then the end of the input."""
    status, out, err = command("play", WON, "--db", three_pieces, stdin=b"help\nboard\n\nhint\nmoves\n15-11\nundo\n")
    assert (status, err) == (0, "")
    assert "take back your last move" in out
    assert "15-11 wins" in out
    assert out.count("    25    26    27    28\n") == 5
    assert out.endswith("White to move: \nGoodbye.\n")


def test_a_game_that_is_over(command: Command, three_pieces: Path) -> None:
    status, out, err = command("play", "B:W16,19:B12", "--db", three_pieces)
    assert (status, err) == (0, "")
    assert out.endswith("\nWhite wins: Black has no legal move.\n")


def test_outside_the_tables(command: Command, three_pieces: Path) -> None:
    """The computer says that it guesses; it takes no draw that it cannot judge."""
    status, out, err = command(
        "play", "start", "--side", "white", "--seed", "3", "--db", three_pieces, stdin=b"hint\ndraw\n"
    )
    assert (status, err) == (0, "")
    assert "(no table covers the position: a random move)\n" in out
    assert "No hint: " in out
    assert "The computer declines the draw." in out


def test_between_known_and_unknown_moves(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    """One capture is known to draw, the other leads to where there is no table: it says what it does not know."""
    shutil.copy(three_pieces / "KvK.wdl", tmp_path)
    status, out, err = command("play", "W:WK6:BK9,10", "--side", "black", "--db", tmp_path)
    assert (status, err) == (0, "")
    assert "White plays 6x15 (good, but without all tables not surely the best)\n" in out


def test_random_moves_are_those_of_the_seed(command: Command, three_pieces: Path) -> None:
    given = ("play", DRAWN, "--side", "white", "--level", "random", "--db", three_pieces, "--seed")
    first = [command(*given, str(seed)).out for seed in range(8)]
    assert first == [command(*given, str(seed)).out for seed in range(8)]
    assert len(set(first)) == 2


def test_wrong_input(command: Command, three_pieces: Path) -> None:
    assert command("play", "W:W31:B33").err == "dame-fast: square 33 is not on the board (1-32)\n"
    assert command("play", WON, "--side", "red").status == 2
    assert command("play", WON, "--db", three_pieces, "--draw-plies", "40").status == 3
    assert command("play", WON, "--db", three_pieces, stdin=b"\xff\n").status == 2


def test_the_computer_does_as_the_tables_say(three_pieces: Path) -> None:
    with open_tablebase(three_pieces) as tables:
        assert [result.pdn for result in tables.mainline(Board(WON))] == ["15-11", "4-8", "11x4"]
