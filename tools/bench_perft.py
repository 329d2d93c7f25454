"""Measure move generation: `python tools/bench_perft.py [DEPTH] [--runs N]`, one JSON line.

Leaves of the English start position a second on one thread, the last ply counted and not played, fastest of
several runs. The baseline is the slow twin of `tests/reference` in the same run, at a depth that it can reach.
`--custom`: the generator that custom rules are played by, with the compiled kernel as the baseline.
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
import dame_fast._native as _native  # noqa: E402
from dame_fast.rules.rules import switches_of  # noqa: E402

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
    parser.add_argument("--variant", default="english", help="with --custom")
    parser.add_argument("--custom", action="store_true")
    arguments = parser.parse_args()

    if arguments.custom:
        board = dame_fast.Board(variant=arguments.variant)
        mover = _native.CustomRules(arguments.variant, switches_of(board.rules))
        leaves, seconds = fastest(
            lambda: _native.perft(mover, board.position, arguments.depth, False, _native.Cancel()), arguments.runs
        )
        baseline = "compiled kernel"
        base_leaves, base_seconds = fastest(
            lambda: dame_fast.perft(board, arguments.depth, paths=False), arguments.runs
        )
    else:
        board = dame_fast.Board()
        leaves, seconds = fastest(lambda: dame_fast.perft(board, arguments.depth, paths=False), arguments.runs)
        start = twin_moves.start_position(twin_rules.ENGLISH)
        baseline = "slow twin in Python"
        base_leaves, base_seconds = fastest(lambda: twin_perft.perft(start, twin_rules.ENGLISH, TWIN_DEPTH), 3)
    rate, base_rate = leaves / seconds, base_leaves / base_seconds
    print(
        json.dumps(
            {
                "bench": "perft, custom rules" if arguments.custom else "perft",
                "variant": board.variant,
                "depth": arguments.depth,
                "leaves": leaves,
                "seconds": round(seconds, 4),
                "leaves_per_second": round(rate),
                "baseline": baseline,
                "baseline_leaves_per_second": round(base_rate),
                "ratio": round(rate / base_rate, 3 if arguments.custom else 1),
                "runs": arguments.runs,
                "machine": platform.machine(),
                "python": platform.python_version(),
            }
        )
    )


if __name__ == "__main__":
    main()
