"""The exit status of every exception."""

import pytest

from dame_fast.cli.status import InterruptedBuildError, exit_status
from dame_fast.errors import (
    ArgumentError,
    BuildError,
    CorruptTableError,
    DameError,
    MissingTableError,
    MoveError,
    PositionError,
    VariantError,
)

STATUS = {
    DameError: 1,
    ArgumentError: 2,
    PositionError: 2,
    MoveError: 2,
    VariantError: 2,
    MissingTableError: 3,
    CorruptTableError: 4,
    BuildError: 1,
    InterruptedBuildError: 130,
}


@pytest.mark.parametrize(("error_class", "status"), STATUS.items())
def test_status(error_class: type[DameError], status: int) -> None:
    assert exit_status(error_class("text")) == status


def test_every_exception_has_one() -> None:
    assert {DameError, InterruptedBuildError, *DameError.__subclasses__()} == set(STATUS)


def test_an_exception_of_others_has_that_of_its_base() -> None:
    class StrictError(PositionError):
        pass

    assert exit_status(StrictError("text")) == 2
