"""Some of the tables of a directory: those that somebody has named, and those that they depend on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, SupportsIndex

from dame_fast.arguments import check_pieces
from dame_fast.errors import ArgumentError, MissingTableError
from dame_fast.tables.files import TableName
from dame_fast.tables.material import Material, check_material, with_needs


@dataclass(frozen=True, slots=True)
class Selection:
    """Slices of at most `pieces` pieces (None: any number), and among them only the named ones (none: all)."""

    pieces: int | None = None
    slices: tuple[Material, ...] = ()

    @classmethod
    def make(cls, pieces: SupportsIndex | None, slices: Sequence[Material | str]) -> Self:
        """Check what a caller has given.

        Raises `ArgumentError` for a number of pieces outside 2 to 12, for what is no slice or has more pieces.

        >>> Selection.make(3, ["KKvK"]).holds("KKvK.dtw"), Selection.make(2, []).holds("KKvK.wdl")
        (True, False)
        """
        most = None if pieces is None else check_pieces(pieces)
        named = tuple(dict.fromkeys(check_material(one) for one in slices))
        for material in named:
            if most is not None and material.pieces > most:
                raise ArgumentError(f"{material.name} has {material.pieces} pieces, more than {most}")
        return cls(most, named)

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self.pieces is None and not self.slices

    def holds(self, name: str) -> bool:
        """Tell whether a file is meant; one that is not named as tables are only if nothing is left out."""
        if self.is_all:
            return True
        material = _material_in(name)
        if material is None or (self.pieces is not None and material.pieces > self.pieces):
            return False
        return not self.slices or material in self.slices

    def choose(self, directory: Path, paths: Sequence[Path]) -> list[Path]:
        """Return those of the tables of a directory that are meant.

        Raises `MissingTableError` if there is none of a slice that is named, or none of so many pieces.
        """
        there = {material for path in paths if (material := _material_in(path.name)) is not None}
        lacking = [material.name for material in self.slices if material not in there]
        if lacking:
            noun = "table" if len(lacking) == 1 else "tables"
            raise MissingTableError(f"no {noun} of {', '.join(lacking)} in the directory {str(directory)!r}")
        if self.pieces is not None and not self.slices and self.pieces not in {one.pieces for one in there}:
            raise MissingTableError(f"no tables of {self.pieces} pieces in the directory {str(directory)!r}")
        return [path for path in paths if self.holds(path.name)]

    def choose_with_needs(self, paths: Sequence[Path]) -> list[Path]:
        """Return the tables that are meant, and those that their values depend on."""
        if self.is_all:
            return list(paths)
        materials = {path: _material_in(path.name) for path in paths}
        needed = with_needs([one for path, one in materials.items() if one is not None and self.holds(path.name)])
        return [path for path in paths if materials[path] in needed]


def _material_in(name: str) -> Material | None:
    """Return the material in the name of a table file; None if it is not named so."""
    table = TableName.find(name)
    return None if table is None else table.material
