"""The twin against the data: a reference that is wrong would be worse than none."""

from dataclasses import replace

import pytest
from reference.moves import Position, legal_moves, number_of, square_of, start_position, turned
from reference.oracles import (
    PerftRow,
    RulePosition,
    english_positions,
    english_slices,
    perft_position,
    perft_rows,
    read_fen,
    rule_positions,
)
from reference.perft import divide, perft
from reference.rules import ENGLISH, INTERNATIONAL, ITALIAN, RULES, Rules
from reference.solver import (
    Material,
    Solution,
    count_placements,
    count_slices,
    dtw,
    materials,
    placements,
    solve,
    wdl,
)

QUICK, THOROUGH = 5_000, 100_000
"""Leaves of the largest perft row in the tier of seconds and in the slow one."""

PERFT = [row for row in perft_rows() if row.variant in RULES]


def perft_id(row: PerftRow) -> str:
    return f"{row.variant}-{row.fen}-{row.depth}-{row.convention}"


def check_perft(row: PerftRow) -> None:
    paths = row.convention == "keep"
    assert perft(perft_position(row), RULES[row.variant], row.depth, paths=paths) == row.leaves


@pytest.mark.parametrize("row", rule_positions(), ids=lambda row: f"{row.variant}-{row.fen}")
def test_rule_position(row: RulePosition) -> None:
    moves = legal_moves(read_fen(row.fen), RULES[row.variant])
    assert len(moves) == len(row.keys)
    assert {move.key for move in moves} == row.keys


@pytest.mark.parametrize("row", [row for row in PERFT if row.leaves <= QUICK], ids=perft_id)
def test_perft(row: PerftRow) -> None:
    check_perft(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in PERFT if QUICK < row.leaves <= THOROUGH], ids=perft_id)
def test_deeper_perft(row: PerftRow) -> None:
    check_perft(row)


def test_only_the_other_games_are_left_out() -> None:
    assert {row.variant for row in perft_rows()} - set(RULES) == {"bashni", "bashni_again", "altdeutsch"}


def test_divide_adds_up_to_perft() -> None:
    start = start_position(ENGLISH)
    parts = divide(start, ENGLISH, 4)
    assert len(parts) == 7
    assert sum(parts.values()) == perft(start, ENGLISH, 4)


@pytest.mark.parametrize(
    ("alias", "base"),
    [
        ("checkers_page", "english"),
        ("dame_meister_american", "english"),
        ("german_noris", "german_schmidt"),
        ("dame_meister_no_back", "german_schmidt"),
        ("dame_meister_russian", "russian"),
        ("portuguese", "spanish"),
        ("english_giveaway", "english"),
    ],
)
def test_alias_has_the_moves_of_its_base(alias: str, base: str) -> None:
    twin = RULES[base]
    one = replace(RULES[alias], id=twin.id, first=twin.first, giveaway=twin.giveaway, game_type=twin.game_type)
    assert one == twin


def test_corners_of_the_boards() -> None:
    # Section 1: a1 is square 29 of the plain board; a8 is square 1 of the mirrored one, h1 its square 32.
    assert square_of(29, ENGLISH) == (7, 0)
    assert square_of(1, ITALIAN) == (0, 0)
    assert square_of(32, ITALIAN) == (7, 7)
    assert square_of(46, INTERNATIONAL) == (9, 0)


@pytest.mark.parametrize("rules", [ENGLISH, ITALIAN, INTERNATIONAL], ids=lambda rules: rules.id)
def test_every_number_has_its_own_square(rules: Rules) -> None:
    numbers = list(range(1, rules.squares + 1))
    assert [number_of(square_of(number, rules), rules) for number in numbers] == numbers


@pytest.mark.parametrize("row", rule_positions(), ids=lambda row: f"{row.variant}-{row.fen}")
def test_turning_the_board_turns_the_moves(row: RulePosition) -> None:
    rules = RULES[row.variant]
    position = read_fen(row.fen)
    other = turned(position, rules)
    assert turned(other, rules) == position
    flip = rules.squares + 1
    expected = {
        (flip - origin, flip - end, frozenset(flip - square for square in captured), crowned)
        for origin, end, captured, crowned in row.keys
    }
    assert {move.key for move in legal_moves(other, rules)} == expected


def test_straight_run_names_the_last_free_square() -> None:
    moves = legal_moves(read_fen("W:WK46:B41,23"), INTERNATIONAL)
    assert {str(move) for move in moves} == {"46x28x19", "46x28x14", "46x28x10", "46x28x5"}


@pytest.mark.parametrize("max_pieces", [2, 3])
def test_placements_are_all_there_once(max_pieces: int) -> None:
    for material in materials(max_pieces):
        count = count_placements(material)
        if count < 15_000:
            assert len(set(placements(material))) == len(list(placements(material))) == count


def test_placements_of_large_slices_by_counting_alone() -> None:
    for row in english_slices():
        assert count_placements(row.material) == row.counts.positions
    # More pieces than squares.
    assert count_placements(Material(0, 20, 0, 20)) == 0


@pytest.fixture(scope="module")
def two_pieces() -> Solution:
    return solve(2)


@pytest.fixture(scope="module")
def three_pieces() -> Solution:
    return solve(3)


def check_slices(solution: Solution, pieces: int) -> None:
    expected = {row.material: row.counts for row in english_slices() if row.material.pieces <= pieces}
    assert count_slices(solution) == expected


def test_slices_of_two_pieces(two_pieces: Solution) -> None:
    check_slices(two_pieces, 2)


@pytest.mark.slow
def test_slices_of_three_pieces(three_pieces: Solution) -> None:
    check_slices(three_pieces, 3)


@pytest.mark.slow
def test_named_endings(three_pieces: Solution) -> None:
    known = [row for row in english_positions() if pieces_of(read_fen(row.fen)) <= 3]
    assert known
    for row in known:
        plies = dtw(three_pieces, read_fen(row.fen))
        assert plies == row.dtw_plies, row.name
        assert wdl(plies) == {"win": 1, "draw": 0, "loss": -1}[row.result], row.name


def pieces_of(position: Position) -> int:
    return sum(map(len, position[:4]))


def test_giveaway_reverses_the_end_of_the_game(two_pieces: Solution) -> None:
    giveaway = RULES["english_giveaway"]
    solution = solve(2, giveaway)
    # The same positions are over at once, but now they are won.
    assert {p for p in solution if solution[p] == 0} == {p for p in two_pieces if two_pieces[p] == 0}
    assert wdl(0, giveaway) == 1 == -wdl(0)
    assert wdl(3, giveaway) == -1 == -wdl(3)
    # W:WK1:BK6, White to move: taking the last piece leaves Black without a move, who has then won.
    assert dtw(solution, read_fen("W:WK1:BK6"), giveaway) == 1
