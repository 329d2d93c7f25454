"""`perft` and `moves`."""

import json

import pytest
from small_tables import Command

from dame_fast import Board, perft
from dame_fast.rules.registry import known_variants


def test_perft(command: Command) -> None:
    assert command("perft", "5") == (0, "7361\n", "")
    assert command("perft", "0") == (0, "1\n", "")
    assert command("perft", "4", "--variant", "international") == (0, "4265\n", "")
    assert command("perft", "1", "--fen", "W:WK19,K23:B12,K28") == (0, "6\n", "")


def test_perft_with_memory(command: Command) -> None:
    assert command("perft", "9", "--memory", "0.01") == (0, "3963680\n", "")
    assert (
        command("perft", "6", "--memory", "0.01", "--paths", "--variant", "russian")[1]
        == command("perft", "6", "--paths", "--variant", "russian")[1]
    )
    for given in ("0", "-1", "nan", "inf"):
        status, out, err = command("perft", "5", f"--memory={given}")
        text = f"dame-fast: the memory must be more than 0 and at most 1048576 GiB, not {given}\n"
        assert (status, out, err) == (2, "", text)
    assert command("perft", "5", "--memory", "1048576") == (1, "", "dame-fast: not enough memory\n")


def test_perft_divided(command: Command) -> None:
    status, out, err = command("perft", "4", "--divide")
    *lines, last = out.splitlines()
    assert (status, last, err) == (0, "1469", "")
    counts = dict(line.split(": ") for line in lines)
    assert set(counts) == {Board().pdn(move) for move in Board().legal_moves}
    assert sum(map(int, counts.values())) == 1469
    for text, count in counts.items():
        board = Board()
        board.push_pdn(text)
        assert perft(board, 3) == int(count)


def test_perft_divided_at_the_end(command: Command) -> None:
    assert command("perft", "0", "--divide") == (0, "1\n", "")
    assert command("perft", "3", "--divide", "--fen", "B:W16,19:B12") == (0, "0\n", "")


TEN = "W:W28:B12,13,22,23"


def test_perft_of_paths(command: Command) -> None:
    circle = "W:WK22:B9,10,17,18"
    published = {"english": (circle, 2), "russian": (circle.replace("K", ""), 2), "international": (TEN, 1)}
    for variant, (fen, count) in published.items():
        asked = ("perft", "1", "--variant", variant, "--fen", fen)
        assert command(*asked) == (0, f"{count}\n", "")
        assert command(*asked, "--paths") == (0, "2\n", "")
        assert command(*asked, "--moves") == (0, "1\n", "")
    assert command("perft", "1", "--fen", circle, "--divide") == (0, "22x22: 2\n2\n", "")
    assert command("perft", "1", "--fen", circle, "--divide", "--moves") == (0, "22x22: 1\n1\n", "")


def test_perft_of_more_than_64_bits(command: Command) -> None:
    kings = ("--fen", "W:WK29:BK4", "--memory", "0.1")
    assert command("perft", "41", *kings) == (0, "54162940427457128308\n", "")
    text = "dame-fast: depth 90: the count does not fit into 128 bits\n"
    assert command("perft", "90", *kings) == (2, "", text)
    assert command("perft", "90", *kings, "--divide") == (2, "", text.replace("90", "89"))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["perft", "-1"], "depth must be 0 to 1000, not -1"),
        (["perft", "--", "-1"], "depth must be 0 to 1000, not -1"),
        (["perft", "--variant", "russian", "-12", "--divide"], "depth must be 0 to 1000, not -12"),
        (["perft", "1001"], "depth must be 0 to 1000, not 1001"),
        (["perft", "9" * 30], f"depth must be 0 to 1000, not {'9' * 30}"),
        (
            ["perft", "x"],
            "Invalid value for 'DEPTH': 'x' is not a valid integer (see dame-fast perft --help)",
        ),
        (["perft"], "Missing argument 'DEPTH' (see dame-fast perft --help)"),
        (
            ["perft", "1", "--moves", "--paths"],
            "--paths and --moves cannot be used together (see dame-fast perft --help)",
        ),
        (["perft", "1", "--fen", "W:W31:B33"], "square 33 is not on the board (1-32)"),
        (
            ["perft", "1", "--variant", "chess"],
            f"unknown variant 'chess' (known: {known_variants()})",
        ),
        (
            ["moves", "W:W31:B1", "--variant", "international", "--notation", "algebraic"],
            "squares of a 10x10 board have no algebraic names",
        ),
        (["moves", "Q5"], "the side to move must be W or B, not 'Q5'"),
        (["moves", ""], "empty FEN: ''"),
        (
            ["moves", "W:W18:B1", "--variant", ""],
            f"unknown variant '' (known: {known_variants()})",
        ),
    ],
)
def test_bad_input(command: Command, arguments: list[str], text: str) -> None:
    assert command(*arguments) == (2, "", f"dame-fast: {text}\n")


def test_moves(command: Command) -> None:
    status, out, err = command("moves", "W:WK19,K23:B12,K28")
    assert (status, sorted(out.split()), err) == (
        0,
        ["19-15", "19-16", "19-24", "23-18", "23-26", "23-27"],
        "",
    )
    assert command("moves", "B:W16,19:B12") == (0, "", "")


def test_moves_with_full_paths_where_ends_do_not_tell(command: Command) -> None:
    status, out, _ = command("moves", "W:WK4:B13,20,32,37", "--variant", "international")
    assert (status, sorted(out.split())) == (0, ["4x27x38x15", "4x31x42x15"])


@pytest.mark.parametrize(
    ("variant", "fen", "notation", "texts"),
    [
        ("russian", "W:Wc3:Bd4", "numeric", ["22x15"]),
        ("russian", "W:W22:B18", "algebraic", ["c3xe5"]),
        ("russian", "W:W22:B18", "file", ["c3:e5"]),
        ("brazilian", "W:W22:B18", "file", ["c3xe5"]),
        ("spanish", "W:W32:B28", "file", ["1x10"]),
        ("spanish", "W:W32:B28", "algebraic", ["h1xf3"]),
        ("thai", "W:W22:B1", "file", ["11-15", "11-16"]),
        ("english", "W:W22:B1", "file", ["22-17", "22-18"]),
    ],
)
def test_moves_in_other_notations(command: Command, variant: str, fen: str, notation: str, texts: list[str]) -> None:
    status, out, err = command("moves", fen, "--variant", variant, "--notation", notation)
    assert (status, sorted(out.split()), err) == (0, texts, "")
    status, out, _ = command("moves", fen, "--variant", variant, "--notation", notation, "--json")
    assert sorted(move["move"] for move in json.loads(out)["moves"]) == texts


def test_moves_as_json(command: Command) -> None:
    status, out, _ = command("moves", "W : WK30 : B10,15,18,25,26 .", "--json")
    assert status == 0
    assert out.count("\n") == 1
    found = json.loads(out)
    assert [*found] == ["fen", "variant", "turn", "moves"]
    assert (found["fen"], found["variant"], found["turn"]) == ("W:WK30:B10,15,18,25,26", "english", "W")
    assert sorted(found["moves"], key=lambda move: str(move["move"])) == [
        {
            "move": "30x21",
            "path": [30, 21],
            "captured": [25],
            "crowned": False,
            "capture": True,
            "zeroing": True,
        },
        {
            "move": "30x7",
            "path": [30, 23, 14, 7],
            "captured": [10, 18, 26],
            "crowned": False,
            "capture": True,
            "zeroing": True,
        },
    ]
