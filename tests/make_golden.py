"""Write tests/data/golden/: small sound and broken table files, and files.tsv, which says what each must give.

    python tests/make_golden.py

Run it after a change of the format, look at what changed, and commit the result. tests/tables/test_golden.py compares.
"""

import json
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import zstandard
from small_tables import one_block, sign_header, xxh64
from table_header import FIELDS, HEADER_SIZE, get_number

import dame_fast._native as _native
from dame_fast import CorruptTableError, DameError, VariantError
from dame_fast._native import BLOCK_SIZE, CODE, FILL, RAW, ZSTD
from dame_fast.build.blocks import compression
from dame_fast.build.builder import build

GOLDEN: Final = Path(__file__).parent / "data" / "golden"
COLUMNS: Final = ("file", "variant", "built", "values", "exception", "stage", "text")

FRAME_MAGIC: Final = b"\x28\xb5\x2f\xfd"
ENTRY: Final = 2
"""Bytes of an entry of the block table."""

BUILDS: Final[dict[str, dict[str, str | int]]] = {
    "wdl": {},
    "dtw": {"metric": "dtw"},
    "n40": {"metric": "dtz", "draw_plies": 40},
    "c40": {"metric": "dtc", "draw_captures": 40},
}
"""Options of `build`, by what stands in the column `built`."""

BUILT: Final = {
    "wdl": ("KvK.wdl", "MvM.wdl"),
    "dtw": ("KvK.dtw", "MvK.dtw"),
    "n40": ("KvK.n40.dtz", "MvM.n40.wdl"),
    "c40": ("KvK.c40.dtc", "MvM.c40.wdl"),
}


class Golden(NamedTuple):
    """One file, and what it must give."""

    name: str
    content: bytes
    variant: str = "english"
    built: str = ""
    """Key of BUILDS, if a build writes it."""
    exception: str = ""
    stage: str = ""
    """Where the exception is raised: `open` or `check`."""
    text: str = ""


def build_tables(directory: Path, built: str) -> None:
    """Build all tables of two pieces; of the metric and draw rule that this stands for."""
    build(directory, pieces=2, threads=1, **BUILDS[built])  # type: ignore[arg-type]


def distances(form: int, payload: bytes) -> bytes:
    """KvK as dtw, 11 and 10 plies at most, so that no byte may be above 6."""
    entry, content = _native.stored_block(form, payload)
    counts = (230, 654, 108)
    front = _native.pack_front("english", (0, 1, 0, 1), BLOCK_SIZE, counts, [entry], "dtw", None, (11, 10))
    return front + content + _native.pack_table([entry])


def compress(code: bytes, dictionary: bytes = b"") -> bytes:
    data = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
    frame = zstandard.ZstdCompressor(level=19, dict_data=data, write_dict_id=False).compress(code)
    assert frame.startswith(FRAME_MAGIC)
    return frame[len(FRAME_MAGIC) :]


def sign(file: bytearray) -> bytes:
    """Make the checksums of block table and header right."""
    at, table = FIELDS["table_hash"], len(file) - ENTRY * get_number(file, "entry_count")
    file[at.offset : at.end] = struct.pack("<Q", xxh64(file[table:]))
    sign_header(file)
    return bytes(file)


def put(file: bytes, offset: int, content: bytes | int, *, signed: bool = True) -> bytes:
    """Change some bytes (a number: one byte), and make the checksums right again."""
    changed = bytearray(file)
    if isinstance(content, int):
        content = bytes([content])
    changed[offset : offset + len(content)] = content
    return sign(changed) if signed else bytes(changed)


def put_field(file: bytes, field: str, content: bytes | int) -> bytes:
    """Change a field of the header from its first byte on, and make the checksums right again."""
    return put(file, FIELDS[field].offset, content)


def with_dictionary(dictionary: bytes) -> bytes:
    """Distances that were compressed with a dictionary, which stands where a model would: nobody ever wrote that."""
    entry, content = _native.stored_block(ZSTD, compress(PLIES, dictionary))
    front = distances(FILL, b"\6")[:HEADER_SIZE]
    file = front + dictionary + content + _native.pack_table([entry])
    file = put_field(file, "file_size", struct.pack("<Q", len(file)))
    return put_field(file, "model_size", struct.pack("<II", len(dictionary), xxh64(dictionary) & 0xFFFFFFFF))


def built_files() -> Iterator[Golden]:
    for built, names in BUILT.items():
        with TemporaryDirectory() as directory:
            build_tables(Path(directory), built)
            for name in names:
                yield Golden(name, (Path(directory) / name).read_bytes(), built=built)


def parts_of(file: bytes) -> tuple[bytes, bytes]:
    """Model and code of a file of one coded block."""
    size = get_number(file, "model_size")
    return file[HEADER_SIZE : HEADER_SIZE + size], file[HEADER_SIZE + size + 4 : -ENTRY]


RAW_VALUES: Final = bytes(0x90 >> i % 3 & 0xAA for i in range(256))
PADDED: Final = bytes(562) + b"\x0a"
"""2250 values: the last byte has room for two more."""


PLIES: Final = bytes(i // 50 % 7 for i in range(1024))


def sound_files(plain: bytes) -> Iterator[Golden]:
    model, code = parts_of(plain)
    yield Golden("model.wdl", one_block("KvK", CODE, code, (230, 654, 108), model=model))
    yield Golden("unused_model.wdl", one_block("KvK", RAW, RAW_VALUES, model=b"no model"))
    yield Golden("raw.wdl", one_block("KvK", RAW, RAW_VALUES))
    yield Golden("fill.wdl", one_block("KvK", FILL, b"\xaa", (0, 0, 992)))
    yield Golden("nesting.wdl", one_block("KvK", RAW, RAW_VALUES, nesting=1))
    yield Golden("distances.dtw", distances(ZSTD, compress(PLIES)))
    yield Golden("russian.wdl", one_block("KvK", FILL, b"\x55", (992, 0, 0), variant="russian"), "russian")
    large = one_block("MvK", RAW, PADDED, (0, 2205, 0), "international")
    yield Golden("international.wdl", large, "international")


def broken(name: str, content: bytes, stage: str, text: str, variant: str = "english") -> Golden:
    error: type[DameError] = VariantError if text.startswith("rule set") else CorruptTableError
    return Golden(name, content, variant, "", error.__name__, stage, text)


def broken_headers(plain: bytes) -> Iterator[Golden]:
    yield broken("empty.wdl", b"", "open", "file is shorter than a header")
    yield broken("short.wdl", plain[: HEADER_SIZE - 1], "open", "file is shorter than a header")
    yield broken("text.wdl", b"no table\n" * 20, "open", "not a table file")
    yield broken("line_ends.wdl", plain.replace(b"\r\n", b"\n", 1), "open", "not a table file")
    yield broken("header_bit.wdl", put(plain, FIELDS["win"].offset + 1, 1, signed=False), "open", "header checksum")
    for version in (2, 4):
        content = put_field(plain, "version", version)
        yield broken(f"version_{version}.wdl", content, "open", f"unknown format version {version}")
    for name, field, value, text in (
        ("reserved", "draw_counter", 1, "header: reserved bytes are not zero"),
        ("draw_counter", "draw_plies", b"\x28\x00\x01\x02", "header: reserved bytes are not zero"),
        ("dtz_with_rule", "metric", b"\x02\x02\x28\x00\x01\x01", "header: dtz with draw_captures"),
        ("metric", "metric", b"\x7f\x03", "header: unknown metric"),
        ("coding", "coding", 1, "header: no such coding for this metric"),
        ("dtw_with_rule", "metric", b"\x01\x01\x28\x00", "header: dtw with draw_plies"),
        ("nesting_24", "nesting", 24, "header: nesting"),
        ("nesting_2", "nesting", 2, "header: nesting"),  # as good as 0
        ("material", "material", b"\0\0", "header: material"),
        ("block_size", "block_size", 1, "header: block size"),
        ("entries", "entry_count", 2, "header: number of entries"),
        ("values", "values", 1, "header: number of values"),
        ("counts", "win", 0, "header: win, draw and loss do not add up"),
        ("longest_win", "longest_win", b"\x0b\x00", "header: longest win or loss"),
        ("variant", "variant", b"English", "header: variant"),
        ("no_variant", "variant", bytes(8), "header: variant"),
        ("model_size", "model_size", b"\7\0\2", "header: model"),
        ("file_size", "file_size", b"\x00\x00", "header: file size"),
    ):
        yield broken(f"{name}.wdl", put_field(plain, field, value), "open", text)
    none = one_block("KvK", FILL, b"\0")
    yield broken("model_hash.wdl", put_field(none, "model_hash", 1), "open", "header: model")
    reserved = "header: reserved bytes are not zero"
    yield broken("dictionary.dtw", with_dictionary(PLIES[:512]), "open", reserved)
    yield broken("dictionary_hash.dtw", put_field(distances(FILL, b"\6"), "model_hash", 1), "open", reserved)
    yield broken("truncated.wdl", plain[:-1], "open", "file is shorter than its header says")
    yield broken("longer.wdl", plain + b"\0", "open", "file is longer than its header says")
    yield broken("russian_as_english.wdl", one_block("KvK", FILL, b"\0", variant="russian"), "open", "rule set russian")


def broken_parts(plain: bytes) -> Iterator[Golden]:
    """Block table and model."""
    at = len(plain) - ENTRY
    yield broken("table_bit.wdl", put(plain, at, plain[at] ^ 1, signed=False), "open", "block table checksum")
    for name, entry in (
        ("fill_byte", FILL << 14 | 0x54),
        ("fills_too_many", FILL << 14 | 1 << 8),
        ("raw_length", RAW << 14 | 1),
        ("code_length", CODE << 14 | 256),
        ("code_odd", CODE << 14 | 5),
        ("frame", ZSTD << 14 | 4),
    ):
        content = put(plain, at, struct.pack("<H", entry))
        yield broken(f"{name}.wdl", content, "open", "block 0: entry in the block table")
    content = put(plain, at, struct.pack("<H", CODE << 14 | 4))
    yield broken("gap.wdl", content, "open", "blocks do not fill the file")
    content = put(plain, HEADER_SIZE, plain[HEADER_SIZE] ^ 1, signed=False)
    yield broken("model_bit.wdl", content, "open", "model checksum")
    _, code = parts_of(plain)
    for name, model in (("model_short", b"\0"), ("model_rubbish", b"\xff" * 8), ("model_longer", b"\0\x08\x46\0")):
        yield broken(f"{name}.wdl", one_block("KvK", CODE, code, model=model), "open", "model")


def broken_blocks(plain: bytes) -> Iterator[Golden]:
    model, code = parts_of(plain)
    end = len(plain) - ENTRY
    yield broken("block_bit.wdl", put(plain, end - 1, plain[end - 1] ^ 1), "check", "block 0: checksum")
    at = HEADER_SIZE + len(model)
    yield broken("checksum_bit.wdl", put(plain, at, plain[at] ^ 1), "check", "block 0: checksum")
    for name, payload in (
        ("code_cut", code[:-2]),
        ("code_and_more", code + b"\0\0"),
        ("code_changed", code[:-1] + bytes([code[-1] ^ 1])),
        ("code_of_nothing", b"\0\0\1\0"),
        ("code_state", b"\xff\xff\0\0"),
    ):
        content = one_block("KvK", CODE, payload, model=model)
        yield broken(f"{name}.wdl", content, "check", "block 0: does not decode")
    never = one_block("KvK", RAW, b"\x03" + bytes(255))
    yield broken("raw_never.wdl", never, "check", "block 0: impossible value")
    padded = one_block("MvK", RAW, PADDED[:-1] + b"\x1a", (0, 2205, 0), "international")
    yield broken("unused_bits.wdl", padded, "check", "block 0: unused bits are not zero", "international")
    for name, frame, text in (
        ("frame_rubbish", b"rubbish", "does not decompress"),
        ("frame_with_magic", FRAME_MAGIC + compress(PLIES), "does not decompress"),
        ("frame_cut", compress(PLIES)[:-1], "does not decompress"),
        ("frame_and_more", compress(PLIES) + b"\0", "does not decompress"),
        ("frame_too_long", compress(PLIES + b"\0"), "does not decompress"),
        ("frame_of_nothing", compress(b""), "does not decompress"),
        ("dtw_too_long", compress(b"\x07" + bytes(1023)), "impossible value"),
        ("dtw_too_few", compress(bytes(1023)), "does not decompress"),
    ):
        yield broken(f"{name}.dtw", distances(ZSTD, frame), "check", f"block 0: {text}")


def golden_files() -> list[Golden]:
    built = list(built_files())
    plain = built[0].content
    return [*built, *sound_files(plain), *broken_headers(plain), *broken_parts(plain), *broken_blocks(plain)]


def values_of(path: Path, variant: str) -> str:
    """Checksum of all values, as the reader gives them."""
    opened = _native.Table(str(path), variant)
    first, values = opened.read(0, opened.facts["values"], _native.Cancel())
    assert first == 0
    return f"{xxh64(values):016x}"


def main() -> None:
    files = golden_files()
    assert len({file.name for file in files}) == len(files)
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir(parents=True)
    lines = [COLUMNS]
    for file in files:
        path = GOLDEN / file.name
        path.write_bytes(file.content)
        values = "" if file.exception else values_of(path, file.variant)
        lines.append((file.name, file.variant, file.built, values, file.exception, file.stage, file.text))
    (GOLDEN / "files.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
    (GOLDEN / "made_with.json").write_text(json.dumps(compression(), indent=2) + "\n")


if __name__ == "__main__":
    main()
