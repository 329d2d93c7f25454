"""A sample of the values of a slice, checked before its tables are written."""

from typing import Final

import dame_fast._native as _native
from dame_fast.errors import BuildError
from dame_fast.tables.material import Material

SAMPLE: Final = 10_000
"""Values of every slice that are checked against the moves."""


def check_sample(solver: _native.Solver, material: Material, threads: int, cancel: _native.Cancel) -> None:
    """Derive values from those after each move, found by the per-position generator.

    Raises `BuildError` if one is another one.
    """
    wrong = solver.sample(material, SAMPLE, 0, threads, cancel)
    if wrong:
        raise BuildError(f"{material.name}: {wrong:,} of {SAMPLE:,} values do not follow from the moves")
