"""What long commands show while they work: bars in a terminal, lines elsewhere."""

import json
import os
import re
import sys
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest
from small_tables import Command

from dame_fast.cli.build import show_summary
from dame_fast.cli.progress import WorkProgress, times_text

WIDTH = 80
CLOCK = r"\d+:\d\d:\d\d"
BAR = re.compile(rf".{{24}} [━╸╺ ]{{22}} ( {{5}}|[ \d]{{3}} %) +{CLOCK}( +{CLOCK} left)?")


def shown(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Run a command in a terminal of 80 columns; return the lines of bars, and all that stays."""
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm"}
    child = pexpect.spawn(
        sys.executable,
        ["-P", "-m", "dame_fast", *arguments],
        env=environment,
        dimensions=(24, WIDTH),
        encoding="utf-8",
        timeout=60,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert isinstance(child.before, str)
    plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", child.before)
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", plain) if line.strip()]
    return [line for line in lines if "━" in line or "╺" in line], [line for line in lines if "━" not in line]


def test_bars_of_a_build(tmp_path: Path) -> None:
    bars, rest = shown(["build", "--pieces", "4", "--out", str(tmp_path), "--threads", "1"])
    wholes = [bar for bar in bars if re.match(r" *\d+/41 slices ", bar)]
    parts = [bar for bar in bars if bar not in wholes]
    assert wholes
    assert any(bar.startswith("write ") for bar in parts)
    for bar in bars:
        assert len(bar) < WIDTH
        assert BAR.fullmatch(bar), bar
    percents = [int(bar[47:51]) for bar in wholes]
    assert percents == sorted(percents)
    assert percents[0] < 90
    assert all(len(line.replace(str(tmp_path), "DIR")) <= WIDTH for line in rest)


def test_bars_of_a_verification(tmp_path: Path) -> None:
    """No bar stands still while tables are read and captures played out."""
    shown(["build", "--pieces", "4", "--out", str(tmp_path)])
    bars, _ = shown(["verify", "--full", str(tmp_path), "--threads", "1"])
    names = {re.sub(r"^ *\d+/", "", bar[:24]).strip() for bar in bars}
    assert {"41 files", "playing captures out", "41 slices"} <= names
    for stage in ("playing captures out", "/41 slices"):
        percents = [int(bar[47:51]) for bar in bars if stage in bar[:24]]
        assert percents == sorted(percents)
        assert len(set(percents)) > 1, stage
    for bar in bars:
        assert BAR.fullmatch(bar), bar


def test_lines_of_a_build(command: Command, tmp_path: Path) -> None:
    """And its log, and its summary."""
    log = tmp_path / "log.jsonl"
    status, out, err = command("build", "--pieces", "3", "--out", tmp_path / "tables", "--log", log)
    assert status == 0
    lines = err.splitlines()
    assert len(lines) == 9  # pairs
    for line in lines:
        assert re.fullmatch(rf" ?\d+/16 slices +\d+ % +{CLOCK} .{{14}}  [KM]+v[KM]+( [KM]+v[KM]+)?", line), line
    assert lines[-1].startswith("16/16 slices  100 %")
    records = [json.loads(line) for line in log.read_text().splitlines()]
    assert [" ".join(record["slices"]) for record in records] == [line.rpartition("  ")[2] for line in lines]
    assert {(record["variant"], record["metric"], record["draw_plies"]) for record in records} == {
        ("english", "wdl", None)
    }
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", record["time"]) for record in records)
    table = out.splitlines()[2:]
    names = ["pieces", "slices", "positions", "solve", "check", "write", "M/s", "bytes", "pos/B"]
    assert table[0].split() == names
    assert [line.split()[:3] for line in table[1:3]] == [["2", "4", "3,488"], ["3", "12", "196,032"]]
    assert all(len(line) <= WIDTH for line in out.splitlines()[1:])


def test_nothing_to_do_says_nothing(command: Command, three_pieces: Path) -> None:
    assert command("build", "--pieces", "3", "--out", three_pieces).err == ""


def test_the_summary_of_nine_pieces_fits(capsys: pytest.CaptureFixture[str]) -> None:
    record = {
        "pieces": 9,
        "slices": ["KvK"] * 200,
        "positions": 4_123_456_789_012,
        "bytes": 41_234_567_890,
        "seconds": {"solve": 98_765.4, "check": 12.3, "write": 123_456.7},
    }
    show_summary([record])
    assert all(len(line) <= WIDTH for line in capsys.readouterr().out.splitlines())


def test_times() -> None:
    assert len({len(times_text(elapsed, done, 100)) for elapsed in (0, 1, 3599, 35_999) for done in (0, 1, 100)}) == 1
    assert times_text(0.5, 50, 100).strip() == "0:00:00"  # too early for an estimate
    assert times_text(30, 0, None).strip() == "0:00:30"
    assert times_text(30, 100, 100) == " 0:00:30   0:00:00 left"


def test_notes_stand_on_lines_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    with WorkProgress() as progress:
        progress.start("slices", "positions", 10, 2)
        progress.note("a file is damaged")
        progress.reach(10)
        progress.finish(["KvK", "KvM"], {})
        progress.end()
    assert capsys.readouterr().err == (
        "dame-fast: a file is damaged\n2/2 slices  100 %  0:00:00                 KvK KvM\n"
    )
