"""Who may know whom: every include and import line against tests/layers.toml."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest
from draw_layers import DESIGN, ROOT, RULES, drawn

CYTHON = (".pyx", ".pxd", ".pxi")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CYTHON_IMPORT = re.compile(r"\s*(?:from\s+(\S+)\s+)?c?import\s+(.*)")
EXTERN = re.compile(r'\s*cdef\s+extern\s+from\s+"([^"<]+)"')


@dataclass(frozen=True)
class Arrow:
    """One line of a file that names another part."""

    file: PurePosixPath
    line: int
    source: str
    target: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: forbidden: {self.source} -> {self.target}"


def files(root: Path, folder: str, *endings: str) -> Iterator[tuple[PurePosixPath, Path]]:
    for path in sorted((root / folder).rglob("*")):
        if path.suffix in endings:
            yield PurePosixPath(path.relative_to(root).as_posix()), path


def check_include(root: Path, name: PurePosixPath, line: int, opening: str, header: str) -> Arrow | None:
    """An arrow if this line of a file in src/ is forbidden."""
    layer = name.parts[1]
    if opening == "<":
        fitting = (one for one in RULES["src_system"] if header == one or header.startswith(f"{one}/"))
        bad = any(layer not in RULES["src_system"][one] for one in fitting)
        bad = bad or header not in RULES["src_whole"].get(layer, [header])
        return Arrow(name, line, layer, f"<{header}>") if bad else None
    target = header.split("/")[0]
    allowed = target == layer or target in RULES["src"].get(layer, [])
    if target != layer and header in RULES["src_only"]:
        allowed = allowed and layer in RULES["src_only"][header]
    allowed = allowed and (root / "src" / header).is_file()
    return None if allowed else Arrow(name, line, layer, header)


def forbidden_includes(root: Path) -> Iterator[Arrow]:
    for name, path in files(root, "src", ".c", ".h"):
        text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), path.read_text())
        for number, line in enumerate(text.splitlines(), 1):
            if match := INCLUDE.match(line):
                arrow = check_include(root, name, number, *match.groups())
                if arrow is not None:
                    yield arrow


def python_imports(name: PurePosixPath, text: str) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a module imports, inside functions as well."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = name.parts[: len(name.parts) - node.level] if node.level else ()
            module = ".".join((*parents, node.module) if node.module else parents)
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def cython_imports(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if match := CYTHON_IMPORT.match(line):
            package, names = match.groups()
            for one in re.findall(r"[\w.*]+", re.sub(r"\bas\s+\w+", "", names)):
                yield number, f"{package}.{one}" if package else one


def longest_match(name: str, layers: dict[str, list[str]]) -> str | None:
    fitting = [layer for layer in layers if name == layer or name.startswith(f"{layer}.")]
    return max(fitting, key=len, default=None)


def local_names(root: Path) -> dict[str, str]:
    """Top-level names of the scripts and packages in tests/ and tools/, and what they are called here."""
    names = {}
    for folder in ("tests", "tools"):
        for path in (root / folder).glob("*"):
            if path.suffix == ".py" or (path / "__init__.py").is_file():
                names[path.stem] = f"{folder}.{path.stem}"
    return names


def forbidden_imports(root: Path) -> Iterator[Arrow]:
    local = local_names(root)
    layers, only = RULES["python"], RULES["python_only"]
    for folder in ("dame_fast", "tools", "tests"):
        for name, path in files(root, folder, ".py", ".pyi", *CYTHON):
            source = longest_match(".".join(name.with_suffix("").parts), layers)
            if path.suffix == ".pxi":  # a part of the one module
                source = RULES["door"]["module"]
            assert source is not None
            text = path.read_text()
            found = cython_imports(text) if path.suffix in CYTHON else python_imports(name, text)
            for line, imported in found:
                first, *rest = imported.split(".")
                target = longest_match(".".join([local.get(first, first), *rest]), layers) or first
                if target in layers:
                    # Tests and tools may know every part of the package.
                    whole = source in ("tests", "tools") and first == "dame_fast"
                    allowed = whole or target == source or target in layers[source]
                else:
                    allowed = target not in only or source in only[target]
                if not allowed:
                    yield Arrow(name, line, source, imported)


def forbidden_doors(root: Path) -> Iterator[Arrow]:
    """Headers of src/ named anywhere in dame_fast/ but in the two files, and other headers named there."""
    doors = {(RULES[door]["file"], RULES[door]["header"]) for door in ("door", "shipped")}
    for name, path in files(root, "dame_fast", *CYTHON, ".c", ".h"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = EXTERN.match(line) or INCLUDE.match(line)
            if found and (str(name), found.groups()[-1]) not in doors:
                yield Arrow(name, number, str(name), found.groups()[-1])


def forbidden(root: Path) -> list[str]:
    return [str(a) for check in (forbidden_includes, forbidden_imports, forbidden_doors) for a in check(root)]


def test_every_line_of_the_project() -> None:
    assert list(files(ROOT, "src", ".c"))
    assert not forbidden(ROOT), "\n".join(["", *forbidden(ROOT)])


def test_every_folder_of_src_has_its_rule() -> None:
    assert {path.name for path in (ROOT / "src").iterdir()} == set(RULES["src"])


def test_every_part_of_the_package_has_its_rule() -> None:
    parts = {path.stem for path in (ROOT / "dame_fast").iterdir() if path.suffix in (".py", ".pyx", ".pxd")}
    parts |= {path.parent.name for path in (ROOT / "dame_fast").glob("*/__init__.py")}
    ruled = {name.partition(".")[2] for name in RULES["python"] if name.startswith("dame_fast.")}
    assert ruled == parts - {"__init__"}


def test_every_arrow_has_a_reason() -> None:
    assert all(
        reason for section in ("src", "python") for targets in RULES[section].values() for reason in targets.values()
    )


def test_the_design_shows_the_arrows() -> None:
    text = DESIGN.read_text()
    assert drawn(text) == text, "python tests/draw_layers.py draws them"


def test_the_rules_have_no_circle() -> None:
    for section in ("src", "python"):
        arrows: dict[str, list[str]] = {layer: list(targets) for layer, targets in RULES[section].items()}
        if section == "python":  # whoever imports a module of a package runs the package's own first
            arrows = {layer: [one for one in targets if one != "dame_fast"] for layer, targets in arrows.items()}
        while arrows:
            leaves = [layer for layer, targets in arrows.items() if not set(targets) & set(arrows)]
            assert leaves, f"circle among {sorted(arrows)}"
            for leaf in leaves:
                del arrows[leaf]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("src/base/bits.h", '\n#include "kernel/kernel.h"\n', "2: forbidden: base -> kernel/kernel.h"),
        ("src/probe/verify.c", '#include "kernel/rows/unit.h"', "1: forbidden: probe -> kernel/rows/unit.h"),
        ("src/build/solver.c", '#include "../kernel/rows/unit.h"', "1: forbidden: build -> ../kernel/rows/unit.h"),
        ("src/build/solver.c", '#include "kernel/gone.h"', "1: forbidden: build -> kernel/gone.h"),
        ("src/tables/codec.c", "#  include <zstd.h>", "1: forbidden: tables -> <zstd.h>"),
        ("src/other/new.c", '#include "base/bits.h"', "1: forbidden: other -> base/bits.h"),
        ("dame_fast/board/board.py", "import dame_fast.cli", "1: forbidden: dame_fast.board -> dame_fast.cli"),
        ("dame_fast/board/board.py", "from ..build import x", "1: forbidden: dame_fast.board -> dame_fast.build.x"),
        ("dame_fast/board/board.py", "from dame_fast import Move", "1: forbidden: dame_fast.board -> dame_fast.Move"),
        ("dame_fast/build/plan.py", "from .. import cli", "1: forbidden: dame_fast.build -> dame_fast.cli"),
        (
            "dame_fast/build/plan.py",
            "def f():\n    import rich.table",
            "2: forbidden: dame_fast.build -> rich.table",
        ),
        (
            "dame_fast/cli.py",
            "from reference.moves import go",
            "1: forbidden: dame_fast.cli -> reference.moves.go",
        ),
        (
            "dame_fast/_native.pyx",
            "from dame_fast.board cimport board",
            "1: forbidden: dame_fast._native -> dame_fast.board.board",
        ),
        ("tests/test_x.py", "import bench", "1: forbidden: tests -> bench"),
        ("tools/bench.py", "from tests import test_x", "1: forbidden: tools -> tests.test_x"),
        ("tests/reference/moves.py", "import dame_fast", "1: forbidden: tests.reference -> dame_fast"),
        ("dame_fast/_native.pyx", 'cdef extern from "dame.h":', "1: forbidden: dame_fast/_native.pyx -> dame.h"),
        ("dame_fast/_x.pxi", "\nfrom dame_fast import cli", "2: forbidden: dame_fast._native -> dame_fast.cli"),
        ("dame_fast/x.pyx", "from dame_fast._core cimport *", "1: forbidden: dame_fast -> dame_fast._core.*"),
        ("dame_fast/x.pyx", "from dame_fast.dame cimport *", "1: forbidden: dame_fast -> dame_fast.dame.*"),
        ("dame_fast/dame.pxd", 'cdef extern from "core.h":', "1: forbidden: dame_fast/dame.pxd -> core.h"),
        ("src/dame.h", '#include "base/bits.h"', "1: forbidden: dame.h -> base/bits.h"),
        ("src/dame.h", "#include <stdbool.h>", "1: forbidden: dame.h -> <stdbool.h>"),
        ("src/dame.h", "/* #include <x.h>\n */\n#include <y.h>", "3: forbidden: dame.h -> <y.h>"),
        ("src/api/open.c", '#include "build/solver.h"', "1: forbidden: api -> build/solver.h"),
        ("src/probe/verify.c", '#include "api/handle.h"', "1: forbidden: probe -> api/handle.h"),
        ("src/build/solver.c", '#include "dame.h"', "1: forbidden: build -> dame.h"),
        (
            "dame_fast/_core.pxd",
            'cdef extern from "kernel/kernel.h" nogil:',
            "1: forbidden: dame_fast/_core.pxd -> kernel/kernel.h",
        ),
    ],
)
def test_a_forbidden_line_is_reported(tmp_path: Path, file: str, text: str, message: str) -> None:
    sound = {
        "src/base/bits.h": "",
        "src/kernel/kernel.h": '#include "base/bits.h"\n#include <stdint.h>',
        "src/kernel/rows/unit.h": '#include "kernel/kernel.h"',
        "src/build/solver.h": '#include "kernel/rows/unit.h"',
        "src/core.h": '#include "build/solver.h"',
        "src/dame.h": "#include <stdint.h>",
        "src/api/open.c": '#include "dame.h"\n#include "base/bits.h"\n#include <zstd.h>',
        "dame_fast/_core.pxd": 'cdef extern from "core.h" nogil:',
        "dame_fast/dame.pxd": 'cdef extern from "dame.h" nogil:',
        "dame_fast/_native.pyx": "from dame_fast._core cimport *\nfrom dame_fast.errors import A, B as C",
        "dame_fast/board/board.py": "import re\nimport dame_fast._native as _native",
        "dame_fast/cli.py": "import click\nfrom dame_fast.build import build",
        "tools/bench.py": "import dame_fast\nfrom reference import perft",
        "tests/reference/__init__.py": "",
        "tests/test_x.py": "from reference.moves import go\nfrom dame_fast import cli",
    }
    for name, content in sound.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    assert forbidden(tmp_path) == []
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert forbidden(tmp_path) == [f"{file}:{message}"]
