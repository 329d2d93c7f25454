"""Distances worked out on the spot, and play under draw rules, which needs them."""

import pytest
from twin_tables import Twin, TwinLibrary, TwinTables, board_of

from dame_fast import ArgumentError, Board, CorruptTableError, MissingTableError, PerfectPlayer
from dame_fast.tables.phase import Phase, PhaseCache


def test_the_twin_agrees_with_itself(two: Twin) -> None:
    """Results found phase by phase are those found ply by ply, and a phase ends no later than the game."""
    for position, (result, plies) in two.dtw.items():
        found, to_zeroing = two.dtz[position]
        assert found == result
        assert (plies is None) == (to_zeroing is None)
        assert plies is None or to_zeroing is None or min(plies, 1) <= to_zeroing <= plies


def check_phases(twin: Twin, pieces: int) -> None:
    """What is worked out on the spot is what the twin has, also for all positions on the way."""
    tables = twin.tables("wdl")
    for position in twin.decided(pieces):
        cache = PhaseCache()
        result, _ = twin.dtw[position]
        phase = cache.find("english", lambda one: tables.probe_position(one, "wdl")[0], position, result)
        assert phase.plies(position) == twin.dtz[position][1]
        known = 0
        for own_kings, other_kings, side in phase._keys:
            men = position[0], position[2]
            men = men if side == position[4] else men[::-1]
            one = men[0], own_kings, men[1], other_kings, side
            plies = phase.plies(one)
            assert plies in (None, twin.dtz[one][1])
            known += plies is not None
        assert known


def test_distances_worked_out_on_the_spot(two: Twin) -> None:
    check_phases(two, 2)


@pytest.mark.slow
def test_distances_worked_out_on_the_spot_with_three_pieces(three: Twin) -> None:
    check_phases(three, 3)


def test_phases_that_are_too_large(two: Twin) -> None:
    long = max(two.dtz, key=lambda position: two.dtz[position][1] or 0)
    tables = TwinTables(TwinLibrary(two.dtw, two.dtz, {"wdl": 2}), limit=3)
    with pytest.raises(MissingTableError, match="leads through more than 3 positions"):
        tables.best_move(board_of(long))
    with pytest.raises(MissingTableError, match="leads through more than 3 positions"):
        PerfectPlayer(tables, limit=3)(board_of(long))
    assert tables.moves(board_of(long))


def test_results_that_contradict_each_other() -> None:
    with pytest.raises(CorruptTableError) as caught:
        Phase("english", lambda position: 1, Board("W:WK18:BK29").position, 1).search(1000)
    assert str(caught.value) == "the tables contradict each other around W:WK18:BK29"


@pytest.mark.parametrize("draw_plies", [1, 2, 3, 4, 6])
def test_draw_rules(two: Twin, draw_plies: int) -> None:
    """Every win comes in time for the rule, with distances and without; every promised draw is held."""
    exact = two.with_rule(draw_plies, "wdl", "dtz")
    tables = [exact, TwinTables(TwinLibrary({}, exact._library._values["dtz"], {"wdl": 2}, draw_plies))]  # type: ignore[union-attr]
    for position in list(two.dtw)[::23]:
        board = board_of(position)
        for clock in range(draw_plies):
            first = [result.wdl for result in exact.moves(board, clock=clock)]
            assert first == [result.wdl for result in tables[1].moves(board, clock=clock)]
            assert exact.probe_wdl(board, clock=clock) == (first[0] if first else -1)
            if not first:
                continue
            for line in (one.mainline(board, clock=clock) for one in tables):
                counter = clock
                after = board.copy()
                for result in line:
                    assert first[0] is not None
                    assert result.wdl == first[0] * (1 if after.turn == board.turn else -1)
                    after.push(result.move)
                    counter = 0 if result.zeroing else counter + 1
                    assert counter <= draw_plies
                assert after.is_game_over() == (first[0] != 0)


def test_clocks(two: Twin) -> None:
    tables = two.with_rule(4, "wdl", "dtz")
    board = next(
        one for one in map(board_of, two.sample(2, 1)) if tables.probe_dtz(one) == 3 and not one.legal_moves[0].captured
    )
    assert [tables.probe_wdl(board, clock=clock) for clock in range(4)] == [1, 1, 0, 0]
    assert tables.get_dtz(board, 9, clock=2) is None
    counted = Board(f"{board.fen()}:H1:F7")
    assert (counted.clock, tables.probe_dtz(counted)) == (1, 3)
    assert tables.probe_wdl(Board(f"{board.fen()}:H2:F7")) == 0
    assert tables.best_move(board, clock=1) == tables.moves(board, clock=1)[0].move
    with pytest.raises(ArgumentError) as caught:
        tables.probe_wdl(board, clock=-1)
    assert str(caught.value) == "the clock must be 0 or more, not -1"
    without = two.tables("dtw", "dtz")
    assert without.probe_dtz(board, clock=1000) == 3
