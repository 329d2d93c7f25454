"""The files of a directory: their names, and which of them belong together."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_tables import resign

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, CorruptTableError, MissingTableError, open_tablebase
from dame_fast.rules.draw_rule import choose_rule
from dame_fast.tables.files import choose_files, file_name, table_files


@pytest.fixture
def add_table(three_pieces: Path, tmp_path: Path) -> Callable[[str, int], Path]:
    """Write a file of that name, whose header says a draw rule (0: none)."""

    def add(name: str, draw_plies: int) -> Path:
        path = tmp_path / name
        shutil.copy(three_pieces / f"{name.split('.')[0]}.wdl", path)
        resign(path, "draw_plies", draw_plies.to_bytes(2, "little"))
        return path

    return add


def test_all_metrics_and_rules_are_found(tmp_path: Path) -> None:
    names = ["KvK.dtw", "KvK.dtz", "KvK.n40.dtz", "KvK.n40.wdl", "KvK.wdl"]
    for name in [*names, ".KvM.wdl.partial", "._KvK.dtw", "manifest.json", "KvK.wdl.bak"]:
        (tmp_path / name).touch()
    assert [path.name for path in table_files(tmp_path)] == names


def test_one_rule_is_opened(add_table: Callable[[str, int], Path], tmp_path: Path) -> None:
    plain, forty, eighty = add_table("KvK.wdl", 0), add_table("KvK.n40.wdl", 40), add_table("KvK.n80.wdl", 80)
    for rule, path in ((None, plain), (40, forty), (80, eighty)):
        assert choose_files([tmp_path], "english", choose_rule(draw_plies=rule)) == [path]
        assert file_name(_native.peek(str(path))) == path.name
        with open_tablebase(tmp_path, draw_plies=rule) as tables:
            assert (tables.draw_plies, len(tables), tables.metrics) == (rule, 1, frozenset({"wdl"}))
            assert tables.probe_wdl(Board("W:WK1:BK32")) == 0


def test_rules_that_are_not_there(add_table: Callable[[str, int], Path], tmp_path: Path) -> None:
    add_table("KvK.wdl", 0)
    add_table("KvK.n80.wdl", 80)
    with pytest.raises(MissingTableError) as caught:
        open_tablebase(tmp_path, draw_plies=40)
    assert str(caught.value) == (
        f"no tables for a draw after 40 plies without capture and man move in the directory {str(tmp_path)!r} "
        "(there are some without a draw rule, for a draw after 80 plies without capture and man move)"
    )
    (tmp_path / "KvK.wdl").unlink()
    with pytest.raises(MissingTableError) as caught:
        open_tablebase(tmp_path)
    assert str(caught.value) == (
        f"no tables without a draw rule in the directory {str(tmp_path)!r} "
        "(there are some for a draw after 80 plies without capture and man move)"
    )


@pytest.mark.parametrize("draw_plies", [0, -1, 254, 65536])
def test_impossible_rules(three_pieces: Path, draw_plies: int) -> None:
    with pytest.raises(ArgumentError) as caught:
        open_tablebase(three_pieces, draw_plies=draw_plies)
    assert str(caught.value) == f"draw_plies must be 1 to 253, not {draw_plies}"


def test_names_that_do_not_fit(add_table: Callable[[str, int], Path], tmp_path: Path) -> None:
    named = add_table("KvK.n40.wdl", 80)
    with pytest.raises(CorruptTableError) as caught:
        open_tablebase(tmp_path, draw_plies=40)
    assert str(caught.value) == f"{named}: holds a table for a draw after 80 plies without capture and man move"
    other = add_table("KvK.dtw", 0)
    with pytest.raises(CorruptTableError) as caught:
        open_tablebase(tmp_path)
    assert str(caught.value) == f"{other}: holds a table of the metric wdl"
