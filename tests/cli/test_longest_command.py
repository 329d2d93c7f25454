"""`longest`."""

import json
import shutil
from pathlib import Path

import pytest
from small_tables import Command, no_table

from dame_fast import Board, open_tablebase
from dame_fast.tables.places import SHIPPED

SHIPPED_LONGEST = {2: ({"MvM"}, 13), 3: ({"MMvK", "MMvM"}, 61), 4: ({"MMvMM"}, 109)}


def copy_tables(target: Path, *slices: str) -> None:
    with open_tablebase() as tables:
        for name in slices:
            for metric in ("wdl", "dtw"):
                shutil.copy(tables.directory / f"{name}.{metric}", target)


def test_one_slice(command: Command) -> None:
    assert command("longest", "MvM") == (0, "MvM  13 plies  B:W30:B25\n", "")
    assert command("longest", "KvM", "--limit", "1") == (
        0,
        "KvM  11 plies  B:W31:BK4\nThere are more (--limit)\n",
        "",
    )


def test_nothing_to_find(command: Command) -> None:
    assert command("longest", "KKKvK", "--loss") == (0, "No position is lost\n", "")
    assert command("longest", "KKKvK", "--loss", "--json") == (0, "", "")


@pytest.mark.parametrize("pieces", SHIPPED_LONGEST)
def test_all_slices_of_so_many_pieces(command: Command, pieces: int) -> None:
    names, plies = SHIPPED_LONGEST[pieces]
    status, out, err = command("longest", "--pieces", str(pieces), "--limit", "1000")
    lines = [line.split("  ") for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert {line[0] for line in lines} == names
    assert {line[1] for line in lines} == {f"{plies} plies"}
    with open_tablebase() as tables:
        assert {tables.probe_dtw(Board(line[2])) for line in lines} == {plies}
    shorter = command("longest", "--pieces", str(pieces), "--limit", "1").out.splitlines()
    assert shorter == out.splitlines()[:1] + ["There are more (--limit)"] * (len(lines) > 1)


def test_several_slices_share_the_longest_line(command: Command, tmp_path: Path) -> None:
    """The limit is that of all together. Slices without a table are left out, and that is said."""
    copy_tables(tmp_path, "KvK", "KvM", "MvK")
    left_out = "1 slice of 2 pieces left out: there is no table"
    status, out, err = command("longest", "--pieces", "2", "--db", tmp_path, "--limit", "1000")
    *lines, last = out.splitlines()
    assert (status, last, err) == (0, left_out, "")
    assert {line.split("  ")[1] for line in lines} == {"11 plies"}
    names = [line.split("  ")[0] for line in lines]
    assert list(dict.fromkeys(names)) == ["KvK", "MvK", "KvM"]
    limit = names.count("KvK") + 1
    cut = command("longest", "--pieces", "2", "--db", tmp_path, "--limit", str(limit)).out.splitlines()
    assert cut == [*lines[:limit], "There are more (--limit)", left_out]


def test_json(command: Command) -> None:
    status, out, err = command("longest", "MvM", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {
        "fen": "B:W30:B25",
        "variant": "english",
        "turn": "B",
        "material": "MvM",
        "metric": "dtw",
        "draw_plies": None,
        "draw_captures": None,
        "category": "win",
        "plies": 13,
    }
    few = command("longest", "KvK", "--json", "--limit", "3", "--loss").out.splitlines()
    assert len(few) == 3
    assert {json.loads(line)["category"] for line in few} == {"loss"}


def test_distances_to_zeroing_and_a_rule(command: Command, tmp_path: Path) -> None:
    build = ("build", "--pieces", "2", "--metric", "dtz", "--draw-plies", "10", "--out", tmp_path)
    assert command(*build).status == 0
    status, out, err = command("longest", "--pieces", "2", "--metric", "dtz", "--draw-plies", "10", "--db", tmp_path)
    assert (status, err) == (0, "")
    assert {line.split("  ")[1] for line in out.splitlines()[:-1]} == {"9 plies"}


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        ((), 2, "give either MATERIAL or --pieces (see dame-fast longest --help)"),
        (("KvK", "--pieces", "2"), 2, "give either MATERIAL or --pieces (see dame-fast longest --help)"),
        (("KKM",), 2, "not the name of a slice: 'KKM' (an example: KKMvKM)"),
        (("",), 2, "not the name of a slice: '' (an example: KKMvKM)"),
        (("--pieces", "1"), 2, "the number of pieces must be 2 to 12, not 1"),
        (("KvK", "--limit", "0"), 2, "limit must be 1 to 1000000, not 0"),
        (("KvK", "--threads", "0"), 2, "the number of threads must be 1 to 4096, not 0"),
        (("KvK", "--variant", "chess"), 2, None),
        (("KvK", "--metric", "wdl"), 2, None),
        (("KKKvKK",), 3, no_table("KKKvKK", SHIPPED / "english", 4, "--pieces 5", "dtw")),
        (("KvK", "--metric", "dtz"), 3, no_table("KvK", SHIPPED / "english", None, "--pieces 2", "dtz")),
        (("--pieces", "5"), 3, no_table("5 pieces", SHIPPED / "english", 4, "--pieces 5", "dtw")),
        (("KvK", "--db", "/nowhere"), 3, "no tables: there is no directory '/nowhere'"),
    ],
)
def test_errors(command: Command, arguments: tuple[str, ...], status: int, text: str | None) -> None:
    found = command("longest", *arguments)
    assert (found.status, found.out) == (status, "")
    assert found.err.count("\n") == 1
    assert text is None or found.err == f"dame-fast: {text}\n"


def test_a_damaged_table(command: Command, tmp_path: Path) -> None:
    copy_tables(tmp_path, "KvK")
    content = bytearray((tmp_path / "KvK.dtw").read_bytes())
    content[-3] ^= 1  # before the one entry of the block table
    (tmp_path / "KvK.dtw").write_bytes(content)
    status, out, err = command("longest", "KvK", "--db", tmp_path)
    assert (status, out, err) == (4, "", f"dame-fast: {tmp_path / 'KvK.dtw'}: block 0: checksum\n")
