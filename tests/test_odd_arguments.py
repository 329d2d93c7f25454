"""Odd arguments for everything public that is no table: an answer, or an error of the package, never another one."""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import pytest

import dame_fast
from dame_fast import Board, DameError, Game, Material, Move, Rules, Style, find_rules
from dame_fast.records import legal_moves_record
from dame_fast.rules.draw_rule import DrawRule
from dame_fast.rules.game_type import read_game_type
from dame_fast.text.fen import read_fen


class Unhelpful:
    """Fails whatever is asked of it."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError

    __hash__ = None  # type: ignore[assignment]


GIBIBYTES = 2**31
"""More memory than a test should ask for."""

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    GIBIBYTES,
    2**64,
    -(2**64),
    10**5000,
    1.5,
    float("nan"),
    float("inf"),
    1j,
    "",
    " ",
    "x",
    "english\0x",
    "\0",
    "\ud800",
    "é",
    "11-15\0",
    "1" * 10_000,
    "W:W18:B1\0",
    "٣",
    b"",
    b"W:W18:B1",
    bytearray(b"11-15"),
    [],
    [1],
    (),
    (11, 15),
    (1, 2, 3, 4),
    {},
    set(),
    object(),
    object,
    len,
    Unhelpful(),
    np.int64(3),
    np.float64(0.5),
    np.zeros(2),
    np.str_("11-15"),
    Board("W:W18:B1"),
    Move((11, 15)),
    Material(1, 0, 1, 0),
    Style(),
    find_rules("russian"),
]

RULES = find_rules("english")
FEN = "W:WK19,K23:B12,K28"


def game() -> Game:
    return Game(FEN)


def board() -> Board:
    return Board(FEN)


def derive(switch: str, odd: Any) -> Rules:
    return Rules.derive("russian", name="house", **{switch: odd})


CALLS: dict[str, Callable[[Any], object]] = {
    "Board(fen)": lambda odd: Board(odd),
    "Board(variant)": lambda odd: Board(variant=odd),
    "Board(style)": lambda odd: Board(FEN, style=odd),
    "Board.push": lambda odd: board().push(odd),
    "Board.push_pdn": lambda odd: board().push_pdn(odd),
    "Board.push_pdn(style)": lambda odd: board().push_pdn("19-15", odd),
    "Board.parse_pdn": lambda odd: board().parse_pdn(odd),
    "Board.pdn": lambda odd: board().pdn(odd),
    "Board.pdn(style)": lambda odd: board().pdn("19-15", odd),
    "Board.fen(style)": lambda odd: board().fen(odd),
    "Board.clock_of": lambda odd: board().clock_of(odd),
    "Board.result_at_end": lambda odd: board().result_at_end(odd),
    "Board.result_at_end(clock)": lambda odd: board().result_at_end(DrawRule("draw_plies", 4), odd),
    "Board.__eq__": lambda odd: None if isinstance(odd, Unhelpful) else board() == odd,
    "towers": lambda odd: Board(odd, "bashni"),
    "towers.push": lambda odd: Board(variant="bashni").push(odd),
    "altdeutsch": lambda odd: Board(odd, "altdeutsch"),
    "altdeutsch.push": lambda odd: Board(variant="altdeutsch").push(odd),
    "Game(board)": lambda odd: Game(odd),
    "Game(draw_plies)": lambda odd: Game(FEN, odd),
    "Game.push": lambda odd: game().push(odd),
    "Game.resign": lambda odd: game().resign(odd),
    "Move(path)": lambda odd: str(Move(odd)),
    "Move(captured)": lambda odd: str(Move((11, 15), odd)),
    "a move of odd squares": lambda odd: board().push(Move((11, odd))),
    "perft(board)": lambda odd: dame_fast.perft(odd, 1),
    "perft(depth)": lambda odd: dame_fast.perft("W:W18:B1", odd),
    "perft(paths)": lambda odd: dame_fast.perft(FEN, 1, paths=odd),
    "perft(cache_bytes)": lambda odd: dame_fast.perft(FEN, 1, cache_bytes=0 if odd is GIBIBYTES else odd),
    "find_rules": lambda odd: find_rules(odd),
    "find_game_type": lambda odd: dame_fast.find_game_type(odd),
    "read_game_type": lambda odd: read_game_type(odd),
    "file_style": lambda odd: dame_fast.file_style(odd),
    "Rules.derive(base)": lambda odd: Rules.derive(odd, name="house", misere=True),
    "Rules.derive(name)": lambda odd: Rules.derive("english", name=odd),
    **{
        f"Rules.derive({switch})": partial(derive, switch)
        for switch in ("landing", "removal", "crowning", "priority", "misere", "draw_plies", "flying_kings", "odd")
    },
    "Rules.is_crown_square": lambda odd: RULES.is_crown_square(odd, "W"),
    "Rules.is_crown_square(side)": lambda odd: RULES.is_crown_square(1, odd),
    "Style(algebraic)": lambda odd: Style(algebraic=odd),
    "Style(capture)": lambda odd: Style(capture=odd),
    "Style(turned)": lambda odd: Style(turned=odd),
    "Style.number": lambda odd: Style(turned=True).number(odd, RULES),
    "Style.number(rules)": lambda odd: Style().number(1, odd),
    "Style.write_square": lambda odd: Style(algebraic=True).write_square(odd, RULES),
    "Style.write_square(rules)": lambda odd: Style().write_square(1, odd),
    "Style.read_square": lambda odd: Style().read_square(odd, RULES),
    "Style.read_square(rules)": lambda odd: Style().read_square("1", odd),
    "Material": lambda odd: Material(odd, 1, 1, 1).name,
    "Material.parse": lambda odd: Material.parse(odd),
    "Material.positions": lambda odd: Material(1, 0, 1, 0).positions(odd),
    "Material.values": lambda odd: Material(1, 0, 1, 0).values(odd),
    "slices": lambda odd: dame_fast.slices(odd),
    "read_fen": lambda odd: read_fen(odd, RULES),
    "read_fen(rules)": lambda odd: read_fen(FEN, odd),
    "legal_moves_record(style)": lambda odd: legal_moves_record(board(), odd),
}


@pytest.mark.parametrize("name", CALLS)
def test_only_errors_of_the_package(name: str) -> None:
    refused = 0
    for odd in ODD:
        try:
            CALLS[name](odd)
        except DameError as error:
            refused += 1
            text = str(error)
            assert text.isprintable()
            assert 0 < len(text) < 1000
    assert refused >= len(ODD) // 2 or name == "Board.__eq__"


def test_all_public_functions_are_called() -> None:
    """Those of tables and of building have tests of their own; `get_include` and `variants` take no argument."""
    elsewhere = {"PerfectPlayer", "Tablebase", "MoveResult", "open_tablebase", "build", "get_include", "variants"}
    functions = {
        name
        for name in dame_fast.__all__
        if callable(getattr(dame_fast, name)) and not name.endswith("Error") and name not in elsewhere
    }
    called = {name.partition("(")[0].partition(".")[0] for name in CALLS}
    assert functions - called == set()


@pytest.mark.parametrize("public", [Board, Game, Style, Rules, Material])
def test_all_methods_with_arguments_are_called(public: type) -> None:
    methods = {
        f"{public.__name__}.{name}"
        for name, method in vars(public).items()
        if not name.startswith("_") and callable(method) and len(signature(method).parameters) > 1
    }
    assert methods <= {name.partition("(")[0] for name in CALLS}


def test_variants_are_a_mapping() -> None:
    """Unknown names are what they are in any mapping; `find_rules` has the error of the package."""
    with pytest.raises(KeyError):
        dame_fast.variants()["nope"]
    assert dame_fast.variants().get("nope") is None
    assert "nope" not in dame_fast.variants()
    with pytest.raises(dame_fast.VariantError):
        find_rules("nope")
