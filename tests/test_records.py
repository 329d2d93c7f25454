"""Records: what is told of positions, moves and lines, the same in the library and on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from small_tables import Command

from dame_fast import ALGEBRAIC, Board, MissingTableError, open_tablebase, records
from dame_fast.tables.material import Material

FEN = "W:W22:BK18,K1"


def as_json(record: Any) -> Any:
    """A record as it comes out of JSON."""
    return json.loads(json.dumps(record))


def printed(command: Command, *arguments: str | Path) -> Any:
    return json.loads(command(*arguments, "--json").out.splitlines()[0])


def test_positions(command: Command, three_pieces: Path) -> None:
    with open_tablebase(three_pieces) as tables:
        record = records.position_record(tables, Board(FEN))
    assert record == {
        "fen": "W:W22:BK1,K18",
        "variant": "english",
        "turn": "W",
        "category": "loss",
        "wdl": -1,
        "dtw": None,
        "dtz": None,
        "dtc": None,
        "moves": [
            {
                "move": "22x15",
                "category": "loss",
                "wdl": -1,
                "dtw": None,
                "dtz": None,
                "dtc": None,
                "capture": True,
                "zeroing": True,
                "missing": None,
            }
        ],
    }
    assert printed(command, "probe", FEN, "--db", three_pieces) == as_json(record)


def test_positions_without_a_table(three_pieces: Path) -> None:
    with open_tablebase(three_pieces) as tables, pytest.raises(MissingTableError):
        records.position_record(tables, Board())


def test_lines(command: Command, three_pieces: Path) -> None:
    board = Board("W:WK15,K18:BK4")
    with open_tablebase(three_pieces) as tables:
        record = records.line_record(board, tables.mainline(board), None)
    assert [move["move"] for move in record["moves"]] == ["15-11", "4-8", "11x4"]
    assert (record["fen"], record["winner"], record["plies"], record["end"]) == (board.fen(), "W", 3, "B:WK4,K18:B")
    assert board.ply == 0
    assert printed(command, "line", board.fen(), "--db", three_pieces) == as_json(record)


def test_longest(command: Command) -> None:
    with open_tablebase() as tables:
        (board,) = tables.longest(Material.parse("MvM"))
    record = records.longest_record(board, Material.parse("MvM"), "dtw", "win", 13, None)
    assert (record["fen"], record["turn"], record["material"]) == ("B:W30:B25", "B", "MvM")
    assert printed(command, "longest", "MvM") == as_json(record)


def test_legal_moves(command: Command) -> None:
    record = records.legal_moves_record(Board(FEN), ALGEBRAIC)
    assert record["moves"] == [
        {
            "move": "c3xe5",
            "path": (22, 15),
            "captured": (18,),
            "crowned": False,
            "capture": True,
            "zeroing": True,
        }
    ]
    assert printed(command, "moves", FEN, "--notation", "algebraic") == as_json(record)
