"""Number of lines of play of a given length."""

from reference.moves import Position, legal_moves, legal_paths, play
from reference.rules import Rules


def perft(position: Position, rules: Rules, depth: int, *, paths: bool = False) -> int:
    """Count the leaves of the tree of legal moves at a depth in plies.

    A line that ends earlier adds nothing, and no draw rule ends one. With `paths` every order of jumps counts
    ("keep" in the perft data), otherwise each move once ("drop", rule 2.6).
    """
    assert depth >= 0
    if depth == 0:
        return 1
    moves = legal_paths(position, rules) if paths else legal_moves(position, rules)
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), rules, depth - 1, paths=paths) for move in moves)


def divide(position: Position, rules: Rules, depth: int, *, paths: bool = False) -> dict[str, int]:
    """Perft per first move, to find the first move at which two generators differ."""
    assert depth >= 1
    counts: dict[str, int] = {}
    for move in legal_paths(position, rules) if paths else legal_moves(position, rules):
        counts[str(move)] = perft(play(position, move), rules, depth - 1, paths=paths)
    return counts
