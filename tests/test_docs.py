"""The examples in docstrings and in the rule book run, in the package that is installed (pytest runs README.md's)."""

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import dame_fast
from dame_fast import Board

ROOT = Path(__file__).resolve().parent.parent
MODULES = ["dame_fast", *(one.name for one in pkgutil.walk_packages(dame_fast.__path__, "dame_fast."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_of_the_rule_book() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "rules.md"), module_relative=False, encoding="utf-8")
    assert result.attempted >= 30
    assert result.failed == 0


def test_every_source_file_is_installed() -> None:
    source = ROOT / "dame_fast"
    names = {
        ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in source.rglob("*.py*")
        if path.suffix in (".py", ".pyx")
    }
    assert names == set(MODULES)


GAMES = re.findall(r"```pdn\n(.*?)```", (ROOT / "docs" / "longest_wins.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.splitlines()[0])
def test_lines_of_the_longest_wins(game: str) -> None:
    """They can be played, are as long as they say, and are right as far as the shipped tables can tell."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.MULTILINE))
    moves = re.findall(r"\b\d+(?:[-x]\d+)+\b", game.rpartition("]")[2])
    material, plies = tags["Event"].split(", ")
    board = Board(tags["FEN"])
    assert (len(moves), len(board.pieces)) == (int(plies.split()[0]), len(material) - 1)
    looked_up = set()
    with dame_fast.open_tablebase() as tables:
        for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
            wins = left % 2 == 1
            if len(board.pieces) <= tables.largest:
                assert tables.probe_wdl(board) == (1 if wins else -1)
                looked_up.add("wdl")
            if len(board.pieces) <= 4:
                assert tables.probe_dtw(board) == (left if wins else -left)
                looked_up.add("dtw")
            board.push_pdn(move)
    assert looked_up == {"wdl", "dtw"}
    assert board.is_game_over()


def test_the_games_are_there() -> None:
    assert len(GAMES) == 4
