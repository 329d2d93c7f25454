"""Compare perft with known counts: `python tools/check_perft.py [FILE] [--most LEAVES] [--variant NAME]`, a JSON line.

FILE has the columns of tests/data/perft.tsv, which is what is read without it. Rows of rule sets that the package does
not know, and rows of fewer leaves than `--least` or more than `--most`, are left out and counted. Rows of more than
100 million leaves remember counts of positions in `--memory` GiB (0: none). Rows that are wrong go to stderr, each on a
line; ends with status 1 if there are any.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from reference.oracles import PerftRow, perft_rows  # noqa: E402

from dame_fast import Board, perft, variants  # noqa: E402

MOST = 200_000_000_000
REMEMBERED = 100_000_000
"""Leaves from which on it pays to remember."""


def count(row: PerftRow, memory: float) -> int:
    board = Board(None if row.fen == "start" else row.fen, row.variant)
    cache_bytes = int(memory * 2**30) if row.leaves > REMEMBERED else 0
    return perft(board, row.depth, paths=row.convention == "keep", cache_bytes=cache_bytes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?", default=ROOT / "tests" / "data" / "perft.tsv")
    parser.add_argument("--least", type=int, default=0, help="leaves of the smallest row that is counted")
    parser.add_argument("--most", type=int, default=MOST, help="leaves of the largest row that is counted")
    parser.add_argument("--memory", type=float, default=2, metavar="GiB")
    parser.add_argument("--variant", help="rows of this rule set alone")
    arguments = parser.parse_args()

    rows = [row for row in perft_rows(arguments.file) if arguments.variant in (None, row.variant)]
    known = [row for row in rows if row.variant in variants()]
    chosen = [row for row in known if arguments.least <= row.leaves <= arguments.most]
    agree: Counter[str] = Counter()
    leaves = wrong = 0
    start = perf_counter()
    for row in chosen:
        found = count(row, arguments.memory)
        leaves += found
        if found == row.leaves:
            agree[row.variant] += 1
        else:
            wrong += 1
            print(found, "instead of", *row, sep="\t", file=sys.stderr)
    print(
        json.dumps(
            {
                "check": "perft",
                "rows": len(chosen),
                "wrong": wrong,
                "agree": dict(sorted(agree.items())),
                "left_out": len(known) - len(chosen),
                "unknown_variant": len(rows) - len(known),
                "leaves": leaves,
                "seconds": round(perf_counter() - start, 1),
            }
        )
    )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
