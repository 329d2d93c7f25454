"""The C library for engines, as engines meet it: an install tree, a compiler, and the values that Python gives.

Needs libzstd with its headers, and pkg-config. Where they are missing these tests are left out, which fails in CI
(conftest.py).
"""

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import dame_fast
from dame_fast import Board, Tablebase, open_tablebase
from dame_fast.build.builder import build
from dame_fast.errors import MissingTableError
from dame_fast.position.move import Move
from dame_fast.position.squares import bits

ROOT = Path(__file__).resolve().parent.parent
HEADER = (ROOT / "src" / "dame.h").read_text()
SHIPPED = ROOT / "databases" / "english"
RULE = 12


def has_libzstd() -> bool:
    """Whether the C library can be built here."""
    finder = shutil.which("pkg-config")
    return finder is not None and subprocess.run([finder, "--exists", "libzstd"], check=False).returncode == 0


pytestmark = pytest.mark.skipif(
    not has_libzstd(),
    reason="the C library needs libzstd and pkg-config (Debian: apt install libzstd-dev pkg-config)",
)


def run(*command: str | Path, stdin: str = "", **environment: str) -> str:
    """Run a program and return what it prints; a failure shows everything that it wrote."""
    program = shutil.which(str(command[0]))
    if program is None:
        pytest.fail(f"this test needs {command[0]}: install it (Debian: apt install libzstd-dev pkg-config gcc)")
    done = subprocess.run(
        [program, *map(str, command[1:])],
        input=stdin,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{command[0]} failed:\n{done.stdout}\n{done.stderr}", pytrace=False)
    return done.stdout


def build_with_cmake(source: Path, folder: Path, *options: str | Path) -> None:
    run("cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options)
    run("cmake", "--build", folder)


class Tree(NamedTuple):
    """An install tree, and how to compile against it."""

    prefix: Path
    build: Path

    def compile(self, source: Path, program: Path) -> Path:
        flags = self.package("--cflags", "--libs").split()
        run(os.environ.get("CC", "cc"), "-std=c17", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags,
            f"-Wl,-rpath,{self.prefix / 'lib'}")  # fmt: skip
        return program

    def package(self, *arguments: str) -> str:
        return run("pkg-config", *arguments, "dame", PKG_CONFIG_PATH=str(self.prefix / "lib" / "pkgconfig"))


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The C library alone, built and installed."""
    folder, prefix = (tmp_path_factory.mktemp(name) for name in ("build", "prefix"))
    # Fails where libzstd is missing, and says so.
    run("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DDAME_C_LIBRARY=ON", "-DCMAKE_INSTALL_LIBDIR=lib",
        "-DDAME_INSTRUCTION_SETS=base",
        f"-DCMAKE_INSTALL_PREFIX={prefix}")  # fmt: skip
    run("cmake", "--build", folder, "--target", "dame", "dame_static")
    run("cmake", "--install", folder)
    return Tree(prefix, folder)


@pytest.fixture(scope="session")
def programs(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """tests/c_library/probe.c, built with pkg-config and by a CMake project, shared and static."""
    folder = tmp_path_factory.mktemp("programs")
    build_with_cmake(ROOT / "tests" / "c_library", folder, f"-DCMAKE_PREFIX_PATH={tree.prefix}")
    by_flags = tree.compile(ROOT / "tests" / "c_library" / "probe.c", folder / "probe")
    return [by_flags, folder / "probe_shared", folder / "probe_static"]


def positions(count: int, pieces: int) -> Iterator[Board]:
    """Pseudo-random legal positions of 2 to `pieces` pieces, with captures or without."""
    randoms = random.Random(0)
    while count > 0:
        squares = randoms.sample(range(1, 33), randoms.randint(2, pieces))
        sides: dict[str, list[str]] = {"W": [], "B": []}
        for square in squares:
            side = randoms.choice("WB")
            crowned = square < 5 if side == "W" else square > 28
            sides[side].append(f"{'K' if crowned or randoms.random() < 0.5 else ''}{square}")
        if sides["W"] and sides["B"]:
            yield Board(f"{randoms.choice('WB')}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")
            count -= 1


def numbers(board: Board) -> str:
    """The position as C has it: the bitboards of Black, those of White, the side to move."""
    own_men, own_kings, other_men, other_kings, side = board.position
    own, other = (own_men, own_kings), (other_men, other_kings)
    return " ".join(map(str, (*(other + own if side else own + other), side)))


def without_sign(plies: int | None) -> int:
    return -1 if plies is None else abs(plies)


def expected(tables: Tablebase, board: Board, clock: int) -> str:
    """The line that probe.c prints, from Python's answers."""

    def distance(metric: str, clock: int) -> str:
        try:
            return str(without_sign(tables.probe_position(board.position, metric, clock)[1]))
        except MissingTableError:
            return "none"

    def after(move: Move) -> str:
        next_board = board.copy()
        next_board.push(move)
        return numbers(next_board)

    moves = [
        f" ; {one.move} {one.wdl} {without_sign(one.dtw)} {without_sign(one.dtz)} {bits(one.move.captured)} "
        f"{after(one.move)}"
        for one in tables.moves(board, clock=clock)
    ]
    return f" {tables.probe_wdl(board, clock=clock)} {distance('dtw', 0)} {distance('dtz', clock)}{''.join(moves)}"


def test_values_and_moves_are_those_of_python(programs: list[Path]) -> None:
    boards = list(positions(600, 5))
    lines = "".join(f"{numbers(board)} 0\n" for board in boards)
    with open_tablebase(SHIPPED) as tables:
        wanted = [expected(tables, board, 0) for board in boards]
    assert any(" none" in line for line in wanted)
    assert {line.split()[0] for line in wanted} == {"-1", "0", "1"}
    for program in programs:
        assert run(program, SHIPPED, "0", stdin=lines).splitlines() == wanted


def test_a_draw_rule_and_its_clock(programs: list[Path], tmp_path: Path) -> None:
    build(tmp_path, pieces=3, threads=1)
    build(tmp_path, pieces=3, metric="dtz", draw_plies=RULE, threads=1)
    boards = [(board, number % (RULE + 1)) for number, board in enumerate(positions(300, 3))]
    lines = "".join(f"{numbers(board)} {clock}\n" for board, clock in boards)
    with open_tablebase(tmp_path, draw_plies=RULE) as tables:
        wanted = [expected(tables, board, clock) for board, clock in boards]
    assert run(programs[0], tmp_path, str(RULE), stdin=lines).splitlines() == wanted


def test_the_example_of_the_header(tree: Tree, tmp_path: Path) -> None:
    found = re.search(r"( +#include <dame.h>\n.*?\n {7}}\n)", HEADER, re.DOTALL)
    assert found is not None
    source = tmp_path / "first.c"
    source.write_text(found[1].replace("databases/english", str(SHIPPED)))
    assert run(tree.compile(source, tmp_path / "first")) == "won\n"


def test_the_example_engine(tree: Tree, tmp_path: Path) -> None:
    engine = tree.compile(ROOT / "examples" / "engine.c", tmp_path / "engine")
    assert run(engine, SHIPPED, "W:WK19,K23:B12,K28") == "won in 61 plies\n23-27\n"


# Makefiles know less than Ninja: what a target needs of another one must be said.
MAKEFILES = ("-G", "Unix Makefiles", "-DDAME_INSTRUCTION_SETS=base")


@pytest.mark.slow
def test_the_static_library_alone(tmp_path: Path) -> None:
    run("cmake", "-S", ROOT, "-B", tmp_path, "-DDAME_C_LIBRARY=ON", *MAKEFILES)
    run("cmake", "--build", tmp_path, "--target", "dame_static", "--parallel", "2")
    assert (tmp_path / "libdame.a").exists()
    assert not list(tmp_path.glob("libdame.so*"))


@pytest.mark.slow
def test_a_part_of_the_build_of_an_engine(tmp_path: Path) -> None:
    """FetchContent, without a build type: the engine runs, and nothing but the engine is installed."""
    folder, prefix = tmp_path / "build", tmp_path / "prefix"
    source = ROOT / "tests" / "c_library" / "subproject"
    run("cmake", "-S", source, "-B", folder, f"-DDAME_SOURCE={ROOT}", *MAKEFILES)
    run("cmake", "--build", folder, "--target", "engine", "--parallel", "2")
    run("cmake", "--install", folder, "--prefix", prefix)
    assert [path.name for path in prefix.rglob("*") if path.is_file()] == ["engine"]
    assert run(prefix / "bin" / "engine", SHIPPED, "W:WK19,K23:B12,K28") == "won in 61 plies\n23-27\n"


def test_the_example_in_cython(tree: Tree, tmp_path: Path) -> None:
    source = ROOT / "examples" / "engine_cython"
    build_with_cmake(source, tmp_path, f"-DCMAKE_PREFIX_PATH={tree.prefix}", f"-DPython_EXECUTABLE={sys.executable}")
    script = f"import engine; print(engine.Tables({str(SHIPPED)!r}).best_move(0, 1 << 27, 0, 1 << 18 | 1 << 22, 1))"
    assert run(sys.executable, "-c", script, PYTHONPATH=str(tmp_path)) == "('23-27', 1)\n"


def test_one_interface_everywhere(tree: Tree) -> None:
    """What the header declares is what both libraries export, and what the file for Cython declares."""
    declared = set(re.findall(r"^DAME_API [^;]*?\b(dame_\w+)\(", HEADER, re.MULTILINE))
    shared = run("nm", "-D", "--defined-only", "-P", tree.prefix / "lib" / "libdame.so")
    static = run("nm", "-g", "--defined-only", "-P", tree.prefix / "lib" / "libdame.a")
    for listing in (shared, static):
        assert {line.split()[0] for line in listing.splitlines() if len(line.split()) > 1} == declared
    cython = (Path(dame_fast.__file__).parent / "dame.pxd").read_text()
    assert set(re.findall(r"\b(dame_\w+)\(", cython)) == declared
    constants = set(re.findall(r"\b(DAME_[A-Z_]+)\b", re.sub(r"/\*.*?\*/", "", HEADER, flags=re.DOTALL)))
    assert constants - {"DAME_API", "DAME_H"} == set(re.findall(r"\bDAME_[A-Z_]+\b", cython))


def test_one_version_everywhere(tree: Tree) -> None:
    assert tree.package("--modversion").strip() == dame_fast.__version__
    numbers_there = re.findall(r"#define DAME_VERSION_[A-Z]+ (\d+)", HEADER)
    assert ".".join(numbers_there) == dame_fast.__version__


def test_the_wheel_has_the_header_and_nothing_else() -> None:
    assert (Path(dame_fast.get_include()) / "dame.h").read_text() == HEADER
    package = Path(dame_fast.__file__).parent
    assert not [path for path in package.rglob("*") if path.suffix in (".a", ".cmake", ".pc", ".c", ".pyx")]
    assert [path.name for path in package.glob("*.so")] == [path.name for path in package.glob("_native.*.so")]
