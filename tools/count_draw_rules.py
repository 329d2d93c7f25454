"""Count wins under draw rules: `python tools/count_draw_rules.py --pieces 4 10 20 30 none`, a JSON line for each rule.

A rule N means that N plies without capture and man move are an automatic draw, with `--metric dtc` N plies without a
capture; `none` that there is no such rule. All slices are solved in memory and nothing is written. Each line also says
what solving took, for `none` with the distances of the metric: to the next zeroing move (`dtz`), to the next capture
(`dtc`), or to the end of the game (`dtw`), under which there is no rule. `--slices` adds the
longest win and loss of each slice.
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
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.tables.metric import METRICS, WITH_PLIES


def count(pieces: int, metric: str, rule: DrawRule | None, threads: int, *, each: bool) -> dict[str, object]:
    """Solve all slices of at most `pieces` pieces, and add up what they hold for each number of pieces."""
    plan = make_plan(pieces=pieces, threads=threads, metric=metric)
    last = plan.last_use()
    solver = _native.Solver(plan.variant, pieces, None, metric, rule)
    counts: dict[int, Counter[str]] = {number: Counter() for number in range(2, pieces + 1)}
    longest: dict[int, tuple[int, str]] = {}
    slices: dict[str, list[int | None]] = {}
    start = perf_counter()
    solving = 0.0
    for number, pair in enumerate(plan.pairs):
        begin = perf_counter()

        def solve(cancel: _native.Cancel, material: tuple[int, ...] = pair.material) -> None:
            solver.solve(material, threads, cancel, _native.Counter())

        run_native(solve)
        solving += perf_counter() - begin
        for member in pair.members:
            (win, draw, loss), plies = solver.counts(member, _native.Cancel())
            counts[member.pieces].update(win=win, draw=draw, loss=loss)
            if each:
                slices[member.name] = plies
            longest[member.pieces] = max(longest.get(member.pieces, (0, "")), (plies[0] or 0, member.name))
        for done in plan.pairs[: number + 1]:
            if last[done.material] == number:
                solver.drop(done.material)
    return {
        "pieces": pieces,
        "metric": metric,
        "rule": None if rule is None else str(rule),
        "counts": {number: dict(counter) for number, counter in counts.items()},
        "longest_win": {number: list(found) for number, found in longest.items()},
        **({"slices": slices} if each else {}),
        "solve_seconds": round(solving, 1),
        "seconds": round(perf_counter() - start, 1),
        "peak_memory": peak_memory(),
        "threads": threads,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="+", help="plies, or none")
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--metric", choices=WITH_PLIES, default="dtz")
    parser.add_argument("--slices", action="store_true", help="the longest win and loss of each slice, too")
    parser.add_argument("--threads", type=int, default=threads_or_all(None))
    arguments = parser.parse_args()
    for text in arguments.rules:
        counters = METRICS[arguments.metric].draw_counters
        if text != "none" and not counters:
            parser.error(f"no draw rule goes with {arguments.metric}")
        rule = None if text == "none" else DrawRule(counters[0], int(text))
        found = count(arguments.pieces, arguments.metric, rule, arguments.threads, each=arguments.slices)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
