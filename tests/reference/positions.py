"""Random positions, as FEN."""

import random


def random_fen(moments: random.Random, pieces: int, squares: int = 32, columns: int = 4) -> str:
    """Draw a position with at least one piece a side; pieces on their crown row are kings, of others every second.

    The board has `squares` playing squares, `columns` in a row.
    """
    own = moments.randint(1, pieces - 1)
    texts: dict[str, list[str]] = {"W": [], "B": []}
    for number, square in enumerate(moments.sample(range(1, squares + 1), pieces)):
        side = "W" if number < own else "B"
        crowned = square <= columns if side == "W" else square > squares - columns
        texts[side].append(f"K{square}" if crowned or moments.random() < 0.5 else str(square))
    return f"{moments.choice('WB')}:W{','.join(texts['W'])}:B{','.join(texts['B'])}"
