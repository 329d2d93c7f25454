"""Material: the men and kings of both sides. One material is one slice of the tables, with a file of its own."""

from collections.abc import Iterable
from typing import NamedTuple, Self, SupportsIndex

import dame_fast._native as _native
from dame_fast.arguments import PIECES_MOST, check_number, check_pieces, check_text, check_type
from dame_fast.rules.find import find_table_rules
from dame_fast.rules.rules import Rules


class _Counts(NamedTuple):
    own_men: int
    own_kings: int
    other_men: int
    other_kings: int


class Material(_Counts):
    """How many pieces each side has, seen by the side to move: a tuple of four numbers.

    Raises `ArgumentError` for a number that is not 0 to 12.

    >>> Material.parse("KKMvKM")
    Material(own_men=1, own_kings=2, other_men=1, other_kings=1)
    >>> Material(own_men=1, own_kings=0, other_men=13, other_kings=0)
    Traceback (most recent call last):
    dame_fast.errors.ArgumentError: other_men must be 0 to 12, not 13
    """

    __slots__ = ()

    def __new__(
        cls, own_men: SupportsIndex, own_kings: SupportsIndex, other_men: SupportsIndex, other_kings: SupportsIndex
    ) -> Self:
        """Check the numbers."""
        given = own_men, own_kings, other_men, other_kings
        checked = (check_number(name, one, 0, PIECES_MOST) for name, one in zip(cls._fields, given, strict=True))
        return super().__new__(cls, *checked)

    @classmethod
    def parse(cls, name: str) -> "Material":
        """Read the name of a slice: own pieces, `v`, the other side's; kings before men.

        Raises `ArgumentError` for anything else.
        """
        return cls(*_native.parse_slice(check_text("the name of a slice", name)))

    @property
    def name(self) -> str:
        """The name of the slice and of its files.

        >>> Material(1, 2, 1, 1).name
        'KKMvKM'
        """
        return _native.slice_name(tuple(self))

    @property
    def pieces(self) -> int:
        """Pieces of both sides."""
        return sum(self)

    @property
    def mirror(self) -> "Material":
        """The same pieces seen by the other side."""
        return Material(self.other_men, self.other_kings, self.own_men, self.own_kings)

    def order(self) -> tuple[int, int, int, int]:
        """Sort slices so that each comes after those it needs: fewer pieces first, then fewer men.

        >>> sorted(slices(3), key=Material.order) == slices(3)
        True
        """
        own = self.own_men + self.own_kings
        return self.pieces, self.own_men + self.other_men, -own, -self.own_men

    def positions(self, variant: str | Rules = "english") -> int:
        """Count the placements of these pieces with one given side to move.

        Raises `VariantError` for a rule set that has no tables, `ArgumentError` for a slice that has none.

        >>> Material.parse("KvK").positions(), Material.parse("KvM").positions()
        (992, 868)
        """
        return _native.slice_positions(find_table_rules(variant).id, tuple(self))

    def values(self, variant: str | Rules = "english") -> int:
        """Count the values in the file of this slice: its placements, and those with two pieces on one square.

        Raises what `positions` raises.
        """
        return _native.slice_values(find_table_rules(variant).id, tuple(self))

    def after_moves(self) -> "frozenset[Material]":
        """Return the other slices that one move leads to, seen by the side that moves then.

        Those are captures of any number of pieces, and crownings, with or without a capture. Slices in which that
        side has nothing left are not listed.

        >>> sorted(m.name for m in Material.parse("MvKK").after_moves())
        ['KKvK', 'KvK', 'KvM']
        """
        found = set()
        for crowned in range(min(self.own_men, 1) + 1):
            for men in range(self.other_men + 1):
                for kings in range(self.other_kings + 1):
                    left = Material(men, kings, self.own_men - crowned, self.own_kings + crowned)
                    if men + kings > 0 and left != self.mirror:
                        found.add(left)
        return frozenset(found)


def check_material(given: Material | str) -> Material:
    """Return a material that is given as such or by the name of its slice.

    Raises `ArgumentError` for anything else.

    >>> check_material("KvM")
    Material(own_men=0, own_kings=1, other_men=1, other_kings=0)
    """
    if isinstance(given, str):
        return Material.parse(given)
    return check_type("a material", given, Material, "a Material or the name of a slice")


def with_needs(named: Iterable[Material]) -> frozenset[Material]:
    """Return slices with all that their values depend on: what any number of moves leads to, seen by either side.

    >>> sorted(m.name for m in with_needs([Material.parse("MvM")]))
    ['KvK', 'KvM', 'MvK', 'MvM']
    """
    found: set[Material] = set()
    waiting = list(named)
    while waiting:
        material = waiting.pop()
        if material not in found:
            found.add(material)
            waiting += [material.mirror, *material.after_moves()]
    return frozenset(found)


def slices(pieces: int) -> list[Material]:
    """List all slices of exactly that many pieces, in the order in which they can be solved.

    Raises `ArgumentError` unless `pieces` is between 2 and 12.

    >>> [m.name for m in slices(2)]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    return [Material(*found) for found in _native.slices(check_pieces(pieces))]
