"""`stats`."""

import csv
import json
import shutil
from pathlib import Path

from reference.oracles import english_slices
from small_tables import Command, flip_bit, resign, write_russian, write_table

from dame_fast.rules.registry import known_variants
from dame_fast.tables.material import Material

HEADER = "variant,metric,draw_plies,draw_captures,pieces,sm,sk,om,ok,positions,win,draw,loss,max_win,max_loss,bytes"


def test_csv(command: Command, three_pieces: Path) -> None:
    status, out, err = command("stats", three_pieces, "--format", "csv")
    assert (status, err) == (0, "")
    expected = [HEADER]
    for material, counts in (row for row in english_slices() if row.material.pieces <= 3):
        size = (three_pieces / f"{Material(*material).name}.wdl").stat().st_size
        numbers = [material.pieces, *material, counts.positions, counts.win, counts.draw, counts.loss]
        expected.append(f"english,wdl,,,{','.join(map(str, numbers))},,,{size}")
    assert out == "".join(f"{line}\n" for line in expected)


def test_json(command: Command, three_pieces: Path) -> None:
    status, out, err = command("stats", three_pieces, "--format", "json")
    assert (status, err) == (0, "")
    rows = json.loads(out)
    assert len(rows) == 16
    assert [*rows[0]] == HEADER.split(",")
    assert (rows[0]["draw_plies"], rows[0]["max_win"], rows[0]["positions"]) == (None, None, 992)
    table = csv.DictReader(command("stats", three_pieces, "--format", "csv").out.splitlines())
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows] == [*table]


def test_table(command: Command, three_pieces: Path) -> None:
    status, out, err = command("stats", three_pieces)
    assert (status, err) == (0, "")
    title, header, _, *rows, _, total = out.splitlines()
    assert title == "english, wdl"
    assert header.split() == ["slice", "positions", "win", "draw", "loss", "bytes"]
    assert len(rows) == 16
    assert rows[0].split()[:5] == ["KvK", "992", "230", "654", "108"]
    assert total.split()[:7] == ["16", "in", "all", "199,520", "100,966", "10,847", "87,707"]
    assert "\x1b" not in out


def test_one_table_for_each_rule_set(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    write_russian(tmp_path)
    shutil.copy(three_pieces / "KvM.wdl", tmp_path)
    _, out, _ = command("stats", tmp_path)
    assert [line for line in out.splitlines() if "wdl" in line] == ["english, wdl", "russian, wdl"]


def test_refused(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert command("stats", gone) == (3, "", f"dame-fast: no tables: there is no directory {str(gone)!r}\n")
    assert command("stats", tmp_path) == (3, "", f"dame-fast: no tables in the directory {str(tmp_path)!r}\n")
    path = Path(shutil.copy(three_pieces / "KvM.wdl", tmp_path))
    assert command("stats", path) == (2, "", f"dame-fast: not a directory: {str(path)!r}\n")
    flip_bit(path, 33, 0)
    assert command("stats", tmp_path) == (4, "", f"dame-fast: {path}: header checksum\n")
    path.write_bytes((three_pieces / "KvM.wdl").read_bytes()[:-1])
    assert command("stats", tmp_path) == (4, "", f"dame-fast: {path}: file is shorter than its header says\n")
    path.write_bytes(b"")
    assert command("stats", tmp_path) == (4, "", f"dame-fast: {path}: file is shorter than a header\n")


def test_headers_of_other_programs(command: Command, tmp_path: Path) -> None:
    path = write_table(tmp_path, "KvK", bytes(256), (0, 992, 0))
    resign(path, "variant", b"chess\0\0\0")
    text = f"{path}: unknown variant 'chess' (known: {known_variants()})"
    assert command("stats", tmp_path) == (2, "", f"dame-fast: {text}\n")
    resign(path, "variant", b"english\0")
    assert command("stats", tmp_path).status == 0
    resign(path, "draw", (991).to_bytes(8, "little"))
    text = f"{path}: header: win, draw and loss do not add up"
    assert command("stats", tmp_path) == (4, "", f"dame-fast: {text}\n")
