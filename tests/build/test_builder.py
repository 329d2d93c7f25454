"""Building tables: right values, the same bytes every time, and plain words for what goes wrong."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from reference.oracles import english_slices

import dame_fast._native as _native
from dame_fast import ArgumentError, BuildError, VariantError
from dame_fast.build import builder as builder_module
from dame_fast.build import finished as finished_module
from dame_fast.build import loading as loading_module
from dame_fast.build import plan as plan_module
from dame_fast.build import room as room_module
from dame_fast.build.builder import build
from dame_fast.build.directory import BuildDirectory
from dame_fast.build.plan import MODEL_SHARE, make_plan
from dame_fast.progress import Progress, SilentProgress
from dame_fast.tables.material import Material

PIECES = 4


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("tables")
    result = build(directory, pieces=PIECES, threads=1)
    assert len(result.built) == len(result.plan.slices) == 41
    return directory


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if not path.is_dir()}


def test_counts_equal_the_oracle(tables: Path) -> None:
    rows = [row for row in english_slices() if row.material.pieces <= PIECES]
    assert len(rows) == 41
    for row in rows:
        material = Material(*row.material)
        facts = _native.peek(str(tables / f"{material.name}.wdl"))
        counts = row.counts
        assert (facts["win"], facts["draw"], facts["loss"]) == (counts.win, counts.draw, counts.loss), material.name
        assert facts["material"] == material
        assert facts["variant"] == "english"


@pytest.mark.parametrize("threads", [2, 3])
def test_bytes_do_not_depend_on_threads(tables: Path, tmp_path: Path, threads: int) -> None:
    build(tmp_path, pieces=PIECES, threads=threads)
    assert contents(tmp_path) == contents(tables)


def test_growing_a_directory_gives_the_same_bytes(tables: Path, tmp_path: Path) -> None:
    """And what is there already is not written again: it is the same file, of the same time."""
    before: dict[str, tuple[int, int]] = {}
    for pieces in (2, 3, PIECES):
        built = build(tmp_path, pieces=pieces).built
        assert {material.pieces for material in built} == {pieces}
        files = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in tmp_path.glob("*.wdl")}
        assert {name: files[name] for name in before} == before
        assert set(files) - set(before) == {f"{material.name}.wdl" for material in built}
        before = files
    assert contents(tmp_path) == contents(tables)


def test_digests(tables: Path, tmp_path: Path) -> None:
    """The list is one that `sha256sum` makes and takes; a wrong one is written again, whatever the manifest says."""
    lines = (tables / "SHA256SUMS").read_text().splitlines()
    names = [entry["name"] for entry in json.loads((tables / "manifest.json").read_text())["files"]]
    assert [line.split("  ")[1] for line in lines] == names
    assert set(names) == {path.name for path in tables.glob("*.wdl")}
    assert lines == [f"{sha256((tables / name).read_bytes()).hexdigest()}  {name}" for name in names]
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    checked = subprocess.run(check, cwd=tables, capture_output=True, text=True, check=True)
    assert checked.stdout.splitlines() == [f"{name}: OK" for name in names]
    target = shutil.copytree(tables, tmp_path / "copy")
    for content in (b"", b"nonsense", "\n".join(lines[1:]).encode()):
        (target / "SHA256SUMS").write_bytes(content)
        assert build(target, pieces=2).built == ()
        assert contents(target) == contents(tables)


def test_fewer_pieces_in_a_larger_directory_change_nothing(tables: Path) -> None:
    before = contents(tables)
    assert build(tables, pieces=3).built == ()
    assert build(tables, slices=[Material.parse("KKvK")]).built == ()
    assert contents(tables) == before


def test_any_missing_files_are_built_again(tables: Path, tmp_path: Path) -> None:
    target = shutil.copytree(tables, tmp_path / "copy")
    for name in ("KvK.wdl", "KKMvK.wdl", "KvKKM.wdl", "MMvMM.wdl", "KMvM.wdl", "manifest.json", "SHA256SUMS"):
        (target / name).unlink()
    result = build(target, pieces=PIECES)
    assert {material.name for material in result.built} == {"KvK", "KKMvK", "KvKKM", "MMvMM", "KMvM", "MvKM"}
    assert contents(target) == contents(tables)


def test_nothing_to_do_changes_nothing(tables: Path) -> None:
    before = contents(tables)
    assert build(tables, pieces=PIECES).built == ()
    assert contents(tables) == before


class Heard(SilentProgress):
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.starts: list[tuple[str, str, int, int]] = []
        self.parts: list[tuple[str, int | None]] = []
        self.reached: list[int] = []
        self.ended = 0
        self.records: list[Mapping[str, Any]] = []

    def start(self, name: str, measure: str, total: int, parts: int = 0) -> None:
        self.starts.append((name, measure, total, parts))
        self.reached.append(0)

    def rename(self, name: str, total: int | None = None) -> None:
        self.parts.append((name, total))

    def reach(self, done: int) -> None:
        self.reached.append(done)

    def end(self) -> None:
        self.ended += 1

    def finish(self, parts: Sequence[str], record: Mapping[str, Any]) -> None:
        assert list(parts) == record["slices"]
        self.records.append(record)

    def note(self, text: str) -> None:
        self.notes.append(text)


def test_a_damaged_file_is_built_again(tables: Path, tmp_path: Path) -> None:
    target = shutil.copytree(tables, tmp_path / "copy")
    damaged = target / "KMvK.wdl"
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    heard = Heard()
    build(target, pieces=PIECES, progress=heard)
    assert len(heard.notes) == 1
    assert heard.notes[0].startswith(f"{damaged}: block ")
    assert heard.notes[0].endswith("; it is built again")
    assert contents(target) == contents(tables)


def test_what_the_manifest_knows_is_not_decoded(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest shows that a file is what was published; without one, or with another, every block is looked at."""
    target = shutil.copytree(tables, tmp_path / "copy")
    checked = []

    class Noted(_native.Table):
        def check(self, cancel: _native.Cancel) -> None:
            checked.append(self.facts["material"])
            super().check(cancel)

    monkeypatch.setattr(_native, "Table", Noted)
    assert build(target, pieces=PIECES).built == ()
    assert checked == []
    manifest = json.loads((target / "manifest.json").read_text())
    manifest["files"] = [entry for entry in manifest["files"] if entry["name"] != "KvM.wdl"]
    manifest["files"][0]["sha256"] = "0" * 64
    (target / "manifest.json").write_text(json.dumps(manifest))
    assert build(target, pieces=PIECES).built == ()
    assert {Material(*material).name for material in checked} == {"KvK", "KvM"}
    assert contents(target) == contents(tables)
    (target / "manifest.json").unlink()
    assert build(target, pieces=PIECES).built == ()
    assert len(checked) == 2 + 41


def test_a_file_of_another_slice_is_not_taken_for_it(tables: Path, tmp_path: Path) -> None:
    """KKvM and MvKK have as many values as each other; the name and the header must agree."""
    target = shutil.copytree(tables, tmp_path / "copy")
    (target / "MvKK.wdl").write_bytes((target / "KKvM.wdl").read_bytes())
    (target / "KKvMM.wdl").unlink()
    heard = Heard()
    build(target, pieces=PIECES, progress=heard)
    assert heard.notes == [f"{target / 'MvKK.wdl'}: holds KKvM.wdl; it is built again"]
    assert contents(target) == contents(tables)


def test_damage_outside_the_plan_is_left(tables: Path, tmp_path: Path) -> None:
    target = shutil.copytree(tables, tmp_path / "copy")
    (target / "MMvMM.wdl").write_bytes(b"")
    heard = Heard()
    build(target, pieces=3, progress=heard)
    assert heard.notes == [f"{target / 'MMvMM.wdl'}: file is shorter than a header; it is left as it is"]
    assert (target / "MMvMM.wdl").read_bytes() == b""


def test_a_refused_directory_is_not_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(BuildError, match="^cannot use '.*': Permission denied$"):
        build(tmp_path, pieces=2)
    monkeypatch.undo()
    assert len(build(tmp_path, pieces=2).built) == 4


def test_progress(tmp_path: Path) -> None:
    """Every position counts once for being solved and once for being written; then choosing models counts."""
    build(tmp_path, pieces=2)
    size = sum(path.stat().st_size for path in tmp_path.glob("*.wdl"))
    heard = Heard()
    progress: Progress = heard
    build(tmp_path, pieces=3, progress=progress)
    whole = heard.starts[1][2]
    assert heard.starts == [("files already there", "B", size, 0), ("slices", "positions", whole, 12)]
    assert whole == (1 + 1 + MODEL_SHARE) * 196_032
    again = heard.reached.index(0, 1)
    there, built = heard.reached[:again], heard.reached[again:]
    assert (there, built) == (sorted(there), sorted(built))
    assert (there[-1], built[-1]) == (size, whole)
    assert heard.ended == 2
    pair = [part for part in heard.parts if "KKvK" in part[0] or "KvKK" in part[0]]
    one, other = (Material.parse(name).positions("english") for name in ("KKvK", "KvKK"))
    assert pair[:3] == [("solve KKvK", one + other), ("check KKvK", None), ("check KvKK", None)]
    waited = ("write KKvK", (1 + MODEL_SHARE) * (one + other))  # if there was nothing to solve beside it
    assert pair[3:] in ([], [waited])
    assert sum(record["positions"] for record in heard.records) == 196_032
    assert {record["pieces"] for record in heard.records} == {3}


def test_what_has_to_be_written_alone_counts(tmp_path: Path) -> None:
    """Distances besides: tables of win, draw and loss are there already, but solving has to be done again."""
    build(tmp_path, pieces=2)
    heard = Heard()
    build(tmp_path, pieces=2, metric="dtw", progress=heard)
    assert heard.starts[1] == ("slices", "positions", 2 * 3_488, 4)
    assert heard.reached[-1] == 2 * 3_488


def test_records_say_when_and_what(tmp_path: Path) -> None:
    heard = Heard()
    before = datetime.now(UTC).replace(microsecond=0)
    build(tmp_path, variant="russian", pieces=2, draw_plies=30, progress=heard)
    assert len(heard.records) == 3
    for record in heard.records:
        assert before <= datetime.fromisoformat(record["time"]) <= datetime.now(UTC)
        assert (record["variant"], record["metric"], record["draw_plies"]) == ("russian", "dtz", 30)


def test_interruption_keeps_what_is_finished(tables: Path, tmp_path: Path) -> None:
    class Interrupting(SilentProgress):
        parts = 0

        def rename(self, name: str, total: int | None = None) -> None:
            self.parts += 1
            if self.parts == 40:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path, pieces=PIECES, progress=Interrupting())
    assert 0 < len(contents(tmp_path)) < 43
    assert not list(tmp_path.glob(".*"))
    build(tmp_path, pieces=PIECES)
    assert contents(tmp_path) == contents(tables)


def test_leftovers_of_a_killed_build_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".KvK.wdl.partial").write_bytes(b"half")
    build(tmp_path, pieces=2)
    assert sorted(contents(tmp_path)) == ["KvK.wdl", "KvM.wdl", "MvK.wdl", "MvM.wdl", "SHA256SUMS", "manifest.json"]


def test_what_no_build_has_left_is_left_alone(tables: Path, tmp_path: Path) -> None:
    """A directory with the name of a leftover, pipes in place of the lists, a file with the name of no slice."""
    (tmp_path / ".x.partial").mkdir()
    os.mkfifo(tmp_path / "manifest.json")
    os.mkfifo(tmp_path / "SHA256SUMS")
    strange = tmp_path / "K\udcffvK.wdl"
    strange.write_bytes(b"")
    build(tmp_path, pieces=PIECES)
    (tmp_path / ".x.partial").rmdir()
    strange.unlink()
    assert contents(tmp_path) == contents(tables)


def test_a_directory_without_a_name() -> None:
    with pytest.raises(ArgumentError) as caught:
        build("", pieces=2)
    assert str(caught.value) == "not the name of a directory: ''"


def test_memory_limit_is_refused_with_the_figure(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError) as caught:
        build(tmp_path, pieces=5, memory=0.05)
    assert re.fullmatch(r"the build needs 0\.\d\d GiB of memory at least, the limit is 0\.05 GiB", str(caught.value))
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("memory", [0, -1.5, float("nan")])
def test_limits_that_are_no_memory(tmp_path: Path, memory: float) -> None:
    with pytest.raises(ArgumentError) as caught:
        build(tmp_path, pieces=2, memory=memory)
    assert str(caught.value) == f"the memory limit must be more than 0 GiB, not {memory:g}"


def test_what_fits_in_memory_is_built_there(tables: Path, tmp_path: Path) -> None:
    plan = make_plan(pieces=3, threads=1)
    build(tmp_path, pieces=3, threads=1, memory=plan.memory / 2**30)
    assert len(contents(tmp_path)) == 18


def test_work_files_give_the_same_bytes(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With so little memory that values are in work files; a slice is taken away so that others are read back, too."""
    monkeypatch.setattr(plan_module, "PROCESS_MEMORY", 0)
    for module in (plan_module, room_module):
        monkeypatch.setattr(module, "WORK_LEAST", 4096)
    plan = make_plan(pieces=PIECES, threads=2)
    assert plan.least_memory < plan.memory
    for missing in ((), ("KKMvK.wdl",)):
        for name in missing:
            (tmp_path / name).unlink()
        build(tmp_path, pieces=PIECES, threads=2, memory=plan.least_memory / 2**30)
        assert contents(tmp_path) == contents(tables)


def test_small_windows_give_the_same_bytes(tables: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices that are written and read in many parts."""
    monkeypatch.setattr(loading_module, "WINDOW", 65536)
    build(tmp_path, pieces=PIECES)
    assert contents(tmp_path) == contents(tables)
    for name in ("KMMvK.wdl", "KKMvM.wdl", "MMvMM.wdl"):
        (tmp_path / name).unlink()
    build(tmp_path, pieces=PIECES)
    assert contents(tmp_path) == contents(tables)


def test_a_sample_that_contradicts_the_moves_ends_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(_native.Solver):
        def sample(self, *arguments: object) -> int:
            return 3

    monkeypatch.setattr(_native, "Solver", Wrong)
    with pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=2)
    assert str(caught.value) == "KvK: 3 of 10,000 values do not follow from the moves"
    assert contents(tmp_path) == {}


def test_two_builds_into_one_directory(tmp_path: Path) -> None:
    with BuildDirectory(tmp_path), pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=2)
    assert str(caught.value) == f"another build or merge is writing into '{tmp_path}'"


def test_a_directory_of_another_rule_set(tmp_path: Path) -> None:
    material = Material.parse("KvK")
    entries = [_native.stored_block(0, b"\0")[0]]
    front = _native.pack_front("russian", material, 16384, (0, 992, 0), entries)
    (tmp_path / "KvK.wdl").write_bytes(front + _native.pack_table(entries))
    with pytest.raises(VariantError) as caught:
        build(tmp_path, pieces=2)
    assert str(tmp_path / "KvK.wdl") in str(caught.value)
    assert "russian" in str(caught.value)


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BuildError) as caught:
        build(tmp_path / "file" / "tables", pieces=2)
    assert str(caught.value) == f"cannot use '{tmp_path}/file/tables': Not a directory"


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finished_module, "LISTING", 1e9)
    original = os.fsync
    calls = 0

    def full(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 5:  # file and directory of two tables
            raise OSError(28, "No space left on device")
        original(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BuildError) as caught:
        build(tmp_path, pieces=3)
    assert str(caught.value) == f"cannot write KvM.wdl into '{tmp_path}': the disk is full"
    assert sorted(contents(tmp_path)) == ["KvK.wdl", "MvK.wdl"]
    monkeypatch.undo()
    assert len(build(tmp_path, pieces=3).built) == 15  # all but KvK


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metric": "dtx"}, "unknown metric 'dtx' (known: wdl, dtw, dtz, dtc)"),
        (
            {"metric": "wdl", "draw_plies": 40},
            "a draw after 40 plies without capture and man move needs the metric dtz, not wdl",
        ),
        (
            {"metric": "dtw", "draw_plies": 40},
            "a draw after 40 plies without capture and man move needs the metric dtz, not dtw",
        ),
        (
            {"metric": "dtz", "draw_captures": 40},
            "a draw after 40 plies without a capture needs the metric dtc, not dtz",
        ),
        ({"metric": "dtz", "draw_plies": 0}, "draw_plies must be 1 to 253, not 0"),
        ({"metric": "dtz", "draw_plies": 254}, "draw_plies must be 1 to 253, not 254"),
        ({"draw_captures": 254}, "draw_captures must be 1 to 253, not 254"),
    ],
)
def test_metrics_and_rules_that_there_are_not(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        builder_module.build(tmp_path, pieces=2, **arguments)  # type: ignore[arg-type]
    assert str(caught.value) == message
