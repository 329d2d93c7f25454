"""Material: the men and kings of both sides. One material is one slice of the tables, with a file of its own."""

from typing import NamedTuple

import dame_fast._native as _native
from dame_fast.arguments import check_pieces


class Material(NamedTuple):
    """How many pieces each side has, seen by the side to move.

    >>> Material.parse("KKMvKM")
    Material(own_men=1, own_kings=2, other_men=1, other_kings=1)
    """

    own_men: int
    own_kings: int
    other_men: int
    other_kings: int

    @classmethod
    def parse(cls, name: str) -> "Material":
        """Read the name of a slice: own pieces, `v`, the other side's; kings before men.

        Raises `ArgumentError` for anything else.
        """
        return cls(*_native.parse_slice(name))

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

    def positions(self, variant: str = "english") -> int:
        """Count the placements of these pieces with one given side to move.

        >>> Material.parse("KvK").positions(), Material.parse("KvM").positions()
        (992, 868)
        """
        return _native.slice_positions(variant, tuple(self))

    def values(self, variant: str = "english") -> int:
        """Count the values in the file of this slice: its placements, and those with two pieces on one square."""
        return _native.slice_values(variant, tuple(self))

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


def slices(pieces: int) -> list[Material]:
    """List all slices of exactly that many pieces, in the order in which they can be solved.

    Raises `ArgumentError` unless `pieces` is between 2 and 12.

    >>> [m.name for m in slices(2)]
    ['KvK', 'MvK', 'KvM', 'MvM']
    """
    return [Material(*found) for found in _native.slices(check_pieces(pieces))]
