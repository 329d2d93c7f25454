"""Any text as a FEN: a position that can be written and read again, or a `PositionError` of one line.

The first byte of an input chooses the rule set, "0" the first of VARIANTS, from 0xF0 on one of OTHERS; the rest is the
text.
"""

from dame_fast import Board, PositionError, variants
from dame_fast.rules.find import find_rules
from dame_fast.text.fen import read_fen, write_fen, write_styled_fen
from dame_fast.text.style import file_style

FIRST = ("english", "international", "russian", "italian", "thai")
DRAUGHTS = [variant for variant, rules in variants().items() if rules.kind == "draughts"]
VARIANTS = [*FIRST, *(variant for variant in DRAUGHTS if variant not in FIRST)]
OTHERS = [variant for variant in variants() if variant not in DRAUGHTS]


def check(data: bytes) -> None:
    """Run on one input; an exception is a finding."""
    if not data:
        return
    if data[0] >= 0xF0:
        check_other(OTHERS[data[0] % len(OTHERS)], data[1:].decode("utf-8", "surrogateescape"))
        return
    variant = VARIANTS[(data[0] - ord("0")) % len(VARIANTS)]
    text = data[1:].decode("utf-8", "surrogateescape")
    rules = find_rules(variant)
    try:
        setup = read_fen(text, rules)
    except PositionError as error:
        message = str(error)
        assert message, "no reason is given"
        assert message.isprintable(), f"not one line: {message!r}"
        return
    own_men, own_kings, other_men, other_kings, side = setup.position
    sets = (own_men, own_kings, other_men, other_kings)
    pieces = own_men | own_kings | other_men | other_kings
    assert side in (0, 1)
    assert 0 < pieces < 1 << rules.squares
    assert sum(one.bit_count() for one in sets) == pieces.bit_count()
    assert setup.clock >= 0
    written = write_fen(setup.position)
    assert read_fen(written, rules).position == setup.position
    style = file_style(rules)
    assert read_fen(write_styled_fen(setup.position, rules, style), rules, style).position == setup.position
    board = Board(text, variant=variant)
    assert board.position == setup.position
    assert board.fen() == written
    assert len(set(board.legal_moves)) == len(board.legal_moves)


def check_other(variant: str, text: str) -> None:
    """Run on a FEN of another kind of position."""
    try:
        board = Board(text, variant)
    except PositionError as error:
        message = str(error)
        assert message, "no reason is given"
        assert message.isprintable(), f"not one line: {message!r}"
        return
    assert Board(board.fen(), variant) == Board(board.fen(file_style(board.rules)), variant) == board
    assert board.pieces
