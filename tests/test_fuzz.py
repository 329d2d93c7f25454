"""The fuzz targets in Python on their corpus; those in C are native tests."""

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "fuzz" / "corpus"
TARGETS = ("fuzz_fen", "fuzz_manifest")


@pytest.mark.parametrize("target", TARGETS)
def test_corpus(target: str) -> None:
    check: Callable[[bytes], None] = importlib.import_module(f"fuzz.{target}").check
    inputs = sorted((CORPUS / target).iterdir())
    assert len(inputs) > 20
    for path in inputs:
        assert path.stat().st_size < 4096
        check(path.read_bytes())
