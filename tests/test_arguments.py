"""Checks of arguments: what passes, and what the refusal says."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dame_fast.arguments import (
    check_choice,
    check_draw_plies,
    check_integer,
    check_number,
    check_path,
    check_pieces,
    check_text,
    check_threads,
    check_type,
    threads_or_all,
)
from dame_fast.errors import ArgumentError


class Word(str):
    """A text of a class of its own."""

    def __str__(self) -> str:
        return "another"


def test_integers() -> None:
    assert [check_integer("depth", one) for one in (7, np.int64(7), True)] == [7, 7, 1]
    assert type(check_number("depth", np.int64(7), 7, 7)) is int
    assert (check_pieces(2), check_threads(4096), threads_or_all(4096)) == (2, 4096, 4096)
    assert threads_or_all(None) >= 1


def test_texts_become_plain_ones() -> None:
    for given in ("19-15", np.str_("19-15"), Word("19-15")):
        checked = check_text("a move", given)
        assert (checked, type(checked)) == ("19-15", str)


def test_paths() -> None:
    assert check_path("file", "tables") == check_path("file", Path("tables")) == Path("tables")
    assert check_path("file", os.fsdecode(b"\xff")) == Path(os.fsdecode(b"\xff"))  # any bytes are a name


def test_draw_rules() -> None:
    assert [check_draw_plies(rule) for rule in (None, 1, np.int16(253))] == [None, 1, 253]


@pytest.mark.parametrize(
    ("check", "given", "text"),
    [
        (lambda odd: check_integer("depth", odd), "5", "depth must be an integer, not '5'"),
        (lambda odd: check_number("depth", odd, 0, 9), None, "depth must be an integer, not None"),
        (lambda odd: check_number("depth", odd, 0, 9), 10, "depth must be 0 to 9, not 10"),
        (lambda odd: check_number("depth", odd, 0, 9), 1 << 400, "depth must be 0 to 9, not an integer of 401 bits"),
        (check_pieces, 1, "the number of pieces must be 2 to 12, not 1"),
        (check_threads, 0, "the number of threads must be 1 to 4096, not 0"),
        (threads_or_all, 2.0, "the number of threads must be an integer, not 2.0"),
        (lambda odd: check_text("a move", odd), b"1", "a move must be text, not b'1'"),
        (lambda odd: check_choice("it", odd, ("x", "y", "z")), "w", "it must be x, y or z, not 'w'"),
        (lambda odd: check_choice("it", odd, ("x", "y")), np.zeros(2), "it must be x or y, not array([0., 0.])"),
        (lambda odd: check_type("it", odd, bool, "True or False"), 1, "it must be True or False, not 1"),
        (check_draw_plies, 1.0, "draw_plies must be a number or None, not 1.0"),
        (check_draw_plies, 254, "draw_plies must be 1 to 253, not 254"),
        (lambda odd: check_path("file", odd), "", "not the name of a file: ''"),
        (lambda odd: check_path("file", odd), "a\0b", r"not the name of a file: 'a\x00b'"),
        (lambda odd: check_path("file", odd), "\ud800", r"not the name of a file: '\ud800'"),
        (lambda odd: check_path("file", odd), b"tables", "not the name of a file: b'tables'"),
        (lambda odd: check_path("file", odd), None, "not the name of a file: None"),
    ],
)
def test_refused(check: Any, given: object, text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        check(given)
    assert str(caught.value) == text
