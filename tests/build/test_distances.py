"""Tables of distances: right longest lines, the same bytes every time, and verified like the others."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from reference.oracles import english_positions, english_slices
from reference.solver import dtw as twin_dtw
from reference.solver import solve as twin_solve
from small_tables import Command

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, Tablebase, open_tablebase
from dame_fast.build.builder import build
from dame_fast.interrupt import run_native
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material

PIECES = 4

# Win, draw and loss under "N plies without capture and man move are a draw", all slices of 2, 3 and 4 pieces.
UNDER_A_RULE = {
    10: {2: (682, 2409, 397), 3: (62147, 93572, 40313), 4: (2140682, 2455743, 1612891)},
    20: {2: (716, 2370, 402), 3: (69583, 78229, 48220), 4: (2245747, 2245976, 1717593)},
    40: {2: (716, 2370, 402), 3: (100250, 8477, 87305), 4: (2574304, 1717922, 1917090)},
}


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.fixture(scope="module")
def dtw_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("dtw")
    build(directory, pieces=PIECES, metric="dtw", threads=1)
    assert len(list(directory.glob("*.dtw"))) == len(list(directory.glob("*.wdl"))) == 41
    return directory


@pytest.fixture(scope="module")
def dtw(dtw_tables: Path) -> Iterator[Tablebase]:
    with open_tablebase(dtw_tables) as opened:
        yield opened


def test_longest_lines_equal_the_oracle(dtw_tables: Path) -> None:
    rows = [row for row in english_slices() if row.material.pieces <= PIECES]
    assert len(rows) == 41
    for row in rows:
        facts = _native.peek(str(dtw_tables / str(TableName(Material(*row.material), "dtw"))))
        counts = row.counts
        assert (facts["win"], facts["draw"], facts["loss"]) == (counts.win, counts.draw, counts.loss)
        assert (facts["max_win"], facts["max_loss"]) == (counts.max_win_plies, counts.max_loss_plies)


def test_named_endings(dtw: Tablebase) -> None:
    rows = [row for row in english_positions() if len(Board(row.fen).pieces) <= PIECES]
    assert len(rows) >= 9
    for row in rows:
        sign = {"win": 1, "loss": -1, "draw": 0}[row.result]
        expected = None if row.dtw_plies is None else sign * row.dtw_plies
        assert dtw.probe_dtw(Board(row.fen)) == expected, row.fen


@pytest.mark.parametrize("pieces", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_every_distance_equals_the_slow_twin(dtw: Tablebase, pieces: int) -> None:
    """Both sides to move, captures pending or not."""
    compared = 0
    for position in twin_solve(pieces):
        pieces_there = [len(group) for group in position[:4]]
        if 0 in (pieces_there[0] + pieces_there[1], pieces_there[2] + pieces_there[3]) or sum(pieces_there) != pieces:
            continue
        plies = twin_dtw(_solution(pieces), position)
        found = dtw.probe_dtw(Board(_fen(position)))
        assert (None if found is None else abs(found)) == plies
        compared += 1
    assert compared in (3488, 196032)


_SOLUTIONS: dict[int, object] = {}


def _solution(pieces: int):  # type: ignore[no-untyped-def]
    if pieces not in _SOLUTIONS:
        _SOLUTIONS[pieces] = twin_solve(pieces)
    return _SOLUTIONS[pieces]


def _fen(position) -> str:  # type: ignore[no-untyped-def]
    white = [str(s) for s in sorted(position.white_men)] + [f"K{s}" for s in sorted(position.white_kings)]
    black = [str(s) for s in sorted(position.black_men)] + [f"K{s}" for s in sorted(position.black_kings)]
    return f"{position.turn}:W{','.join(white)}:B{','.join(black)}"


@pytest.mark.parametrize(("metric", "rule"), [("dtw", None), ("dtz", None), ("dtz", 20)])
def test_bytes_do_not_depend_on_threads_or_interruptions(tmp_path: Path, metric: str, rule: int | None) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    build(one, pieces=PIECES, metric=metric, draw_plies=rule, threads=1)
    build(two, pieces=3, metric=metric, draw_plies=rule, threads=2)
    build(two, pieces=PIECES, metric=metric, draw_plies=rule, threads=3)
    assert contents(one) == contents(two)
    for name in ("KKvK", "KMvM", "MMvMM"):
        for path in list(two.glob(f"{name}.*")):
            path.unlink()
    build(two, pieces=PIECES, metric=metric, draw_plies=rule)
    assert contents(one) == contents(two)


def test_distances_are_added_to_tables_that_are_there(dtw_tables: Path, tmp_path: Path) -> None:
    build(tmp_path, pieces=PIECES)
    build(tmp_path, pieces=PIECES, metric="dtw")
    assert contents(tmp_path) == contents(dtw_tables)


def test_a_draw_rule(tmp_path: Path, command: Command) -> None:
    """Several rules side by side; each is verified against the moves, and counts what it must."""
    build(tmp_path, pieces=3)
    for rule, by_pieces in UNDER_A_RULE.items():
        build(tmp_path, pieces=PIECES, metric="dtz", draw_plies=rule)
        for pieces, expected in by_pieces.items():
            found = [0, 0, 0]
            for path in tmp_path.glob(f"*.n{rule}.wdl"):
                if TableName.parse(path.name).material.pieces == pieces:
                    facts = _native.peek(str(path))
                    found = [a + b for a, b in zip(found, (facts["win"], facts["draw"], facts["loss"]), strict=True)]
            assert tuple(found) == expected
    status, out, err = command("verify", tmp_path, "--full")
    assert (status, err.count("\n")) == (0, 139)  # a line a slice, and no complaint
    assert out.splitlines()[-1] == "139 slices, 19,426,028 values consistent"


def test_a_draw_rule_and_a_running_clock(tmp_path: Path) -> None:
    build(tmp_path, pieces=3, metric="dtz", draw_plies=40)
    build(tmp_path, pieces=3, metric="dtz")
    board = Board("W:WK6,K9:BK15")  # won in 27 plies by Payne; one phase, which ends with the capture
    with open_tablebase(tmp_path) as tables:
        plies = tables.probe_dtz(board)
        assert plies is not None
        assert plies > 1
    with open_tablebase(tmp_path, draw_plies=40) as tables:
        assert tables.probe_dtz(board) == plies
        assert tables.probe_wdl(board, clock=40 - plies) == 1
        assert tables.probe_wdl(board, clock=40 - plies + 1) == 0
        assert tables.probe_dtz(board, clock=40 - plies + 1) is None


@pytest.mark.parametrize("clock", [9, 10, 15])
def test_a_counter_that_is_about_to_fill_up(tmp_path: Path, clock: int) -> None:
    """The game goes on over the board after the counter is full; every move is a draw then."""
    build(tmp_path, pieces=3, metric="dtz", draw_plies=10)
    board = Board(f"W:WK6,K9:BK15:H{clock}:F20")
    with open_tablebase(tmp_path, draw_plies=10) as tables:
        assert tables.probe_wdl(board) == 0
        moves = tables.moves(board)
        assert {result.category for result in moves} <= {"draw", "loss"}
        assert tables.best_move(board) == (moves[0].move if moves else None)
        with pytest.raises(ArgumentError, match="^the clock must be 0 to 10, not 11$"):
            tables.probe_wdl(board, clock=11)


def test_verify_finds_a_wrong_distance(dtw_tables: Path, tmp_path: Path, command: Command) -> None:
    target = shutil.copytree(dtw_tables, tmp_path / "copy")
    material = Material.parse("KKvK")
    table = _native.Table(str(target / "KKvK.dtw"), "english")
    facts = table.facts
    values = run_native(lambda cancel: table.read(0, facts["values"], cancel))[1]
    board = Board("B:WK18:BK29,K30")
    assert _probe(target, board) == 33
    wrong = next(number for number, byte in enumerate(values) if byte == 17)
    values[wrong] = 16
    entries, stored = [], b""
    for start in range(0, len(values), 16384):
        block = bytes(values[start : start + 16384])
        entry, content = _native.stored_block(2, block)
        entries.append(entry)
        stored += content
    counts = (facts["win"], facts["draw"], facts["loss"])
    longest = (facts["max_win"], facts["max_loss"])
    front = _native.pack_front("english", material, 16384, counts, entries, "dtw", None, longest, facts["nesting"])
    (target / "KKvK.dtw").write_bytes(front + stored + _native.pack_table(entries))
    for listing in ("manifest.json", "SHA256SUMS"):
        (target / listing).unlink()
    status, _, err = command("verify", target, "--full")
    assert status == 4
    last = err.splitlines()[-1]
    assert last.startswith("dame-fast: KKvK: ")
    assert " in 31 plies is stored, its moves make it win in 33 plies" in last


def _probe(directory: Path, board: Board) -> int | None:
    with open_tablebase(directory) as tables:
        return tables.probe_dtw(board)
