"""Tables that are open: where they are, what they hold, and how much of them is in memory."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Final, Self

import dame_fast._native as _native
from dame_fast.arguments import BYTES_MOST, PIECES_MOST, check_choice, check_number, check_pieces, check_threads
from dame_fast.errors import ArgumentError
from dame_fast.interrupt import run_native
from dame_fast.rules.draw_rule import DrawRule, plies_of
from dame_fast.rules.find import find_table_rules
from dame_fast.rules.rules import Rules
from dame_fast.tables.files import choose_files
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS
from dame_fast.tables.missing import Search
from dame_fast.tables.phase import PhaseCache
from dame_fast.tables.places import Directories, find_directories

CACHE_BYTES: Final = 64 * 2**20
"""How many bytes of decoded blocks are kept, unless the caller says otherwise."""


class OpenTables:
    """Everything of `dame_fast.Tablebase` but its questions about positions.

    The files that are open and the blocks in memory belong to a `_native.Library`. It never changes in a way that a
    probe could notice: preloading fills another one and takes that, so other threads go on with the one they have.
    """

    def __init__(
        self,
        directory: Directories | None = None,
        variant: str | Rules = "english",
        cache_bytes: int = CACHE_BYTES,
        rule: DrawRule | None = None,
    ) -> None:
        self._rules = find_table_rules(variant)
        self._directories = find_directories(directory, self._rules)
        self._cache_bytes = check_number("cache_bytes", cache_bytes, 0, BYTES_MOST)
        self._draw_rule = rule
        self._preloaded: list[tuple[int, int]] = []  # most pieces and bytes of every wish
        self._resolved = 0
        self._threads = 1  # that preloaded last
        self._changing = Lock()
        self._phases = PhaseCache()  # what `best_move` has worked out without distances
        self._absolute = tuple(Path(os.path.abspath(directory)) for directory in self._directories)
        library = _native.Library(self.variant, self._cache_bytes)
        for path in choose_files(self._directories, self.variant, self._draw_rule):
            library.add(str(path))
        self._search = Search(self._directories, self.variant, self._draw_rule, tuple(library.headers))
        self._metrics = frozenset(header["metric"] for header in library.headers)
        library.describe = self._search.describe
        self._library: _native.Library | None = library

    def __enter__(self) -> Self:
        self._opened()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all files and free the memory, as soon as calls on other threads have ended."""
        with self._changing:
            self._library = None

    @property
    def variant(self) -> str:
        """The name of the rule set."""
        return self._rules.id

    @property
    def directory(self) -> Path:
        """Where the tables are: the first of `directories`."""
        return self._directories[0]

    @property
    def directories(self) -> tuple[Path, ...]:
        """Where the tables are, in the order in which they were looked through."""
        return self._directories

    @property
    def draw_rule(self) -> DrawRule | None:
        """The draw rule that the tables are exact under; None: none."""
        self._opened()
        return self._draw_rule

    @property
    def draw_plies(self) -> int | None:
        """Plies without capture and man move after which the tables call the game drawn; None: never."""
        return plies_of(self.draw_rule, "draw_plies")

    @property
    def draw_captures(self) -> int | None:
        """Plies without a capture after which the tables call the game drawn; None: never."""
        return plies_of(self.draw_rule, "draw_captures")

    @property
    def metrics(self) -> frozenset[str]:
        """What there are tables of (`dame_fast.tables.metric.METRICS`)."""
        self._opened()
        return self._metrics

    @property
    def largest(self) -> int:
        """Most pieces of any table."""
        return self._opened().largest

    @property
    def materials(self) -> tuple[Material, ...]:
        """The slices that there is a table of, whatever its metric, those of fewer pieces first."""
        found = {Material(*header["material"]) for header in self._opened().headers}
        return tuple(sorted(found, key=lambda material: (material.pieces, material)))

    @property
    def statistics(self) -> dict[str, float]:
        """What the cache of decoded blocks has done since the tables were opened or preloaded.

        `hits` and `misses` (values looked up), `decoded_bytes` (of all misses), `decode_time` (seconds that misses took
        to read and decode) and `kept_bytes` (now).
        """
        return self._opened().statistics

    def preload(
        self, max_pieces: int, *, max_bytes: int | None = None, threads: int = 1, resolve: bool = False
    ) -> None:
        """Read all tables of at most `max_pieces` pieces into memory, 4 positions a byte; nothing is dropped.

        `max_bytes`: tables for which so many bytes do not suffice, counted from the fewest pieces on, stay in their
        files (more pieces than there are: whatever fits).

        `resolve`: play out once and for all what the tables leave out, captures and threats, so that each probe becomes
        one look-up; takes about a second for every 20 million positions. Other threads may go on probing meanwhile.

        Raises `ArgumentError` unless `max_pieces` is 0 to 12, `max_bytes` 0 or more and `threads` 1 to 4096,
        `MissingTableError` if captures lead to a slice without a table.

        >>> from dame_fast import open_tablebase
        >>> with open_tablebase(preload=3, resolve=True) as tables:
        ...     tables.probe_many([[0, 1 << 27, 0, 1 << 18 | 1 << 22, 0]]).tolist()
        [-1]
        """
        threads = check_threads(threads)
        wish = (
            check_number("max_pieces", max_pieces, 0, PIECES_MOST),
            BYTES_MOST if max_bytes is None else check_number("max_bytes", max_bytes, 0, BYTES_MOST),
        )
        with self._changing:
            wanted = [*(earlier for earlier in self._preloaded if earlier != wish), wish]
            resolved = max(wish[0], self._resolved) if resolve else self._resolved
            self._preload(wanted, resolved, threads)

    def describe_missing(self, pieces: int, metric: str = "wdl") -> str:
        """Return what errors say where all tables of so many pieces are missing.

        >>> from dame_fast import open_tablebase
        >>> with open_tablebase() as tables:
        ...     tables.describe_missing(6).split("; ")[1]
        'dame-fast build --pieces 6 --out DIR makes it'
        """
        self._opened()
        pieces = check_pieces(pieces)
        return self._search.describe_pieces(
            f"{pieces} pieces", pieces, check_choice("the metric", metric, tuple(METRICS))
        )

    def __len__(self) -> int:
        """Count the tables."""
        return len(self._opened().headers)

    def __repr__(self) -> str:
        library = self._library
        state = "closed" if library is None else f"{len(library.headers)} tables, {library.largest} pieces"
        return f"<Tablebase {self.variant}: {state}, {self._names()}>"

    def __copy__(self) -> Self:
        """Return another tablebase of the same open files and memory."""
        self._opened()
        copy = object.__new__(type(self))
        with self._changing:
            copy.__dict__.update(self.__dict__)
        copy._changing = Lock()
        return copy

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Return what `copy.copy` does: open tables do not change."""
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what has to be opened again, by whole paths."""
        self._opened()
        opened = (self._absolute, self.variant, self._cache_bytes, self._draw_rule)
        return _open_again, (type(self), opened, self._preloaded, self._resolved, self._threads)

    def _opened(self) -> _native.Library:
        library = self._library
        if library is None:
            raise ArgumentError(f"the tablebase {self._names()} is closed")
        return library

    def _names(self) -> str:
        return ", ".join(repr(str(directory)) for directory in self._directories)

    def _preload(self, wishes: list[tuple[int, int]], resolved: int, threads: int) -> None:
        """Read the same open files into the memory of another library, and take that."""
        library = self._opened().copy(self._cache_bytes)
        for pieces, most in wishes:
            run_native(partial(library.preload, pieces, most, threads))
        if resolved:
            run_native(lambda cancel: library.resolve(resolved, threads, cancel))
        self._library, self._preloaded, self._resolved, self._threads = library, wishes, resolved, threads


def _open_again(
    tables_class: type[OpenTables],
    opened: tuple[tuple[Path, ...], str, int, DrawRule | None],
    wishes: list[tuple[int, int]],
    resolved: int,
    threads: int,
) -> OpenTables:
    """Open what was pickled."""
    tables = tables_class(*opened)
    if wishes:
        tables._preload(wishes, resolved, threads)
    return tables
