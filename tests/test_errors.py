"""Exceptions: what they are caught as, their text."""

import pickle

import pytest

import dame_fast
from dame_fast import errors

CLASSES = [
    (errors.ArgumentError, ValueError),
    (errors.PositionError, ValueError),
    (errors.MoveError, ValueError),
    (errors.VariantError, ValueError),
    (errors.MissingTableError, KeyError),
    (errors.CorruptTableError, ValueError),
    (errors.BuildError, RuntimeError),
]


@pytest.mark.parametrize(("error_class", "builtin"), CLASSES)
def test_class_and_text(error_class: type[errors.DameError], builtin: type[Exception]) -> None:
    error = error_class("KKvK: no such table")
    assert isinstance(error, errors.DameError)
    assert isinstance(error, builtin)
    assert str(error) == "KKvK: no such table"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_every_exception_is_listed_and_exported() -> None:
    assert {error_class for error_class, _ in CLASSES} == set(errors.DameError.__subclasses__())
    names = {"DameError"} | {error_class.__name__ for error_class in errors.DameError.__subclasses__()}
    assert names <= set(dame_fast.__all__)
    assert all(getattr(dame_fast, name) is getattr(errors, name) for name in names)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("Q5", "'Q5'"),
        ("a\nb", r"'a\nb'"),
        ("1" * 80, "'" + "1" * 80 + "'"),
        ("1" * 81, "'" + "1" * 80 + "'..."),
    ],
)
def test_quote(text: str, quoted: str) -> None:
    assert errors.quote(text) == quoted


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("a\nb", r"'a\nb'"),
        (None, "None"),
        (1 << 255, str(1 << 255)),
        (1 << 256, "an integer of 257 bits"),
        (-1 << 20000, "an integer of 20001 bits"),
        ([[1, 2], "a\nb"], r"[[1, 2], 'a\nb']"),
        ([1 << 20000], "<list object at 0x"),
        (Broken(), "<test_errors.Broken object at 0x"),
        (b"1" * 100, "b'" + "1" * 78 + "..."),
    ],
    ids=range(9),
)
def test_shown(given: object, text: str) -> None:
    assert errors.shown(given).startswith(text)
    assert errors.shown(given).isprintable()
    assert len(errors.shown(given)) <= 83
