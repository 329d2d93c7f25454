"""Where the fields of the header of a table file stand, read from the table in src/tables/FORMAT.md."""

import re
from pathlib import Path
from typing import Final, NamedTuple

FORMAT: Final = Path(__file__).parent.parent / "src" / "tables" / "FORMAT.md"
_ROW: Final = re.compile(r"^\| +(\d+) \| +(\d+) \| (\w+) \|", re.MULTILINE)


class Field(NamedTuple):
    """Some bytes of the header."""

    offset: int
    size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


FIELDS: Final = {name: Field(int(offset), int(size)) for offset, size, name in _ROW.findall(FORMAT.read_text())}
HEADER_SIZE: Final = max(field.end for field in FIELDS.values())


def get_field(file: bytes | bytearray, name: str) -> bytes:
    """Return the bytes of a field."""
    field = FIELDS[name]
    return bytes(file[field.offset : field.end])


def get_number(file: bytes | bytearray, name: str) -> int:
    """Return the number in a field."""
    return int.from_bytes(get_field(file, name), "little")
