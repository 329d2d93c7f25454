"""Perfect play: exactly as long as promised with distances, and never in circles without them."""

import random
from collections.abc import Callable, Iterator

import pytest
from twin_tables import SAMPLE, Twin, TwinLibrary, TwinTables, board_of

from dame_fast import ArgumentError, Board, MissingTableError, Move, MoveResult, PerfectPlayer
from dame_fast.tables.perfect import best_move, mainline, ranked_moves

Policy = Callable[[Board], Move]


def play(board: Board, policies: tuple[Policy, Policy]) -> Iterator[Board]:
    """Play to the end by two policies in turn, give the board after each move, and refuse to go in circles."""
    seen = {board.position}
    number = 0
    while not board.is_game_over():
        board.push(policies[number % 2](board))
        number += 1
        assert board.position not in seen, board.fen()
        seen.add(board.position)
        yield board


def random_policy(seed: int) -> Policy:
    chance = random.Random(seed)
    return lambda board: chance.choice(board.legal_moves)


def check_promise(twin: Twin, pieces: int) -> None:
    """Both sides at their best: the line is as long as dtw says, and every move says what is left."""
    tables = twin.tables("dtw", "dtz")
    for position in twin.decided(pieces):
        result, plies = twin.dtw[position]
        assert plies is not None
        line = mainline(tables, board_of(position))
        signs = [result * (-1) ** ply for ply in range(plies)]
        assert [move.dtw for move in line] == [sign * (plies - ply) for ply, sign in enumerate(signs)]
        board = board_of(position)
        for move in line:
            assert move.dtz is not None
            assert (move.dtw == tables.probe_dtw(board), abs(move.dtz) <= abs(move.dtw or 0)) == (True, True)
            board.push(move.move)
        assert board.is_game_over()


def test_play_lasts_as_long_as_promised(two: Twin) -> None:
    check_promise(two, 2)


@pytest.mark.slow
def test_play_lasts_as_long_as_promised_with_three_pieces(three: Twin) -> None:
    check_promise(three, 3)


def check_bad_opponents(twin: Twin, pieces: int) -> None:
    """The winner needs no longer against bad defence; the loser holds out no shorter against bad attack,
    unless he wins."""
    player = PerfectPlayer(twin.tables("dtw"))
    for number, position in enumerate(twin.decided(pieces)[:: 20 if pieces == 2 else 2]):
        result, plies = twin.dtw[position]
        assert plies is not None
        board = board_of(position)
        if result == 1:
            played = sum(1 for _ in play(board, (player, random_policy(number))))
            assert played <= plies
            assert board.turn != board.winner()
            assert played % 2 == 1
        else:
            chance, side = random_policy(number), board.turn
            while board.ply < plies and not board.is_game_over():
                board.push((chance if board.ply % 2 else player)(board))
            assert board.ply == plies or board.winner() == side


def test_opponents_who_play_badly(two: Twin) -> None:
    check_bad_opponents(two, 2)


@pytest.mark.slow
def test_opponents_who_play_badly_with_three_pieces(three: Twin) -> None:
    check_bad_opponents(three, 3)


def check_progress(twin: Twin, pieces: int, *metrics: str) -> None:
    """Without distances to the end: every won position is won, against the longest defence and against chance."""
    defence = PerfectPlayer(twin.tables("dtw"))
    won = twin.sample(pieces, 1, None if pieces == 2 else SAMPLE)
    for policy in (defence, random_policy(pieces)):
        player = PerfectPlayer(twin.tables(*metrics))
        for position in won:
            board = board_of(position)
            winner = board.turn
            for _ in play(board, (player, policy)):
                pass
            assert board.winner() == winner


@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_no_circles(two: Twin, metric: str) -> None:
    check_progress(two, 2, metric)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_no_circles_with_three_pieces(three: Twin, metric: str) -> None:
    check_progress(three, 3, metric)


@pytest.mark.slow
def test_mixed_tables(three: Twin) -> None:
    """Results of 3 pieces and distances of 2; distances of one kind for each number of pieces."""
    for tables in (three.tables(wdl=3, dtw=2), three.tables(dtz=3, dtw=2), three.tables(wdl=3, dtz=2)):
        player = PerfectPlayer(tables)
        for position in three.sample(3, 1, SAMPLE):
            board = board_of(position)
            winner = board.turn
            for _ in play(board, (player, PerfectPlayer(three.tables("dtw")))):
                pass
            assert board.winner() == winner


def test_lines_without_distances_have_those_worked_out(two: Twin) -> None:
    for position in two.sample(2, 1, 50):
        for by_results, by_distances in zip(
            mainline(two.tables("wdl"), board_of(position)),
            mainline(two.tables("dtz"), board_of(position)),
            strict=True,
        ):
            assert (by_results.dtz, by_results.dtw) == (by_distances.dtz, None)


def test_order_of_moves(two: Twin) -> None:
    """Wins by length, then draws, then losses by length; `best_move` is the first."""
    tables = two.tables("dtw")
    for position in list(two.dtw)[::7]:
        board = board_of(position)
        results = ranked_moves(tables, board)
        order = [(-result.wdl, result.dtw or 0) for result in results]
        assert order == sorted(order)
        assert best_move(tables, board) == (results[0].move if results else None)
        assert (results[0].dtw if results else 0) == tables.probe_dtw(board)


@pytest.mark.slow
def test_draws_with_traps_come_first(three: Twin) -> None:
    tables = three.tables("wdl")
    several = 0
    for position in three.sample(3, 0, 500):
        board = board_of(position)
        counts = []
        for result in ranked_moves(tables, board):
            if result.wdl == 0:
                board.push(result.move)
                counts.append(sum(reply.wdl == -1 for reply in ranked_moves(tables, board)))
                board.pop()
        assert counts == sorted(counts, reverse=True)
        several += len(set(counts)) > 1
    assert several > 4


def test_a_drawn_line_ends_where_it_repeats(two: Twin) -> None:
    for position in two.sample(2, 0, 50):
        line = mainline(two.tables("dtw"), board_of(position))
        board = board_of(position)
        seen = [board.position]
        for result in line:
            assert (result.wdl, result.dtw, result.dtz) == (0, None, None)
            board.push(result.move)
            seen.append(board.position)
        assert len(set(seen[:-1])) == len(seen) - 1
        assert seen[-1] in seen[:-1]


def test_the_end_of_the_game(two: Twin) -> None:
    over = Board("B:WK18:B")
    assert ranked_moves(two.tables("wdl"), over) == mainline(two.tables("wdl"), over) == []
    assert best_move(two.tables("wdl"), over) is None
    with pytest.raises(ArgumentError) as caught:
        PerfectPlayer(two.tables("wdl")).choose(over)
    assert str(caught.value) == "the game is over in B:WK18:B"


def test_results_of_moves_count_from_before(two: Twin) -> None:
    """A man one step from its crown: the move is zeroing, the game lasts longer."""
    board = Board("W:W6:BK32")
    results = ranked_moves(two.tables("dtw", "dtz"), board)
    assert all(result.zeroing for result in results)
    board = Board("W:WK15:BK11")
    (result,) = ranked_moves(two.tables("dtw", "dtz"), board)
    assert result == MoveResult(board.legal_moves[0], "15x8", "win", 1, 1, 1, capture=True, zeroing=True)


def test_missing_tables_name_the_move(two: Twin) -> None:
    with pytest.raises(MissingTableError) as caught:
        ranked_moves(two.tables("wdl"), Board("W:WK32:BK1,K2,K3"))
    assert str(caught.value) == "after 32-28: no wdl table of 4 pieces"


def test_results_come_from_distances_as_well(two: Twin) -> None:
    board = Board("W:WK1:BK32")
    for metric in ("dtw", "dtz"):
        tables = two.tables(metric)
        assert (tables.metrics, tables.probe_wdl(board)) == (frozenset({metric}), two.dtw[board.position][0])
        with pytest.raises(MissingTableError):
            TwinTables(TwinLibrary({}, {}, {metric: 1})).probe_wdl(board)


def test_distances_have_a_sign(two: Twin) -> None:
    tables = two.tables("dtw", "dtz")
    for position, (result, plies) in two.dtw.items():
        signed = None if plies is None else result * plies
        assert tables.probe_dtw(board_of(position)) == signed
        assert (signed is not None and signed > 0) == (result == 1)
