"""Build and check tables of every rule set: `python tools/bench_variants.py [--pieces N] [VARIANT...]`, JSON lines.

Tables of dtw of 2 to N pieces (4 unless said otherwise), with results and distances, from nothing into a temporary
directory. Then every value is compared with those after each move, which the generator of single positions finds. Then
won and lost positions are played out (`--games`, 1,000): perfect play must end in exactly dtw plies. Without names:
every rule set on 64 squares that has moves of its own, and its giveaway form if it has one. The baseline of `ratio` is
English, built in the same run.
"""

import argparse
import json
import random
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from check_perfect_play import decided_boards, play

from dame_fast import Tablebase, open_tablebase, variants
from dame_fast.build.builder import build
from dame_fast.tables.files import read_header, table_files
from dame_fast.tables.verification import EVERY_VALUE, verify_directory

# Others have the moves of one of these.
VARIANTS: tuple[str, ...] = ("english", "italian", "german_schmidt", "german_ass", "dame_meister", "russian")
VARIANTS += ("pool", "brazilian", "czech", "spanish", "thai", "english_optional", "dame_meister_optional")


def measure(variant: str, pieces: int, games: int) -> dict[str, Any]:
    """Build, verify and play."""
    with TemporaryDirectory() as folder:
        start = perf_counter()
        build(folder, variant=variant, pieces=pieces, metric="dtw")
        built = perf_counter()
        verify_directory(folder, extent=EVERY_VALUE)
        verified = perf_counter()
        found = {
            "variant": variant,
            "pieces": pieces,
            **count(Path(folder)),
            "build_seconds": round(built - start, 2),
            "verify_seconds": round(verified - built, 2),
        }
        if games:
            with open_tablebase(folder, variant=variant, preload=pieces) as tables:
                found["played"] = play_games(tables, pieces, games)
    return found


def count(folder: Path) -> dict[str, Any]:
    """Add up the headers."""
    facts = [read_header(path) for path in table_files(folder)]
    results = [header for header in facts if header["metric"] == "wdl"]
    sums = {result: sum(header[result] for header in results) for result in ("win", "draw", "loss")}
    return {
        "slices": len(results),
        "positions": sum(sums.values()),
        **sums,
        "longest_win": max(header["max_win"] or 0 for header in facts),
        "wdl_bytes": sum(header["bytes"] for header in results),
        "dtw_bytes": sum(header["bytes"] for header in facts if header["metric"] == "dtw"),
    }


def play_games(tables: Tablebase, pieces: int, games: int) -> int:
    """Play won and lost positions to the end, both sides their best; return how many plies that were."""
    plies = 0
    for board in islice(decided_boards(tables, random.Random(1), (pieces,)), games):
        played, dtw = play(tables, board.copy(), None, None), tables.probe_dtw(board)
        assert dtw is not None, board
        assert played == abs(dtw), (board, played, dtw)
        plies += played
    return plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*")
    parser.add_argument("--pieces", type=int, default=4)
    parser.add_argument("--games", type=int, default=1000)
    arguments = parser.parse_args()
    names = arguments.variants or [name for name in variants() if name.removesuffix("_giveaway") in VARIANTS]
    english: float | None = None
    for name in ["english"] * ("english" not in names) + names:
        found = measure(name, arguments.pieces, arguments.games)
        english = english or found["build_seconds"]
        print(
            json.dumps({"bench": "variants", "ratio": round(found["build_seconds"] / english, 2), **found}), flush=True
        )


if __name__ == "__main__":
    main()
