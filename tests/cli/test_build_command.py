"""`build` and `plan`: what they refuse, and what they say beforehand."""

import json
from pathlib import Path

import pytest
from small_tables import Command

from dame_fast.build.plan import in_gib, make_plan

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


def test_what_fits_in_memory_fits(command: Command) -> None:
    plan = make_plan(pieces=4, threads=1)
    limit = plan.memory / 2**30
    _, out, _ = command("plan", "--pieces", "4", "--threads", "1", "--memory", str(limit))
    lines = out.splitlines()
    assert f"memory     {in_gib(plan.memory)} GiB" in lines
    assert f"limit      {limit:g} GiB: in memory" in lines
    facts = json.loads(command("plan", "--pieces", "4", "--threads", "1", "--memory", str(limit), "--json").out)
    assert facts["least_memory"] == facts["memory"] == plan.memory
    assert facts["fits"] is True
