"""Work files: a build goes on inside a slice pair, whatever has happened to them, and the tables are the same."""

import os
import resource
import shutil
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from small_disk import small_disk_at

import dame_fast._native as _native
from dame_fast import BuildError, interrupt
from dame_fast.build import builder as builder_module
from dame_fast.build import plan as plan_module
from dame_fast.build import room as room_module
from dame_fast.build import sampling as sampling_module
from dame_fast.build.builder import build
from dame_fast.build.directory import WORK, BuildDirectory
from dame_fast.build.plan import make_plan
from dame_fast.errors import WorkFileError
from dame_fast.progress import SilentProgress
from dame_fast.tables.material import Material

PIECES: Final = 4
TARGET: Final = "KKMvM"  # one in the middle of a build
HEADER, HEAD, ALIGNMENT = 40, 32, 8  # bytes (src/planes/WORK.md)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a build in memory that nothing disturbs gives."""
    directory = tmp_path_factory.mktemp("tables")
    build(directory, pieces=PIECES)
    return contents(directory)


@pytest.fixture(autouse=True)
def small_thresholds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work files for slices of four pieces, and progress that is shown without pause."""
    monkeypatch.setattr(plan_module, "PROCESS_MEMORY", 0)
    monkeypatch.setattr(interrupt, "TICK", 1e-5)
    for module in (plan_module, room_module):
        monkeypatch.setattr(module, "WORK_LEAST", 4096)
        monkeypatch.setattr(module, "RESUME_LEAST", 4096)


@pytest.fixture
def least_memory(small_thresholds: None) -> float:
    """GiB that leave hardly any room for blocks in memory, so that they are read from work files."""
    plan = make_plan(pieces=PIECES, threads=2)
    assert plan.least_memory < plan.memory
    return plan.least_memory / 2**30


def contents(directory: Path) -> dict[str, bytes]:
    """Whatever is in a directory; a folder would be a mistake here."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


class Watching(SilentProgress):
    """Calls `at` when a stage of the build begins, for example "solve KKMvM", and keeps what is noted."""

    def __init__(self, stage: str = "", at: Callable[[], None] | None = None) -> None:
        self.stage = stage
        self.at = at
        self.notes: list[str] = []
        self.reached: list[int] = []
        self.total = 0

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        self.total = total

    def reach(self, done: int) -> None:
        self.reached.append(done)

    def rename(self, name: str, total: int | None = None) -> None:
        if self.at is not None and name == self.stage:
            at, self.at = self.at, None
            at()

    def note(self, text: str) -> None:
        self.notes.append(text)


class InterruptingInside(SilentProgress):
    """Presses Ctrl-C when a work file holds a part of a slice pair, of TARGET or one of those after it."""

    def __init__(self, directory: Path) -> None:
        self.work = directory / "work"
        self.pair = ""
        self.armed = False
        self.done = self.first = self.last = 0

    def rename(self, name: str, total: int | None = None) -> None:
        stage, _, self.pair = name.partition(" ")
        self.armed = stage == "solve" and (self.pair == TARGET or self.last > 0)
        if self.armed:
            assert total is not None
            self.first, self.last = self.done, self.done + total

    def reach(self, done: int) -> None:
        self.done = done
        if self.armed and self.first < done < self.last and self.holds_a_block():
            raise KeyboardInterrupt

    def holds_a_block(self) -> bool:
        """Whether a part is solved; what was done may be written tables alone."""
        return (self.work / f"{self.pair}.values").stat().st_size > HEADER


def interrupted(directory: Path, **arguments: Any) -> str:
    """End a build inside a slice pair, and return which one that is."""
    progress = InterruptingInside(directory)
    with pytest.raises(KeyboardInterrupt):
        build(directory, pieces=PIECES, progress=progress, **arguments)
    return progress.pair


def blocks_in(content: bytes) -> list[int]:
    """The numbers of the blocks of all records of a work file."""
    assert content[:8] == b"DAMEWORK"
    found, at = [], HEADER
    while at < len(content):
        head = content[at : at + HEAD]
        assert head[:4] == b"BLCK"
        found.append(int.from_bytes(head[4:8], "little"))
        at += HEAD + int.from_bytes(head[8:12], "little")
        at += -at % ALIGNMENT
    return found


def test_a_build_goes_on_inside_a_pair(tables: dict[str, bytes], tmp_path: Path, least_memory: float) -> None:
    """With memory that is short, and with enough; what was there is not made again: each block has one record."""
    for number, memory in enumerate((None, least_memory)):
        directory = tmp_path / str(number)
        pair = interrupted(directory, threads=2, memory=memory)
        work = directory / "work"
        before = {path.name: path.read_bytes() for path in work.glob(f"{pair}.values")}
        assert set(before) == {f"{pair}.values"}
        there = blocks_in(before[f"{pair}.values"])
        assert there
        after: list[bytes] = []

        def look(work: Path = work, pair: str = pair, after: list[bytes] = after) -> None:
            after.append((work / f"{pair}.values").read_bytes())

        build(directory, pieces=PIECES, threads=2, memory=memory, progress=Watching(f"check {pair}", look))
        assert after[0].startswith(before[f"{pair}.values"])
        blocks = blocks_in(after[0])
        assert sorted(blocks) == list(range(len(blocks)))
        assert len(blocks) > len(there)
        assert contents(directory) == tables


def test_what_others_have_in_the_folder_stays(tmp_path: Path) -> None:
    """Of what a coordinator and its workers have left nothing does."""
    for name in ("run-42", "run-0123456789abcdef", "run-0123456789abcdef-4711-89abcdef", "runs"):
        (tmp_path / "work" / name).mkdir(parents=True)
    with BuildDirectory(tmp_path) as directory:
        directory.remove_work(())
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["run-42", "runs"]


def change_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x40
    path.write_bytes(content)


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size * 2 // 3)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def fill_with_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize("damage", [change_a_byte, cut, empty, fill_with_zeros])
def test_damage_between_two_runs(
    tables: dict[str, bytes], tmp_path: Path, least_memory: float, damage: Callable[[Path], None]
) -> None:
    interrupted(tmp_path, threads=2, memory=least_memory)
    files = list((tmp_path / "work").iterdir())
    assert len(files) > 2
    for path in files:
        damage(path)
    progress = Watching()
    build(tmp_path, pieces=PIECES, threads=2, memory=least_memory, progress=progress)
    assert contents(tmp_path) == tables
    assert all(note.endswith("; it is made again") for note in progress.notes)
    assert bool(progress.notes) == (damage is change_a_byte)  # the others show when the files are opened
    assert progress.reached[-1] == progress.total


def test_files_of_another_rule_set(tables: dict[str, bytes], tmp_path: Path, least_memory: float) -> None:
    interrupted(tmp_path / "english", threads=2, memory=least_memory)
    interrupted(tmp_path / "russian", threads=2, variant="russian")
    work = tmp_path / "english" / "work"
    shutil.rmtree(work)
    shutil.copytree(tmp_path / "russian" / "work", work)
    build(tmp_path / "english", pieces=PIECES, threads=2, memory=least_memory)
    assert contents(tmp_path / "english") == tables


def test_damage_while_a_build_runs(three_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every work file, twice, those of the pair among them; a solver that has failed is gone before the next one.

    Blocks leave memory at once here: what is in memory needs no file.
    """
    alive: list[weakref.ref[Any]] = []

    class Noted(_native.Solver):
        def __init__(self, *arguments: object, **named: object) -> None:
            assert all(solver() is None for solver in alive)
            alive.append(weakref.ref(self))

    monkeypatch.setattr(_native, "Solver", Noted)
    monkeypatch.setattr(room_module.Room, "budget", 1)
    monkeypatch.setattr(sampling_module, "SAMPLE", 50)
    progress = Watching()

    def damage() -> None:
        for path in (tmp_path / "work").iterdir():
            with suppress(FileNotFoundError), path.open("r+b") as file:  # one may go: the pair is being written
                content = bytearray(file.read())
                for at in range(HEADER, len(content), 97):
                    content[at] ^= 0x40
                file.seek(0)
                file.write(content)
        progress.stage, progress.at = "write KMvM", (damage if progress.stage == "check KMvM" else None)

    progress.stage, progress.at = "check KMvM", damage
    build(tmp_path, pieces=3, threads=2, progress=progress)
    assert contents(tmp_path) == contents(three_pieces)
    assert progress.notes
    for note in progress.notes:
        assert note.startswith(str(tmp_path / WORK))
        assert note.endswith("; it is made again")
    assert len(alive) == 1 + len(progress.notes)
    assert progress.reached[-1] == progress.total


def test_a_disk_that_damages_everything_ends_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged(_native.Solver):
        def solve(self, *arguments: object) -> None:
            raise WorkFileError("KvK.values: block 0: checksum")

    monkeypatch.setattr(_native, "Solver", Damaged)
    monkeypatch.setattr(builder_module, "REPAIRS", 3)
    progress = Watching()
    with pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=2, progress=progress)
    assert str(caught.value) == "KvK.values: block 0: checksum"
    assert progress.notes == 3 * ["KvK.values: block 0: checksum; it is made again"]


def test_a_file_in_the_way_of_the_folder(tables: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "work").write_text("in the way")
    with pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=PIECES)
    assert str(caught.value) == f"cannot make the folder work in '{tmp_path}': File exists"
    (tmp_path / "work").unlink()
    build(tmp_path, pieces=PIECES)
    assert contents(tmp_path) == tables


def test_a_folder_in_the_way_of_a_file(tables: dict[str, bytes], tmp_path: Path) -> None:
    in_the_way = tmp_path / "work" / f"{TARGET}.values"
    in_the_way.mkdir(parents=True)
    with pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=PIECES)
    assert str(caught.value) == f"cannot keep values in '{tmp_path}': Is a directory"
    in_the_way.rmdir()
    build(tmp_path, pieces=PIECES)
    assert contents(tmp_path) == tables


def test_what_else_is_in_the_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "work" / "folder.values").mkdir(parents=True)
    (tmp_path / "work" / "mine.txt").write_text("not of the build")
    build(tmp_path, pieces=3)
    assert {path.name for path in (tmp_path / "work").iterdir()} == {"folder.values", "mine.txt"}


def test_a_link_to_a_folder_on_another_disk(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "work").symlink_to(tmp_path / "elsewhere")
    build(tmp_path / "tables", pieces=3)
    assert (tmp_path / "tables" / "work").is_symlink()
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk_at(tmp_path, "64m") as disk:
        yield disk


@contextmanager
def limits_kept() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_disk_that_is_full(tables: dict[str, bytes], small_disk: Path, threads: int) -> None:
    """Without a small file system, a limit on the size of files takes its place. Then there is room again."""
    mounted = os.path.ismount(small_disk)
    filler, out = small_disk / "filler", small_disk / "tables"

    def fill() -> None:
        if not mounted:
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
            return
        left = os.statvfs(small_disk)
        filler.write_bytes(bytes((left.f_bavail - 3) * left.f_bsize))  # some blocks are written yet

    with limits_kept(), pytest.raises(BuildError) as caught:
        build(out, pieces=PIECES, threads=threads, progress=Watching(f"solve {TARGET}", fill))
    assert str(caught.value) == f"cannot keep values in '{out}': {'the disk is full' if mounted else 'File too large'}"
    finished = {path.name for path in out.glob("*.wdl")}
    assert len(finished) > 16
    assert f"{TARGET}.wdl" not in finished
    assert not list(out.glob(".*"))
    filler.unlink(missing_ok=True)
    built = {f"{material.name}.wdl" for material in build(out, pieces=PIECES, threads=threads).built}
    whole = {name for name in finished if f"{Material.parse(name[:-4]).mirror.name}.wdl" in finished}
    assert len(finished - whole) <= 1  # the pair that was being written
    assert built.isdisjoint(whole)
    assert contents(out) == tables
