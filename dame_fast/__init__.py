"""Endgame databases and perfect play for checkers (English draughts)."""

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
