"""Win, draw, loss and distance of every position with few pieces, by retrograde analysis in plain dicts.

A table has Black to move everywhere. White to move is the turned position (section 1), and this is the only
saving: no order of slices, no symmetry beyond it.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from reference.moves import Position, legal_moves, play, turned
from reference.rules import ENGLISH, Rules


class Material(NamedTuple):
    """Men and kings of the side to move, men and kings of the other side."""

    sm: int
    sk: int
    om: int
    ok: int

    @property
    def pieces(self) -> int:
        return sum(self)


class Counts(NamedTuple):
    """What a slice holds for the side to move. Longest distances in plies, None where there is none."""

    positions: int
    win: int
    draw: int
    loss: int
    max_win_plies: int | None
    max_loss_plies: int | None


Solution = dict[Position, int | None]
"""Plies to the end of the game with best play, None for a draw."""


def material_of(position: Position) -> Material:
    white_men, white_kings, black_men, black_kings, turn = position
    white = len(white_men), len(white_kings)
    black = len(black_men), len(black_kings)
    return Material(*white, *black) if turn == "W" else Material(*black, *white)


def materials(max_pieces: int) -> list[Material]:
    """All slices up to a number of pieces with at least one piece a side, fewer pieces first."""
    some = [Material(*counts) for counts in product(range(max_pieces), repeat=4)]
    some = [m for m in some if m.sm + m.sk > 0 and m.om + m.ok > 0 and m.pieces <= max_pieces]
    return sorted(some, key=lambda m: (m.pieces, m))


def count_placements(material: Material, rules: Rules = ENGLISH) -> int:
    """Number of placements with this material and one given side to move, by counting alone.

    No man stands where it would be crowned. So each side's men have one row to themselves and share the
    rest; a man of the side to move takes a square from the other side's men only in the shared part.
    """
    sm, sk, om, ok = material
    row = rules.size // 2
    shared = rules.squares - 2 * row
    men = sum(
        comb(row, sm - in_shared) * comb(shared, in_shared) * comb(row + shared - in_shared, om)
        for in_shared in range(sm + 1)
    )
    free = rules.squares - sm - om
    if free < sk + ok:
        return 0
    return men * comb(free, sk) * comb(free - sk, ok)


def placements(material: Material, rules: Rules = ENGLISH) -> Iterator[Position]:
    """Every position of a slice, Black to move."""
    numbers = range(1, rules.squares + 1)
    row = rules.size // 2
    for black_men in combinations(numbers[:-row], material.sm):
        for white_men in combinations([n for n in numbers[row:] if n not in black_men], material.om):
            free = [n for n in numbers if n not in black_men and n not in white_men]
            for black_kings in combinations(free, material.sk):
                rest = [n for n in free if n not in black_kings]
                for white_kings in combinations(rest, material.ok):
                    yield Position(
                        frozenset(white_men),
                        frozenset(white_kings),
                        frozenset(black_men),
                        frozenset(black_kings),
                        "B",
                    )


def solve(max_pieces: int, rules: Rules = ENGLISH) -> Solution:
    """The distance of every position of up to `max_pieces` pieces, Black to move.

    The winner goes the shortest way, the loser the longest; no draw counter, no repetition. Also holds the
    positions in which Black has lost his last piece, to which captures lead.
    """
    over = [Material(0, 0, om, n - om) for n in range(1, max_pieces) for om in range(n + 1)]
    solution: Solution = {}
    parents: dict[Position, list[Position]] = {}
    for material in over + materials(max_pieces):
        for position in placements(material, rules):
            solution[position] = None
            parents[position] = []

    # How many of a position's moves are not yet known to be won by the opponent.
    open_moves: dict[Position, int] = {}
    for position in solution:
        children = {turned(play(position, move), rules) for move in legal_moves(position, rules)}
        open_moves[position] = len(children)
        for child in children:
            parents[child].append(position)

    # Round n settles the positions of distance n: those with a move to a loss of distance n - 1, and those
    # whose last open move turns out to lead to a win of distance n - 1. Whatever stays open is a draw.
    settled = [position for position, count in open_moves.items() if count == 0]  # rule 2.5
    lost = not rules.giveaway
    plies = 0
    while settled:
        for position in settled:
            solution[position] = plies
        touched = [parent for position in settled for parent in parents[position]]
        if not lost:
            for parent in touched:
                open_moves[parent] -= 1
            touched = [parent for parent in touched if open_moves[parent] == 0]
        settled = [parent for parent in dict.fromkeys(touched) if solution[parent] is None]
        lost = not lost
        plies += 1
    return solution


Value = tuple[int, int | None]
"""1, 0 or -1 for the side to move, and plies without a sign, None for a draw."""


def solve_captures(max_pieces: int, rules: Rules = ENGLISH, draw_captures: int | None = None) -> dict[Position, Value]:
    """Result and plies to the next capture of every position of up to `max_pieces` pieces, Black to move.

    The capture keeps the result; the end of the game counts as well. The winner goes the shortest way, the loser the
    longest. `draw_captures`: that many plies without a capture are a draw; the last of them may be the capture, or
    leave no move. Also holds the positions in which Black has lost his last piece.
    """
    values: dict[Position, Value] = {}
    for pieces in range(1, max_pieces + 1):
        some = [Material(0, 0, om, pieces - om) for om in range(pieces + 1)]
        some += [material for material in materials(max_pieces) if material.pieces == pieces]
        group = [position for material in some for position in placements(material, rules)]
        _solve_phase(group, values, rules, draw_captures)
    return values


def _solve_phase(group: list[Position], values: dict[Position, Value], rules: Rules, draw_captures: int | None) -> None:
    """Add the values of all positions of one number of pieces; those of fewer are there."""
    parents: dict[Position, list[Position]] = {position: [] for position in group}
    open_moves: dict[Position, int] = {}  # those not yet known to be won by the opponent
    now: list[tuple[Position, int]] = []
    later: list[tuple[Position, int]] = []
    for position in group:
        moves = legal_moves(position, rules)
        after = [(turned(play(position, move), rules), bool(move.jumped)) for move in moves]
        captures = [values[child][0] for child, is_capture in after if is_capture]
        quiet = {child for child, is_capture in after if not is_capture}
        open_moves[position] = len(quiet) + sum(result != 1 for result in captures)
        for child in quiet:
            parents[child].append(position)
        if not moves:  # rule 2.5
            now.append((position, 1 if rules.giveaway else -1))
        elif -1 in captures:
            later.append((position, 1))
        elif open_moves[position] == 0:
            later.append((position, -1))
    plies = 0
    while (now or later) and (draw_captures is None or plies <= draw_captures):
        following = []
        for position, result in now:
            if position in values:
                continue
            values[position] = result, plies
            for parent in parents[position]:
                open_moves[parent] -= result == 1
                if result == -1 or open_moves[parent] == 0:
                    following.append((parent, -result))
        now, later = later + following, []
        plies += 1
    for position in group:
        values.setdefault(position, (0, None))


def dtw(solution: Mapping[Position, int | None], position: Position, rules: Rules = ENGLISH) -> int | None:
    """Plies to the end of any position with pieces on both sides, whoever is to move; None for a draw."""
    return solution[position if position.turn == "B" else turned(position, rules)]


def wdl(plies: int | None, rules: Rules = ENGLISH) -> int:
    """1, 0 or -1 for the side to move, from the distance.

    Distance 0 means "to move and over", which is lost, and results alternate from there. Giveaway reverses
    both.
    """
    if plies is None:
        return 0
    return 1 if (plies % 2 == 1) != rules.giveaway else -1


def count_slices(solution: Mapping[Position, int | None], rules: Rules = ENGLISH) -> dict[Material, Counts]:
    """Counts of every slice of a solution with pieces on both sides."""
    distances: dict[Material, dict[int, list[int]]] = {}
    for position, plies in solution.items():
        by_result = distances.setdefault(material_of(position), {1: [], 0: [], -1: []})
        by_result[wdl(plies, rules)].append(plies or 0)
    return {
        material: Counts(
            sum(map(len, found.values())),
            len(found[1]),
            len(found[0]),
            len(found[-1]),
            max(found[1], default=None),
            max(found[-1], default=None),
        )
        for material, found in sorted(distances.items())
        if material.sm + material.sk > 0
    }
