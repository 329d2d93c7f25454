"""How the values of a slice pair are cut into parts: each is solved in one go and lies in a file of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import dame_fast._native as _native
from dame_fast.build.plan import Pair
from dame_fast.tables.material import Material

PART_VALUES: Final = 1 << 28
"""A part has about so many values: some seconds of work for one processor."""

PARTS_MOST: Final = 256
"""Of one pair, about: the parts of the largest ones are larger."""


@dataclass(frozen=True, order=True, slots=True)
class Units:
    """Units that are solved in one go, by their numbers, and how many values they have in both slices."""

    first: int
    count: int
    values: int


Steps = tuple[tuple[Units, ...], ...]
"""One step after the other; the units of one step can be solved at the same time."""


def steps_of(variant: str, material: Material, metric: str) -> Steps:
    """Cut a pair. The same steps whoever asks, so that a build can go on anywhere.

    >>> steps_of("english", Material.parse("KMvKM"), "wdl")
    ((Units(first=0, count=28, values=802816),),)
    """
    levels = _native.solver_units(variant, material, metric)
    whole = Units(0, sum(units for units, _ in levels), sum(values for _, values in levels))
    most = max(PART_VALUES, whole.values // PARTS_MOST)
    return tuple(_cut(levels, most))


def whole_of(steps: Steps) -> Units:
    """Return all units together, as one part."""
    parts = [units for step in steps for units in step]
    return Units(0, sum(units.count for units in parts), sum(units.values for units in parts))


def part_names(pair: Pair, units: Units) -> list[str]:
    """Return the names of the files of a part, one for each slice.

    >>> from dame_fast.build.plan import make_plan
    >>> part_names(make_plan(pieces=2).pairs[1], Units(0, 28, 1792))
    ['MvK.0+28.values', 'KvM.0+28.values']
    """
    return [f"{member.name}.{units.first}+{units.count}.values" for member in pair.members]


def _cut(levels: Sequence[tuple[int, int]], most: int) -> Iterator[tuple[Units, ...]]:
    """Put small levels together, and cut large ones."""
    held = Units(0, 0, 0)
    for count, values in levels:
        if held.count and held.values + values > most:
            yield from _split(held, most)
            held = Units(held.first + held.count, 0, 0)
        held = Units(held.first, held.count + count, held.values + values)
    yield from _split(held, most)


def _split(units: Units, most: int) -> Iterable[tuple[Units, ...]]:
    """Cut units of one level that have too many values. Several levels together have not."""
    pieces = min(-(-units.values // most), units.count)
    bounds = [units.count * number // pieces for number in range(pieces + 1)]
    values = [units.values * bound // units.count for bound in bounds]
    yield tuple(
        Units(units.first + bounds[number], bounds[number + 1] - bounds[number], values[number + 1] - values[number])
        for number in range(pieces)
    )
