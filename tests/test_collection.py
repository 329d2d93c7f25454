"""Every file of tests takes part in a run without arguments."""

from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


def test_no_folder_of_tests_is_passed_over(request: pytest.FixtureRequest) -> None:
    patterns = request.config.getini("norecursedirs")
    folders = {part for path in TESTS.rglob("test_*.py") for part in path.relative_to(TESTS).parts[:-1]}
    assert {"build", "cli"} <= folders
    assert [folder for folder in folders for pattern in patterns if fnmatch(folder, pattern)] == []
