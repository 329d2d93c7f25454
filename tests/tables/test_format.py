"""src/tables/FORMAT.md against the code, and against files that were written long ago."""

import re
from pathlib import Path

from make_golden import GOLDEN
from table_header import FIELDS, FORMAT, HEADER_SIZE, get_field, get_number

import dame_fast._native as _native

LAYOUT = FORMAT.with_name("layout.h")


def test_fields_follow_each_other() -> None:
    end = 0
    for field in FIELDS.values():
        assert field.offset == end
        end = field.end
    assert end == HEADER_SIZE == _native.front_size()


def test_the_core_knows_the_same_fields() -> None:
    struct = re.search(r"struct header_bytes \{(.*?)\};", LAYOUT.read_text(), re.DOTALL)
    sizes = dict(re.findall(r"(\w+) = (\d+)", LAYOUT.read_text()))
    assert struct is not None
    found = [(name, int(sizes.get(size, size))) for name, size in re.findall(r"uint8_t (\w+)\[(\w+)\];", struct[1])]
    assert found == [(name, field.size) for name, field in FIELDS.items()]


def check_example(path: Path) -> None:
    file, facts = path.read_bytes(), _native.peek(str(path))
    numbers = {"block_size": "block_size", "nesting": "nesting", "values": "values", "win": "win", "draw": "draw"}
    numbers |= {"loss": "loss", "file_size": "bytes", "draw_plies": "draw_plies"}
    for field, fact in numbers.items():
        assert get_number(file, field) == (facts[fact] or 0), (path.name, field)  # type: ignore[literal-required]
    assert tuple(get_field(file, "material")) == facts["material"]
    assert get_field(file, "variant").rstrip(b"\0").decode() == facts["variant"]
    assert get_number(file, "version") == 3


def test_files_of_version_3() -> None:
    """They stay readable, whatever versions come."""
    for name in ("KvK.wdl", "KvK.dtw", "KvK.n40.dtz", "MvM.n40.wdl", "international.wdl"):
        check_example(GOLDEN / name)
