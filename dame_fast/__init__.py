"""Endgame databases and perfect play for checkers (English draughts)."""

from importlib.metadata import version

from dame_fast.board import Board, perft
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
from dame_fast.headers import get_include
from dame_fast.move import Move
from dame_fast.perfect import PerfectPlayer
from dame_fast.results import MoveResult
from dame_fast.rules import BLACK, WHITE, Rules, find_rules, variants
from dame_fast.tablebase import Tablebase, open_tablebase

__version__ = version("dame-fast")

__all__ = [
    "BLACK",
    "WHITE",
    "ArgumentError",
    "Board",
    "BuildError",
    "CorruptTableError",
    "DameError",
    "MissingTableError",
    "Move",
    "MoveError",
    "MoveResult",
    "PerfectPlayer",
    "PositionError",
    "Rules",
    "Tablebase",
    "VariantError",
    "__version__",
    "find_rules",
    "get_include",
    "open_tablebase",
    "perft",
    "variants",
]
