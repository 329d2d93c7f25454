"""Commands on rule sets of towers and of all 64 squares: moves and perft work, and there are no tables."""

import json
from pathlib import Path

import pytest
from small_tables import Command

import dame_fast._native as _native
from dame_fast import Board, VariantError, open_tablebase
from dame_fast.build.builder import build
from dame_fast.build.plan import make_plan
from dame_fast.rules.find import find_table_rules

TOWERS = "W:W22:B18[W]"
ALL_SQUARES = "W:Wd4:Bd5"


def test_perft(command: Command) -> None:
    assert command("perft", "5", "--variant", "bashni", "--paths") == (0, "7482\n", "")
    assert command("perft", "3", "--variant", "altdeutsch") == (0, "2940\n", "")
    status, out, _ = command("perft", "2", "--variant", "altdeutsch", "--divide")
    *divided, total = out.splitlines()
    assert (status, total) == (0, "196")
    assert len(divided) == 14
    assert "b2-a3: 14" in divided


def test_moves(command: Command) -> None:
    assert command("moves", TOWERS, "--variant", "bashni") == (0, "c3xe5\n", "")
    assert command("moves", ALL_SQUARES, "--variant", "altdeutsch") == (0, "d4xd6\n", "")
    _, out, _ = command("moves", TOWERS, "--variant", "bashni", "--json")
    assert json.loads(out) == {
        "fen": TOWERS,
        "variant": "bashni",
        "turn": "W",
        "moves": [
            {
                "move": "c3xe5",
                "path": [22, 15],
                "captured": [18],
                "crowned": False,
                "capture": True,
                "zeroing": True,
            }
        ],
    }


@pytest.mark.parametrize("notation", ["numeric", "algebraic", "file"])
def test_moves_have_letters_in_every_notation(command: Command, notation: str) -> None:
    assert command("moves", TOWERS, "--variant", "bashni", "--notation", notation).out == "c3xe5\n"
    assert command("moves", ALL_SQUARES, "--variant", "altdeutsch", "--notation", notation).out == "d4xd6\n"


def test_variants(command: Command) -> None:
    rows = {row.split()[0]: row.split() for row in command("variants").out.splitlines()}
    assert rows["bashni"][1:8] == ["8x8", "12", "White", "algebraic", "top", "left", "Russian"]
    assert rows["altdeutsch_giveaway"][1:9] == ["8x8", "all", "squares", "16", "White", "algebraic", "top", "left"]


def test_positions_that_are_refused(command: Command) -> None:
    status, out, err = command("moves", "W:W22:B18[x]", "--variant", "bashni")
    assert (status, out) == (2, "")
    assert err == "dame-fast: unknown piece 'x' in '18[x]': men are w and b, kings W and B\n"
    assert command("moves", "W:W22:Bd5", "--variant", "altdeutsch") == (2, "", "dame-fast: unknown square '22'\n")


@pytest.mark.parametrize(
    ("variant", "fen"),
    [("bashni", TOWERS), ("bashni_again_giveaway", TOWERS), ("altdeutsch", ALL_SQUARES)],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("probe", "FEN"),
        ("line", "FEN"),
        ("play", "FEN"),
        ("play", "start"),
        ("longest", "KvK"),
        ("plan", "--pieces", "3"),
        ("build", "--pieces", "2", "--out", "DIR"),
        ("build", "--slices", "KvK", "--out", "DIR"),
        ("verify", "DATABASES"),
    ],
    ids=" ".join,
)
def test_commands_that_need_tables(
    command: Command, tmp_path: Path, three_pieces: Path, variant: str, fen: str, arguments: tuple[str, ...]
) -> None:
    places = {"FEN": fen, "DIR": str(tmp_path / "out"), "DATABASES": str(three_pieces)}
    given = [places.get(each, each) for each in arguments]
    expected = f"dame-fast: there are no tables for {variant}\n"
    assert command(*given, "--variant", variant) == (2, "", expected)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("variant", ["bashni", "altdeutsch_giveaway"])
def test_functions_that_need_tables(tmp_path: Path, three_pieces: Path, variant: str) -> None:
    message = f"^there are no tables for {variant}$"
    calls = (
        lambda: open_tablebase(variant=variant),
        lambda: open_tablebase(three_pieces, variant=variant),
        lambda: make_plan(variant, pieces=2),
        lambda: build(tmp_path / "out", variant=variant, pieces=2),
        lambda: find_table_rules(variant),
        lambda: _native.Library(variant, 0),
        lambda: _native.Solver(variant, 2),
        lambda: _native.slice_positions(variant, (0, 1, 0, 1)),
        lambda: _native.legal_moves(variant, (1, 0, 2, 0, 0)),
    )
    for call in calls:
        with pytest.raises(VariantError, match=message):
            call()
    assert not (tmp_path / "out").exists()


def test_boards_are_refused_by_tables_of_another_rule_set(three_pieces: Path) -> None:
    with open_tablebase(three_pieces) as tables, pytest.raises(VariantError):
        tables.probe_wdl(Board(TOWERS, "bashni"))
