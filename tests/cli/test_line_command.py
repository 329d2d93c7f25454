"""`line`, and the distances in what `probe` prints."""

import json
from pathlib import Path

import pytest
from reference.solver import solve
from small_tables import Command, no_table
from twin_tables import TwinLibrary, TwinTables, distances_to_win, distances_to_zeroing, find_successors

from dame_fast import Board

KINGS = "W:WK15,K18:BK4"
RACE = "B:W30:B25"
"""Both men are crowned; Black wins in 13 plies."""


@pytest.fixture(scope="module")
def twin_library() -> TwinLibrary:
    dtw = distances_to_win(solve(2))
    return TwinLibrary(dtw, distances_to_zeroing(find_successors(dtw)), {"wdl": 2, "dtw": 2, "dtz": 2})


@pytest.fixture
def with_distances(twin_library: TwinLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands open tables of 2 pieces with all metrics."""
    for command in ("line", "probe"):
        monkeypatch.setattr(f"dame_fast.cli.{command}.open_tablebase", lambda *_, **__: TwinTables(twin_library))


def test_by_results_alone(command: Command, three_pieces: Path) -> None:
    out = "15-11  3z\n4-8    2z\n11x4   1z\nWhite wins in 3 plies\n"
    assert command("line", KINGS, "--db", three_pieces) == (0, out, "")


@pytest.mark.usefixtures("with_distances")
def test_by_distances(command: Command) -> None:
    status, out, err = command("line", RACE)
    *moves, last = out.splitlines()
    assert (status, err) == (0, "")
    distances = [int(line.split()[1]) for line in moves]
    assert distances == list(range(len(moves), 0, -1))
    assert last == "Black wins in 13 plies"


@pytest.mark.usefixtures("with_distances")
def test_the_moves_can_be_played(command: Command) -> None:
    found = json.loads(command("line", RACE, "--json").out)
    board = Board(RACE)
    assert found["fen"] == board.fen()
    for ply, record in enumerate(found["moves"]):
        assert abs(record["dtw"]) == found["plies"] - ply
        board.push_pdn(record["move"])
    assert (found["winner"], found["end"], found["draw_plies"]) == ("B", board.fen(), None)
    assert board.is_game_over()


def test_json(command: Command, three_pieces: Path) -> None:
    assert command("line", "W : WK 18 : BK15 .", "--db", three_pieces, "--json") == (
        0,
        '{"fen":"W:WK18:BK15","variant":"english","turn":"W","draw_plies":null,"draw_captures":null,"moves":[{"move":"18x11",'
        '"category":"win","wdl":1,"dtw":null,"dtz":1,"dtc":null,"capture":true,"zeroing":true,"missing":null}],'
        '"winner":"W","plies":1,"end":"B:WK11:B"}\n',
        "",
    )


def test_endings(command: Command, three_pieces: Path) -> None:
    assert command("line", "B:W16,19:B12", "--db", three_pieces).out == "White has won\n"
    assert command("line", "W:WK18:BK15", "--db", three_pieces).out == "18x11  1z\nWhite wins in 1 ply\n"
    drawn = command("line", "B:WK1:BK32", "--db", three_pieces).out.splitlines()
    assert drawn[-1] == "Draw: the position comes back"
    assert all("  " not in line for line in drawn)


def test_errors(command: Command, three_pieces: Path) -> None:
    missing = command("line", "W:WK19,K23:B12,K28", "--db", three_pieces)
    assert (missing.status, missing.out) == (3, "")
    assert missing.err == f"dame-fast: after 23-18: {no_table('KMvKK', three_pieces, 3, '--pieces 4')}\n"
    assert command("line", "W:W31:B33").status == 2
    rule = command("line", KINGS, "--db", three_pieces, "--draw-plies", "40")
    assert (rule.status, rule.out) == (3, "")
    assert rule.err.startswith(
        "dame-fast: no tables for a draw after 40 plies without capture and man move in the directory "
    )
    assert command("probe", KINGS, "--draw-plies", "0").status == 2


@pytest.mark.usefixtures("with_distances")
def test_probe_shows_distances(command: Command) -> None:
    line = json.loads(command("line", RACE, "--json").out)
    found = json.loads(command("probe", RACE, "--json").out)
    assert (found["category"], found["dtw"]) == ("win", line["plies"]) == ("win", 13)
    assert found["moves"][0] == line["moves"][0]
    out = command("probe", RACE).out.splitlines()
    assert out[0] == "Black to move wins in 13 plies"
    assert out[1].endswith("  wins in 13 plies")
    assert command("probe", "W:WK18:BK15").out == "White to move wins in 1 ply\n  18x11  wins in 1 ply\n"


def test_the_clock_needs_a_rule(command: Command) -> None:
    found = command("probe", KINGS, "--clock", "3")
    assert found == (2, "", "dame-fast: --clock needs --draw-plies or --draw-captures (see dame-fast probe --help)\n")


def test_probe_under_a_rule(command: Command, twin_library: TwinLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    values = twin_library._values
    library = TwinLibrary({}, values["dtz"], {"wdl": 2, "dtz": 2}, draw_plies=4)
    opened: list[object] = []

    def open_tables(directory: Path | None, *, variant: str, **draw_rule: int | None) -> TwinTables:
        opened.append((directory, variant, draw_rule))
        return TwinTables(library)

    monkeypatch.setattr("dame_fast.cli.probe.open_tablebase", open_tables)
    fen = "W:WK18:BK15"
    for clock, text in (
        (3, "wins, next capture or man move in 1 ply"),
        (4, "draws (4 plies without capture and man move)"),
    ):
        out = command("probe", fen, "--draw-plies", "4", "--clock", clock).out
        assert out.splitlines()[0] == f"White to move {text}"
    assert opened == [(None, "english", {"draw_plies": 4, "draw_captures": None})] * 2
    assert command("probe", fen, "--draw-plies", "4", "--clock", "-1").status == 2
