"""Opening tables: few descriptors, directories that move, several directories, copies and pickles."""

import copy
import os
import pickle
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_tables import Command, flip_bit, no_table, write_russian

from dame_fast import (
    ArgumentError,
    Board,
    CorruptTableError,
    MissingTableError,
    PerfectPlayer,
    Tablebase,
    open_tablebase,
)
from dame_fast.build.builder import build
from dame_fast.tables import places
from dame_fast.tables.places import SHIPPED, VARIABLE

KINGS = "W:WK19,K23:BK28"
KINGS_WIN = "W:WK1:BK6"


@pytest.fixture
def copied(three_pieces: Path, tmp_path: Path) -> Path:
    """A directory of one's own."""
    return Path(shutil.copytree(three_pieces, tmp_path / "copied"))


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Path]:
    """A directory of 126 tables, 32 of which may be open at a time; those whose names come first are not."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    directory = Path(shutil.copytree(SHIPPED / "english", tmp_path / "many"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, before[1]))
    yield directory
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def probe_all(tables: Tablebase) -> list[int]:
    """Values of many slices."""
    fens = [
        f"{side}:W{white}:B{black}"
        for side in "WB"
        for white in ("K1", "K1,K2", "13,K3", "14")
        for black in ("K30", "20")
    ]
    return [tables.probe_wdl(fen) for fen in fens]


@pytest.mark.parametrize("limit", [64, 32])
def test_few_descriptors(limit: int) -> None:
    """126 tables; under a limit of 64 sixteen are open at a time."""
    script = (
        "from dame_fast import open_tablebase\n"
        "with open_tablebase(cache_bytes=0) as tables:\n"
        "    fens = ['W:WK19,K23:B12,K28', 'B:W30,K31:BK1,K2', 'W:W30,31:B1,2', 'W:WK30:BK1']\n"
        "    first = [tables.probe_wdl(fen) for fen in fens]\n"
        "    tables.preload(3)\n"
        "    print(len(tables), first == [tables.probe_wdl(fen) for fen in fens], len(tables.longest('MvM')))\n"
    )
    command = f'ulimit -n {limit} && exec "$0" -P -c "$1"'
    found = subprocess.run(["sh", "-c", command, sys.executable, script], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("126 True 1\n", "")


def test_a_working_directory_that_changes(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(many.parent)
    with open_tablebase("many", cache_bytes=0) as tables:
        expected = probe_all(tables)
        monkeypatch.chdir("/")
        assert probe_all(tables) == expected
        tables.preload(5, resolve=False)
        assert probe_all(tables) == expected
        assert tables.directory == Path("many")


def test_a_directory_that_moves(many: Path) -> None:
    with open_tablebase(many, cache_bytes=0) as tables:
        expected = probe_all(tables)
        many.rename(many.parent / "moved")
        many.mkdir()
        assert probe_all(tables) == expected
        tables.preload(5)
        assert probe_all(tables) == expected


def test_tables_that_were_replaced(many: Path) -> None:
    fen = "W:WK19,K23:B12,K28"
    with open_tablebase(many, cache_bytes=0) as tables:
        for path in many.glob("*.wdl"):
            shutil.copy(path, path.with_suffix(".new"))
            path.with_suffix(".new").rename(path)
        with pytest.raises(CorruptTableError) as caught:
            tables.probe_wdl(fen)
        assert re.fullmatch(rf"{many}/K\w+\.wdl: was replaced while it was open", str(caught.value))
        with pytest.raises(CorruptTableError) as caught:
            tables.preload(5)
        assert re.fullmatch(rf"{many}/K\w+\.wdl: was replaced while it was open", str(caught.value))
        for path in many.glob("*.wdl"):
            path.unlink()
        with pytest.raises(OSError, match=r"many/K\w+\.wdl: No such file or directory$"):
            tables.probe_wdl(fen)


def test_several_directories(three_pieces: Path, tmp_path: Path) -> None:
    few, rest = tmp_path / "few", tmp_path / "rest"
    for path in three_pieces.glob("*.wdl"):
        folder = few if len(path.stem) == 3 else rest
        folder.mkdir(exist_ok=True)
        shutil.copy(path, folder)
    with open_tablebase([few, str(rest)]) as tables, open_tablebase(three_pieces) as whole:
        assert (tables.directory, tables.directories) == (few, (few, rest))
        assert (len(tables), tables.materials) == (16, whole.materials)
        assert probe_all(tables) == probe_all(whole)
        assert repr(tables) == f"<Tablebase english: 16 tables, 3 pieces, {str(few)!r}, {str(rest)!r}>"
        with pytest.raises(MissingTableError) as caught:
            tables.probe_wdl("W:WK1,K2,K3:BK30,K31,K32")
        assert str(caught.value) == (
            f"no table of KKKvKKK in {few}, {rest} (largest there: 3 pieces); "
            "dame-fast build --pieces 6 --out DIR makes it"
        )
        tables.close()
        with pytest.raises(ArgumentError) as closed:
            tables.probe_wdl(KINGS)
        assert str(closed.value) == f"the tablebase {str(few)!r}, {str(rest)!r} is closed"


def test_the_same_table_twice(copied: Path, three_pieces: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(copied)
    with open_tablebase([copied, link, three_pieces, copied]) as tables:
        assert len(tables) == 16
    flip_bit(copied / "KvK.wdl", -3, 0)  # before the one entry of the block table
    with pytest.raises(ArgumentError) as caught:
        open_tablebase([three_pieces, copied])
    assert str(caught.value) == (
        f"{copied / 'KvK.wdl'}: differs from {three_pieces / 'KvK.wdl'}, a table of the same slice"
    )


def test_directories_without_tables(three_pieces: Path, tmp_path: Path) -> None:
    empty, gone = tmp_path / "empty", tmp_path / "gone"
    empty.mkdir()
    with open_tablebase([empty, three_pieces]) as tables:
        assert len(tables) == 16
    for given, text in (
        ([three_pieces, gone], f"no tables: there is no directory {str(gone)!r}"),
        ([empty, empty], f"no tables in the directories {str(empty)!r}, {str(empty)!r}"),
    ):
        with pytest.raises(MissingTableError) as caught:
            open_tablebase(given)
        assert str(caught.value) == text
    with pytest.raises(MissingTableError) as rule:
        open_tablebase([three_pieces, empty], draw_plies=40)
    assert str(rule.value) == (
        f"no tables for a draw after 40 plies without capture and man move in the directories "
        f"{str(three_pieces)!r}, {str(empty)!r} "
        "(there are some without a draw rule)"
    )


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (5, "not the name of a directory: 5"),
        (b"tables", "not the name of a directory: b'tables'"),
        ([], "no directory is named"),
        ([""], "not the name of a directory: ''"),
        (["a\0b"], r"not the name of a directory: 'a\x00b'"),
        ([5], "not the name of a directory: 5"),
        ("\ud800", r"not the name of a directory: '\ud800'"),
    ],
)
def test_no_directories(given: object, text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        open_tablebase(given)  # type: ignore[arg-type]
    assert str(caught.value) == text


def test_the_variable(three_pieces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names directories of tables, or of directories for each rule set; others are left alone."""
    russian = tmp_path / "russian"
    russian.mkdir()
    write_russian(russian)
    monkeypatch.setenv(VARIABLE, f"{three_pieces}{os.pathsep}{os.pathsep}{tmp_path}")
    with open_tablebase() as tables:
        assert tables.directories == (three_pieces,)
    with open_tablebase(variant="russian") as tables:
        assert tables.directories == (russian,)
    with open_tablebase(russian, variant="russian") as tables:  # a name counts more
        assert tables.directories == (russian,)
    with pytest.raises(MissingTableError) as nobody:
        open_tablebase(variant="italian")
    assert str(nobody.value) == (
        f"no tables of italian are in {VARIABLE} ({three_pieces}, {tmp_path}), and none come with the package: "
        "build some, and name their directory"
    )
    monkeypatch.setenv(VARIABLE, str(russian))
    monkeypatch.setattr(places, "SHIPPED", three_pieces.parent)
    with open_tablebase() as tables:  # none of the rule set: those of the package
        assert tables.directories == (three_pieces,)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(MissingTableError) as gone:
        open_tablebase()
    assert str(gone.value) == f"{VARIABLE}: no tables: there is no directory {str(tmp_path / 'gone')!r}"
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv(VARIABLE, str(file))
    with pytest.raises(ArgumentError) as other:
        open_tablebase()
    assert str(other.value) == f"{VARIABLE}: not a directory: {str(file)!r}"
    monkeypatch.setenv(VARIABLE, "")
    with open_tablebase() as tables:
        assert tables.directories == (three_pieces,)


@pytest.mark.parametrize("arguments", [("probe", KINGS), ("line", KINGS), ("longest", "KvK"), ("play", KINGS)])
def test_the_option_may_be_repeated(command: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    build(first, pieces=2, metric="dtw", threads=1)
    build(second, pieces=3, metric="dtw", threads=1)
    for path in second.iterdir():
        if len(path.stem) == 3:
            path.unlink()  # two pieces are in the first one alone
    expected = command(*arguments, "--db", first, "--db", second, stdin=b"quit\n")
    assert (expected.status, expected.err) == (0, "")
    assert command(*arguments, "--db", second, "--db", first, stdin=b"quit\n") == expected


def test_the_variable_in_commands(command: Command, three_pieces: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(three_pieces))
    found = command("probe", "W:WK19,K23:B12,K28")
    assert found == (3, "", f"dame-fast: {no_table('KKvKM', three_pieces, 3, '--pieces 4')}\n")


def test_the_command_that_is_named(tmp_path: Path, command: Command) -> None:
    """It makes what was missing, with its rule set, metric and draw rule."""
    build(tmp_path, variant="russian", pieces=2, metric="dtz", draw_plies=10, threads=1)
    fen = Board("W:WK1,K2:BK32", "russian")
    tables = open_tablebase(tmp_path, variant="russian", draw_plies=10)
    with pytest.raises(MissingTableError) as caught:
        tables.probe_dtz(fen)
    assert str(caught.value) == (
        f"no table of KKvK in {tmp_path} (largest there: 2 pieces); "
        "dame-fast build --pieces 3 --variant russian --metric dtz --draw-plies 10 --out DIR makes it"
    )
    program, *arguments = str(caught.value).split("; ")[1].removesuffix(" makes it").split()
    assert program == "dame-fast"
    assert command(*(str(tmp_path) if word == "DIR" else word for word in arguments)).status == 0
    with open_tablebase(tmp_path, variant="russian", draw_plies=10) as tables:
        assert tables.probe_wdl(fen) in (0, 1)


def test_a_copy_shares_files_and_memory(three_pieces: Path) -> None:
    tables = open_tablebase(three_pieces)
    for make in (copy.copy, copy.deepcopy):
        twin = make(tables)
        assert twin is not tables
        assert twin != tables
        assert hash(twin) != hash(tables)
        assert probe_all(twin) == probe_all(tables)
        assert twin.statistics == tables.statistics
        twin.preload(3)  # of its own
        assert tables.statistics["misses"] > 0 == twin.statistics["misses"]
        twin.close()
        assert tables.probe_wdl(KINGS) == 1
    tables.close()


def test_a_pickle_opens_again(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(copied.parent)
    with open_tablebase("copied", cache_bytes=1 << 20, preload=2) as tables:
        tables.preload(3, max_bytes=20_000, threads=2, resolve=True)
        expected = probe_all(tables)
        stored = pickle.dumps(tables)
    monkeypatch.chdir("/")
    with pickle.loads(stored) as again:
        assert (again.variant, again.draw_plies, again.directories) == ("english", None, (copied,))
        assert probe_all(again) == expected
        assert pickle.loads(pickle.dumps(again)).largest == 3
        assert (again._preloaded, again._resolved, again._threads) == ([(2, 2**64 - 1), (3, 20_000)], 3, 2)
    shutil.rmtree(copied)
    with pytest.raises(MissingTableError, match=r"^no tables: there is no directory "):
        pickle.loads(stored)


def test_a_closed_one_is_not_copied(three_pieces: Path) -> None:
    tables = open_tablebase(three_pieces)
    tables.close()
    calls: list[Callable[[Tablebase], object]] = [copy.copy, copy.deepcopy, pickle.dumps]
    for call in calls:
        with pytest.raises(ArgumentError) as caught:
            call(tables)
        assert str(caught.value) == f"the tablebase {str(three_pieces)!r} is closed"


def test_a_player_that_has_played_can_be_pickled(three_pieces: Path) -> None:
    with open_tablebase(three_pieces) as tables:
        player = PerfectPlayer(tables)
        move = player(KINGS)
        assert pickle.loads(pickle.dumps(player))(KINGS) == move
        assert copy.copy(player)(KINGS) == move
