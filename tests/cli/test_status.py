"""The exit status of every exception."""

import pytest

from dame_fast import errors
from dame_fast.cli.status import InterruptedBuildError, exit_status

STATUS = {
    errors.DameError: 1,
    errors.ArgumentError: 2,
    errors.PositionError: 2,
    errors.MoveError: 2,
    errors.VariantError: 2,
    errors.MissingTableError: 3,
    errors.CorruptTableError: 4,
    errors.BuildError: 1,
    InterruptedBuildError: 130,
}


@pytest.mark.parametrize(("error_class", "status"), STATUS.items())
def test_status(error_class: type[errors.DameError], status: int) -> None:
    assert exit_status(error_class("text")) == status


def test_every_exception_has_one() -> None:
    assert {errors.DameError, InterruptedBuildError, *errors.DameError.__subclasses__()} == set(STATUS)


def test_an_exception_of_others_has_that_of_its_base() -> None:
    class StrictError(errors.PositionError):
        pass

    assert exit_status(StrictError("text")) == 2
