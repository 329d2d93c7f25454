"""Measure probes: `python tools/bench_probe.py [DIRECTORY] [--pieces N] [--count N]`, one JSON line.

Rates in millions of positions a second on one thread, the fastest of several runs, from C through the shared library
(tests/native/api/bench_probe.c, built here), for quiet positions, threats and pending captures apart. Preloaded and
resolved: one by one, and in batches. Through the block cache with all blocks in it: the same, and on two threads. And
without a cache: microseconds of a single probe at the median and the 99th percentile. Then `probe_many` of Python on
all of them mixed, preloaded. The baseline is no cache: `ratio` says how many times quicker a quiet position is answered
from the cache. Needs cmake, ninja and libzstd.
"""

import argparse
import json
import platform
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from dame_fast import Tablebase, open_tablebase

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5


def measure_c(directory: Path, pieces: int, count: int) -> dict[str, Any]:
    """Build and run tests/native/api/bench_probe.c."""
    with TemporaryDirectory() as folder:
        for command in (
            ["cmake", "-S", str(ROOT), "-B", folder, "-G", "Ninja", "-DDAME_TESTS=ON", "-DDAME_C_LIBRARY=ON"],
            ["cmake", "--build", folder, "--target", "bench_probe"],
        ):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        program = Path(folder) / "tests" / "native" / "bench_probe"
        arguments = [str(program), str(directory), str(pieces), str(count)]
        result = subprocess.run(arguments, check=True, capture_output=True, text=True)
        measured: dict[str, Any] = json.loads(result.stdout)
        return measured


def draw_rows(pieces: int, count: int) -> npt.NDArray[np.uint64]:
    """Draw positions uniformly from all those of so many pieces, as rows of `probe_many`."""
    random = np.random.default_rng(1)
    found = np.empty((0, 5), np.uint64)
    while len(found) < count:
        squares = np.argsort(random.random((count, 32)), axis=1)[:, :pieces].astype(np.uint64)
        chosen, bits = random.integers(0, 4, (count, pieces)), np.uint64(1) << squares
        sets = [
            np.bitwise_or.reduce(np.where(chosen == piece_set, bits, np.uint64(0)), axis=1) for piece_set in range(4)
        ]
        side = random.integers(0, 2, count).astype(np.uint64)
        black_men, black_kings, white_men, white_kings = sets
        legal = (black_men & np.uint64(0xF0000000)) == 0
        legal &= (white_men & np.uint64(0xF)) == 0
        legal &= ((black_men | black_kings) != 0) & ((white_men | white_kings) != 0)
        white = (side == 1)[:, None]
        black_first = np.stack([*sets, side], axis=1)
        white_first = np.stack([white_men, white_kings, black_men, black_kings, side], axis=1)
        found = np.concatenate([found, np.where(white, white_first, black_first)[legal]])
    return np.ascontiguousarray(found[:count])


def measure_python(tables: Tablebase, rows: npt.NDArray[np.uint64]) -> float:
    """Millions of positions a second."""
    best = 0.0
    for _ in range(RUNS):
        start = perf_counter()
        tables.probe_many(rows)
        best = max(best, len(rows) / (perf_counter() - start) / 1e6)
    return round(best, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "databases" / "english")
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000)
    arguments = parser.parse_args()

    measured = measure_c(arguments.directory, arguments.pieces, arguments.count)
    rows = draw_rows(arguments.pieces, arguments.count)
    with open_tablebase(arguments.directory, preload=arguments.pieces, resolve=True) as tables:
        python = measure_python(tables, rows)
    quiet = measured["quiet"]
    print(
        json.dumps(
            {
                "bench": "probe",
                "machine": platform.machine(),
                "ratio": round(quiet["cached"] * quiet["miss_median"], 1),
                "python_probe_many": python,
                **measured,
            }
        )
    )


if __name__ == "__main__":
    main()
