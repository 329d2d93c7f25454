# Made by tests/draw_face.py.
from dame_fast.board.board import Board as Board
from dame_fast.board.perft import perft as perft
from dame_fast.build.builder import build as build
from dame_fast.errors import ArgumentError as ArgumentError
from dame_fast.errors import BuildError as BuildError
from dame_fast.errors import CorruptTableError as CorruptTableError
from dame_fast.errors import DameError as DameError
from dame_fast.errors import MissingTableError as MissingTableError
from dame_fast.errors import MoveError as MoveError
from dame_fast.errors import PositionError as PositionError
from dame_fast.errors import VariantError as VariantError
from dame_fast.game.game import Game as Game
from dame_fast.headers import get_include as get_include
from dame_fast.position.move import Move as Move
from dame_fast.rules.find import find_game_type as find_game_type
from dame_fast.rules.find import find_rules as find_rules
from dame_fast.rules.registry import variants as variants
from dame_fast.rules.rules import BLACK as BLACK
from dame_fast.rules.rules import WHITE as WHITE
from dame_fast.rules.rules import Rules as Rules
from dame_fast.tables.material import Material as Material
from dame_fast.tables.material import slices as slices
from dame_fast.tables.perfect import PerfectPlayer as PerfectPlayer
from dame_fast.tables.results import MoveResult as MoveResult
from dame_fast.tables.tablebase import Tablebase as Tablebase
from dame_fast.tables.tablebase import open_tablebase as open_tablebase
from dame_fast.text.style import ALGEBRAIC as ALGEBRAIC
from dame_fast.text.style import NUMERIC as NUMERIC
from dame_fast.text.style import Style as Style
from dame_fast.text.style import file_style as file_style
from dame_fast.version import __version__ as __version__

__all__: list[str]
