"""`probe`."""

import json
import shutil
from pathlib import Path

import pytest
from small_tables import Command, flip_bit, write_russian

from dame_fast.build.builder import build
from dame_fast.tables import tablebase
from dame_fast.tables.material import Material

KINGS = "W:WK19,K23:BK28"


def test_for_people(command: Command, three_pieces: Path) -> None:
    status, out, err = command("probe", KINGS, "--db", three_pieces)
    first, *moves, last = out.splitlines()
    assert (status, first, last, err) == (0, "White to move wins", "  19-24  loses", "")
    assert sorted(moves) == [f"  {move}  wins" for move in ("19-15", "19-16", "23-18", "23-26", "23-27")]
    assert command("probe", "B:WK1:BK32", "--db", three_pieces).out == (
        "Black to move draws\n  32-28  draws\n  32-27  draws\n"
    )
    assert command("probe", "B:W16,19:B12", "--db", three_pieces).out == "Black to move loses (no legal move)\n"


def test_moves_are_aligned(command: Command, three_pieces: Path) -> None:
    _, out, _ = command("probe", "W:WK8:B3,K12", "--db", three_pieces)
    assert out == "White to move draws\n  8-11  draws\n  8-4   loses\n"


def test_several(command: Command, three_pieces: Path) -> None:
    status, out, err = command("probe", "B:WK1:BK32", "B:W16,19:B12", "--db", three_pieces)
    assert (status, err) == (0, "")
    assert out == (
        "B:WK1:BK32\nBlack to move draws\n  32-28  draws\n  32-27  draws\n"
        "\n"
        "B:W16,19:B12\nBlack to move loses (no legal move)\n"
    )


def test_json(command: Command, three_pieces: Path) -> None:
    status, out, err = command("probe", "W : WK8 : BK12,3", "B:W16,19:B12", "--json", "--db", three_pieces)
    assert (status, err) == (0, "")
    assert out == (
        '{"fen":"W:WK8:B3,K12","variant":"english","turn":"W","category":"draw","wdl":0,"dtw":null,"dtz":null,"dtc":null,"moves":['
        '{"move":"8-11","category":"draw","wdl":0,"dtw":null,"dtz":null,"dtc":null,"capture":false,"zeroing":false,"missing":null},'
        '{"move":"8-4","category":"loss","wdl":-1,"dtw":null,"dtz":null,"dtc":null,"capture":false,"zeroing":false,"missing":null}]}\n'
        '{"fen":"B:W16,19:B12","variant":"english","turn":"B","category":"loss","wdl":-1,"dtw":0,"dtz":0,"dtc":0,"moves":[]}\n'
    )


def test_json_of_captures_and_men(command: Command, three_pieces: Path) -> None:
    _, out, _ = command("probe", "W:W22:BK18,K1", "B:W22:BK1", "W:W22:BK1", "--json", "--db", three_pieces)
    flags = [{(move["capture"], move["zeroing"]) for move in json.loads(line)["moves"]} for line in out.splitlines()]
    assert flags == [{(True, True)}, {(False, False)}, {(False, True)}]


@pytest.fixture
def with_gaps(three_pieces: Path, tmp_path: Path) -> Path:
    """Of the tables of 2 and 3 pieces KvKK, KMvK and KvKM alone."""
    for name in ("KvKK", "KMvK", "KvKM"):
        shutil.copy(three_pieces / f"{name}.wdl", tmp_path)
    return tmp_path


def test_unknown_moves(command: Command, with_gaps: Path) -> None:
    """What the table of the position says stands; moves to where there is none come last."""
    fen = "B:WK9:BK1,28"
    assert command("probe", fen, "--db", with_gaps) == (
        0,
        "Black to move wins\n  28-32  wins\n  1-5    wins\n  1-6    unknown (no table of MvK)\n",
        "",
    )
    found = json.loads(command("probe", fen, "--db", with_gaps, "--json").out)
    assert (found["category"], found["wdl"]) == ("win", 1)
    assert found["moves"][2] == {
        "move": "1-6",
        "category": "unknown",
        "wdl": None,
        "dtw": None,
        "dtz": None,
        "dtc": None,
        "capture": False,
        "zeroing": False,
        "missing": "no table of MvK",
    }


def test_unknown_positions(command: Command, with_gaps: Path) -> None:
    """Without a table of its own a position is what its moves prove, and else an error."""
    assert command("probe", "B:W5:BK1,K28", "--db", with_gaps) == (
        0,
        "Black to move wins\n  28-32  wins\n  28-24  wins\n  1-6    unknown (no table of MvKK)\n",
        "",
    )
    assert command("probe", "B:W5:BK1", "--db", with_gaps) == (3, "", "dame-fast: no table of KvM\n")
    assert command("probe", "B:W5,6:B1", "--db", with_gaps) == (3, "", "dame-fast: no table of MvM\n")


def test_full_counters(command: Command, tmp_path: Path) -> None:
    """The game is over: drawn, and no move, though a move of the man would win; unless there is none to make."""
    build(tmp_path, pieces=2, metric="dtz", draw_plies=4)
    rule = ("--db", tmp_path, "--draw-plies", "4")
    draw = "4 plies without capture and man move"
    assert command("probe", "W:WK15,21:B:H4", *rule) == (0, f"White to move draws ({draw})\n", "")
    found = json.loads(command("probe", "W:WK15,21:B:H4", "--json", *rule).out)
    assert (found["category"], found["wdl"], found["dtz"], found["moves"]) == ("draw", 0, None, [])
    assert command("line", "W:WK15,21:B:H4", *rule) == (0, f"Draw: {draw}\n", "")
    found = json.loads(command("line", "W:WK15,21:B:H4", "--json", *rule).out)
    assert (found["moves"], found["winner"], found["plies"]) == ([], None, 0)
    assert command("play", "W:WK15,21:B:H4", *rule).out.endswith(f"\nDraw: {draw}.\n")
    assert command("probe", "B:W16,19:B12:H4", *rule).out == "Black to move loses (no legal move)\n"
    assert command("line", "B:W16,19:B12:H4", *rule).out == "White has won\n"
    assert command("probe", "W:WK15,21:B:H3", *rule).out.startswith("White to move wins, next capture or man move in 1")


def test_standard_input(command: Command, three_pieces: Path) -> None:
    lines = f"{KINGS}\n\n  B:W16,19:B12\r\nB:WK1:BK32".encode()
    status, out, err = command("probe", "-", "--json", "--db", three_pieces, stdin=lines)
    assert (status, err) == (0, "")
    assert [json.loads(line)["category"] for line in out.splitlines()] == ["win", "loss", "draw"]
    _, out, _ = command("probe", "-", "--db", three_pieces, stdin=b"B:W16,19:B12\n")
    assert out == "B:W16,19:B12\nBlack to move loses (no legal move)\n"


@pytest.mark.parametrize(
    ("line", "status", "text"),
    [
        (b"W:W31:B33", 2, "square 33 is not on the board (1-32)"),
        (b"W:W\xff:B1", 2, r"unknown piece '\\xff'"),
        (b"W:WK19,K23:B12,K28", 3, "no table of KKvKM"),
    ],
)
def test_errors_name_the_line(command: Command, three_pieces: Path, line: bytes, status: int, text: str) -> None:
    found = command("probe", "-", "--json", "--db", three_pieces, stdin=b"B:W16,19:B12\n\n" + line + b"\n")
    assert found.out.count("\n") == 1
    assert (found.status, found.err) == (status, f"dame-fast: line 3: {text}\n")


def test_errors_name_the_argument(command: Command, three_pieces: Path) -> None:
    found = command("probe", "B:W16,19:B12", "W:W31:B33", "--db", three_pieces)
    assert (found.status, found.err) == (2, "dame-fast: FEN 2: square 33 is not on the board (1-32)\n")
    found = command("probe", "W:W31:B33", "--db", three_pieces)
    assert found == (2, "", "dame-fast: square 33 is not on the board (1-32)\n")
    found = command("probe", "W:WK19,K23:B12,K28", "--db", three_pieces)
    assert found == (3, "", "dame-fast: no table of KKvKM\n")


def test_tables_that_are_not_there(command: Command, tmp_path: Path) -> None:
    gone, file = tmp_path / "gone", tmp_path / "file"
    file.write_text("")
    for path, status, text in (
        (gone, 3, f"no tables: there is no directory {str(gone)!r}"),
        (file, 2, f"not a directory: {str(file)!r}"),
        (tmp_path, 3, f"no tables in the directory {str(tmp_path)!r}"),
    ):
        assert command("probe", KINGS, "--db", path) == (status, "", f"dame-fast: {text}\n")


def test_tables_that_are_not_as_they_should_be(command: Command, tmp_path: Path) -> None:
    path = write_russian(tmp_path)
    found = command("probe", KINGS, "--db", tmp_path)
    assert found == (2, "", f"dame-fast: {path}: a table of russian, not of english\n")
    found = command("probe", "W:WK1:BK32", "--db", tmp_path, "--variant", "russian")
    assert (found.status, found.out.splitlines()[0]) == (0, "White to move draws")
    flip_bit(path, 0, 0)
    found = command("probe", KINGS, "--db", tmp_path)
    assert found == (4, "", f"dame-fast: {path}: not a table file\n")


def test_without_a_directory(command: Command, three_pieces: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tablebase, "SHIPPED", three_pieces.parent)
    assert command("probe", "B:W16,19:B12").out == "Black to move loses (no legal move)\n"


def test_first_position(command: Command, tmp_path: Path) -> None:
    build(tmp_path, slices=[Material.parse("KKvKM")])
    assert command("probe", "W:WK19,K23:B12,K28", "--db", tmp_path) == (
        0,
        "White to move wins\n"
        "  23-18  wins\n"
        "  19-15  wins\n"
        "  23-26  wins\n"
        "  23-27  wins\n"
        "  19-16  loses\n"
        "  19-24  loses\n",
        "",
    )
