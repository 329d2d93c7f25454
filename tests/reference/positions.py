"""Random positions, as FEN."""

import random

from reference.moves import start_position
from reference.rules import ENGLISH, Rules


def random_fen(moments: random.Random, pieces: int, rules: Rules = ENGLISH) -> str:
    """Draw a position with at least one piece a side; pieces on their crown row are kings, of others every second."""
    most = len(start_position(rules).white_men)
    own = moments.randint(max(1, pieces - most), min(pieces - 1, most))
    row = rules.size // 2
    texts: dict[str, list[str]] = {"W": [], "B": []}
    for number, square in enumerate(moments.sample(range(1, rules.squares + 1), pieces)):
        side = "W" if number < own else "B"
        crowned = square <= row if side == "W" else square > rules.squares - row
        texts[side].append(f"K{square}" if crowned or moments.random() < 0.5 else str(square))
    return f"{moments.choice('WB')}:W{','.join(texts['W'])}:B{','.join(texts['B'])}"
