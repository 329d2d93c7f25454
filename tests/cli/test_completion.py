"""What a shell completes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from small_tables import Command

from dame_fast import variants
from dame_fast.cli import main_group


@pytest.fixture
def offered(command: Command, monkeypatch: pytest.MonkeyPatch) -> "Offer":
    return Offer(command, monkeypatch)


class Offer:
    """What is offered for the last word of a line, as bash asks."""

    def __init__(self, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
        self._command = command
        self._monkeypatch = monkeypatch

    def __call__(self, *words: str) -> list[str]:
        for name, value in {
            "_DAME_FAST_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(("dame-fast", *words)),
            "COMP_CWORD": str(len(words)),
        }.items():
            self._monkeypatch.setenv(name, value)
        status, out, err = self._command()
        assert (status, err) == (0, "")
        return out.splitlines()


def test_commands(offered: Offer) -> None:
    assert offered("") == [f"plain,{name}" for name in sorted(main_group.commands)]
    assert offered("pl") == ["plain,plan", "plain,play"]


def test_options(offered: Offer) -> None:
    assert offered("build", "--dr") == ["plain,--draw-plies", "plain,--draw-captures"]


@pytest.mark.parametrize("name", ["build", "plan", "moves", "perft", "probe", "line", "longest", "play", "verify"])
def test_rule_sets(offered: Offer, name: str) -> None:
    assert offered(name, "--variant", "") == [f"plain,{variant}" for variant in variants()]
    assert offered(name, "--variant", "russ") == ["plain,russian", "plain,russian_giveaway"]


def test_values_of_other_options(offered: Offer) -> None:
    assert offered("build", "--metric", "d") == ["plain,dtw", "plain,dtz", "plain,dtc"]
    assert offered("stats", ".", "--format", "c") == ["plain,csv"]


def test_names_of_directories_and_files(offered: Offer) -> None:
    for words in (["build", "--out"], ["plan", "--out"], ["probe", "--db"], ["verify"], ["stats"], ["merge"]):
        assert offered(*words, "tab") == ["dir,tab"]
    assert offered("merge", "one", "--into", "tab") == offered("merge", "one", "tab") == ["dir,tab"]
    assert offered("build", "--log", "tab") == ["file,tab"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(command: Command, monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    monkeypatch.setenv("_DAME_FAST_COMPLETE", f"{shell}_source")
    status, out, err = command()
    assert (status, err) == (0, "")
    assert "_DAME_FAST_COMPLETE" in out
    assert "complete" in out


@pytest.mark.parametrize("wish", ["tcsh_source", "bash_sauce", "bash", "", "a\nb"])
def test_shells_that_it_does_not_know(command: Command, monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    monkeypatch.setenv("_DAME_FAST_COMPLETE", wish)
    text = f"dame-fast: _DAME_FAST_COMPLETE must be bash_source or zsh_source or fish_source, not {wish!r}\n"
    assert command("perft", "3") == (2, "", text)


def test_bash_takes_the_script(tmp_path: Path) -> None:
    """The whole way: the script of the installed program, sourced, and asked as bash asks it."""
    program = shutil.which("dame-fast")
    bash = shutil.which("bash")
    assert program is not None
    assert bash is not None
    lines = f"""
        PATH={Path(program).parent}:$PATH
        eval "$(_DAME_FAST_COMPLETE=bash_source dame-fast)"
        complete -p dame-fast
        COMP_WORDS=(dame-fast build --variant ita) COMP_CWORD=3
        _dame_fast_completion dame-fast ita --variant
        echo "${{COMPREPLY[@]}}"
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("_DAME")}
    done = subprocess.run([bash, "-c", lines], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.splitlines()[1:] == ["italian italian_giveaway"]
    assert "_dame_fast_completion" in done.stdout
    assert done.stderr == ""


def test_help_does_not_list_rule_sets(command: Command) -> None:
    for name in main_group.commands:
        out = command(name, "--help").out
        assert "german" not in out
        assert ("--variant NAME" in out) == ("see dame-fast variants" in " ".join(out.split()))
