"""Play positions out: `python tools/check_perfect_play.py --db tables [--games 20000] [--draw-plies N]`, one JSON line.

Random positions of the largest tables, and of one piece less, that are not drawn. Perfect play must win each of them
against the best defence in exactly the promised number of plies, so that the lost side lasts as long as promised, and
against a random one never later. With tables for a draw after N plies without capture and man move, or without a
capture (`--draw-captures N`), the game must be won and the counter never pass N.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from reference.positions import random_fen

from dame_fast import Board, Tablebase, open_tablebase
from dame_fast.rules.draw_rule import DrawRule, RulePlies
from dame_fast.rules.find import find_rules


def play(tables: Tablebase, board: Board, moments: random.Random | None, rule: DrawRule | None) -> int:
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
        assert rule is None or board.clock_of(rule) <= rule.plies, board.fen()
    assert board.winner() == winner, board.fen()
    return plies


def decided_boards(tables: Tablebase, moments: random.Random, pieces: Sequence[int]) -> Iterator[Board]:
    """Draw won and lost positions without end, of one of these numbers of pieces each."""
    rules = find_rules(tables.variant)
    while True:
        number = moments.choice(pieces)
        board = Board(random_fen(moments, number, rules.squares, rules.columns), variant=rules.id)
        if tables.probe_wdl(board) != 0 and not board.is_game_over():
            yield board


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--variant", default="english")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--draw-plies", type=int)
    parser.add_argument("--draw-captures", type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    plies: RulePlies = {"draw_plies": arguments.draw_plies, "draw_captures": arguments.draw_captures}
    moments = random.Random(arguments.seed)
    won = longest = plies_played = 0
    start = perf_counter()
    with open_tablebase(arguments.db, variant=arguments.variant, preload=5, **plies) as tables:
        rule = tables.draw_rule
        most = max(material.pieces for material in tables.materials)
        boards = decided_boards(tables, moments, (max(2, most - 1), most))
        for board in islice(boards, arguments.games):
            won += tables.probe_wdl(board) == 1
            played = play(tables, board.copy(), None, rule)
            defended = play(tables, board.copy(), moments, rule)
            if rule is None and "dtw" in tables.metrics:
                dtw = abs(tables.probe_dtw(board) or 0)
                assert played == dtw, (board.fen(), played, dtw)
                assert defended <= dtw, (board.fen(), defended, dtw)
            longest = max(longest, played)
            plies_played += played + defended
    print(
        json.dumps(
            {
                "variant": tables.variant,
                "games": arguments.games,
                "won": won,
                "lost": arguments.games - won,
                "rule": None if rule is None else str(rule),
                "seed": arguments.seed,
                "longest": longest,
                "plies": plies_played,
                "seconds": round(perf_counter() - start, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
