"""Play won positions out: `python tools/check_perfect_play.py --db tables [--games 20000] [--seed 1]`, one JSON line.

Random positions of 4 and 5 pieces that the side to move wins. Perfect play must win each of them: against the best
defence in exactly `dtw` plies, against a random one never later. Needs tables of win, draw, loss and dtw.
"""

import argparse
import json
import random
from pathlib import Path
from time import perf_counter

from dame_fast import Board, Tablebase, open_tablebase


def random_board(moments: random.Random, pieces: int) -> Board:
    """Draw a position with at least one piece a side."""
    own = moments.randint(1, pieces - 1)
    texts: dict[str, list[str]] = {"W": [], "B": []}
    for number, square in enumerate(moments.sample(range(1, 33), pieces)):
        side = "W" if number < own else "B"
        crowned = square <= 4 if side == "W" else square >= 29
        texts[side].append(f"K{square}" if crowned or moments.random() < 0.5 else str(square))
    return Board(f"{moments.choice('WB')}:W{','.join(texts['W'])}:B{','.join(texts['B'])}")


def play(tables: Tablebase, board: Board, moments: random.Random | None) -> int:
    """Play to the end and return the plies; the defence is random if there are `moments`, else the best one."""
    winner = board.turn
    plies = 0
    while moves := board.legal_moves:
        if board.turn != winner and moments is not None:
            board.push(moments.choice(moves))
        else:
            best = tables.best_move(board)
            assert best is not None
            board.push(best)
        plies += 1
    assert board.winner() == winner, board.fen()
    return plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    games = longest = plies_played = 0
    start = perf_counter()
    with open_tablebase(arguments.db, preload=5) as tables:
        while games < arguments.games:
            board = random_board(moments, moments.choice((4, 5)))
            dtw = tables.probe_dtw(board)
            if dtw is None or dtw <= 0:
                continue
            games += 1
            longest = max(longest, dtw)
            best = play(tables, board.copy(), None)
            assert best == dtw, (board.fen(), best, dtw)
            plies_played += best
            assert play(tables, board.copy(), moments) <= dtw, board.fen()
    print(
        json.dumps(
            {
                "games": games,
                "seed": arguments.seed,
                "longest": longest,
                "plies": plies_played,
                "seconds": round(perf_counter() - start, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
