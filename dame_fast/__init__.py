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
from dame_fast.rules import BLACK, WHITE, Rules, find_game_type, find_rules, variants
from dame_fast.style import ALGEBRAIC, NUMERIC, Style, file_style
from dame_fast.tablebase import Tablebase, open_tablebase

__version__ = version("dame-fast")

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
    "file_style",
    "find_game_type",
    "find_rules",
    "get_include",
    "open_tablebase",
    "perft",
    "variants",
]
