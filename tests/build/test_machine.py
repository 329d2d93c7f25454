"""Memory and disk of this machine, and of ones that are made up of files."""

import os
import shutil
from pathlib import Path

import pytest

from dame_fast.build import machine


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose files stand for those of the kernel."""
    (tmp_path / "self").mkdir()
    monkeypatch.setattr(machine, "PROC", tmp_path)
    monkeypatch.setattr(machine, "CGROUPS", tmp_path / "cgroup")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_this_machine() -> None:
    memory = machine.available_memory()
    assert memory is not None
    assert 2**20 < memory <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_available_memory(made_up: Path) -> None:
    write(made_up / "meminfo", "MemTotal:   1000 kB\nMemFree:   100 kB\nMemAvailable:   600 kB\n")
    assert machine.available_memory() == 600 * 1024


def test_without_the_files_of_linux(made_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sysconf", {"SC_AVPHYS_PAGES": 7, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert machine.available_memory() == 7 * 4096

    def unknown(name: str) -> int:
        raise ValueError(f"unrecognized configuration name {name}")

    monkeypatch.setattr(os, "sysconf", unknown)
    assert machine.available_memory() is None


def test_control_groups(made_up: Path) -> None:
    """The least of the system, the group and all groups around it; files in memory that can be forgotten are free."""
    write(made_up / "meminfo", "MemAvailable: 1000000 kB\n")
    write(made_up / "self/cgroup", "0::/outer/inner\n")
    inner, outer = made_up / "cgroup/outer/inner", made_up / "cgroup/outer"
    write(inner / "memory.max", "max\n")
    write(inner / "memory.current", "5000\n")
    assert machine.available_memory() == 1000000 * 1024
    write(outer / "memory.max", "100000\n")
    write(outer / "memory.current", "30000\n")
    write(outer / "memory.stat", "anon 10000\ninactive_file 20000\n")
    assert machine.available_memory() == 90000
    write(inner / "memory.max", "8000\n")
    assert machine.available_memory() == 3000
    write(inner / "memory.current", "9000\n")
    assert machine.available_memory() == 0


def test_control_groups_of_the_first_version(made_up: Path) -> None:
    write(made_up / "self/cgroup", "9:name=systemd:/\n4:cpu,memory:/box\n0::/\n")
    write(made_up / "cgroup/memory/box/memory.limit_in_bytes", "50000\n")
    write(made_up / "cgroup/memory/box/memory.usage_in_bytes", "20000\n")
    write(made_up / "cgroup/memory/box/memory.stat", "total_inactive_file 1000\n")
    assert machine.available_memory() == 31000


def test_free_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []

    class Usage:
        total, free = 100, 40

    def disk_usage(path: Path) -> Usage:
        asked.append(path)
        return Usage()

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    monkeypatch.chdir(tmp_path)
    assert machine.free_disk(Path("not/yet")) == 40
    assert machine.free_disk(tmp_path) == 40
    assert asked == [tmp_path, tmp_path]
    Usage.total = Usage.free = 0
    assert machine.free_disk(tmp_path) is None


def test_a_disk_that_cannot_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(shutil, "disk_usage", refuse)
    assert machine.free_disk(tmp_path) is None
