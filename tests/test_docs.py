"""The examples in the docstrings run, in the package that is installed (pytest runs those of README.md by itself)."""

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import dame_fast

MODULES = ["dame_fast", *(one.name for one in pkgutil.walk_packages(dame_fast.__path__, "dame_fast."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_every_source_file_is_installed() -> None:
    source = Path(__file__).resolve().parent.parent / "dame_fast"
    names = {
        ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in source.rglob("*.py*")
        if path.suffix in (".py", ".pyx")
    }
    assert names == set(MODULES)
