"""The positions that take longest: all of them, in order, and what is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from reference.oracles import english_slices
from small_tables import no_table

import dame_fast._native as _native
from dame_fast import ArgumentError, Board, CorruptTableError, MissingTableError, Tablebase, open_tablebase
from dame_fast.build.builder import build
from dame_fast.position.position import Position
from dame_fast.position.squares import squares_in
from dame_fast.progress import SilentProgress
from dame_fast.tables.material import Material, slices
from dame_fast.tables.results import Category
from dame_fast.tables.tablebase import LONGEST_MOST


@pytest.fixture(scope="module")
def shipped() -> Iterator[Tablebase]:
    with open_tablebase() as opened:
        yield opened


def positions(material: Material) -> Iterator[Position]:
    """All placements of at most one piece of each piece set, Black to move."""
    own_men, own_kings, other_men, other_kings = material
    assert max(material) <= 1
    for x in range(28 if other_men else 1):
        for m in range(28 if own_men else 1):
            for y in range(32 if other_kings else 1):
                for k in range(32 if own_kings else 1):
                    own = own_men << m, own_kings << k
                    other = other_men << (31 - x), other_kings << (31 - y)
                    taken = [*own, *other]
                    if sum(taken).bit_count() == material.pieces == len(squares_in(sum(taken))):
                        yield (*own, *other, 0)


@pytest.mark.parametrize("name", ["KvK", "MvM", "KMvM", "MvKM", "KMvK"])
@pytest.mark.parametrize(("result", "sign"), [("win", 1), ("loss", -1)])
def test_every_one_is_found(shipped: Tablebase, name: str, result: Category, sign: int) -> None:
    material = Material.parse(name)
    plies = shipped.longest_plies(material, result=result)
    assert plies is not None
    expected = []
    for position in positions(material):
        if shipped.probe_position(position, "dtw") == (sign, plies):
            expected.append(position)
    found = shipped.longest(material, result=result, limit=LONGEST_MOST)
    assert sorted(board.position for board in found) == sorted(expected)
    for threads in (1, 3):
        assert shipped.longest(material, result=result, limit=LONGEST_MOST, threads=threads) == found
        assert shipped.longest(material, result=result, limit=2, threads=threads) == found[:2]


@pytest.mark.parametrize("pieces", [2, 3, 4])
def test_the_oracle(shipped: Tablebase, pieces: int) -> None:
    """Every slice: as long as the table of known lines says, and the positions have these distances."""
    rows = {Material(*row.material): row.counts for row in english_slices()}
    for material in slices(pieces):
        counts = rows[material]
        lines: list[tuple[Category, int, int | None]] = [
            ("win", 1, counts.max_win_plies),
            ("loss", -1, counts.max_loss_plies),
        ]
        for result, sign, plies in lines:
            found = shipped.longest(material, result=result, limit=5)
            assert shipped.longest_plies(material, result=result) == plies
            assert bool(found) == (plies is not None)
            assert all(shipped.probe_dtw(board) == sign * (plies or 0) for board in found)
            assert all(board.variant == "english" and board.turn == "B" for board in found)


def test_captures_count(shipped: Tablebase) -> None:
    """Of these, some begin with a capture, which no table holds a value of."""
    boards = shipped.longest(Material.parse("KvMM"), limit=1000)
    assert any(move.captured for board in boards for move in board.legal_moves)
    assert all(shipped.probe_dtw(board) == 13 for board in boards)


def test_distances_to_zeroing_and_a_rule(tmp_path: Path) -> None:
    material = Material.parse("KKvK")
    for rule in (None, 20):
        build(tmp_path, pieces=3, metric="dtz", draw_plies=rule)
        with open_tablebase(tmp_path, draw_plies=rule) as tables:
            plies = tables.longest_plies(material, metric="dtz")
            boards = tables.longest(material, metric="dtz")
            assert plies == (33 if rule is None else 19)
            assert boards
            assert all(tables.probe_dtz(board) == plies for board in boards)
            with pytest.raises(MissingTableError) as caught:
                tables.longest(material)
            command = "--pieces 3 --metric dtw" + ("" if rule is None else " --draw-plies 20")
            assert str(caught.value) == (
                f"no table of KKvK with the metric dtw in {tmp_path} (no dtw table is there); "
                f"dame-fast build {command} --out DIR makes it"
            )


class Heard(SilentProgress):
    def __init__(self) -> None:
        self.calls: list[object] = []
        self.seen: list[int] = []

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        self.calls.append((name, measure, total))

    def reach(self, done: int) -> None:
        self.seen.append(done)

    def end(self) -> None:
        self.calls.append("end")


def test_progress(shipped: Tablebase) -> None:
    material = Material.parse("KMvKM")
    heard = Heard()
    shipped.longest(material, limit=LONGEST_MOST, progress=heard)
    assert heard.calls[0] == ("KMvKM", "values", material.values())
    assert heard.seen == sorted(heard.seen)
    assert 0 < heard.seen[-1] <= material.values()
    assert heard.calls[1:] == ["end"]


def test_refused(shipped: Tablebase, three_pieces: Path) -> None:
    material = Material.parse("KvK")
    for arguments, text in (
        ({"metric": "wdl"}, "the metric must be dtw, dtz or dtc, not 'wdl'"),
        ({"result": "draw"}, "the result must be win or loss, not 'draw'"),
        ({"limit": 0}, "limit must be 1 to 1000000, not 0"),
        ({"threads": 0}, "the number of threads must be 1 to 4096, not 0"),
    ):
        with pytest.raises(ArgumentError) as caught:
            shipped.longest(material, **arguments)
        assert str(caught.value) == text
    with pytest.raises(MissingTableError, match=r"^no table of 36 pieces with the metric dtw in [^;]*$"):
        shipped.longest(Material(9, 9, 9, 9))
    with pytest.raises(MissingTableError) as missing:
        shipped.longest("KKKvKK")
    assert str(missing.value) == no_table("KKKvKK", shipped.directory, 4, "--pieces 5", "dtw")
    with open_tablebase(three_pieces) as tables:
        with pytest.raises(MissingTableError) as missing:
            tables.longest(material)
        assert str(missing.value) == no_table("KvK", three_pieces, None, "--pieces 2", "dtw")
        tables.close()
        with pytest.raises(ArgumentError, match="is closed$"):
            tables.longest(material)


def test_tables_that_are_needed_besides(shipped: Tablebase, tmp_path: Path) -> None:
    """The results of the slice; and smaller ones only where captures may be the longest lines."""
    for name in ("MvM.dtw", "KvK.dtw", "KvK.wdl", "KvMM.dtw", "KvMM.wdl"):
        (tmp_path / name).write_bytes((shipped.directory / name).read_bytes())
    with open_tablebase(tmp_path) as tables:
        assert tables.longest(Material.parse("KvK")) == shipped.longest(Material.parse("KvK"))
        with pytest.raises(MissingTableError) as caught:
            tables.longest(Material.parse("MvM"))
        assert str(caught.value) == no_table("MvM", tmp_path, 3, "--pieces 2")
        with pytest.raises(MissingTableError, match="^no table of MvK"):
            tables.longest(Material.parse("KvMM"))


def test_a_header_that_promises_too_much(shipped: Tablebase, tmp_path: Path) -> None:
    table = _native.Table(str(shipped.directory / "MvM.dtw"), "english")
    facts, values = table.facts, bytes(table.read(0, table.facts["values"], _native.Cancel())[1])
    entry, content = _native.stored_block(2, values)
    front = _native.pack_front(
        "english",
        facts["material"],
        16384,
        (facts["win"], facts["draw"], facts["loss"]),
        [entry],
        "dtw",
        None,
        (15, 6),
        facts["nesting"],
    )
    (tmp_path / "MvM.dtw").write_bytes(front + content + _native.pack_table([entry]))
    (tmp_path / "MvM.wdl").write_bytes((shipped.directory / "MvM.wdl").read_bytes())
    for name in ("KvM", "MvK", "KvK"):
        for metric in ("wdl", "dtw"):
            (tmp_path / f"{name}.{metric}").write_bytes((shipped.directory / f"{name}.{metric}").read_bytes())
    with open_tablebase(tmp_path) as tables:
        assert tables.longest(Material.parse("MvM"), result="loss")
        with pytest.raises(CorruptTableError) as caught:
            tables.longest(Material.parse("MvM"))
        assert str(caught.value) == f"{tmp_path / 'MvM.dtw'}: header: no position takes 15 plies"


def test_boards_are_for_black_as_for_white(shipped: Tablebase) -> None:
    (board,) = shipped.longest(Material.parse("MvM"))
    assert board.fen() == "B:W30:B25"
    assert shipped.probe_dtw(board) == shipped.probe_dtw(Board("W:W8:B3")) == 13
