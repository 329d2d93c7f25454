"""The package without Dask: only a build on a cluster needs it."""

import subprocess
import sys
from pathlib import Path
from typing import Final

BLOCKED: Final = """\
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("dask", "distributed", "bokeh"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
from dame_fast.__main__ import main
main()
"""
"""The program where Dask is not installed."""

LOCAL: Final = """\
import sys
import dame_fast
import dame_fast.cli
import dame_fast.build.cluster.coordinator
import dame_fast.build.cluster.run
dame_fast.build(sys.argv[1], pieces=2)
print(sorted(name for name in sys.modules if name.partition(".")[0] in ("dask", "distributed", "tornado")))
"""


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_nothing_of_dask_is_imported(tmp_path: Path) -> None:
    """By the package, the command, what a cluster needs besides, or a build in one process."""
    done = run(LOCAL, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")
    assert len(list(tmp_path.glob("*.wdl"))) == 4


def test_a_build_in_one_process(tmp_path: Path, three_pieces: Path) -> None:
    done = run(BLOCKED, "build", "--pieces", "3", "--out", tmp_path)
    assert done.returncode == 0
    for path in three_pieces.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_a_build_on_a_cluster_says_what_to_install(tmp_path: Path) -> None:
    for scheduler in ("local:2", "tcp://127.0.0.1:1", "nonsense"):
        done = run(BLOCKED, "build", "--pieces", "2", "--out", tmp_path / "tables", "--scheduler", scheduler)
        assert done.returncode == 1
        assert done.stderr == (
            "dame-fast: a build on a cluster needs more packages (dask): pip install 'dame-fast[cluster]'\n"
        )
        assert not (tmp_path / "tables").exists()
