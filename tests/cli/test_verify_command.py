"""`verify`: all sorts of damage are found, whatever else is sound."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_tables import Command, flip_bit, nesting_of, read_values, write_russian, write_table
from table_header import HEADER_SIZE

from dame_fast.cli import verify as verify_command
from dame_fast.rules.registry import known_variants


@pytest.fixture
def copied(three_pieces: Path, tmp_path: Path) -> Path:
    """A copy of all tables that may be spoilt."""
    return shutil.copytree(three_pieces, tmp_path / "copied")


def remove_lists(directory: Path) -> None:
    for name in ("manifest.json", "SHA256SUMS"):
        (directory / name).unlink()


def names_of_lines(err: str, slices: int) -> set[str]:
    """The names of the tables that lines on stderr tell of, each in its order."""
    names = []
    for number, line in enumerate(err.splitlines(), 1):
        found = re.fullmatch(
            rf" *{number}/{slices} slices +\d+ % +\d:\d\d:\d\d ( *\d:\d\d:\d\d left| {{14}})  (\S+)", line
        )
        assert found is not None, line
        names.append(found[2])
    assert len(names) == len(set(names))
    return set(names)


def test_sound(command: Command, three_pieces: Path) -> None:
    size = sum(path.stat().st_size for path in three_pieces.glob("*.wdl"))
    files = f"16 files of {size:,} bytes: checksums and manifest agree\n"
    values = "16 slices, 199,520 values consistent\n"
    names = {path.name for path in three_pieces.glob("*.wdl")}
    assert command("verify", three_pieces) == (0, files, "")
    assert command("verify", three_pieces, "--variant", "english") == (0, files, "")
    for threads in ("1", "2"):
        found = command("verify", three_pieces, "--full", "--threads", threads)
        assert (found.status, found.out) == (0, files + values)
        assert names_of_lines(found.err, 16) == names
    sampled = "16 slices, 1,600 sampled values consistent\n"
    found = command("verify", three_pieces, "--sample", "100")
    assert (found.status, found.out) == (0, files + sampled)
    assert names_of_lines(found.err, 16) == names


def test_json(command: Command, three_pieces: Path) -> None:
    size = sum(path.stat().st_size for path in three_pieces.glob("*.wdl"))
    facts = {
        "variant": "english",
        "files": 16,
        "bytes": size,
        "manifest": True,
        "unlisted": 0,
        "check": "files",
        "values": 0,
    }
    for options, changed in (
        ((), {}),
        (("--full",), {"check": "full", "values": 199520}),
        (("--sample", "5"), {"check": "sample", "values": 80}),
        (("--sample", "1%"), {"check": "sample", "values": 2002}),  # of 199,520, rounded up in each slice
    ):
        status, out, err = command("verify", three_pieces, "--json", *options)
        assert (status, out.count("\n")) == (0, 1)
        assert len(names_of_lines(err, 16)) == (16 if options else 0)
        assert json.loads(out) == {**facts, **changed}


def test_without_a_manifest(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(three_pieces / "KvM.wdl", tmp_path))
    size = path.stat().st_size
    text = f"1 file of {size} bytes: checksums agree (there is no manifest)\n"
    assert command("verify", tmp_path) == (0, text, "")
    facts = json.loads(command("verify", tmp_path, "--json").out)
    assert (facts["manifest"], facts["unlisted"]) == (False, 1)


def test_tables_that_are_not_listed(command: Command, copied: Path) -> None:
    """A build that was killed, or still runs, may have published them before it could list them."""
    path = copied / "manifest.json"
    manifest = json.loads(path.read_text())
    left = manifest["files"][2:]
    size = sum(path.stat().st_size for path in copied.glob("*.wdl"))
    first = f"16 files of {size:,} bytes: checksums and manifest agree\n"
    for files, said in ((left, "2 whole files"), (manifest["files"][1:], "1 whole file")):
        path.write_text(json.dumps({**manifest, "files": files}))
        second = f"{said} not listed in manifest.json (a build or merge is not finished)\n"
        assert command("verify", copied) == (0, first + second, "")
        facts = json.loads(command("verify", copied, "--json").out)
        assert (facts["manifest"], facts["unlisted"]) == (True, int(said[0]))


def test_one_bit_of_every_byte(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    """Of a file with a compressed block; there is no manifest to give it away."""
    path = Path(shutil.copy(three_pieces / "KvM.wdl", tmp_path))
    assert path.read_bytes()[129] >> 6 in (1, 3), "form of the block"
    for byte in range(path.stat().st_size):
        flip_bit(path, byte, byte % 8)
        status, out, err = command("verify", tmp_path)
        assert (status, out) == (4, ""), byte
        assert err.startswith(f"dame-fast: {path}: "), byte
        assert err.count("\n") == 1, byte
        flip_bit(path, byte, byte % 8)
    assert command("verify", tmp_path).status == 0


def test_every_length(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    whole = (three_pieces / "KvM.wdl").read_bytes()
    path = tmp_path / "KvM.wdl"
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        text = "file is shorter than a header" if length < HEADER_SIZE else "file is shorter than its header says"
        assert command("verify", tmp_path) == (4, "", f"dame-fast: {path}: {text}\n")
    path.write_bytes(whole + b"\0")
    text = "file is longer than its header says"
    assert command("verify", tmp_path) == (4, "", f"dame-fast: {path}: {text}\n")


def test_a_file_under_another_name(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    shutil.copy(three_pieces / "KvM.wdl", tmp_path / "MvK.wdl")
    assert command("verify", tmp_path) == (4, "", f"dame-fast: {tmp_path / 'MvK.wdl'}: holds KvM.wdl\n")


def test_rule_sets(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    path = write_russian(tmp_path)
    assert command("verify", tmp_path).status == 0
    text = f"dame-fast: {path}: a table of russian, not of english\n"
    assert command("verify", tmp_path, "--variant", "english") == (2, "", text)
    other = shutil.copy(three_pieces / "KvM.wdl", tmp_path)
    assert command("verify", tmp_path) == (2, "", f"dame-fast: {other}: a table of english, not of russian\n")
    text = f"dame-fast: unknown variant 'chess' (known: {known_variants()})\n"
    assert command("verify", tmp_path, "--variant", "chess") == (2, "", text)


def test_bad_input(command: Command, three_pieces: Path, tmp_path: Path) -> None:
    for arguments, status, text in (
        ([tmp_path], 3, f"no tables in the directory {str(tmp_path)!r}"),
        ([tmp_path / "x"], 3, f"no tables: there is no directory {str(tmp_path / 'x')!r}"),
        ([three_pieces / "KvK.wdl"], 2, f"not a directory: {str(three_pieces / 'KvK.wdl')!r}"),
        ([three_pieces, "--threads", "0"], 2, "the number of threads must be 1 to 4096, not 0"),
        ([three_pieces, "--threads", str(2**31)], 2, "the number of threads must be 1 to 4096, not 2147483648"),
        ([""], 2, "not the name of a directory: ''"),
        ([three_pieces, "--sample", "-3"], 2, f"the number of samples must be 1 to {2**63 - 1}, not -3"),
        ([three_pieces, "--sample", str(2**63)], 2, f"the number of samples must be 1 to {2**63 - 1}, not {2**63}"),
        ([three_pieces, "--memory", "0"], 2, "the memory limit must be more than 0 GiB, not 0"),
        ([three_pieces, "--memory", "nan"], 2, "the memory limit must be more than 0 GiB, not nan"),
        ([three_pieces, "--sample", "x"], 2, "not a number of positions or a share such as 0.1%: 'x'"),
        ([three_pieces, "--sample", "x%"], 2, "not a number of positions or a share such as 0.1%: 'x%'"),
        ([three_pieces, "--sample", "0%"], 2, "the share of samples must be more than 0 and at most 100 %, not '0%'"),
        (
            [three_pieces, "--sample", "nan%"],
            2,
            "the share of samples must be more than 0 and at most 100 %, not 'nan%'",
        ),
        (
            [three_pieces, "--full", "--sample", "3"],
            2,
            "--full and --sample cannot be used together (see dame-fast verify --help)",
        ),
    ):
        assert command("verify", *arguments) == (status, "", f"dame-fast: {text}\n")


def test_files_and_manifest(command: Command, copied: Path) -> None:
    hidden = copied / "KvK.hidden"
    (copied / "KvK.wdl").rename(hidden)
    text = f"{copied / 'KvK.wdl'}: listed in manifest.json, but not there"
    assert command("verify", copied) == (3, "", f"dame-fast: {text}\n")
    hidden.rename(copied / "KvK.wdl")

    shutil.copy(copied / "KvK.wdl", hidden)
    write_table(copied, "KvK", read_values(hidden), (230, 654, 108), nesting=nesting_of(hidden))
    sizes = f"{(copied / 'KvK.wdl').stat().st_size:,} bytes, manifest.json lists {hidden.stat().st_size}"
    text = f"{copied / 'KvK.wdl'}: {sizes}"
    assert command("verify", copied) == (4, "", f"dame-fast: {text}\n")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda m: m["files"][0].update(size=7), "KvK.wdl: {size} bytes, manifest.json lists 7"),
        (lambda m: m["files"][0].update(sha256="00"), "KvK.wdl: another SHA-256 than in manifest.json"),
        (lambda m: m["files"][0].update(win=1), "KvK.wdl: win is 230, manifest.json says 1"),
        (lambda m: m["files"][0].update(positions=1), "KvK.wdl: positions is 992, manifest.json says 1"),
        (lambda m: m["files"][0].pop("loss"), "KvK.wdl: manifest.json does not say its loss"),
        (lambda m: m.update(variant="russian"), "KvK.wdl: variant is english, manifest.json says russian"),
        (lambda m: m["files"][0].update(draw_plies=80), "KvK.wdl: draw_plies is None, manifest.json says 80"),
        (lambda m: m["files"][0].update(block_size=4096), "KvK.wdl: block_size is 16384, manifest.json says 4096"),
        (
            lambda m: m["files"][0].update(name="../KvK.wdl"),
            "manifest.json: its list of files cannot be read",
        ),
        (lambda m: m["files"][0].update(name=7), "manifest.json: its list of files cannot be read"),
        (lambda m: m["files"][0].update(name="K" * 5000), "manifest.json: its list of files cannot be read"),
        (lambda m: m["files"][0].pop("sha256"), "manifest.json: its list of files cannot be read"),
        (lambda m: m["files"].append(m["files"][0]), "manifest.json: 'KvK.wdl' is listed twice"),
        (lambda m: m.update(format=True), "manifest.json: not a manifest of format 2"),
        (lambda m: m.update(files={}), "manifest.json: its list of files cannot be read"),
        (lambda m: m.update(format=1), "manifest.json: not a manifest of format 2"),
    ],
)
def test_manifest(command: Command, copied: Path, change: Callable[[Any], None], text: str) -> None:
    path = copied / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    text = text.format(size=(copied / "KvK.wdl").stat().st_size)
    assert command("verify", copied) == (4, "", f"dame-fast: {copied}/{text}\n")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_manifest_that_is_no_json(command: Command, copied: Path, content: bytes) -> None:
    (copied / "manifest.json").write_bytes(content)
    status, out, err = command("verify", copied)
    assert (status, out) == (4, "")
    assert err.startswith(f"dame-fast: {copied}/manifest.json: no JSON: ")


def test_a_manifest_that_is_a_list(command: Command, copied: Path) -> None:
    (copied / "manifest.json").write_text("[]")
    text = f"dame-fast: {copied}/manifest.json: not a manifest of format 2\n"
    assert command("verify", copied) == (4, "", text)


def test_a_manifest_that_is_no_regular_file(command: Command, copied: Path) -> None:
    (copied / "manifest.json").unlink()
    os.mkfifo(copied / "manifest.json")
    text = f"dame-fast: {copied}/manifest.json: not a regular file\n"
    assert command("verify", copied) == (4, "", text)


def test_a_name_that_is_no_text(command: Command, copied: Path) -> None:
    shutil.copy(copied / "KvM.wdl", copied / "K\udcffvM.wdl")
    text = f"dame-fast: {copied}/K\\udcffvM.wdl: holds KvM.wdl\n"
    assert command("verify", copied) == (4, "", text)


def test_a_wrong_value(command: Command, copied: Path) -> None:
    """Sound for all checksums: the first value of KvK, kings on 1 and 32, is called a win."""
    remove_lists(copied)
    values = bytearray(read_values(copied / "KvK.wdl"))
    assert values[0] & 3 == 0
    values[0] |= 1
    write_table(copied, "KvK", bytes(values), (231, 653, 108), nesting=nesting_of(copied / "KvK.wdl"))
    assert command("verify", copied).status == 0
    text = "KvK: 1 of 992 values are wrong, the first in B:WK32:BK1: win is stored, its moves make it draw"
    assert command("verify", copied, "--full") == (4, "", f"dame-fast: {text}\n")
    status, _, err = command("verify", copied, "--sample", "20000")
    assert status == 4
    assert err.startswith("dame-fast: KvK: ")


def test_wrong_counts(command: Command, copied: Path) -> None:
    remove_lists(copied)
    whole = copied / "KvK.wdl"
    write_table(copied, "KvK", read_values(whole), (231, 653, 108), nesting=nesting_of(whole))
    text = "KvK: the header counts something else than 230 won, 654 drawn and 108 lost positions"
    assert command("verify", copied, "--full") == (4, "", f"dame-fast: {text}\n")


def test_a_table_that_others_need(command: Command, copied: Path) -> None:
    remove_lists(copied)
    (copied / "KvK.wdl").unlink()
    assert command("verify", copied).status == 0
    for option in (["--full"], ["--sample", "500"]):
        assert command("verify", copied, *option) == (3, "", "dame-fast: no table of KvK\n")


def test_digests(command: Command, copied: Path) -> None:
    """What `SHA256SUMS` lists has to be there and the same, with a manifest or without."""
    sums = copied / "SHA256SUMS"
    lines = sums.read_text().splitlines()
    assert lines[0].endswith("  KvK.wdl")
    for _ in range(2):
        sums.write_text("\n".join([f"{'0' * 64}  KvK.wdl", *lines[1:]]))
        text = f"dame-fast: {copied / 'KvK.wdl'}: another SHA-256 than in SHA256SUMS\n"
        assert command("verify", copied) == (4, "", text)
        sums.write_text("\n".join([*lines, f"{'0' * 64}  KKvKK.wdl"]))
        text = f"dame-fast: {copied / 'KKvKK.wdl'}: listed in SHA256SUMS, but not there\n"
        assert command("verify", copied) == (3, "", text)
        sums.write_text("x")
        text = f"dame-fast: {sums}: line 1 is not a digest and a name: 'x'\n"
        assert command("verify", copied) == (4, "", text)
        (copied / "manifest.json").unlink(missing_ok=True)
    sums.write_text("\n".join(lines))
    size = sum(path.stat().st_size for path in copied.glob("*.wdl"))
    text = f"16 files of {size:,} bytes: checksums agree (there is no manifest)\n"
    assert command("verify", copied) == (0, text, "")


def test_some_slices(command: Command, copied: Path) -> None:
    """Files, lists and values of these alone are looked at; a sample is spread over them."""
    size = sum((copied / f"{name}.wdl").stat().st_size for name in ("KvM", "KKvK"))
    files = f"2 files of {size:,} bytes: checksums and manifest agree\n"
    named = ("verify", copied, "--slices", "KKvK, KvM")
    assert command(*named) == (0, files, "")
    positions = 14_880 + 868
    for options, values in (
        (("--full",), f"{positions:,} values"),
        (("--sample", "7"), "14 sampled values"),
        (("--sample", "1%"), f"{149 + 9} sampled values"),
    ):
        found = command(*named, *options)
        assert (found.status, found.out) == (0, f"{files}2 slices, {values} consistent\n")
        assert names_of_lines(found.err, 2) == {"KvM.wdl", "KKvK.wdl"}
    damaged = copied / "KMvK.wdl"
    flip_bit(damaged, damaged.stat().st_size - 1, 0)
    assert command(*named, "--full").status == 0
    assert command("verify", copied, "--slices", "KMvK").status == 4
    facts = json.loads(command("verify", copied, "--pieces", "2", "--full", "--json").out)
    assert (facts["files"], facts["unlisted"], facts["values"]) == (4, 0, 3_488)
    assert command("verify", copied, "--pieces", "3").status == 4


@pytest.mark.parametrize("available", [None, 40_000, 2**40])
def test_what_memory_has_no_room_for(
    command: Command, copied: Path, monkeypatch: pytest.MonkeyPatch, available: int | None
) -> None:
    """Tables that are not in memory are read a block at a time; a wrong value is found all the same.

    A tenth of the positions of each slice, rounded up, are 19,954 in all.
    """
    monkeypatch.setattr(verify_command, "available_memory", lambda: available)
    for options in ((), ("--memory", "1e-9"), ("--memory", "0.0001"), ("--memory", "inf")):
        found = command("verify", copied, "--full", *options)
        assert found.out.endswith("16 slices, 199,520 values consistent\n")
        found = command("verify", copied, "--sample", "10%", *options)
        assert found.out.endswith("16 slices, 19,954 sampled values consistent\n")
    remove_lists(copied)
    values = bytearray(read_values(copied / "KvK.wdl"))
    values[0] |= 1
    write_table(copied, "KvK", bytes(values), (231, 653, 108), nesting=nesting_of(copied / "KvK.wdl"))
    for options in ((), ("--memory", "1e-9")):
        status, _, err = command("verify", copied, "--full", *options)
        assert (status, "is stored, its moves make it" in err) == (4, True)


def test_slices_that_are_not_there(command: Command, copied: Path) -> None:
    for options, status, text in (
        (["--slices", "KvK,KKvKK,MMvMM"], 3, f"no tables of KKvKK, MMvMM in the directory {str(copied)!r}"),
        (["--pieces", "4"], 3, f"no tables of 4 pieces in the directory {str(copied)!r}"),
        (["--pieces", "13"], 2, "the number of pieces must be 2 to 12, not 13"),
        (["--slices", "KvQ"], 2, "not the name of a slice: 'KvQ' (an example: KKMvKM)"),
        (["--slices", "KKvM", "--pieces", "2"], 2, "KKvM has 3 pieces, more than 2"),
    ):
        assert command("verify", copied, *options) == (status, "", f"dame-fast: {text}\n")
    (copied / "KKvK.wdl").unlink()
    text = f"dame-fast: no table of KKvK in the directory {str(copied)!r}\n"
    assert command("verify", copied, "--slices", "KKvK") == (3, "", text)
    text = f"dame-fast: {copied / 'KKvK.wdl'}: listed in manifest.json, but not there\n"
    assert command("verify", copied, "--pieces", "3") == (3, "", text)
    remove_lists(copied)
    assert command("verify", copied, "--slices", "KvKK").status == 0
    assert command("verify", copied, "--slices", "KvKK", "--full") == (3, "", "dame-fast: no table of KKvK\n")


def test_a_needed_table_under_another_name(command: Command, copied: Path) -> None:
    shutil.copy(copied / "MvK.wdl", copied / "KvK.wdl")
    text = f"dame-fast: {copied / 'KvK.wdl'}: holds MvK.wdl\n"
    assert command("verify", copied, "--slices", "KKvK").status == 0
    assert command("verify", copied, "--slices", "KKvK", "--sample", "5") == (4, "", text)
