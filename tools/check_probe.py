"""Compare probes with the moves: `python tools/check_probe.py [--db DIR] [--pieces N] [--count N]`, one JSON line.

Random positions of 2 to N pieces, most of them of many, either side to move, are probed through the block cache, and
so are the positions after every move, found by the move generator. The value of each must be that of its best move.
Says how many positions of each sort there were; ends with status 1 if a value is wrong.
"""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np

import dame_fast._native as _native
from dame_fast import Tablebase, open_tablebase
from dame_fast.position.position import Position, position_after

BATCH = 20_000
TOP, BOTTOM = 0xF, 0xF0000000


def draw_position(pieces: int) -> Position:
    """Draw a position uniformly from all those of so many pieces, as `probe_many` takes it."""
    while True:
        sets = [0, 0, 0, 0]  # Black's men and kings, White's men and kings
        for square in random.sample(range(32), pieces):
            sets[random.randrange(4)] |= 1 << square
        black, white = (sets[0], sets[1]), (sets[2], sets[3])
        if sets[0] & BOTTOM or sets[2] & TOP or not any(black) or not any(white):
            continue
        return (*black, *white, 0) if random.random() < 0.5 else (*white, *black, 1)


def check(tables: Tablebase, positions: list[Position], sorts: Counter[str]) -> int:
    """Return how many values are not those of the best move."""
    after: list[Position] = []
    ends = []
    for position in positions:
        moves = _native.legal_moves("english", position)
        passed = (*position[2:4], *position[:2], 1 - position[4])
        if any(captured for _, captured, _, _ in moves):
            sorts["capture"] += 1
        elif any(captured for _, captured, _, _ in _native.legal_moves("english", passed)):
            sorts["threat"] += 1
        else:
            sorts["quiet"] += 1
        after += [position_after(position, *move) for move in moves]
        ends.append(len(after))
    values = tables.probe_many(np.array(positions, np.uint64))
    next_values = tables.probe_many(np.array(after, np.uint64))
    starts = [0, *ends[:-1]]
    best = [max((-int(next_values[i]) for i in range(*span)), default=-1) for span in zip(starts, ends, strict=True)]
    return sum(int(value) != found for value, found in zip(values, best, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    sorts: Counter[str] = Counter()
    wrong = 0
    numbers = range(2, arguments.pieces + 1)
    weights = [number**3 for number in numbers]
    with open_tablebase(arguments.db) as tables:
        for first in range(0, arguments.count, BATCH):
            count = min(BATCH, arguments.count - first)
            pieces = random.choices(numbers, weights, k=count)
            positions = [draw_position(number) for number in pieces]
            wrong += check(tables, positions, sorts)
    print(json.dumps({"check": "probe", "positions": arguments.count, "wrong": wrong, **sorts}))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
