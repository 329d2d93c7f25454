"""Exceptions: what they are caught as, their exit status, their text."""

import pickle

import pytest

import dame_fast
from dame_fast import errors

KINDS = [
    (errors.ArgumentError, ValueError, 2),
    (errors.PositionError, ValueError, 2),
    (errors.MoveError, ValueError, 2),
    (errors.VariantError, ValueError, 2),
    (errors.MissingTableError, KeyError, 3),
    (errors.CorruptTableError, ValueError, 4),
    (errors.BuildError, RuntimeError, 1),
]


@pytest.mark.parametrize(("kind", "builtin", "status"), KINDS)
def test_kind_status_and_text(kind: type[errors.DameError], builtin: type[Exception], status: int) -> None:
    error = kind("KKvK: no such table")
    assert isinstance(error, errors.DameError)
    assert isinstance(error, builtin)
    assert error.exit_status == status
    assert str(error) == "KKvK: no such table"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_every_exception_is_listed_and_exported() -> None:
    assert {kind for kind, _, _ in KINDS} == set(errors.DameError.__subclasses__())
    names = {"DameError"} | {kind.__name__ for kind in errors.DameError.__subclasses__()}
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
