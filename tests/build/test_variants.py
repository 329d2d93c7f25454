"""Tables of every rule set, built anew: counts and longest lines as another program has them, every value right."""

from pathlib import Path

import pytest
from reference.oracles import variant_slices
from reference.rules import RULES
from reference.solver import solve
from small_tables import Command
from twin_tables import native_position

from dame_fast import Board, VariantError, open_tablebase
from dame_fast.build.builder import build
from dame_fast.build.plan import make_plan
from dame_fast.tables.files import TableName, read_header
from dame_fast.tables.material import Material

SLICES = variant_slices()
OPTIONAL = ("english_optional", "dame_meister_optional")
THREE_PIECES = ("russian", "italian", "brazilian", "thai", "czech_giveaway", *OPTIONAL)


def test_rule_sets() -> None:
    assert len(SLICES) == 24
    assert sum(map(len, SLICES.values())) == 384


@pytest.mark.parametrize("variant", SLICES)
def test_slices_of_two_and_three_pieces(variant: str, tmp_path: Path, command: Command) -> None:
    build(tmp_path, variant=variant, pieces=3, metric="dtw", threads=1)
    for row in SLICES[variant]:
        name = TableName(Material(*row.material), "dtw", None)
        facts = read_header(tmp_path / str(name))
        counts = row.counts
        assert (facts["win"], facts["draw"], facts["loss"]) == (counts.win, counts.draw, counts.loss)
        assert (facts["max_win"], facts["max_loss"]) == (counts.max_win_plies, counts.max_loss_plies)
    positions = sum(row.counts.positions for row in SLICES[variant])
    status, out, err = command("verify", tmp_path, "--full")
    assert (status, err.count("\n")) == (0, 16)  # a line a slice, and no complaint
    assert out.endswith(f"16 slices, {positions:,} values consistent\n")


def check_twin(variant: str, pieces: int, directory: Path) -> None:
    """Every distance is that of the slow twin, which shares nothing with the builder."""
    rules = RULES[variant]
    build(directory, variant=variant, pieces=pieces, metric="dtw")
    solution = solve(pieces, rules)
    checked = 0
    with open_tablebase(directory, variant=variant, preload=pieces) as tables:
        for position, plies in solution.items():
            if not position.black_men | position.black_kings:
                continue
            wdl, found = tables.probe_position(native_position(position), "dtw")
            won = plies is not None and (plies % 2 == 1) != rules.giveaway
            assert (wdl, found) == (0 if plies is None else 1 if won else -1, plies), position
            checked += 1
    assert checked == make_plan(variant, pieces).positions


@pytest.mark.parametrize("variant", [*(name for name in SLICES if not name.startswith("international")), *OPTIONAL])
def test_every_value_of_two_pieces(variant: str, tmp_path: Path) -> None:
    check_twin(variant, 2, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["international", "international_giveaway"])
def test_every_value_of_two_pieces_on_100_squares(variant: str, tmp_path: Path) -> None:
    check_twin(variant, 2, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("variant", THREE_PIECES)
def test_every_value_of_three_pieces(variant: str, tmp_path: Path) -> None:
    check_twin(variant, 3, tmp_path)


def test_giveaway(tmp_path: Path) -> None:
    """A side without a move has won in 0 plies; whoever must give its last piece away next, in 2 or later."""
    build(tmp_path, variant="english_giveaway", pieces=2, metric="dtw")
    with open_tablebase(tmp_path, variant="english_giveaway") as tables:
        blocked = Board("W:W5:B1", variant="english_giveaway")
        assert blocked.winner() == "W"
        assert (tables.probe_wdl(blocked), tables.probe_dtw(blocked)) == (1, 0)
        capture = Board("W:W18:B15", variant="english_giveaway")
        assert (tables.probe_wdl(capture), tables.probe_dtw(capture)) == (-1, -1)


def test_a_loss_that_ends_a_giveaway_game_is_no_better_than_others(tmp_path: Path) -> None:
    build(tmp_path, variant="english_giveaway", pieces=3)
    with open_tablebase(tmp_path, variant="english_giveaway") as tables:
        board = Board("W:WK27,K3:B28", variant="english_giveaway")  # 27-32 leaves Black without a move
        losses = [str(result.move) for result in tables.moves(board) if result.wdl == -1]
    assert losses == [str(move) for move in board.legal_moves if str(move) in losses]
    assert "27-32" in losses[1:]


def test_tables_of_another_rule_set_are_refused(tmp_path: Path) -> None:
    build(tmp_path, variant="russian", pieces=2)
    with pytest.raises(VariantError, match="a table of russian, not of pool$"):
        open_tablebase(tmp_path, variant="pool")
    with (
        open_tablebase(tmp_path, variant="russian") as tables,
        pytest.raises(VariantError, match="^the board is of russian_giveaway, the tables are of russian$"),
    ):
        tables.probe_wdl(Board("W:WK30:BK2", variant="russian_giveaway"))


@pytest.mark.parametrize("variant", OPTIONAL)
def test_optional_captures(variant: str, tmp_path: Path, command: Command) -> None:
    """Where captures need not be made every value is in the tables, that of positions with a capture as well."""
    build(tmp_path, variant=variant, pieces=3, metric="dtz", threads=1)
    positions = make_plan(variant, 3).positions
    status, out, err = command("verify", tmp_path, "--full")
    assert (status, err.count("\n")) == (0, 16)  # a line a slice, and no complaint
    assert out.endswith(f"16 slices, {positions:,} values consistent\n")
    with open_tablebase(tmp_path, variant=variant) as tables:
        board = Board("W:WK18:B14", variant=variant)
        results = {result.pdn: result.wdl for result in tables.moves(board)}
        assert results.keys() >= {"18x9", "18-15", "18-22", "18-23"}
        assert (tables.probe_wdl(board), results["18x9"], tables.probe_dtz(board)) == (1, 1, 1)
