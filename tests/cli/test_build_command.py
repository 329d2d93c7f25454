"""`build` and `plan`: what they refuse, and what they say beforehand."""

import json
from pathlib import Path

import pytest
from small_tables import Command

from dame_fast.build import machine
from dame_fast.build.plan import WORK_LEAST, make_plan
from dame_fast.build.room import in_gib

SLICE = "(an example: KKMvKM)"


@pytest.mark.parametrize("name", ["build", "plan"])
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--pieces", str(2**40)], f"the number of pieces must be 2 to 12, not {2**40}"),
        (["--pieces", "-1"], "the number of pieces must be 2 to 12, not -1"),
        (["--pieces", "3", "--threads", str(2**31)], f"the number of threads must be 1 to 4096, not {2**31}"),
        (["--pieces", "3", "--threads", str(-(2**70))], f"the number of threads must be 1 to 4096, not {-(2**70)}"),
        (["--pieces", "3", "--memory", "nan"], "the memory limit must be more than 0 GiB, not nan"),
        (["--pieces", "3", "--memory", "0"], "the memory limit must be more than 0 GiB, not 0"),
        (["--pieces", "3", "--memory", "-2"], "the memory limit must be more than 0 GiB, not -2"),
        (["--slices", "KvK,K\xe9vK"], f"not the name of a slice: 'K\xe9vK' {SLICE}"),
        (["--slices", "K\udcffvK"], f"not the name of a slice: 'K\\udcffvK' {SLICE}"),
        (["--slices", "K" * 5000], f"not the name of a slice: '{'K' * 80}'... {SLICE}"),
    ],
)
def test_refused(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, arguments: list[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(name, *arguments) == (2, "", f"dame-fast: {text}\n")
    assert not list(tmp_path.iterdir())


def test_files_without_a_name(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for options, what in ((["--out", ""], "directory"), (["--out", "x", "--log", ""], "log file")):
        found = command("build", "--pieces", "2", *options)
        assert found == (2, "", f"dame-fast: not the name of a {what}: ''\n")
    assert not list(tmp_path.iterdir())


def test_what_fits_in_memory_fits(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: 3 * 2**30 + 2**29 - 1)
    monkeypatch.setattr(machine, "free_disk", lambda directory: 12_345_678)
    plan = make_plan(pieces=5, threads=1)
    limit = plan.memory / 2**30
    _, out, _ = command("plan", "--pieces", "5", "--threads", "1", "--memory", str(limit))
    lines = out.splitlines()
    assert f"memory     {in_gib(plan.memory)} GiB (3.49 GiB available)" in lines
    assert f"limit      {limit:g} GiB: in memory" in lines
    assert "disk       about 1.0 MB (12.3 MB free)" in lines
    facts = json.loads(command("plan", "--pieces", "5", "--threads", "1", "--memory", str(limit), "--json").out)
    assert facts["least_memory"] == facts["memory"] == plan.memory
    assert (facts["available_memory"], facts["free_disk"], facts["work_files"]) == (
        3 * 2**30 + 2**29 - 1,
        12_345_678,
        0,
    )
    assert facts["seconds"] > 0
    assert facts["fits"] is True


def test_values_in_work_files(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_memory", lambda: 2 * 2**30)
    monkeypatch.setattr(machine, "free_disk", lambda directory: 10**12)
    status, out, err = command("plan", "--pieces", "7", "--threads", "1")
    assert (status, err) == (0, "")
    assert "GiB with work files (2.00 GiB available)" in out
    assert "GB for work files while it runs (1,000.0 GB free)" in out
    assert "\ntime       about " in out
    facts = json.loads(command("plan", "--pieces", "7", "--threads", "1", "--json").out)
    assert facts["seconds"] > 10  # 37 billion positions
    assert facts["work_files"] == make_plan(pieces=7, threads=1).work_bytes(WORK_LEAST)
    assert facts["fits"] is True


@pytest.mark.parametrize(
    ("memory", "disk", "options", "status", "text"),
    [
        (2**40, 10**6, (), 1, "the build needs about 17.8 MB of disk in 'tables'; 1.0 MB are free"),
        (2**28, 10**12, (), 1, "the build needs 0.32 GiB of memory at least, 0.25 GiB are available"),
        (2**40, 10**12, ("--memory", "0.25"), 2, "the build needs 0.32 GiB of memory at least, the limit is 0.25 GiB"),
    ],
)
def test_what_cannot_fit(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    memory: int,
    disk: int,
    options: tuple[str, ...],
    status: int,
    text: str,
) -> None:
    """`build` does not start; `plan` says what it would take all the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(machine, "available_memory", lambda: memory)
    monkeypatch.setattr(machine, "free_disk", lambda directory: disk)
    arguments = ("--pieces", "6", "--threads", "1", *options)
    assert command("build", *arguments) == (status, "", f"dame-fast: {text}\n")
    assert not list(tmp_path.iterdir())
    found = command("plan", *arguments)
    assert (found.status, found.err) == (status, f"dame-fast: {text}\n")
    assert found.out.startswith("slices     155 of english\n")
    found = command("plan", *arguments, "--json")
    assert (found.status, found.err) == (status, f"dame-fast: {text}\n")
    assert json.loads(found.out)["fits"] is False


def test_a_draw_rule_means_dtz(command: Command, tmp_path: Path) -> None:
    assert command("build", "--pieces", "2", "--draw-plies", "40", "--out", tmp_path, "--json").status == 0
    names = {path.name for path in tmp_path.glob("KvK.*")}
    assert names == {"KvK.n40.wdl", "KvK.n40.dtz"}
    assert json.loads(command("plan", "--pieces", "2", "--draw-plies", "40", "--json").out)["metric"] == "dtz"
    text = "dame-fast: a draw after 40 plies without capture and man move needs the metric dtz, not wdl\n"
    for name in ("build", "plan"):
        assert command(name, "--pieces", "2", "--draw-plies", "40", "--metric", "wdl") == (2, "", text)
