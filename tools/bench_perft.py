"""Measure move generation: `python tools/bench_perft.py [DEPTH] [--runs N]`, one JSON line.

Leaves of the English start position a second on one thread, the last ply counted and not played, fastest of
several runs. The baseline is the slow twin of `tests/reference` in the same run, at a depth that it can reach.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from reference import moves as twin_moves  # noqa: E402
from reference import perft as twin_perft  # noqa: E402
from reference import rules as twin_rules  # noqa: E402

import dame_fast  # noqa: E402

TWIN_DEPTH = 6


def fastest(call: Callable[[], int], runs: int) -> tuple[int, float]:
    """Return the result of `call` and the seconds of its fastest run."""
    best = float("inf")
    for _ in range(runs):
        start = perf_counter()
        result = call()
        best = min(best, perf_counter() - start)
    return result, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("depth", type=int, nargs="?", default=12)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()

    board = dame_fast.Board()
    leaves, seconds = fastest(lambda: dame_fast.perft(board, arguments.depth), arguments.runs)
    start = twin_moves.start_position(twin_rules.ENGLISH)
    twin_leaves, twin_seconds = fastest(lambda: twin_perft.perft(start, twin_rules.ENGLISH, TWIN_DEPTH), 3)
    rate, twin_rate = leaves / seconds, twin_leaves / twin_seconds
    print(
        json.dumps(
            {
                "bench": "perft",
                "variant": board.variant,
                "depth": arguments.depth,
                "leaves": leaves,
                "seconds": round(seconds, 4),
                "leaves_per_second": round(rate),
                "baseline": "slow twin in Python",
                "baseline_leaves_per_second": round(twin_rate),
                "ratio": round(rate / twin_rate, 1),
                "runs": arguments.runs,
                "machine": platform.machine(),
                "python": platform.python_version(),
            }
        )
    )


if __name__ == "__main__":
    main()
