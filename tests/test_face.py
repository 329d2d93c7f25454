"""`import dame_fast`: the names that it gives, and what it does not import for them."""

import ast
import importlib
import subprocess
import sys

from draw_face import STUB, draw, names_of

import dame_fast

HEAVY = ("numpy", "zstandard", "click", "rich", "dame_fast._native", "dame_fast.board", "dame_fast.tables")


def python(text: str) -> str:
    done = subprocess.run([sys.executable, "-P", "-c", text], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.strip()


def test_all_names_are_there() -> None:
    for name in dame_fast.__all__:
        assert getattr(dame_fast, name) is not None
        assert name in dir(dame_fast)
    given = python("from dame_fast import *; print(sorted(set(dir()) & set(__import__('dame_fast').__all__)))")
    assert ast.literal_eval(given) == sorted(dame_fast.__all__)


def test_type_checkers_read_the_same_names() -> None:
    assert STUB.read_text() == draw(), "python tests/draw_face.py draws it"
    for home, names in names_of().items():
        for name in names:
            assert getattr(dame_fast, name) is getattr(importlib.import_module(home), name)


def test_nothing_is_imported_before_it_is_used() -> None:
    assert python(f"import sys, dame_fast; print([name for name in {HEAVY} if name in sys.modules])") == "[]"


def test_names_that_there_are_not() -> None:
    text = "import dame_fast\ntry: dame_fast.nothing\nexcept AttributeError as error: print(error)"
    assert python(text) == "module 'dame_fast' has no attribute 'nothing'"


def test_build_is_the_function_and_the_package() -> None:
    assert python("import dame_fast.build.plan; import dame_fast; print(dame_fast.build.__name__)") == "build"
    assert python("from dame_fast.build.plan import make_plan; print(make_plan(pieces=2).positions)") == "3488"
    assert python("from dame_fast import build; import dame_fast.build.room; print(build.__module__)") == (
        "dame_fast.build.builder"
    )
