"""Count wins under draw rules: `python tools/count_draw_rules.py --pieces 4 10 20 30 none`, a JSON line for each rule.

A rule N means that N plies without capture and man move are an automatic draw; `none` that there is no such rule. All
slices are solved in memory and nothing is written. Each line also says what solving took, for `none` with the distances
to the next zeroing move (`dtz`), or with `--metric dtw` with those to the end of the game.
"""

import argparse
import json
from collections import Counter
from time import perf_counter

import dame_fast._native as _native
from dame_fast.arguments import threads_or_all
from dame_fast.build.plan import make_plan
from dame_fast.build.report import peak_memory
from dame_fast.interrupt import run_native


def count(pieces: int, metric: str, rule: int | None, threads: int) -> dict[str, object]:
    """Solve all slices of at most `pieces` pieces, and add up what they hold for each number of pieces."""
    plan = make_plan(pieces=pieces, threads=threads, metric=metric)
    last = plan.last_use()
    solver = _native.Solver(plan.variant, pieces, None, metric, None if rule is None else ("draw_plies", rule))
    counts: dict[int, Counter[str]] = {number: Counter() for number in range(2, pieces + 1)}
    longest: dict[int, tuple[int, str]] = {}
    start = perf_counter()
    solving = 0.0
    for number, pair in enumerate(plan.pairs):
        begin = perf_counter()

        def solve(cancel: _native.Cancel, material: tuple[int, ...] = pair.material) -> None:
            solver.solve(material, threads, cancel, _native.Counter())

        run_native(solve)
        solving += perf_counter() - begin
        for member in pair.members:
            cancel = _native.Cancel()
            win, draw, loss = solver.counts(member, cancel)
            counts[member.pieces].update(win=win, draw=draw, loss=loss)
            plies = solver.longest(member, cancel)[0] or 0
            longest[member.pieces] = max(longest.get(member.pieces, (0, "")), (plies, member.name))
        for done in plan.pairs[: number + 1]:
            if last[done.material] == number:
                solver.drop(done.material)
    return {
        "pieces": pieces,
        "metric": metric,
        "draw_plies": rule,
        "counts": {number: dict(counter) for number, counter in counts.items()},
        "longest_win": {number: list(found) for number, found in longest.items()},
        "solve_seconds": round(solving, 1),
        "seconds": round(perf_counter() - start, 1),
        "peak_memory": peak_memory(),
        "threads": threads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="+", help="plies, or none")
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--metric", choices=("dtw", "dtz"), default="dtz")
    parser.add_argument("--threads", type=int, default=threads_or_all(None))
    arguments = parser.parse_args()
    for text in arguments.rules:
        rule = None if text == "none" else int(text)
        print(json.dumps(count(arguments.pieces, arguments.metric, rule, arguments.threads)), flush=True)


if __name__ == "__main__":
    main()
