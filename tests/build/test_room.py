"""A build that cannot fit is refused before it starts, and only that."""

from pathlib import Path

import pytest

from dame_fast import ArgumentError, BuildError
from dame_fast.arguments import BYTES_MOST
from dame_fast.build import machine
from dame_fast.build import plan as plan_module
from dame_fast.build import room as room_module
from dame_fast.build.builder import build
from dame_fast.build.plan import RESUME_LEAST, WORK_LEAST, Plan, make_plan
from dame_fast.build.room import GIB, Room, find_room, in_gib, limit_bytes


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(pieces=7, threads=1)


def room_of(plan: Plan, *, limit: float | None = None, memory: int | None = None, disk: int | None = None) -> Room:
    return Room(plan, Path("tables"), limit, memory, disk, plan.disk)


def test_limits_of_memory(plan: Plan) -> None:
    least, most = plan.least_memory / GIB, plan.memory / GIB
    limits = (None, most, most - 0.01, least, least - 0.01)
    rooms = [room_of(plan, limit=limit) for limit in limits]
    assert [room.fits for room in rooms] == [True, True, True, True, False]
    assert [room.lacks_memory for room in rooms] == [False, False, True, True, True]
    for room in rooms[:-1]:
        room.check()
    text = f"^the build needs {in_gib(plan.least_memory)} GiB of memory at least, the limit is {limits[-1]:g} GiB$"
    with pytest.raises(ArgumentError, match=text):
        rooms[-1].check()


@pytest.mark.parametrize("limit", [0, -1.5, float("nan")])
def test_limits_that_are_no_memory(plan: Plan, limit: float) -> None:
    with pytest.raises(ArgumentError, match=f"^the memory limit must be more than 0 GiB, not {limit:g}$"):
        find_room(plan, Path("tables"), limit)


def test_memory_of_the_machine(plan: Plan) -> None:
    assert not room_of(plan, memory=plan.memory).lacks_memory
    assert room_of(plan, memory=plan.memory - 1).lacks_memory
    room_of(plan, memory=plan.least_memory).check()
    text = f"^the build needs {in_gib(plan.least_memory)} GiB of memory at least, 0.50 GiB are available$"
    for limit in (None, 1000.0):  # a limit does not make more memory
        with pytest.raises(BuildError, match=text):
            room_of(plan, limit=limit, memory=GIB // 2).check()


def test_disk_of_the_machine(plan: Plan) -> None:
    small = make_plan(pieces=5, threads=1)
    room_of(small, disk=small.disk).check()
    text = r"^the build needs about 1\.0 MB of disk in 'tables'; 1\.0 MB are free$"
    with pytest.raises(BuildError, match=text):
        room_of(small, disk=small.disk - 1).check()


def test_work_files_are_on_the_disk(plan: Plan) -> None:
    """Large pairs have them even if memory has room, so that a build goes on inside a pair."""
    for limit, least in ((1.5, WORK_LEAST), (None, RESUME_LEAST)):
        room = room_of(plan, limit=limit, disk=plan.disk + plan.work_bytes(least))
        assert room.work_bytes == plan.work_bytes(least) > 10**9
        room.check()
        text = (
            r"^the build needs about [0-9.]+ GB of disk in 'tables', [0-9.]+ GB of them for work files; "
            r"[0-9.]+ GB are free$"
        )
        with pytest.raises(BuildError, match=text):
            room_of(plan, limit=limit, disk=plan.disk + plan.work_bytes(least) - 1).check()


def test_budget(plan: Plan) -> None:
    """What the limit leaves beside all that is not in work files."""
    room = room_of(plan, limit=1.5, memory=100 * GIB)
    assert room.budget == GIB * 3 // 2 - plan.fixed_memory > max(pair.pinned for pair in plan.pairs)
    assert room_of(plan, memory=GIB * 3 // 2).budget == room.budget
    assert room_of(plan).budget > plan.memory


def test_what_nobody_knows_suffices(plan: Plan) -> None:
    room_of(plan).check()
    assert room_of(plan).fits


def test_tables_that_are_there_need_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tmp_path, pieces=3)
    monkeypatch.setattr(machine, "free_disk", lambda directory: 20_000)
    with pytest.raises(BuildError, match=r"^the build needs about [0-9.]+ kB of disk"):
        build(tmp_path / "other", pieces=4)
    assert not (tmp_path / "other").exists()
    assert build(tmp_path, pieces=3).built == ()
    monkeypatch.setattr(machine, "free_disk", lambda directory: 0)
    assert build(tmp_path, pieces=3).built == ()


def test_little_memory_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values go into work files, and what does not fit even so is refused."""
    for module in (plan_module, room_module):
        monkeypatch.setattr(module, "WORK_LEAST", 2**16)
    plan = make_plan(pieces=4, metric="dtw", threads=1)
    monkeypatch.setattr(machine, "available_memory", lambda: plan.least_memory)
    room = find_room(plan, tmp_path)
    assert (room.lacks_memory, room.fits) == (True, True)
    assert len(build(tmp_path, pieces=4, metric="dtw", threads=1).built) == 41
    monkeypatch.setattr(machine, "available_memory", lambda: 2**20)
    with pytest.raises(BuildError, match=r"GiB of memory at least, 0\.00 GiB are available$"):
        build(tmp_path / "other", pieces=3)
    assert not (tmp_path / "other").exists()


def test_a_limit_without_end() -> None:
    assert limit_bytes(float("inf")) == limit_bytes(1e300) == BYTES_MOST


def test_fewer_threads_where_memory_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread has blocks of its own in memory; one alone needs the least."""
    plan, one = make_plan(pieces=7, threads=8), make_plan(pieces=7, threads=1)
    assert plan.with_threads(1) == one
    least = one.least_memory
    assert least < plan.least_memory
    for memory, threads, fits in ((plan.least_memory, 8, True), (least, 1, True), (least - 1, 1, False)):
        monkeypatch.setattr(machine, "available_memory", lambda memory=memory: memory)
        room = find_room(plan, tmp_path)
        assert (room.plan.threads, room.fits) == (threads, fits)


def test_what_is_there_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work files count as free disk. Pairs that others need are read back, unless they are in work files."""
    monkeypatch.setattr(machine, "free_disk", lambda directory: 5)
    monkeypatch.setattr(machine, "available_memory", lambda: None)
    plan = make_plan(pieces=4, threads=1)
    for table in plan.tables:
        (tmp_path / str(table)).touch()
    room = find_room(plan, tmp_path)
    assert (room.tables, room.work_bytes, room.loading, room.disk) == (0, 0, 0, 5)

    for name in ("KMvKM.wdl", "MMvMM.wdl"):
        (tmp_path / name).unlink()
    read = {pair.material.name: pair.loading for pair in plan.pairs}
    largest = "KMvKK"  # of those that a crowning leads to
    assert read[largest] > 2 * max(pair.planes for pair in plan.pairs if pair.material.name == largest)
    room = find_room(plan, tmp_path)
    assert room.loading == read[largest]
    assert room.least_memory == min(plan.memory + room.loading // 2, plan.always_memory + room.loading)

    (tmp_path / "work").mkdir()
    (tmp_path / "work" / f"{largest}.values").write_bytes(bytes(1000))
    room = find_room(plan, tmp_path)
    assert room.disk == 1005
    assert 0 < room.loading < read[largest]
