"""What a build has to do, against published numbers and the moves themselves."""

from itertools import pairwise

import pytest

from dame_fast import ArgumentError, Board, VariantError
from dame_fast.build.plan import WORK_SHARE, make_plan
from dame_fast.tables.material import Material, slices

# Placements with n pieces, at least one a side: coefficients of (1+3x)^8 (1+4x)^24, less the one-sided ones.
POSITIONS = {2: 3_488, 3: 196_032, 4: 6_209_316, 5: 139_450_808, 6: 2_426_085_676, 7: 34_243_113_624}


@pytest.mark.parametrize("pieces", POSITIONS)
def test_positions_of_all_slices(pieces: int) -> None:
    expected = sum(count for n, count in POSITIONS.items() if n <= pieces)
    assert make_plan(pieces=pieces).positions == expected


def test_every_pair_comes_after_those_it_needs() -> None:
    plan = make_plan(pieces=6)
    seen: set[Material] = set()
    for pair in plan.pairs:
        assert pair.needs <= seen, pair.material.name
        seen.update(pair.members)
    assert len(seen) == len(plan.slices) == sum(len(slices(n)) for n in range(2, 7))


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("B:W25:B22,K1", "KMvM"),  # 22x29 captures and crowns
        ("B:WK18,25:B14,22", "MMvKM"),
        ("B:WK32:BK1,K28", "KKvK"),
    ],
)
def test_moves_lead_where_the_plan_says(fen: str, name: str) -> None:
    board = Board(fen)
    material = _material(board)
    assert material.name == name
    for move in board.legal_moves:
        board.push(move)
        after = _material(board)
        own = after.own_men + after.own_kings
        assert after == material.mirror or after in material.after_moves() or own == 0
        board.pop()


def _material(board: Board) -> Material:
    own_men, own_kings, other_men, other_kings, _ = board.position
    return Material(own_men.bit_count(), own_kings.bit_count(), other_men.bit_count(), other_kings.bit_count())


def test_named_slices_bring_what_they_depend_on() -> None:
    plan = make_plan(slices=[Material.parse("KMvK")])
    names = [material.name for material in plan.slices]
    assert names == ["KvK", "MvK", "KvM", "KKvK", "KvKK", "KMvK", "KvKM"]


def test_last_use_keeps_a_slice_until_the_last_pair_that_needs_it() -> None:
    plan = make_plan(pieces=4)
    last = plan.last_use()
    for number, pair in enumerate(plan.pairs):
        for needed in pair.needs:
            assert last[needed] >= number


def test_memory_grows_with_the_pieces_and_the_threads() -> None:
    five, six = make_plan(pieces=5, threads=1), make_plan(pieces=6, threads=1)
    assert 100 * 2**20 < five.memory < 200 * 2**20
    assert five.memory < six.memory < 3 * 2**30
    assert make_plan(pieces=5, threads=8).memory >= five.memory


def test_values_in_files_are_not_the_least_if_all_fit_in_less() -> None:
    small, large = make_plan(pieces=5, threads=1), make_plan(pieces=7, threads=1)
    assert small.least_memory == small.memory
    assert large.least_memory < large.memory


def test_memory_of_pairs_that_are_written_beside() -> None:
    """A small pair is still there, with what writing takes, while the next one is solved."""
    plan = make_plan(pieces=6, threads=2)
    assert all(pair.is_written_beside for pair in plan.pairs)
    both = max(
        before.planes + before.scratch + before.stored + pair.planes + pair.scratch
        for before, pair in pairwise(plan.pairs)
    )
    assert plan.memory - plan.side_memory > both
    assert [pair.is_written_beside for pair in make_plan(pieces=7, threads=2).pairs].count(False) > 5


def test_values_in_work_files() -> None:
    """All values of a plan are two bits a position and some padding, and packed there; pairs come and go."""
    plan = make_plan(pieces=6, threads=1)
    largest = max(pair.planes + pair.stored for pair in plan.pairs)
    assert largest < plan.work_bytes(0) / WORK_SHARE < sum(pair.planes for pair in plan.pairs) + plan.largest.stored
    assert plan.work_bytes(0) > plan.work_bytes(2**25) > plan.work_bytes(2**40) == 0


def test_disk() -> None:
    plan = make_plan(pieces=4)
    assert plan.disk == plan.positions // 145 + 512 * 41
    distances = make_plan(pieces=4, metric="dtw")
    assert distances.disk == plan.disk + plan.positions // 4 + 512 * 41
    assert distances.disk_without(frozenset(plan.tables)) == distances.disk - plan.disk
    assert distances.disk_without(frozenset(distances.tables)) == 0


def test_a_draw_rule_means_dtz() -> None:
    assert make_plan(pieces=3, draw_plies=40) == make_plan(pieces=3, draw_plies=40, metric="dtz")
    assert make_plan(pieces=3) == make_plan(pieces=3, metric="wdl")


@pytest.mark.parametrize("pieces", [-1, 0, 1, 13, 2**40, -(2**70)])
def test_number_of_pieces_out_of_range(pieces: int) -> None:
    with pytest.raises(ArgumentError, match=f"^the number of pieces must be 2 to 12, not {pieces}$"):
        make_plan(pieces=pieces)


def test_a_slice_larger_than_the_number_of_pieces() -> None:
    with pytest.raises(ArgumentError, match="^KKvKK has 4 pieces, more than 3$"):
        make_plan(pieces=3, slices=[Material.parse("KKvKK")])


def test_other_refusals() -> None:
    with pytest.raises(ArgumentError, match="^neither a number of pieces nor slices to build$"):
        make_plan()
    with pytest.raises(ArgumentError, match="^the number of threads must be 1 to 4096, not 0$"):
        make_plan(pieces=3, threads=0)
    with pytest.raises(ArgumentError, match=r"^the number of threads must be an integer, not 1\.5$"):
        make_plan(pieces=3, threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"^unknown metric 'foo' \(known: wdl, dtw, dtz, dtc\)$"):
        make_plan(pieces=3, metric="foo")
    with pytest.raises(
        ArgumentError, match="^a draw after 80 plies without capture and man move needs the metric dtz, not dtw$"
    ):
        make_plan(pieces=3, metric="dtw", draw_plies=80)
    with pytest.raises(
        ArgumentError, match="^a draw after 80 plies without capture and man move needs the metric dtz, not wdl$"
    ):
        make_plan(pieces=3, metric="wdl", draw_plies=80)
    with pytest.raises(ArgumentError, match="^draw_plies must be 1 to 253, not 254$"):
        make_plan(pieces=3, metric="dtz", draw_plies=254)
    with pytest.raises(VariantError, match="^there are no tables for bashni$"):
        make_plan("bashni", 3)
    with pytest.raises(VariantError, match="^unknown variant 'klingon' "):
        make_plan("klingon", 3)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("MKvK", "'MKvK'"),
        ("", "''"),
        ("KvK\0", "'KvK\\x00'"),
        ("KvK\0vK", "'KvK\\x00vK'"),
        ("K\xe9vK", "'K\xe9vK'"),
        ("K\udcffvK", "'K\\udcffvK'"),
        ("K" * 5000, f"'{'K' * 80}'..."),
    ],
)
def test_names_of_no_slice(name: str, quoted: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Material.parse(name)
    assert str(caught.value) == f"not the name of a slice: {quoted} (an example: KKMvKM)"
