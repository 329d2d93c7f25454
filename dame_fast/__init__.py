"""Endgame databases and perfect play for checkers (English draughts).

Names are imported when they are used, so that a program starts at once, and Ctrl-C finds it ready.
"""

import sys

TYPE_CHECKING = False
"""As in `typing`, which takes longer to import than all of this."""

if TYPE_CHECKING:
    from types import ModuleType

    from dame_fast.board.board import Board
    from dame_fast.board.perft import perft
    from dame_fast.build.builder import build
    from dame_fast.errors import (
        ArgumentError,
        BuildError,
        CorruptTableError,
        DameError,
        MissingTableError,
        MoveError,
        PositionError,
        VariantError,
    )
    from dame_fast.game.game import Game
    from dame_fast.headers import get_include
    from dame_fast.position.move import Move
    from dame_fast.rules.find import find_game_type, find_rules
    from dame_fast.rules.registry import variants
    from dame_fast.rules.rules import BLACK, WHITE, Rules
    from dame_fast.tables.material import Material, slices
    from dame_fast.tables.perfect import PerfectPlayer
    from dame_fast.tables.results import MoveResult
    from dame_fast.tables.tablebase import Tablebase, open_tablebase
    from dame_fast.text.style import ALGEBRAIC, NUMERIC, Style, file_style
    from dame_fast.version import __version__
else:
    ModuleType = type(sys)

__all__ = [
    "ALGEBRAIC",
    "BLACK",
    "NUMERIC",
    "WHITE",
    "ArgumentError",
    "Board",
    "BuildError",
    "CorruptTableError",
    "DameError",
    "Game",
    "Material",
    "MissingTableError",
    "Move",
    "MoveError",
    "MoveResult",
    "PerfectPlayer",
    "PositionError",
    "Rules",
    "Style",
    "Tablebase",
    "VariantError",
    "__version__",
    "build",
    "file_style",
    "find_game_type",
    "find_rules",
    "get_include",
    "open_tablebase",
    "perft",
    "slices",
    "variants",
]

_HOMES = {
    "dame_fast.board.board": ("Board",),
    "dame_fast.board.perft": ("perft",),
    "dame_fast.build.builder": ("build",),
    "dame_fast.errors": (
        "ArgumentError",
        "BuildError",
        "CorruptTableError",
        "DameError",
        "MissingTableError",
        "MoveError",
        "PositionError",
        "VariantError",
    ),
    "dame_fast.game.game": ("Game",),
    "dame_fast.headers": ("get_include",),
    "dame_fast.position.move": ("Move",),
    "dame_fast.rules.find": (
        "find_game_type",
        "find_rules",
    ),
    "dame_fast.rules.registry": ("variants",),
    "dame_fast.rules.rules": (
        "BLACK",
        "WHITE",
        "Rules",
    ),
    "dame_fast.tables.material": (
        "Material",
        "slices",
    ),
    "dame_fast.tables.perfect": ("PerfectPlayer",),
    "dame_fast.tables.results": ("MoveResult",),
    "dame_fast.tables.tablebase": (
        "Tablebase",
        "open_tablebase",
    ),
    "dame_fast.version": ("__version__",),
    "dame_fast.text.style": (
        "ALGEBRAIC",
        "NUMERIC",
        "Style",
        "file_style",
    ),
}
"""The modules of all names."""

_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}


class _Face(ModuleType):
    """Of this module: its `build` is the function, also where a part of the package of that name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "build" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Face

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a name, and keep it."""
        if name not in _MODULE_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        __import__(_MODULE_OF[name])
        value = globals()[name] = getattr(sys.modules[_MODULE_OF[name]], name)
        return value
