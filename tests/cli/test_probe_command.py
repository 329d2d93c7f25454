"""`probe`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest
from small_tables import Command, flip_bit, no_table, write_russian

from dame_fast.build.builder import build
from dame_fast.tables import places
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
    for fen, missing in (("B:W5:BK1", "KvM"), ("B:W5,6:B1", "MvM")):
        text = no_table(missing, with_gaps, 3, "--pieces 2")
        assert command("probe", fen, "--db", with_gaps) == (3, "", f"dame-fast: {text}\n")


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
    assert command("probe", "W:WK15,21:B:H3", *rule).out.startswith("White to move wins in 1 ply\n")


def test_standard_input(command: Command, three_pieces: Path) -> None:
    lines = f"{KINGS}\n\n  B:W16,19:B12\r\nB:WK1:BK32".encode()
    status, out, err = command("probe", "-", "--json", "--db", three_pieces, stdin=lines)
    assert (status, err) == (0, "")
    assert [json.loads(line)["category"] for line in out.splitlines()] == ["win", "loss", "draw"]
    _, out, _ = command("probe", "-", "--db", three_pieces, stdin=b"B:W16,19:B12\n")
    assert out == "B:W16,19:B12\nBlack to move loses (no legal move)\n"


BAD_LINES = [
    (b"W:W31:B33", 2, "square 33 is not on the board (1-32)"),
    (b"W:W\xff:B1", 2, r"unknown piece '\\xff'"),
    (b"W:W\x00:B1", 2, r"unknown piece '\x00'"),
    (b"W:WK19,K23:B12,K28", 3, None),
]


@pytest.mark.parametrize(("line", "status", "text"), BAD_LINES)
def test_a_bad_line_does_not_end_it(
    command: Command, three_pieces: Path, line: bytes, status: int, text: str | None
) -> None:
    """The answers stand in order, one a line; lines are counted as they stand in the input."""
    text = no_table("KKvKM", three_pieces, 3, "--pieces 4") if text is None else text
    stdin = b"B:W16,19:B12\n\n" + line + b"\nB:WK1:BK32\n"
    found = command("probe", "-", "--json", "--db", three_pieces, stdin=stdin)
    first, bad, last = map(json.loads, found.out.splitlines())
    assert (found.status, found.err, bad) == (status, "", {"line": 3, "error": text})
    assert (first["fen"], last["fen"]) == ("B:W16,19:B12", "B:WK1:BK32")
    found = command("probe", "-", "--db", three_pieces, stdin=stdin)
    assert (found.status, found.err) == (status, f"dame-fast: line 3: {text}\n")
    assert found.out == (
        "B:W16,19:B12\nBlack to move loses (no legal move)\n"
        "\n"
        "B:WK1:BK32\nBlack to move draws\n  32-28  draws\n  32-27  draws\n"
    )


def test_the_status_is_that_of_the_worst_line(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    bad, missing, sound = (b"W:W31:B33\n", b"W:WK19,K23:B12,K28\n", b"B:WK1:BK32\n")
    for lines, status in (
        (sound, 0),
        (bad + sound, 2),
        (missing + bad + sound, 3),
        (bad + missing, 3),
        (b"", 0),
    ):
        assert command("probe", "-", "--db", three_pieces, stdin=lines).status == status
    for name in ("KvK", "KvM", "MvK", "MvM"):
        (tmp_path / f"{name}.wdl").write_bytes((three_pieces / f"{name}.wdl").read_bytes())
    flip_bit(tmp_path / "KvK.wdl", -3, 0)  # before the one entry of the block table
    found = command("probe", "-", "--json", "--db", tmp_path, stdin=sound + missing + bad + b"W:WK1:B32\n")
    errors = [json.loads(line).get("error", "") for line in found.out.splitlines()]
    assert (found.status, len(errors)) == (4, 4)
    assert errors[:3] == [
        f"{tmp_path / 'KvK.wdl'}: block 0: checksum",
        no_table("KKvKM", tmp_path, 2, "--pieces 4"),
        "square 33 is not on the board (1-32)",
    ]


def test_lines_that_are_passed_over(command: Command, three_pieces: Path) -> None:
    stdin = '\ufeff# kings\r\n\r\n  # more\r\n[FEN "B:WK1:BK32"]\r\nb:wk1.:bk32.\r\n'.encode()
    found = command("probe", "-", "--json", "--db", three_pieces, stdin=stdin)
    assert (found.status, found.err) == (0, "")
    assert [json.loads(line)["fen"] for line in found.out.splitlines()] == ["B:WK1:BK32"] * 2
    stdin = b"\xef\xbb\xbfB:WK1:BK32\nB:WK1:BK33\n"
    found = command("probe", "-", "--json", "--db", three_pieces, stdin=stdin)
    assert json.loads(found.out.splitlines()[1]) == {"line": 2, "error": "square 33 is not on the board (1-32)"}


def test_errors_of_arguments(command: Command, three_pieces: Path) -> None:
    text = "square 33 is not on the board (1-32)"
    fens = ("B:W16,19:B12", "W:W31:B33", "B:WK1:BK32")
    found = command("probe", *fens, "--db", three_pieces)
    assert (found.status, found.err) == (2, f"dame-fast: FEN 2: {text}\n")
    assert [line for line in found.out.splitlines() if ":" in line] == [fens[0], fens[2]]
    found = command("probe", *fens, "--db", three_pieces, "--json")
    assert (found.status, found.err) == (2, "")
    assert json.loads(found.out.splitlines()[1]) == {"argument": 2, "error": text}
    for more in ((), ("--json",)):
        found = command("probe", "W:W31:B33", "--db", three_pieces, *more)
        assert found == (2, "", f"dame-fast: {text}\n")
        found = command("probe", "W:WK19,K23:B12,K28", "--db", three_pieces, *more)
        assert found == (3, "", f"dame-fast: {no_table('KKvKM', three_pieces, 3, '--pieces 4')}\n")


def test_colours_in_a_terminal(three_pieces: Path) -> None:
    """Wins are green, draws yellow and losses red; not with NO_COLOR, and not where the output is no terminal."""
    given = [sys.executable, "-P", "-m", "dame_fast", "probe", "W:WK8:B3,K12", KINGS, "--db", str(three_pieces)]
    without = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    for environment, coloured in ((without, True), ({**without, "NO_COLOR": "1"}, False)):
        child = pexpect.spawn(given[0], given[1:], encoding="utf-8", timeout=20, env=environment, dimensions=(24, 80))
        child.expect(pexpect.EOF)
        shown = child.before.replace("\r\n", "\n")
        for line, colour, value in (
            ("White to move {}\n", 33, "draws"),
            ("  8-11  {}\n", 33, "draws"),
            ("  8-4   {}\n", 31, "loses"),
            ("White to move {}\n", 32, "wins"),
        ):
            assert line.format(f"\x1b[{colour}m{value}\x1b[0m" if coloured else value) in shown
        child.close()
    plain = subprocess.run(given, env=without, capture_output=True, text=True, check=True)
    assert "\x1b" not in plain.stdout


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
    monkeypatch.setattr(places, "SHIPPED", three_pieces.parent)
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
