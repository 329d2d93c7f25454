"""Open tables: right values, what is refused and how, threads."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from reference import moves as twin
from reference.rules import ENGLISH
from reference.solver import Solution, dtw, solve, wdl
from small_tables import flip_bit, nesting_of, no_table, read_values, write_russian, write_table
from twin_tables import board_of, native_position

from dame_fast import (
    ArgumentError,
    Board,
    CorruptTableError,
    MissingTableError,
    MoveResult,
    Tablebase,
    VariantError,
    open_tablebase,
)
from dame_fast.position.position import Position
from dame_fast.tables.material import Material, slices
from dame_fast.tables.results import CATEGORIES

KINGS = "W:WK19,K23:BK28"
"""Won in one way or another, but not with 19-24."""
BLOCKED = "B:W16,19:B12"
"""Black to move has lost."""


@pytest.fixture
def tables(three_pieces: Path) -> Iterator[Tablebase]:
    with open_tablebase(three_pieces) as opened:
        yield opened


def every_position(solution: Solution) -> Iterator[tuple[Position, int]]:
    """All positions with pieces on both sides, either side to move, and their values."""
    for position in solution:
        if position.black_men | position.black_kings:
            for placed in (position, twin.turned(position, ENGLISH)):
                yield native_position(placed), wdl(dtw(solution, placed))


def test_every_value_of_two_pieces(tables: Tablebase) -> None:
    expected = dict(every_position(solve(2)))
    assert len(expected) == 2 * 3488
    for position, value in expected.items():
        assert tables.probe_wdl(board_of(position)) == value
    assert tables.probe_many(list(expected)).tolist() == list(expected.values())


@pytest.mark.slow
def test_every_value_of_three_pieces(tables: Tablebase) -> None:
    expected = dict(every_position(solve(3)))
    assert len(expected) == 2 * 199520
    for threads in (1, 2):
        assert tables.probe_many(list(expected), threads=threads).tolist() == list(expected.values())
    tables.preload(3)
    assert tables.probe_many(list(expected)).tolist() == list(expected.values())
    for position, value in list(expected.items())[::17]:
        assert tables.probe_wdl(board_of(position)) == value


def test_facts(tables: Tablebase, three_pieces: Path) -> None:
    assert (tables.variant, tables.directory, tables.draw_plies) == ("english", three_pieces, None)
    assert (tables.largest, len(tables)) == (3, 16)
    assert set(tables.materials) == {*slices(2), *slices(3)}
    assert [material.pieces for material in tables.materials] == [2] * 4 + [3] * 12
    assert repr(tables) == f"<Tablebase english: 16 tables, 3 pieces, {str(three_pieces)!r}>"


def test_a_string_is_a_directory_as_well(three_pieces: Path) -> None:
    with open_tablebase(str(three_pieces), preload=2) as tables:
        assert tables.probe_wdl(Board(KINGS)) == 1


def test_either_side_and_one_side_alone(tables: Tablebase) -> None:
    assert tables.probe_wdl(Board("W:WK1:BK6")) == 1
    assert tables.probe_wdl(Board("B:WK1:BK32")) == 0
    assert tables.probe_wdl(Board("W:W18:B")) == 1
    assert tables.probe_wdl(Board("B:W18:B")) == -1
    assert tables.probe_wdl(Board(BLOCKED)) == -1


def test_captures_lead_from_positions_without_a_table(tables: Tablebase) -> None:
    assert Board("W:WK19:BK15,K7,K32") in tables  # 19x10x3 leaves one
    assert Board("W:WK19:BK14,K7,K32") not in tables


def test_no_table_covers_it(tables: Tablebase) -> None:
    four = Board("W:WK19,K23:B12,K28")
    with pytest.raises(MissingTableError) as caught:
        tables.probe_wdl(four)
    assert str(caught.value) == no_table("KKvKM", tables.directory, 3, "--pieces 4")
    assert isinstance(caught.value, KeyError)
    assert tables.get_wdl(four) is None
    assert tables.get_wdl(four, 7) == 7
    assert tables.get_wdl(Board(KINGS), 7) == 1
    with pytest.raises(MissingTableError) as caught:
        tables.probe_wdl(Board())
    assert str(caught.value) == f"no table of 24 pieces in {tables.directory} (largest there: 3 pieces)"


def test_distances_are_known_at_the_end_only(tables: Tablebase) -> None:
    for probe, get, metric in (
        (tables.probe_dtw, tables.get_dtw, "dtw"),
        (tables.probe_dtz, tables.get_dtz, "dtz"),
    ):
        assert probe(Board(BLOCKED)) == 0
        assert get(Board(BLOCKED), 5) == 0
        assert get(Board(KINGS)) is None
        assert get(Board(KINGS), 5) == 5
        with pytest.raises(MissingTableError) as caught:
            probe(Board(KINGS))
        assert str(caught.value) == no_table("KKvK", tables.directory, None, "--pieces 3", metric)


def test_moves_best_first(tables: Tablebase) -> None:
    board = Board("W:WK8:B3,K12")
    results = tables.moves(board)
    assert results == [
        MoveResult(board.parse_pdn("8-11"), "8-11", "draw", 0, None, None, None, capture=False, zeroing=False),
        MoveResult(board.parse_pdn("8-4"), "8-4", "loss", -1, None, None, None, capture=False, zeroing=False),
    ]
    assert tables.best_move(board) == board.parse_pdn("8-11")
    assert board.ply == 0
    best = tables.best_move(Board(KINGS))
    assert best is not None
    assert best.origin in (19, 23)


def test_moves_agree_with_the_value(tables: Tablebase) -> None:
    for fen in (KINGS, "B:WK1:BK32,K5", "W:W9,K30:BK2", "W:W22:BK18,25", "B:W22:BK18,25", "W:WK19:BK15"):
        board = Board(fen)
        results = tables.moves(board)
        assert {result.move for result in results} == set(board.legal_moves)
        order = [-result.wdl for result in results if result.wdl is not None]
        assert (order, len(order)) == (sorted(order), len(results))
        assert results[0].wdl == tables.probe_wdl(board)
        for result in results:
            assert result.capture == result.move.is_capture
            assert result.zeroing == result.move.is_zeroing
            assert result.category == CATEGORIES[result.wdl]


def test_a_move_that_ends_the_game_comes_first(tables: Tablebase) -> None:
    """By chance the others would do as well, and come before it."""
    for position, value in every_position(solve(2)):
        board = board_of(position)
        results = tables.moves(board) if value == 1 else []
        ending = []
        for result in results:
            board.push(result.move)
            ending.append(board.is_game_over())
            board.pop()
        assert ending == sorted(ending, reverse=True)


def test_no_move(tables: Tablebase) -> None:
    assert tables.moves(Board(BLOCKED)) == []
    assert tables.best_move(Board(BLOCKED)) is None


def test_moves_name_the_tables_they_need(three_pieces: Path, tmp_path: Path) -> None:
    shutil.copy(three_pieces / "KvM.wdl", tmp_path)
    with open_tablebase(tmp_path) as tables:
        board = Board("B:W25:BK7")
        assert tables.probe_wdl(board) in (0, 1)
        text = no_table("MvK", tmp_path, 2, "--pieces 2")
        assert {result.missing for result in tables.moves(board)} == {"no table of MvK"}
        with pytest.raises(MissingTableError) as caught:
            tables.best_move(board)
        assert str(caught.value) == f"after {board.pdn(board.legal_moves[0])}: {text}"


def test_another_rule_set(tables: Tablebase) -> None:
    board = Board("W:WK19:BK28", variant="russian")
    for call in (tables.probe_wdl, tables.get_wdl, tables.probe_dtw, tables.get_dtz, tables.moves):
        with pytest.raises(VariantError) as caught:
            call(board)
        assert str(caught.value) == "the board is of russian, the tables are of english"


def test_bad_numbers(tables: Tablebase, three_pieces: Path) -> None:
    for call in (
        lambda: tables.probe_many([[0, 1, 0, 2, 0]], threads=0),
        lambda: tables.preload(3, threads=0),
    ):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert str(caught.value) == "the number of threads must be 1 to 4096, not 0"
    with pytest.raises(ArgumentError) as caught:
        tables.probe_many([[0, 1, 0, 2, 0]], threads=2**31)
    assert str(caught.value) == "the number of threads must be 1 to 4096, not 2147483648"
    with pytest.raises(ArgumentError, match=r"^the number of threads must be an integer, not 1\.5$"):
        tables.probe_many([[0, 1, 0, 2, 0]], threads=1.5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError) as caught:
        tables.preload(2**40)
    assert str(caught.value) == "max_pieces must be 0 to 12, not 1099511627776"
    for number, shown in ((-1, "-1"), (2**64, str(2**64)), (10**5000, "an integer of 16610 bits")):
        with pytest.raises(ArgumentError) as caught:
            open_tablebase(three_pieces, cache_bytes=number)
        assert str(caught.value) == f"cache_bytes must be 0 to 18446744073709551615, not {shown}"
    with open_tablebase(three_pieces, cache_bytes=2**64 - 1) as opened:
        assert opened.probe_wdl(Board(KINGS)) == tables.probe_wdl(Board(KINGS))


@pytest.mark.parametrize(("name", "quoted"), [("", "''"), ("a\0b", r"'a\x00b'")])
def test_names_of_no_directory(name: str, quoted: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        open_tablebase(name)
    assert str(caught.value) == f"not the name of a directory: {quoted}"


def test_closed(three_pieces: Path) -> None:
    tables = open_tablebase(three_pieces)
    tables.close()
    tables.close()
    text = f"the tablebase {str(three_pieces)!r} is closed"
    for call in (
        lambda: tables.probe_wdl(Board(KINGS)),
        lambda: tables.get_dtw(Board(KINGS)),
        lambda: tables.moves(Board(KINGS)),
        lambda: tables.probe_many([[0, 1, 0, 2, 0]]),
        lambda: tables.preload(2),
        lambda: tables.largest,
        lambda: tables.materials,
        lambda: tables.statistics,
        lambda: len(tables),
        lambda: Board(KINGS) in tables,
        lambda: tables.__enter__(),
    ):
        with pytest.raises(ArgumentError) as caught:
            call()
        assert str(caught.value) == text
    assert repr(tables) == f"<Tablebase english: closed, {str(three_pieces)!r}>"


def test_what_there_is_to_open(tmp_path: Path) -> None:
    gone, file = tmp_path / "gone", tmp_path / "file"
    file.write_text("")
    for path, error_class, text in (
        (gone, MissingTableError, f"no tables: there is no directory {str(gone)!r}"),
        (file, ArgumentError, f"not a directory: {str(file)!r}"),
        (tmp_path, MissingTableError, f"no tables in the directory {str(tmp_path)!r}"),
    ):
        with pytest.raises(error_class) as caught:
            open_tablebase(path)
        assert str(caught.value) == text
    with pytest.raises(VariantError, match=r"^unknown variant 'chess'"):
        open_tablebase(variant="chess")
    with pytest.raises(MissingTableError) as missing:
        open_tablebase(variant="russian")
    text = "no tables of russian come with the package: build some, and name their directory"
    assert str(missing.value) == text


def test_files_that_are_refused(three_pieces: Path, tmp_path: Path) -> None:
    russian = write_russian(tmp_path)
    with pytest.raises(VariantError) as variant:
        open_tablebase(tmp_path)
    assert str(variant.value) == f"{russian}: a table of russian, not of english"
    with open_tablebase(tmp_path, variant="russian") as tables:
        assert tables.probe_wdl(Board("W:WK1:BK32", variant="russian")) == 0

    for name in ("KvK.wdl", "MvK.wdl"):
        shutil.copy(three_pieces / "KvK.wdl", tmp_path / name)
    with open_tablebase(tmp_path) as tables:  # twice the same table
        assert len(tables) == 1

    flip_bit(tmp_path / "MvK.wdl", 40, 3)
    with pytest.raises(CorruptTableError) as corrupt:
        open_tablebase(tmp_path)
    assert str(corrupt.value) == f"{tmp_path / 'MvK.wdl'}: header checksum"


def test_damage_that_shows_when_a_block_is_read(three_pieces: Path, tmp_path: Path) -> None:
    whole = three_pieces / "KvK.wdl"
    path = write_table(tmp_path, "KvK", read_values(whole), (230, 654, 108), nesting=nesting_of(whole))
    with open_tablebase(tmp_path) as tables:
        assert tables.probe_wdl(Board("W:WK1:BK32")) == 0
    flip_bit(path, path.stat().st_size - 3, 0)  # before the one entry of the block table
    with open_tablebase(tmp_path) as tables:
        for call in (
            lambda: tables.probe_wdl(Board("W:WK1:BK32")),
            lambda: tables.get_wdl(Board("W:WK1:BK32")),
            lambda: tables.probe_many([Board("W:WK1:BK32").position], default=0),
            lambda: tables.preload(2),
        ):
            with pytest.raises(CorruptTableError) as caught:
                call()
            assert str(caught.value) == f"{path}: block 0: checksum"


def test_hidden_files_are_left_alone(three_pieces: Path, tmp_path: Path) -> None:
    shutil.copy(three_pieces / "KvK.wdl", tmp_path)
    (tmp_path / "._KvK.wdl").write_text("no table")
    (tmp_path / ".KvM.wdl.partial").write_text("half a table")
    with open_tablebase(tmp_path) as tables:
        assert tables.materials == (Material.parse("KvK"),)


def test_statistics_and_preloading(three_pieces: Path) -> None:
    with open_tablebase(three_pieces, cache_bytes=1 << 20) as tables:
        assert set(tables.statistics) == {"hits", "misses", "decoded_bytes", "decode_time", "kept_bytes"}
        assert not any(tables.statistics.values())
        for _ in range(3):
            tables.probe_wdl(Board("W:WK1:BK32"))
        found = tables.statistics
        assert (found["hits"], found["misses"], found["decoded_bytes"]) == (2, 1, 256)
        assert 0 < found["decode_time"] < 1
        tables.preload(3)
        tables.preload(2)
        assert tables.probe_wdl(Board(KINGS)) == 1
        assert tables.statistics["misses"] == 0


def misses(tables: Tablebase, *fens: str) -> int:
    for fen in fens:
        tables.probe_wdl(Board(fen))
    return int(tables.statistics["misses"])


def test_preloading_by_bytes(three_pieces: Path) -> None:
    few, many = "W:WK1:BK32", "W:WK1,K2:BK32"  # 1,024 and 15,872 values, 4 a byte
    with open_tablebase(three_pieces, preload_bytes=0) as tables:
        assert misses(tables, few, many) == 2
        tables.preload(3, max_bytes=4_000)
        assert misses(tables, few, many) == 1
        tables.preload(2)
        assert misses(tables, few, many) == 1
        tables.preload(3)
        assert misses(tables, few, many) == 0
    with open_tablebase(three_pieces, preload=2, preload_bytes=10**9) as tables:
        assert misses(tables, few, many) == 1
    with open_tablebase(three_pieces, preload_bytes=10**9) as tables:
        assert misses(tables, few, many) == 0
    with pytest.raises(ArgumentError) as caught:
        open_tablebase(three_pieces, preload_bytes=-1)
    assert str(caught.value) == "max_bytes must be 0 to 18446744073709551615, not -1"


def test_threads_probe_while_it_is_preloaded_and_closed(three_pieces: Path) -> None:
    tables = open_tablebase(three_pieces)
    rows = np.array([board.position for board in map(Board, (KINGS, BLOCKED, "B:WK1:BK32"))] * 50)
    wrong: list[object] = []

    def probe() -> None:
        try:
            while True:
                if tables.probe_wdl(Board(KINGS)) != 1 or tables.probe_many(rows).tolist() != [1, -1, 0] * 50:
                    wrong.append("value")
        except ArgumentError as error:
            if not str(error).endswith("is closed"):
                wrong.append(error)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=probe) for _ in range(4)]
    for thread in threads:
        thread.start()
    for pieces in (2, 3, 3, 3):
        tables.preload(pieces)
    tables.close()
    for thread in threads:
        thread.join()
    assert wrong == []
