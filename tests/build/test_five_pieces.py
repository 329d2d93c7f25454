"""Distances to the end of the game with five pieces, built anew: against everything that is known of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from reference.oracles import EnglishPosition, english_positions, english_slices
from small_tables import Command

from dame_fast import Board, Tablebase, open_tablebase
from dame_fast.build.builder import build
from dame_fast.tables.material import Material

PIECES = 5
SIGNS = {"win": 1, "draw": 0, "loss": -1}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("five")
    build(built, pieces=PIECES, metric="dtw")
    return built


@pytest.fixture(scope="module")
def tables(directory: Path) -> Iterator[Tablebase]:
    with open_tablebase(directory) as opened:
        yield opened


def test_longest_lines_of_all_slices(tables: Tablebase) -> None:
    """The header of every table, and positions that take so long."""
    rows = english_slices()
    assert len(rows) == 85
    for row in rows:
        material = Material(*row.material)
        wins, losses = tables.longest(material, threads=2), tables.longest(material, result="loss", threads=2)
        assert tables.longest_plies(material) == row.counts.max_win_plies
        assert tables.longest_plies(material, result="loss") == row.counts.max_loss_plies
        assert {tables.probe_dtw(board) for board in wins} == {row.counts.max_win_plies} - {None}
        assert {-(tables.probe_dtw(board) or 0) for board in losses} == {row.counts.max_loss_plies} - {None}


@pytest.mark.parametrize("row", english_positions(), ids=lambda row: row.fen)
def test_named_endings(tables: Tablebase, row: EnglishPosition) -> None:
    board = Board(row.fen)
    assert len(board.pieces) <= PIECES
    expected = None if row.dtw_plies is None else SIGNS[row.result] * row.dtw_plies
    assert tables.probe_dtw(board) == expected
    assert tables.probe_wdl(board) == SIGNS[row.result]
    assert row.dtw_plies is None or len(tables.mainline(board)) == row.dtw_plies


def test_the_longest_win(directory: Path, tables: Tablebase, command: Command) -> None:
    status, out, err = command("longest", "--pieces", str(PIECES), "--db", directory)
    assert (status, err) == (0, "")
    assert out == "MMMvKM  161 plies  B:WK14,24:B1,4,5\nMMMvKM  161 plies  B:WK14,23:B1,4,5\n"
    assert tables.probe_dtw(Board("W:W28,29,32:B9,K19")) == 161  # the first, colours swapped and the board turned
