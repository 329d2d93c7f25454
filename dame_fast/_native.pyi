"""The compiled core: the only door to it.

Positions are tuples (own men, own kings, other men, other kings, side). The first four are bitboards, bit = square
- 1, on the board as it lies (not turned); "own" are the pieces of the side to move. `side` is 0 if Black (who moves
down) is to move, 1 for White. Materials are tuples (own men, own kings, other men, other kings) of counts.

Calls that take a `Cancel` release the GIL and raise `Cancelled` soon after its flag was raised.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

Position = tuple[int, int, int, int, int]
MaterialTuple = tuple[int, ...]
Outcome = tuple[int, int | None]
"""Result (1, 0, -1), and plies where there are distances and it is no draw."""
BlockEntry = tuple[int, int]
"""Form, length in the file (form 0: the byte)."""

MISSING: int
"""In the results of `Library.probe_many`: no table covers the position."""
ILLEGAL: int
"""In the results of `Library.probe_many`: the position is not legal."""

FILL: int
ZSTD: int
RAW: int
CODE: int
"""Forms of blocks: one byte throughout, a frame of zstd, the bytes as they are, an arithmetic code."""
BLOCK_SIZE: int
"""Bytes of a block of distances when it is decoded. Of win, draw and loss each table has its own block size."""
PER_BYTE: int
"""Values of win, draw and loss in a byte."""
Rule = tuple[str, int]
"""A draw rule: the name of its counter, and its plies."""

def metric_pages() -> list[dict[str, Any]]:
    """Return what base/metric.h says of every metric, in the order of their codes.

    Keys are the fields of `dame_fast.tables.metric.Metric`.
    """

class DrawCounterPage(TypedDict):
    name: str
    option: str
    letter: str
    about: str
    man_moves_reset: bool

def draw_counter_pages() -> list[DrawCounterPage]:
    """Return what base/draw_rule.h says of every counter that draw rules look at."""

class Cancelled(Exception): ...

class Cancel:
    def set(self) -> None: ...
    @property
    def raised(self) -> bool: ...

class Counter:
    @property
    def value(self) -> int: ...

class Header(TypedDict):
    variant: str
    metric: str
    draw_plies: int | None
    draw_captures: int | None
    material: MaterialTuple
    block_size: int
    nesting: int
    values: int
    win: int
    draw: int
    loss: int
    max_win: int | None
    max_loss: int | None
    bytes: int

class Report(TypedDict):
    positions: int
    wrong: int
    first_wrong: tuple[Position, Outcome, Outcome] | None
    counts_agree: bool
    counts: tuple[int, int, int]
    longest: tuple[int | None, int | None]

def variants() -> list[dict[str, object]]:
    """Every rule set: the fields of `struct rules` and of `struct board`, enums as lower-case words.

    Also its kind: "draughts" (whose names all other functions but those below take), "towers" or "altdeutsch".
    """

class CustomRules:
    """Rules of moves that no kernel was compiled for."""

    def __init__(self, base: str, facts: Mapping[str, object]) -> None:
        """Take the board of a rule set, and the fields of `struct move_rules`, enums as lower-case words."""

def legal_moves(rules: str | CustomRules, position: Position) -> list[tuple[tuple[int, ...], int, bool, bool]]:
    """Path (PDN squares), bitboard of captured pieces, crowned, made by a king; for every legal move."""

def move_paths(rules: str | CustomRules, position: Position) -> list[int]:
    """How many orders of jumps are that move, for every legal move in the order of `legal_moves`."""

def position_after(position: Position, path: tuple[int, ...], captured: int, crowned: bool, by_king: bool) -> Position:
    """Return the position after a legal move of single pieces, given as `legal_moves` gives it."""

def perft(
    rules: str | CustomRules, position: Position, depth: int, paths: bool, cancel: Cancel, memory: int = 0
) -> int:
    """Count the leaves of the tree of legal moves."""

TowerPosition = tuple[tuple[str, ...], int]
"""The stack on each of the 32 squares, its pieces (`w`, `b`, kings `W`, `B`) from top to bottom; the side to move."""

def tower_variants() -> list[dict[str, object]]: ...
def tower_moves(variant: str, position: TowerPosition) -> list[tuple[tuple[int, ...], tuple[int, ...], bool, bool]]:
    """Path and squares of the stacks that were jumped, in this order, crowned, made by a king; for every legal move."""

def tower_move_paths(variant: str, position: TowerPosition) -> list[int]:
    """As `move_paths`."""

def tower_perft(variant: str, position: TowerPosition, depth: int, paths: bool, cancel: Cancel) -> int: ...
def altdeutsch_variants() -> list[dict[str, object]]: ...
def altdeutsch_moves(facts: Mapping[str, object], position: Position) -> list[tuple[tuple[int, ...], int, bool, bool]]:
    """Return what `legal_moves` gives; squares are 1 to 64, row by row from the top left.

    `facts`: the fields of `struct move_rules`, enums as lower-case words.
    """

def altdeutsch_move_paths(facts: Mapping[str, object], position: Position) -> list[int]:
    """As `move_paths`."""

def altdeutsch_perft(
    facts: Mapping[str, object], position: Position, depth: int, paths: bool, cancel: Cancel
) -> int: ...
def slices(pieces: int) -> list[MaterialTuple]:
    """All slices of that many pieces, in the order in which they can be solved."""

def slice_name(material: MaterialTuple) -> str: ...
def parse_slice(name: str) -> MaterialTuple: ...
def slice_positions(variant: str, material: MaterialTuple) -> int: ...
def slice_values(variant: str, material: MaterialTuple) -> int: ...
def solver_memory(
    variant: str, material: MaterialTuple, threads: int, metric: str = "wdl"
) -> tuple[int, int, int, int]:
    """Bytes of the planes of a slice and its mirror, of scratch, of `stored`, of blocks that threads hold at once."""

def side_memory(variant: str, men: int, kings: int, metric: str = "wdl") -> tuple[int, int]:
    """Bytes of the tables of a side with so many pieces, and of its king moves, which other sides share."""

def solver_units(variant: str, material: MaterialTuple, metric: str = "wdl") -> list[tuple[int, int]]:
    """Units and values of each level of a slice and its mirror, in the order in which they are solved."""

class Solver:
    def __init__(
        self,
        variant: str,
        pieces: int,
        work: str | None = None,
        metric: str = "wdl",
        draw_rule: Rule | None = None,
        *,
        work_least: int = 0,
        budget: int = 0,
        in_parts: bool = False,
    ) -> None:
        """Keep pairs whose values take `work_least` bytes in work files in `work`, `budget` bytes of them in memory.

        `in_parts`: all values lie in parts, which several processes make; `work` is used by this one alone.

        Methods raise `WorkFileError` for a work file that is damaged.
        """

    def find(self, material: MaterialTuple) -> bool:
        """Whether work files hold all of a slice and its mirror, which are in the solver then."""

    def solve(self, material: MaterialTuple, threads: int, cancel: Cancel, done: Counter) -> None: ...
    def share(self, material: MaterialTuple) -> None:
        """Let a slice and its mirror be in the solver, without any value unless they were there."""

    def add_part(self, material: MaterialTuple, path: str) -> int:
        """Add a part of a slice that is there; return how many placements it holds."""

    def solve_units(
        self,
        material: MaterialTuple,
        first: int,
        count: int,
        partial: Sequence[str],
        complete: Sequence[str],
        threads: int,
        cancel: Cancel,
        done: Counter,
    ) -> tuple[int, int]:
        """Solve `count` units of a pair, which become a part: a file for each slice, by its name while it is made.

        Return how many placements it holds of each.
        """

    def traffic(self) -> tuple[int, int]:
        """Bytes of blocks that were read from work files so far, and written to them."""

    def load_start(self, material: MaterialTuple) -> None: ...
    def load_values(
        self,
        material: MaterialTuple,
        nesting: int,
        first: int,
        count: int,
        values: bytes | bytearray,
        threads: int,
        cancel: Cancel,
    ) -> None:
        """Load `count` packed values from number `first` on."""

    def load_distances(
        self,
        material: MaterialTuple,
        nesting: int,
        first: int,
        count: int,
        distances: bytes | bytearray,
        threads: int,
        cancel: Cancel,
    ) -> None:
        """Load `count` distances from number `first` on; their values first."""

    def load_finish(
        self, threads: int, cancel: Cancel, partial: Sequence[str] = (), complete: Sequence[str] = ()
    ) -> None: ...
    def load_stop(self) -> None: ...
    def encode_start(self, material: MaterialTuple, metric: str, threads: int, cancel: Cancel) -> None: ...
    def encode_fit(
        self, size_of: Callable[[memoryview], int], threads: int, cancel: Cancel
    ) -> tuple[int, int, int, int, bytes]:
        """Find nesting, bytes of a decoded block, number of blocks, how many are encoded together at least, and model.

        `size_of` compresses a block of distances and returns its size, on any thread; what it raises is raised here.
        """

    def encode_blocks(self, first: int, count: int) -> list[tuple[int, bytes]]:
        """Form and payload of `count` blocks, distances before zstd; any number of threads may call it."""

    def encode_content(self, first: int, count: int) -> tuple[list[BlockEntry], bytes]:
        """Entries of `count` blocks of win, draw and loss, and what the file holds of them; the same for threads."""

    def encode_stop(self) -> None: ...
    def sample(self, material: MaterialTuple, count: int, seed: int, threads: int, cancel: Cancel) -> int:
        """Derive `count` values from those after each move; return how many differ."""

    def counts(self, material: MaterialTuple, cancel: Cancel) -> tuple[tuple[int, int, int], list[int | None]]:
        """Placements won, drawn and lost for the side to move; the longest win and the longest loss in plies."""

    def drop(self, material: MaterialTuple) -> None: ...

def peek(path: str) -> Header:
    """Return the header of a file of any rule set."""

def front_size(model_size: int = 0) -> int:
    """Bytes of the file in front of the blocks."""

def stored_block(form: int, payload: bytes) -> tuple[BlockEntry, bytes]:
    """Return entry and content of a block: form 0 (`payload` is the byte that fills it), 1 zstd, 2 raw, 3 code."""

def pack_front(
    variant: str,
    material: MaterialTuple,
    block_size: int,
    counts: tuple[int, int, int],
    entries: Sequence[BlockEntry],
    metric: str = "wdl",
    draw_rule: Rule | None = None,
    longest: Sequence[int | None] = (None, None),
    nesting: int = 0,
    model: bytes = b"",
) -> bytes:
    """Header and model."""

def pack_table(entries: Sequence[BlockEntry]) -> bytes:
    """Block table, which ends the file."""

class Table:
    def __init__(self, path: str, variant: str) -> None: ...
    @property
    def facts(self) -> Header: ...
    def check(self, cancel: Cancel) -> None:
        """Read and decode every block; `CorruptTableError` if anything is wrong."""

    def read(self, first: int, count: int, cancel: Cancel) -> tuple[int, bytearray]:
        """Whole blocks around `count` values from number `first` on: the number of their first value, and packed."""

class MoveValue(NamedTuple):
    """What a move leads to, for the side that makes it; it counts itself."""

    wdl: int | None
    """None: no table tells."""
    plies: tuple[int | None, ...]
    """In each of `METRICS`, without a sign; None for a draw, and where no table tells."""
    traps: int
    """Of a draw: how many replies would lose, as far as tables tell."""
    clock: int
    """The counter of the draw rule after the move."""
    ends: bool
    """Whether the game is over then."""
    missing: str | None
    """Which table an unknown one depends on."""

def order_moves(values: Sequence[MoveValue]) -> list[int]:
    """Return the numbers of the moves, the best first."""

def result_at_end(misere: bool, has_move: bool, draw_rule: Rule | None, clock: int) -> int | None:
    """Return the result for the side to move if the game is over, None if it goes on."""

class Library:
    describe: Callable[[MaterialTuple, str], str]
    """Gives the text for a missing table of this material and metric."""
    def __init__(self, variant: str, cache_bytes: int, source: Library | None = None) -> None: ...
    def copy(self, cache_bytes: int) -> Library:
        """Return another library of the same open files, with nothing preloaded."""

    def add(self, path: str) -> None:
        """Add a table; one that is there already is passed over if nothing tells the two apart."""

    def preload(
        self, pieces: int, max_bytes: int, threads: int, cancel: Cancel, done: Counter | None = None
    ) -> None: ...
    def resolve(self, pieces: int, threads: int, cancel: Cancel, done: Counter | None = None) -> None: ...
    @property
    def headers(self) -> list[Header]: ...
    @property
    def largest(self) -> int: ...
    def find(self, material: MaterialTuple, metric: str = "wdl") -> bool: ...
    @property
    def statistics(self) -> dict[str, float]: ...
    def probe(self, position: Position, clock: int = 0) -> int: ...
    def probe_plies(self, metric: str, position: Position, clock: int = 0) -> tuple[int, int | None]:
        """Return the result, and the plies of a metric that has some; None for a draw."""

    def move_values(self, position: Position, clock: int = 0) -> list[MoveValue]:
        """Return what every move leads to, in the order of `legal_moves`; none if the game is over."""

    def probe_many(
        self, rows: npt.NDArray[np.uint64], out: npt.NDArray[np.int8], threads: int, cancel: Cancel
    ) -> None: ...
    def verify(
        self,
        material: MaterialTuple,
        threads: int,
        cancel: Cancel,
        done: Counter,
        sample: int | None = None,
        seed: int = 0,
        metric: str = "wdl",
    ) -> Report: ...
    def longest(
        self, material: MaterialTuple, metric: str, wdl: int, limit: int, threads: int, cancel: Cancel, done: Counter
    ) -> list[Position]:
        """Return the first `limit` positions with the longest win (`wdl` 1) or loss (-1); `done` counts values."""

def status_texts() -> list[str]:
    """Return the text of every status."""
