"""What importing the package takes: little time, no metadata, no other package."""

import shutil
import subprocess
import sys
from pathlib import Path

import dame_fast

INSTALLED = Path(dame_fast.__file__).parent

HEAVY = {
    "asyncio",
    "click",
    "concurrent",
    "hashlib",
    "json",
    "logging",
    "multiprocessing",
    "numpy",
    "rich",
    "zstandard",
}
"""What users of boards would wait for in vain, a tenth of a second and more."""


def run(code: str, *arguments: str, path: Path = INSTALLED.parent) -> str:
    """Run Python without the packages that are installed, but for those in `path`; return what it prints."""
    start = f"import sys; sys.path.insert(0, {str(path)!r}); "
    done = subprocess.run(
        [sys.executable, "-I", *arguments, "-c", start + code], capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.stderr == ""
    return done.stdout


def test_nothing_heavy_is_imported() -> None:
    """Nor when every name is used."""
    every = "import dame_fast; [getattr(dame_fast, name) for name in dame_fast.__all__]; print(*sys.modules)"
    loaded = run(every).split()
    assert "dame_fast.build.builder" in loaded
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    assert [name for name in loaded if name.startswith("importlib.metadata")] == []


def test_a_vendored_copy_needs_no_metadata(tmp_path: Path) -> None:
    """The folder alone, elsewhere, without the packages that only tables and the command line need."""
    shutil.copytree(INSTALLED, tmp_path / "dame_fast", ignore=shutil.ignore_patterns("databases", "__pycache__"))
    code = "import dame_fast; print(dame_fast.__file__, dame_fast.__version__, dame_fast.perft('W:W18:B1', 3))"
    assert run(code, "-S", path=tmp_path).split() == [
        str(tmp_path / "dame_fast" / "__init__.py"),
        dame_fast.__version__,
        str(dame_fast.perft("W:W18:B1", 3)),
    ]


def test_build_stays_the_function() -> None:
    """Its package has the same name; importing parts of it, before or after, changes nothing."""
    function = "<function build"
    for code in (
        "import dame_fast; import dame_fast.build.plan, dame_fast.build.builder",
        "import dame_fast.build.plan",
        "from dame_fast.build.plan import make_plan; import dame_fast",
        "import importlib, dame_fast; importlib.import_module('dame_fast.build.report')",
        "import dame_fast.cli",
    ):
        assert run(f"{code}; print(dame_fast.build)").startswith(function)
