"""Measure the builder: `python tools/bench_build.py [--pieces N] [--threads T] [--runs N]`, one JSON line.

Builds all tables from nothing into a temporary directory, and reports solving alone and everything (solve, check a
sample, encode, compress, publish), for each slice pair too; of several runs the fastest. The baseline is a solver of
one position after the other in C (tests/native/support/naive.h), built and run here on slices of up to four pieces:
`ratio` compares it with the builder on the same slices in the same process, one thread each. Needs cmake and ninja.
"""

import argparse
import json
import platform
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from dame_fast.arguments import threads_or_all
from dame_fast.build.builder import build
from dame_fast.build.report import peak_memory
from dame_fast.progress import SilentProgress

ROOT = Path(__file__).resolve().parent.parent


class Records(SilentProgress):
    """Keeps what becomes of every slice pair."""

    def __init__(self) -> None:
        self.all: list[Mapping[str, Any]] = []

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        """Keep it."""
        self.all.append(record)


def measure_baseline() -> dict[str, Any]:
    """Build and run tests/native/build/bench_solver.c."""
    with TemporaryDirectory() as folder:
        for command in (
            ["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", "-DDAME_TESTS=ON"],
            ["cmake", "--build", folder, "--target", "bench_solver"],
        ):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        program = Path(folder) / "tests" / "native" / "bench_solver"
        result = subprocess.run([str(program)], check=True, capture_output=True, text=True)
        measured: dict[str, Any] = json.loads(result.stdout)
        return measured


def measure_build(pieces: int, threads: int) -> dict[str, Any]:
    """Build from nothing once."""
    records = Records()
    with TemporaryDirectory() as folder:
        start = perf_counter()
        result = build(folder, pieces=pieces, threads=threads, progress=records)
        seconds = perf_counter() - start
    positions = sum(record["positions"] for record in records.all)
    stages = {stage: sum(record["seconds"][stage] for record in records.all) for stage in ("solve", "check", "write")}
    return {
        "positions": positions,
        "bytes": result.bytes,
        "seconds": round(seconds, 3),
        "stages": {stage: round(total, 3) for stage, total in stages.items()},
        "positions_per_second": round(positions / seconds),
        "positions_per_second_solving": round(positions / stages["solve"]),
        "peak_memory": peak_memory(),
        "slices": records.all,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--threads", type=int, default=threads_or_all(None))
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()

    baseline = measure_baseline()
    runs = [measure_build(arguments.pieces, arguments.threads) for _ in range(arguments.runs)]
    fastest = min(runs, key=lambda run: run["seconds"])
    print(
        json.dumps(
            {
                "bench": "build",
                "pieces": arguments.pieces,
                "threads": arguments.threads,
                "runs": arguments.runs,
                "machine": platform.machine(),
                "python": platform.python_version(),
                "ratio": baseline["ratio"],
                "baseline": baseline,
                **fastest,
            }
        )
    )


if __name__ == "__main__":
    main()
