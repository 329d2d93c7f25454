"""Play positions out: `python tools/check_perfect_play.py --db tables [--games 20000] [--draw-plies N]`, one JSON line.

Random positions of 4 and 5 pieces that are not drawn. Perfect play must win each of them against the best defence in
exactly the promised number of plies, so that the lost side lasts as long as promised, and against a random one never
later. With tables of dtz, for a draw after N plies without capture and man move, the game must be won and the counter
never pass N.
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


def play(tables: Tablebase, board: Board, moments: random.Random | None, rule: int | None) -> int:
    """Play to the end and return the plies; the lost side plays at random if there are `moments`, else its best."""
    plies = 0
    winner = board.turn if tables.probe_wdl(board) == 1 else None
    while moves := board.legal_moves:
        if winner is None:  # the lost side begins
            winner = "W" if board.turn == "B" else "B"
        if board.turn != winner and moments is not None:
            board.push(moments.choice(moves))
        else:
            best = tables.best_move(board)
            assert best is not None
            board.push(best)
        plies += 1
        assert rule is None or board.clock <= rule, board.fen()
    assert board.winner() == winner, board.fen()
    return plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--draw-plies", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rule: int | None = arguments.draw_plies
    moments = random.Random(arguments.seed)
    games = won = longest = plies_played = 0
    start = perf_counter()
    with open_tablebase(arguments.db, preload=5, draw_plies=rule) as tables:
        while games < arguments.games:
            board = random_board(moments, moments.choice((4, 5)))
            wdl = tables.probe_wdl(board)
            if wdl == 0 or board.is_game_over():
                continue
            games += 1
            won += wdl == 1
            plies = play(tables, board.copy(), None, rule)
            defended = play(tables, board.copy(), moments, rule)
            if rule is None:
                dtw = abs(tables.probe_dtw(board) or 0)
                assert plies == dtw, (board.fen(), plies, dtw)
                assert defended <= dtw, (board.fen(), defended, dtw)
            longest = max(longest, plies)
            plies_played += plies + defended
    print(
        json.dumps(
            {
                "games": games,
                "won": won,
                "lost": games - won,
                "draw_plies": rule,
                "seed": arguments.seed,
                "longest": longest,
                "plies": plies_played,
                "seconds": round(perf_counter() - start, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
