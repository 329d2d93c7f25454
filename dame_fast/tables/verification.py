"""Whether the tables of a directory are whole, and whether their values are right."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from pathlib import Path
from typing import Final

import dame_fast._native as _native
from dame_fast.arguments import BYTES_MOST, check_number, check_path, check_text, check_type, threads_or_all
from dame_fast.errors import ArgumentError, CorruptTableError, quote, shown
from dame_fast.interrupt import run_native, starting_threads
from dame_fast.progress import Progress, SilentProgress
from dame_fast.rules.draw_rule import rule_order
from dame_fast.rules.find import find_table_rules
from dame_fast.rules.rules import Rules
from dame_fast.tables.files import TableName, check_name, read_header, rule_of, table_files
from dame_fast.tables.listing import Listing
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS
from dame_fast.tables.open_tables import CACHE_BYTES
from dame_fast.tables.results import CATEGORIES
from dame_fast.tables.selection import Selection
from dame_fast.text.fen import write_fen

SAMPLES_MOST: Final = 2**63 - 1
"""Most positions of a slice that can be asked for."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many values of each slice are checked: all of them, so many, or a share."""

    number: int | None = None
    share: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Extent":
        """Read `1000` (of each slice) or `0.1%` (of all).

        Raises `ArgumentError` for anything else.

        >>> Extent.parse("1000"), Extent.parse("25%")
        (Extent(number=1000, share=None), Extent(number=None, share=0.25))
        """
        check_text("an extent", text)
        try:
            number, share = (None, float(text[:-1]) / 100) if text.endswith("%") else (int(text), None)
        except ValueError:
            raise ArgumentError(f"not a number of positions or a share such as 0.1%: {quote(text)}") from None
        if share is not None and not 0 < share <= 1:
            raise ArgumentError(f"the share of samples must be more than 0 and at most 100 %, not {quote(text)}")
        return cls(number, share)

    def __post_init__(self) -> None:
        """Check the numbers."""
        if self.number is not None and self.share is not None:
            raise ArgumentError("samples are either a number or a share, not both")
        if self.number is not None:
            check_number("the number of samples", self.number, 1, SAMPLES_MOST)
        if self.share is not None and not (isinstance(self.share, int | float) and 0 < self.share <= 1):
            raise ArgumentError(f"the share of samples must be more than 0 and at most 1, not {shown(self.share)}")

    def samples(self, positions: int) -> int | None:
        """Return how many of so many positions are drawn; None: every one is looked at."""
        return self.number if self.share is None else max(ceil(positions * self.share), 1)

    @property
    def in_memory(self) -> bool:
        """Whether it pays to read all tables into memory first."""
        return self.number is None


EVERY_VALUE: Final = Extent()


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found to be sound."""

    variant: str
    files: int
    bytes: int
    """Size of all files together."""
    slices: int
    """A slice counts once for each draw rule that there are tables of it for."""
    unlisted: int | None
    """Whole files that the manifest does not list; None if there is no manifest."""
    values: int
    """How many were compared with those after each move."""


def verify_directory(
    directory: str | os.PathLike[str],
    *,
    extent: Extent | str | None = None,
    pieces: int | None = None,
    slices: Sequence[Material | str] = (),
    variant: str | Rules | None = None,
    threads: int | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check the tables of a directory: all their checksums, `manifest.json` and `SHA256SUMS` if they are there.

    `extent`: how many values of each slice are also checked against those after each move; None: no values. It may be
    the text that `Extent.parse` reads.
    `pieces`, `slices`: only the tables of at most so many pieces, only those of these slices; values are then sampled
    from these alone, and the tables that they depend on are read, but not checked.
    `variant`: the rule set that the tables have to be of, that of the first one if None. `threads`: as many as the
    process may use processors if None. `memory`: the most bytes of tables that are read into memory beforehand, fewest
    pieces first; the others are read a block at a time, which is slow. None: all are read.

    Raises `CorruptTableError` for the first thing that is wrong, `MissingTableError` for a table that is asked for,
    listed or needed by others, `VariantError` for a table of another rule set, `ArgumentError`.

    >>> from dame_fast.tables.places import SHIPPED
    >>> found = verify_directory(SHIPPED / "english", extent=Extent(number=10))
    >>> found.files, found.slices, found.unlisted, found.values
    (126, 85, 0, 850)
    >>> verify_directory(SHIPPED / "english", slices=["KvK", "KKvM"]).files  # with a table of distances each
    4
    """
    if extent is not None:
        extent = Extent.parse(extent) if isinstance(extent, str) else extent
        check_type("the extent", extent, Extent, "an Extent or text")
    threads = threads_or_all(threads)
    room = BYTES_MOST if memory is None else check_number("the memory", memory, 0, BYTES_MOST)
    progress = progress or SilentProgress()
    folder = check_path("directory", directory)
    selection = Selection.make(pieces, slices)
    every = table_files(folder)
    paths = selection.choose(folder, every)
    variant = find_table_rules(read_header(paths[0])["variant"] if variant is None else variant).id
    size = _check_files(paths, variant, threads, progress)
    unlisted = _check_lists(folder, paths, selection)
    values = 0
    if extent is not None:
        for group in _groups(every, selection):
            values += _check_group(group, selection, variant, extent, threads, room, progress)
    names = [TableName.parse(path.name) for path in paths]
    checked = len({(name.material, name.draw_rule) for name in names})
    return Verification(variant, len(paths), size, checked, unlisted, values)


def _check_files(paths: Sequence[Path], variant: str, threads: int, progress: Progress) -> int:
    """Read and decode every block of every file, a file on each thread; return the size of all files in bytes."""
    headers = [read_header(path, variant) for path in paths]
    size = sum(header["bytes"] for header in headers)
    for path, header in zip(paths, headers, strict=True):
        check_name(path, header)
    sound: deque[int] = deque()  # files that were found to be so and not told of, by their numbers
    done = 0

    def tell() -> None:
        nonlocal done
        while sound:
            number = sound.popleft()
            done += headers[number]["bytes"]
            progress.rename(paths[number].name)
            progress.reach(done)
            progress.finish((paths[number].name,), {"bytes": headers[number]["bytes"]})

    progress.start("files", "B", size, len(paths))
    try:
        run_native(partial(_check_all, paths, variant, threads, sound), tell)
    finally:
        tell()
    progress.end()
    return size


def _check_all(paths: Sequence[Path], variant: str, threads: int, sound: deque[int], cancel: _native.Cancel) -> None:
    """Check files; of several that are damaged the first one is reported."""
    from concurrent.futures import ThreadPoolExecutor

    def check(path: Path) -> None:
        _native.Table(str(path), variant).check(cancel)

    with ThreadPoolExecutor(threads) as pool:
        try:
            with starting_threads():
                results = pool.map(check, paths)
            for number, _ in enumerate(results):
                sound.append(number)
        finally:
            cancel.set()
            pool.shutdown(cancel_futures=True)


def _check_lists(directory: Path, paths: Sequence[Path], selection: Selection) -> int | None:
    """Check files against the lists of their directory; return how many the manifest lacks, None if there is none.

    Those may be whole: a build that was killed, or that still runs, has published a table and not yet listed it.
    """
    listing = Listing(directory)
    for path in listing.check_there(selection.holds):
        listing.check(path)
    return None if listing.manifest is None else sum(not listing.in_manifest(path.name) for path in paths)


def _groups(paths: Sequence[Path], selection: Selection) -> Iterator[list[Path]]:
    """Yield the files of each draw rule that something chosen has: those belong together."""
    for rule in sorted({rule_of(path) for path in paths if selection.holds(path.name)}, key=rule_order):
        yield [path for path in paths if rule_of(path) == rule]


def _check_group(
    paths: Sequence[Path],
    selection: Selection,
    variant: str,
    extent: Extent,
    threads: int,
    room: int,
    progress: Progress,
) -> int:
    """Check values of the tables of one draw rule against those after each move; return how many."""
    library = _native.Library(variant, CACHE_BYTES)
    for path in selection.choose_with_needs(paths):
        check_name(path, read_header(path, variant))
        library.add(os.fspath(path))
    tables = sorted({TableName.parse(path.name) for path in paths if selection.holds(path.name)}, key=TableName.order)
    distances = {table.material for table in tables if METRICS[table.metric].has_plies}
    # A table of distances is checked together with that of win, draw and loss.
    tables = [table for table in tables if METRICS[table.metric].has_plies or table.material not in distances]
    sizes = {table: table.material.positions(variant) for table in tables}
    samples = {table: extent.samples(size) for table, size in sizes.items()}
    total = sum(samples[table] or sizes[table] for table in tables)
    if extent.in_memory:
        _read_values(library, extent, threads, room, progress)
    progress.start("slices", "values", total, len(tables))
    done = 0
    for table in tables:
        progress.rename(str(table), samples[table] or sizes[table])
        values = _check_slice(library, table, samples[table], threads, progress, done)
        done += values
        progress.finish((str(table),), {"values": values})
    progress.end()
    return done


def _read_values(library: _native.Library, extent: Extent, threads: int, room: int, progress: Progress) -> None:
    """Read tables into memory, as far as there is room; if every value is checked, play captures out as well.

    Then each of these is a look-up.
    """
    largest, values = library.largest, sum(header["values"] for header in library.headers)

    def run(name: str, work: Callable[[_native.Cancel, _native.Counter], None]) -> None:
        counter = _native.Counter()
        progress.start(name, "values", values)
        run_native(lambda cancel: work(cancel, counter), lambda: progress.reach(counter.value))
        progress.reach(counter.value)
        progress.end()

    run("reading", lambda cancel, counter: library.preload(largest, room, threads, cancel, counter))
    if extent == EVERY_VALUE:
        run("playing captures out", lambda cancel, counter: library.resolve(largest, threads, cancel, counter))


def _check_slice(
    library: _native.Library, table: TableName, sample: int | None, threads: int, progress: Progress, before: int
) -> int:
    counter = _native.Counter()
    report = run_native(
        lambda cancel: library.verify(table.material, threads, cancel, counter, sample, metric=table.metric),
        lambda: progress.reach(before + counter.value),
    )
    name = table.material.name
    if report["first_wrong"] is not None:
        position, stored, derived = report["first_wrong"]
        raise CorruptTableError(
            f"{name}: {report['wrong']:,} of {report['positions']:,} values are wrong, the first in "
            f"{write_fen(position)}: {_outcome(*stored)} is stored, its moves make it {_outcome(*derived)}"
        )
    if sample is None and not report["counts_agree"]:
        win, draw, loss = report["counts"]
        has_plies = METRICS[table.metric].has_plies
        longest = f", or longest lines than {report['longest']} plies" if has_plies else ""
        raise CorruptTableError(
            f"{name}: the header counts something else than {win:,} won, {draw:,} drawn and "
            f"{loss:,} lost positions{longest}"
        )
    progress.reach(before + report["positions"])
    return report["positions"]


def _outcome(wdl: int, plies: int | None) -> str:
    """Return a value in words.

    >>> _outcome(1, None), _outcome(-1, 4)
    ('win', 'loss in 4 plies')
    """
    return CATEGORIES[wdl] if plies is None else f"{CATEGORIES[wdl]} in {plies} plies"
