"""`plan --workers`: a build on a cluster that is only planned."""

import json

import pytest
from small_tables import Command

from dame_fast.build.cluster.worker import least_memory
from dame_fast.build.estimate import Rate, Speed
from dame_fast.build.plan import make_plan
from dame_fast.build.room import in_gib

SPEED = Speed({}, Rate(0.0, 1e-8, 1), 1e-8)


@pytest.fixture(autouse=True)
def speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same speed on every machine."""
    monkeypatch.setattr("dame_fast.cli.plan_cluster.measure_speed", lambda plan: SPEED)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--workers", "0"], "the number of workers must be 1 to 10000, not 0"),
        (["--workers", "-3"], "the number of workers must be 1 to 10000, not -3"),
        (["--workers", "x"], "Invalid value for '--workers': 'x' is not a valid integer (see dame-fast plan --help)"),
        (["--workers", "2", "--cores", "0"], "the number of threads must be 1 to 4096, not 0"),
        (["--workers", "2", "--memory-per-worker", "nan"], "the memory limit must be more than 0 GiB, not nan"),
        (["--workers", "2", "--memory-per-worker", "-1"], "the memory limit must be more than 0 GiB, not -1"),
        (["--workers", "2", "--network", "0"], "the speed of the network must be more than 0 and at most 1e+09, not 0"),
        (["--workers=2", "--disk-speed=2e9"], "the speed of the disk must be more than 0 and at most 1e+09, not 2e+09"),
        (["--workers", "2", "--price", "-1"], "the price must be at least 0 and less than 1e+09, not -1"),
        (["--workers", "2", "--threads", "2"], "--threads is of this machine; with --workers it is --cores"),
        (["--workers", "2", "--memory", "2"], "--memory is of this machine; with --workers it is --memory-per-worker"),
        (["--cores", "2"], "--cores needs --workers"),
        (["--memory-per-worker", "2"], "--memory-per-worker needs --workers"),
        (["--price", "0"], "--price needs --workers"),
    ],
)
def test_refused(command: Command, options: list[str], text: str) -> None:
    assert command("plan", "--pieces", "3", *options) == (2, "", f"dame-fast: {text}\n")


@pytest.mark.parametrize("pieces", ["11", "12"])
def test_too_many_pieces(command: Command, pieces: str) -> None:
    text = "dame-fast: too many pieces to solve: KKMMMMMvKKMM: size out of range\n"
    assert command("plan", "--pieces", pieces, "--workers", "4", "--cores", "2") == (2, "", text)


def test_what_is_said(command: Command) -> None:
    status, out, err = command("plan", "--pieces", "6", "--workers", "4", "--cores", "2", "--price", "3.6")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert max(len(line) for line in lines) <= 80
    assert lines[:3] == ["slices     155 of english", "positions  2,571,945,320", "workers    4 of 2 cores"]
    assert f"memory     each worker {in_gib(least_memory(make_plan(pieces=6, threads=2), 2))} GiB at least" in lines
    facts = json.loads(
        command("plan", "--pieces", "6", "--workers", "4", "--cores", "2", "--price", "3.6", "--json").out
    )
    assert f"time       about {round(facts['seconds'])} s for 236 tasks" in lines
    assert f"cost       {facts['cost']:,.2f}" in lines
    assert facts["cost"] == pytest.approx(4 * 0.001 * facts["seconds"], abs=0.01)
    bars = lines[lines.index("from       # computing, - reading and writing, . waiting for tasks") + 1 :]
    assert len(bars) == len(facts["rows"]) <= 24
    assert bars[0].startswith("     0 s   #####")


def test_facts(command: Command) -> None:
    facts = json.loads(command("plan", "--pieces", "3", "--workers", "2", "--cores", "1", "--json").out)
    assert list(facts) == [
        *("variant", "metric", "draw_plies", "draw_captures", "slices", "positions", "workers", "cores"),
        *("memory_per_worker", "least_memory", "fits", "seconds", "tasks", "events", "computing", "moving", "read"),
        *("written", "largest_task", "largest_seconds", "chain_seconds", "chain", "tables", "work_files", "cost"),
        *("row_seconds", "rows"),
    ]
    assert (facts["workers"], facts["cores"], facts["memory_per_worker"], facts["cost"]) == (2, 1, None, None)
    assert sum(pair["seconds"] for pair in facts["chain"]) == pytest.approx(facts["chain_seconds"], abs=0.5)


def test_too_little_memory(command: Command) -> None:
    """Said at the end; the rest is said all the same. How many cores would do is said as well."""
    options = ["plan", "--pieces", "7", "--workers", "4", "--cores", "16"]
    least = least_memory(make_plan(pieces=7, threads=16), 16)
    some = least_memory(make_plan(pieces=7, threads=5), 5)
    limit = (some + 1) / 2**30
    status, out, err = command(*options, "--memory-per-worker", str(limit))
    needs = f"dame-fast: each worker needs {in_gib(least)} GiB of memory at least, the limit is {limit:g} GiB"
    assert (status, err) == (2, f"{needs}; it suffices for 5 cores\n")
    assert f"memory     each worker {in_gib(least)} GiB at least, {limit:g} GiB there: too little" in out
    assert "\ntime " in out
    status, out, err = command(*options, "--memory-per-worker", "0.25", "--json")
    one = in_gib(least_memory(make_plan(pieces=7, threads=1), 1))
    needs = f"dame-fast: each worker needs {in_gib(least)} GiB of memory at least, the limit is 0.25 GiB"
    assert (status, err) == (2, f"{needs}; even with one core {one} GiB\n")
    assert json.loads(out)["fits"] is False
    err = command("plan", "--pieces", "7", "--workers", "4", "--cores", "1", "--memory-per-worker", "0.25").err
    assert err == f"dame-fast: each worker needs {one} GiB of memory at least, the limit is 0.25 GiB\n"
    assert command(*options, "--memory-per-worker", str((least + 1) / 2**30)).status == 0


def test_distances_and_other_rules(command: Command) -> None:
    for more in (["--metric", "dtw"], ["--variant", "russian"], ["--draw-plies", "40"], ["--slices", "KKvM"]):
        options = more if "--slices" in more else ["--pieces", "3", *more]
        assert command("plan", *options, "--workers", "2").status == 0


def test_ten_pieces_on_64_workers(command: Command) -> None:
    options = ["--workers", "64", "--cores", "16", "--memory-per-worker", "1100", "--network", "10"]
    status, out, err = command("plan", "--pieces", "10", *options, "--disk-speed", "500", "--price", "0.5", "--json")
    facts = json.loads(out)
    assert (status, err, facts["positions"]) == (0, "", 39_186_084_220_897)
    assert facts["events"] <= 3 * facts["tasks"] <= 600_000
    assert 3 <= len(facts["rows"]) <= 24
