"""Refusals say why: what one rule set allows and another does not."""

import random
import re

import pytest
from reference.positions import random_fen
from small_tables import DRAUGHTS

from dame_fast import Board, MoveError, PositionError, variants

POSITIONS = 60
BASES = [variant for variant in DRAUGHTS if not variant.endswith("_giveaway")]
BY_BOARD = [
    ("8x8", [variant for variant in BASES if variants()[variant].board == "8x8"]),
    ("8x8 mirrored", [variant for variant in BASES if variants()[variant].mirrored]),
]
NO_REASON = re.compile("no legal capture goes that way|there is nothing to capture|the piece on .* cannot go there")


@pytest.mark.parametrize(
    ("variant", "fen", "text", "reason"),
    [
        # the rules of quiet moves
        ("english", "W:W18:B1", "18-23", "a man may not move backwards"),
        ("italian", "W:W8:B1", "8-12", "a man may not move backwards"),
        ("english", "W:WK18:B1", "18-9", "a king moves one square at a time"),
        ("russian", "W:W18:B1", "18-9", "the piece on 18 cannot go there"),
        ("russian", "W:W18:B1", "d4-b6", "the piece on d4 cannot go there"),
        ("english", "B:W18:B14,9", "9-13", "a capture must be played"),
        ("english_optional", "B:W18:B14,9", "14-18", "the piece on 14 cannot go there"),
        # which pieces capture which
        ("italian", "W:W30,17:BK26", "30x21", "a man may not capture a king"),
        ("italian", "W:W30,32:BK26,28", "30x21", "a man may not capture a king"),
        ("english", "W:W18:B23", "18x27", "a man may not capture backwards"),
        ("german_schmidt", "W:W18,17:B23,14", "18x27", "a man may not capture backwards"),
        # how kings jump
        ("english", "W:WK29:B22", "29x15", "a king captures only a piece that is next to it"),
        ("english", "W:WK29:B25", "29x18", "a king lands directly behind the piece it captures"),
        ("german_ass", "W:WK12:B23", "12x30", "a king lands directly behind the piece it captures"),
        ("pool", "W:WK7:BK11,14,23", "7x20", "the king must land where its capture goes on"),
        ("russian", "W:WK10:B6,24", "10x1x28", "a captured piece stays in the way until the move is over"),
        # the end of a capture
        ("pool", "W:WK7:BK11,14,23", "7x16", "the capture must be played to its end"),
        ("dame_meister", "W:W23,25:B11,19", "23x16", "the capture must be played to its end"),
        ("english", "W:WK30:B10,15,18,25,26", "30x23", "the capture must be played to its end"),
        ("english_optional", "W:WK30:B10,15,18,25,26", "30x14", "the capture must be played to its end"),
        ("international", "W:W15:B8,19,20", "15x24", "the capture must be played to its end"),
        # crowning
        ("dame_meister", "W:W10:B7,K8", "10x12", "a man that reaches the last row is crowned and stops"),
        ("dame_meister", "W:W10:B7,K8", "10x3x12", "a man that reaches the last row is crowned and stops"),
        ("pool", "W:W9:B6,11", "9x2x16", "a man that passes the last row in mid-capture stays a man"),
        # priority
        ("italian", "W:W29,32:B26,18,28", "32x23", "a capture of more pieces must be played"),
        ("spanish", "W:W29,32:B26,18,28", "32x23", "a capture of more pieces must be played"),
        ("brazilian", "W:W21,32:B17,27,19", "21x14", "a capture of more pieces must be played"),
        ("italian", "W:WK23,31:B19,26,27", "31x15", "a king that can capture must capture"),
        ("czech", "W:W22,K30:B18,25", "22x15", "a king that can capture must capture"),
        ("italian", "W:WK23:B19,K28", "23x14", "a capture of more kings must be played"),
        ("spanish", "W:WK13:B6,K18", "13x3", "a capture of more kings must be played"),
        (
            "italian",
            "W:WK30:B10,12,18,K20,K26,27",
            "30x23x16x7",
            "a capture that takes kings sooner must be played",
        ),
        # captures written like quiet moves
        ("brazilian", "W:W21,32:B17,27,19", "21-14", "a capture of more pieces must be played"),
        ("brazilian", "W:W21,32:B17,27,19", "a3-c5", "a capture of more pieces must be played"),
        ("english", "W:W18:B23", "18-27", "a man may not capture backwards"),
        ("english", "W:W18,17:B23,14", "18-27", "a man may not capture backwards"),
        ("english", "W:WK29:B22", "29-15", "a king captures only a piece that is next to it"),
        ("english", "W:WK30:B10,15,18,25,26", "30-23", "the capture must be played to its end"),
        ("english_optional", "W:WK30:B10,15,18,25,26", "30-23-14", "the capture must be played to its end"),
        ("dame_meister", "W:W10:B7,K8", "10-3-12", "a man that reaches the last row is crowned and stops"),
        ("russian", "W:WK29:B22,18", "29-11", "the piece on 29 cannot go there"),
        ("russian", "W:WK29,32:B22,18,27", "29-11", "a capture must be played"),
        ("english", "W:W22,18:B14", "22-15", "a capture must be played"),
        # nothing of the sort
        ("english", "B:W18:B14,9", "14x22", "no legal capture goes that way"),
        ("english", "B:W18:B14,9", "9x22", "no legal capture goes that way"),
        ("english", "W:W18:B1", "18x9", "there is nothing to capture"),
        ("english", "B:W18:B14,9", "18-9", "Black has no piece on 18"),
        ("italian", "W:W32:BK28", "32x23", "the game is over"),
    ],
)
def test_moves(variant: str, fen: str, text: str, reason: str) -> None:
    with pytest.raises(MoveError) as caught:
        Board(fen, variant).parse_pdn(text)
    assert str(caught.value) == f"{text!r} is not legal: {reason}"


@pytest.mark.parametrize(
    ("variant", "fen", "message"),
    [
        ("thai", "W:W22-30:B1", "White has 9 pieces, more than the 8 it starts with"),
        ("thai", "W:W22:BK1-9", "Black has 9 pieces, more than the 8 it starts with"),
        ("italian", "W:Wa1:B1", "square a1 is not a playing square of the mirrored board"),
        ("russian", "W:Wb1:B1", "square b1 is not a playing square"),
        ("russian", "W:W33:B1", "square 33 is not on the board (1-32)"),
        ("spanish", "W:W4:B5", "a White man cannot stand on its crown row (square 4)"),
        ("spanish", "W:W5:Bb1", "a Black man cannot stand on its crown row (square b1)"),
    ],
)
def test_positions(variant: str, fen: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Board(fen, variant)
    assert str(caught.value) == message


@pytest.mark.parametrize(("board", "names"), BY_BOARD, ids=[board for board, _ in BY_BOARD])
def test_what_another_rule_set_allows_is_refused_with_a_rule(board: str, names: list[str]) -> None:
    moments = random.Random(board)
    refused = 0
    for _ in range(POSITIONS):
        fen = random_fen(moments, moments.randint(2, 12))
        boards = [Board(fen, variant) for variant in names if variant != "thai"]  # more than eight men
        for other in boards:
            for move in other.legal_moves:
                for one in boards:
                    refused += check_refusal(one, str(move))
    assert refused > 400


def check_refusal(board: Board, text: str) -> bool:
    """Whether a move of another rule set is refused; if the game is not over, a rule is named."""
    try:
        found = board.parse_pdn(text)
    except MoveError as error:
        refusal = str(error)
    else:
        assert found in board.legal_moves
        return False
    assert board.is_game_over() or not NO_REASON.search(refusal), f"{board!r}: {refusal}"
    return True


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_any_two_squares(variant: str) -> None:
    moments = random.Random(variant)
    rules = variants()[variant]
    for _ in range(5):
        board = Board(
            random_fen(moments, moments.randint(2, rules.men_at_start), rules.squares, rules.columns), variant
        )
        for origin in board.pieces:
            for target in range(1, rules.squares + 1):
                try:
                    found = board.parse_pdn(f"{origin}x{target}")
                except MoveError as error:
                    message = str(error)
                    assert message.isprintable()
                    assert f"'{origin}x{target}' is" in message
                else:
                    assert (found.origin, found.target, found.is_capture) == (origin, target, True)
