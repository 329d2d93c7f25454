"""Squares: numbers, bits, diagonals, algebraic names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dame_fast.position.squares import (
    algebraic_name,
    bit,
    bits,
    read_square,
    row_and_column,
    squares_between,
    squares_in,
)
from dame_fast.rules.find import find_rules
from dame_fast.rules.registry import variants

ENGLISH = find_rules("english")
ITALIAN = find_rules("italian")
INTERNATIONAL = find_rules("international")


@given(st.sets(st.integers(1, 50)))
def test_bits_and_squares_are_inverse(chosen: set[int]) -> None:
    assert squares_in(bits(tuple(chosen))) == tuple(sorted(chosen))
    assert bits(tuple(chosen)).bit_count() == len(chosen)
    assert all(bits(tuple(chosen)) & bit(square) for square in chosen)


def test_algebraic_names_number_the_board_row_by_row() -> None:
    names = [f"{column}{row}" for row in range(8, 0, -1) for column in ("bdfh" if row % 2 == 0 else "aceg")]
    assert [read_square(name, ENGLISH) for name in names] == list(range(1, 33))


def test_algebraic_names_of_the_mirrored_board() -> None:
    names = [f"{column}{row}" for row in range(8, 0, -1) for column in ("aceg" if row % 2 == 0 else "bdfh")]
    assert [read_square(name, ITALIAN) for name in names] == list(range(1, 33))
    assert [algebraic_name(square, ITALIAN) for square in range(1, 33)] == names


@pytest.mark.parametrize("variant", [variant for variant, rules in variants().items() if rules.rows == 8])
def test_names_and_numbers_are_inverse(variant: str) -> None:
    rules = find_rules(variant)
    for square in range(1, rules.squares + 1):
        assert read_square(algebraic_name(square, rules), rules) == square


@pytest.mark.parametrize("variant", variants())
def test_turning_the_board_turns_rows_and_columns(variant: str) -> None:
    rules = find_rules(variant)
    for square in range(1, rules.squares + 1):
        row, column = row_and_column(square, rules)
        turned = row_and_column(rules.squares + 1 - square, rules)
        assert turned == (rules.rows - 1 - row, rules.rows - 1 - column)


@pytest.mark.parametrize("variant", variants())
def test_diagonals_read_the_same_from_both_ends(variant: str) -> None:
    rules = find_rules(variant)
    everywhere = range(1, rules.squares + 1)
    neighbours = 0
    for start in everywhere:
        for end in everywhere:
            there, back = squares_between(start, end, rules), squares_between(end, start, rules)
            assert there == (back if back is None else back[::-1])
            neighbours += there == ()
    if rules.kind == "altdeutsch":  # rows and columns as well
        assert neighbours == 4 * (rules.rows - 1) ** 2 + 4 * rules.rows * (rules.rows - 1)
    else:
        assert neighbours == 4 * (rules.rows - 1) ** 2 / 2


def test_long_diagonal_of_the_large_board() -> None:
    assert squares_between(46, 5, INTERNATIONAL) == (41, 37, 32, 28, 23, 19, 14, 10)
    assert squares_between(7, 7, INTERNATIONAL) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0", "square 0 is not on the board (1-32)"),
        ("33", "square 33 is not on the board (1-32)"),
        ("9" * 5000, "square 999999999 is not on the board (1-32)"),
        ("a8", "square a8 is not a playing square"),
        ("h1", "square h1 is not a playing square"),
        ("a9", "unknown square 'a9'"),
        ("i1", "unknown square 'i1'"),
        ("A1", "unknown square 'A1'"),
        ("\u0661", "unknown square '\u0661'"),
        ("", "unknown square ''"),
    ],
)
def test_no_square(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="square") as caught:
        read_square(text, ENGLISH)
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["a1", "b8", "h8"])
def test_no_square_of_the_mirrored_board(text: str) -> None:
    with pytest.raises(ValueError, match=f"^square {text} is not a playing square of the mirrored board$"):
        read_square(text, ITALIAN)


def test_no_algebraic_names_on_the_large_board() -> None:
    with pytest.raises(ValueError, match="unknown square 'a1'"):
        read_square("a1", INTERNATIONAL)
