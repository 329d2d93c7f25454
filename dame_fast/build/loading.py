"""The values of a finished pair, brought back from its tables into a solver."""

from collections.abc import Sequence
from pathlib import Path

import dame_fast._native as _native
from dame_fast.build.directory import plain_errors
from dame_fast.build.plan import WINDOW, Pair, Plan
from dame_fast.errors import CorruptTableError
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS


def load_pair(
    solver: _native.Solver,
    plan: Plan,
    directory: Path,
    pair: Pair,
    threads: int,
    cancel: _native.Cancel,
    part: tuple[Sequence[str], Sequence[str]] = ((), ()),
) -> None:
    """Load a pair from its tables; all that its captures lead to must be in the solver.

    `part`: the names of the files that get all values, while and after they are made, if the solver keeps values in
    parts.

    Raises `CorruptTableError` for a table that is damaged, or that holds other values than its header counts.
    """
    try:
        solver.load_start(pair.material)
        for member in pair.members:
            _load_tables(solver, plan, directory, member, threads, cancel)
        solver.load_finish(threads, cancel, *part)
    finally:
        solver.load_stop()
    for member in pair.members:
        counts, _ = solver.counts(member, cancel)
        for table in plan.tables_of(member):
            path = str(directory / str(table))
            header = _native.peek(path)
            if counts != (header["win"], header["draw"], header["loss"]):
                raise CorruptTableError(f"{path}: the values are not those that the header counts")


def _load_tables(
    solver: _native.Solver, plan: Plan, directory: Path, material: Material, threads: int, cancel: _native.Cancel
) -> None:
    for table in plan.tables_of(material):
        with plain_errors(directory, f"read {table} in"):
            file = _native.Table(str(directory / str(table)), plan.variant)
        load = solver.load_distances if METRICS[table.metric].has_plies else solver.load_values
        total = material.values(plan.variant)
        window = _window(table)
        for first in range(0, total, window):
            count = min(window, total - first)
            with plain_errors(directory, f"read {table} in"):
                _, values = file.read(first, count, cancel)
            load(material, file.facts["nesting"], first, count, values, threads, cancel)


def _window(table: TableName) -> int:
    """Values that fill as many bytes, whatever the metric."""
    return WINDOW // _native.PER_BYTE if METRICS[table.metric].has_plies else WINDOW
