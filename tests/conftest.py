"""Fixtures of several test files."""

import io
import os
import signal
import sys
from pathlib import Path

import pytest
from small_tables import Command, Outcome
from twin_tables import Twin, make_twin

from dame_fast import cli
from dame_fast.build.builder import build

# Whoever starts the tests in the background may have had Ctrl-C ignored, which programs that are started inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With DAME_NO_SKIPS in the environment, as in .ci/run, a test that is left out is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("DAME_NO_SKIPS") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def three_pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with all English tables of 2 and 3 pieces; nobody may change it."""
    directory = tmp_path_factory.mktemp("databases") / "english"
    build(directory, pieces=3, threads=1)
    return directory


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `dame-fast` in this process."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.run([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def two() -> Twin:
    """All positions of 2 pieces, by the slow twin."""
    return make_twin(2)


@pytest.fixture(scope="session")
def three() -> Twin:
    """All positions of 2 and 3 pieces, by the slow twin; takes half a minute."""
    return make_twin(3)
