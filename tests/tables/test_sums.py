"""`SHA256SUMS`: what is read of it, and what is refused."""

import os
import re
from pathlib import Path

import pytest

from dame_fast import CorruptTableError
from dame_fast.tables.sums import read_sums, write_sums

ONE, OTHER = "0f" * 32, "a1" * 32


def test_what_is_written_is_read(tmp_path: Path) -> None:
    entries: list[dict[str, object]] = [
        {"name": "KvK.wdl", "sha256": ONE, "size": 7},
        {"name": "KvM.n40.dtz", "sha256": OTHER},
    ]
    text = write_sums(entries)
    assert text == f"{ONE}  KvK.wdl\n{OTHER}  KvM.n40.dtz\n"
    (tmp_path / "SHA256SUMS").write_text(text)
    assert read_sums(tmp_path) == {"KvK.wdl": ONE, "KvM.n40.dtz": OTHER}


def test_a_directory_without_one(tmp_path: Path) -> None:
    assert read_sums(tmp_path) == {}


def test_lines_that_other_programs_write(tmp_path: Path) -> None:
    """Binary mode, capital digits; files that are no tables are somebody else's."""
    text = f"{OTHER.upper()} *KvK.wdl\r\n{ONE}  README.md\n{ONE}  README.md\n{ONE}  ../KvM.wdl\n{ONE}  K\udcff.wdl\n"
    (tmp_path / "SHA256SUMS").write_bytes(os.fsencode(text))
    assert read_sums(tmp_path) == {"KvK.wdl": OTHER}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (f"{ONE}  KvK.wdl\nnonsense\n", "line 2 is not a digest and a name: 'nonsense'"),
        (f"{ONE[:-1]}  KvK.wdl\n", f"line 1 is not a digest and a name: '{ONE[:-1]}  KvK.wdl'"),
        (f"{ONE} KvK.wdl\n", f"line 1 is not a digest and a name: '{ONE} KvK.wdl'"),
        (f"\n{ONE}  KvK.wdl\n", "line 1 is not a digest and a name: ''"),
        ("\udcff", r"line 1 is not a digest and a name: '\udcff'"),
        (f"{ONE}  KvK.wdl\n{ONE}  KvK.wdl\n", "'KvK.wdl' is listed twice"),
    ],
)
def test_refused(tmp_path: Path, content: str, text: str) -> None:
    (tmp_path / "SHA256SUMS").write_bytes(os.fsencode(content))
    with pytest.raises(CorruptTableError, match=f"^{re.escape(f'{tmp_path}/SHA256SUMS: {text}')}$"):
        read_sums(tmp_path)


def test_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "SHA256SUMS")
    with pytest.raises(CorruptTableError, match=r"/SHA256SUMS: not a regular file$"):
        read_sums(tmp_path)
