"""What the functions of tables take, and what they say of anything else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dame_fast._native as _native
from dame_fast import (
    ArgumentError,
    Board,
    DameError,
    Material,
    PerfectPlayer,
    PositionError,
    Rules,
    Tablebase,
    VariantError,
    open_tablebase,
)
from dame_fast.arguments import DRAW_PLIES_MOST
from dame_fast.build.builder import build
from dame_fast.tables.perfect import best_move, best_result, mainline, ranked_moves
from dame_fast.tables.verification import Extent, verify_directory

KINGS = "W:WK19,K23:BK28"


@pytest.fixture(scope="module")
def tables(three_pieces: Path) -> Tablebase:
    return open_tablebase(three_pieces)


def test_text_is_a_board(tables: Tablebase) -> None:
    board = Board(KINGS)
    assert tables.probe_wdl(KINGS) == tables.get_wdl(KINGS) == 1
    assert tables.get_dtw(KINGS) is tables.get_dtz(KINGS) is None
    assert tables.moves(KINGS) == tables.moves(board) == ranked_moves(tables, KINGS)
    assert tables.best_move(KINGS) == tables.best_move(board) == best_move(tables, KINGS)
    assert tables.mainline(KINGS) == tables.mainline(board) == mainline(tables, KINGS)
    assert best_result(tables, KINGS) == best_result(tables, board)
    assert PerfectPlayer(tables)(KINGS) == PerfectPlayer(tables).choose(board)
    assert KINGS in tables
    assert "W:WK19,K23:B12,K28" not in tables


def test_text_is_a_material() -> None:
    with open_tablebase() as tables:
        material = Material.parse("KvMM")
        assert tables.longest_plies("KvMM") == tables.longest_plies(material) == 13
        assert tables.longest("MvM") == tables.longest(Material.parse("MvM"))


POSITION = (0, 1, 0, 2, 0)


def anything(value: object) -> Any:
    """Hide a wrong type from the type checker."""
    return value


THREADS = "the number of threads must be an integer, not "
SHARE = "the share of samples must be more than 0 and at most 1, not "

CALLS: list[tuple[Callable[[Any], object], type[DameError], str]] = [
    (lambda t: t.probe_wdl(5), ArgumentError, "the board must be a Board or a FEN, not 5"),
    (lambda t: t.get_wdl(None), ArgumentError, "the board must be a Board or a FEN, not None"),
    (lambda t: t.probe_dtw(b"W:W1:B2"), ArgumentError, "the board must be a Board or a FEN, not b'W:W1:B2'"),
    (lambda t: t.probe_dtz(1.5), ArgumentError, "the board must be a Board or a FEN, not 1.5"),
    (lambda t: t.moves([]), ArgumentError, "the board must be a Board or a FEN, not []"),
    (lambda t: t.best_move(5), ArgumentError, "the board must be a Board or a FEN, not 5"),
    (lambda t: t.mainline(5), ArgumentError, "the board must be a Board or a FEN, not 5"),
    (lambda t: 5 in t, ArgumentError, "the board must be a Board or a FEN, not 5"),
    (lambda t: PerfectPlayer(t)(anything(5)), ArgumentError, "the board must be a Board or a FEN, not 5"),
    (lambda t: PerfectPlayer(anything(5)), ArgumentError, "the tables must be a Tablebase, not 5"),
    (lambda t: PerfectPlayer(t, limit=-1), ArgumentError, "limit must be 0 to 1000000000, not -1"),
    (lambda t: PerfectPlayer(t, limit=anything("1")), ArgumentError, "limit must be an integer, not '1'"),
    (lambda t: t.probe_wdl("chess"), PositionError, ""),
    (lambda t: t.probe_wdl("\ud800"), PositionError, ""),
    (lambda t: t.probe_wdl(Board("W:WK1:BK32", "russian")), VariantError, ""),
    (lambda t: t.probe_wdl(KINGS, clock=1.5), ArgumentError, "the clock must be an integer, not 1.5"),
    (lambda t: t.get_dtz(KINGS, clock="1"), ArgumentError, "the clock must be an integer, not '1'"),
    (lambda t: t.moves(KINGS, clock=-1), ArgumentError, "the clock must be 0 or more, not -1"),
    (lambda t: t.best_move(KINGS, clock=[]), ArgumentError, "the clock must be an integer, not []"),
    (lambda t: t.probe_position(POSITION, "DTW"), ArgumentError, "the metric must be wdl, dtw, dtz or dtc, not 'DTW'"),
    (lambda t: t.probe_position(POSITION, 5), ArgumentError, "the metric must be wdl, dtw, dtz or dtc, not 5"),
    (lambda t: t.probe_position(POSITION, "wdl", 1.5), ArgumentError, "the clock must be an integer, not 1.5"),
    (lambda t: t.probe_position(POSITION, "wdl", -1), ArgumentError, "the clock must be 0 or more, not -1"),
    (lambda t: t.probe_position("W:W1:B2", "wdl"), PositionError, "not a position: 'W:W1:B2'"),
    (lambda t: t.probe_position(None, "wdl"), PositionError, "not a position: None"),
    (lambda t: t.probe_position((0, 1, 0, 2), "wdl"), PositionError, "not a position: (0, 1, 0, 2)"),
    (lambda t: t.probe_position((0, 1.5, 0, 2, 0), "wdl"), PositionError, "not a position: (0, 1.5, 0, 2, 0)"),
    (lambda t: t.probe_position((0, -1, 0, 2, 0), "wdl"), PositionError, "not a position: (0, -1, 0, 2, 0)"),
    (lambda t: t.probe_position((0, 1 << 40, 0, 2, 1), "wdl"), PositionError, "a piece stands off the board"),
    (
        lambda t: t.probe_position((0, 1, 0, 2, 7), "wdl"),
        PositionError,
        "the side to move must be 0 (Black) or 1 (White), not 7",
    ),
    (lambda t: t.probe_many(None), ArgumentError, "positions must be integers, not object"),
    (lambda t: t.probe_many([Board(KINGS)]), ArgumentError, "positions must be integers, not object"),
    (lambda t: t.probe_many([["a"] * 5]), ArgumentError, "positions must be integers, not <U1"),
    (lambda t: t.probe_many([[None] * 5]), ArgumentError, "positions must be integers, not object"),
    (lambda t: t.probe_many([[2**70, 0, 0, 0, 0]]), ArgumentError, "positions must be integers, not object"),
    (lambda t: t.probe_many([POSITION], default="1"), ArgumentError, "default must be an integer, not '1'"),
    (
        lambda t: t.probe_many([POSITION], threads=1.5),
        ArgumentError,
        f"{THREADS}1.5",
    ),
    (lambda t: t.preload("3"), ArgumentError, "max_pieces must be an integer, not '3'"),
    (lambda t: t.preload(3, max_bytes=1.5), ArgumentError, "max_bytes must be an integer, not 1.5"),
    (lambda t: t.preload(3, threads=None), ArgumentError, f"{THREADS}None"),
    (lambda t: t.longest(5), ArgumentError, "a material must be a Material or the name of a slice, not 5"),
    (lambda t: t.longest((0, 1, 0, 1)), ArgumentError, ""),
    (lambda t: t.longest("chess"), ArgumentError, "not the name of a slice: 'chess' (an example: KKMvKM)"),
    (lambda t: t.longest_plies("K\0vK"), ArgumentError, r"not the name of a slice: 'K\x00vK' (an example: KKMvKM)"),
    (lambda t: t.longest("KvK", metric=5), ArgumentError, "the metric must be dtw, dtz or dtc, not 5"),
    (lambda t: t.longest("KvK", result=None), ArgumentError, "the result must be win or loss, not None"),
    (lambda t: t.longest("KvK", limit=anything("1")), ArgumentError, "limit must be an integer, not '1'"),
    (lambda t: t.describe_missing(1), ArgumentError, "the number of pieces must be 2 to 12, not 1"),
    (lambda t: t.describe_missing(3, "DTW"), ArgumentError, "the metric must be wdl, dtw, dtz or dtc, not 'DTW'"),
    (
        lambda t: open_tablebase(t.directory, draw_plies=anything("40")),
        ArgumentError,
        "draw_plies must be a number or None, not '40'",
    ),
    (lambda t: open_tablebase(t.directory, draw_plies=254), ArgumentError, "draw_plies must be 1 to 253, not 254"),
    (
        lambda t: open_tablebase(t.directory, cache_bytes=anything("1")),
        ArgumentError,
        "cache_bytes must be an integer, not '1'",
    ),
    (
        lambda t: open_tablebase(t.directory, preload=anything("3")),
        ArgumentError,
        "max_pieces must be an integer, not '3'",
    ),
    (
        lambda t: open_tablebase(t.directory, resolve=True),
        ArgumentError,
        "resolve needs preload or preload_bytes: what is resolved is in memory",
    ),
    (lambda t: open_tablebase(t.directory, variant=anything(5)), ArgumentError, "a variant must be text, not 5"),
    (lambda t: open_tablebase(t.directory, variant="english\0x"), VariantError, ""),
    (lambda t: open_tablebase(t.directory, variant="\ud800"), VariantError, ""),
    (lambda t: Material.parse("KvK").positions("english\0x"), VariantError, ""),
    (lambda t: Material.parse("KvK").values(anything(5)), ArgumentError, "a variant must be text, not 5"),
    (lambda t: Material.parse(anything(5)), ArgumentError, "the name of a slice must be text, not 5"),
    (lambda t: verify_directory(anything(5)), ArgumentError, "not the name of a directory: 5"),
    (lambda t: verify_directory(t.directory, variant=anything(5)), ArgumentError, "a variant must be text, not 5"),
    (lambda t: verify_directory(t.directory, variant="english\0x"), VariantError, ""),
    (
        lambda t: verify_directory(t.directory, threads=anything("1")),
        ArgumentError,
        f"{THREADS}'1'",
    ),
    (
        lambda t: verify_directory(t.directory, extent=anything(5)),
        ArgumentError,
        "the extent must be an Extent or text, not 5",
    ),
    (
        lambda t: verify_directory(t.directory, extent="x"),
        ArgumentError,
        "not a number of positions or a share such as 0.1%: 'x'",
    ),
    (lambda t: Extent.parse(anything(5)), ArgumentError, "an extent must be text, not 5"),
    (lambda t: Extent(number=0), ArgumentError, "the number of samples must be 1 to 9223372036854775807, not 0"),
    (lambda t: Extent(number=anything("1")), ArgumentError, "the number of samples must be an integer, not '1'"),
    (lambda t: Extent(share=2), ArgumentError, f"{SHARE}2"),
    (lambda t: Extent(share=anything("1")), ArgumentError, f"{SHARE}'1'"),
    (
        lambda t: Extent(share=float("nan")),
        ArgumentError,
        f"{SHARE}nan",
    ),
    (lambda t: Extent(1, 0.5), ArgumentError, "samples are either a number or a share, not both"),
]


@pytest.mark.parametrize(("call", "error_class", "text"), CALLS)
def test_what_is_refused(
    tables: Tablebase, call: Callable[[Any], object], error_class: type[DameError], text: str
) -> None:
    with pytest.raises(error_class) as caught:
        call(tables)
    assert type(caught.value) is error_class
    assert text in ("", str(caught.value))
    assert str(caught.value).isprintable()


def test_numbers_of_numpy(tables: Tablebase) -> None:
    assert tables.probe_wdl(KINGS, clock=anything(np.int64(3))) == 1
    assert tables.probe_position(anything(tuple(map(np.uint64, Board(KINGS).position))), "wdl") == (1, None)


def test_an_extent_may_be_text(three_pieces: Path) -> None:
    assert verify_directory(three_pieces, extent="10").values == 160


def test_one_limit_of_draw_rules(tmp_path: Path) -> None:
    """It is what the core can count."""
    _native.Solver("english", 2, None, "dtz", ("draw_plies", DRAW_PLIES_MOST))
    with pytest.raises(ArgumentError):
        _native.Solver("english", 2, None, "dtz", ("draw_plies", DRAW_PLIES_MOST + 1))
    text = f"^draw_plies must be 1 to {DRAW_PLIES_MOST}, not {DRAW_PLIES_MOST + 1}$"
    for call in (
        lambda: build(tmp_path, pieces=2, metric="dtz", draw_plies=DRAW_PLIES_MOST + 1),
        lambda: open_tablebase(draw_plies=DRAW_PLIES_MOST + 1),
        lambda: Rules.derive("english", name="longer", draw_plies=DRAW_PLIES_MOST + 1),
    ):
        with pytest.raises(ArgumentError, match=text):
            call()


@pytest.mark.parametrize("variant", ["english", "english_giveaway"])
def test_a_side_without_pieces(variant: str, tmp_path: Path) -> None:
    """Who is to move and has none has lost, in giveaway won, by whatever function. An empty board is no position."""
    build(tmp_path, pieces=2, metric="dtw", variant=variant, threads=1)
    lost = -1 if variant == "english" else 1
    man = 1 << 9
    for resolve in (None, False, True):
        with open_tablebase(tmp_path, variant=variant) as tables:
            if resolve is not None:
                tables.preload(2, resolve=resolve)
            for side in (0, 1):
                for own, other, value in ((0, man, lost), (man, 0, -lost)):
                    position = (own, 0, other, 0, side)
                    assert tables.probe_many([position]).tolist() == [value]
                    for metric in ("wdl", "dtw", "dtz"):
                        assert tables.probe_position(position, metric)[0] == value
                fen = ("B:W10:B", "W:W:B10")[side]
                assert (tables.probe_wdl(fen), tables.probe_dtw(fen), tables.probe_dtz(fen)) == (lost, 0, 0)
                assert (tables.moves(fen), tables.best_move(fen), tables.mainline(fen)) == ([], None, [])
                assert fen in tables
                fen = ("B:W:B10", "W:W10:B")[side]
                assert tables.probe_wdl(fen) == -lost
                if variant == "english":
                    assert (tables.probe_dtw(fen), tables.probe_dtz(fen)) == (1, 1)
                for call in (
                    lambda side=side: tables.probe_position((0, 0, 0, 0, side), "wdl"),
                    lambda side=side: tables.probe_position((0, 0, 0, 0, side), "dtw"),
                    lambda side=side: tables.probe_many([(0, 0, 0, 0, side)], default=0),
                    lambda side=side: tables.probe_wdl(("B:W:B", "W:W:B")[side]),
                ):
                    with pytest.raises(PositionError, match="there is no piece on the board$"):
                        call()
