"""Kill everything a cluster build has: `python tools/check_cluster.py [--pieces N]`, one JSON line.

Builds once on this machine alone, then on a Dask cluster of this machine. Every few seconds a worker is killed
(SIGKILL); once the scheduler is, and started again; twice the coordinator is, and the same command goes on. Then all
bytes must be the same. Ends with status 1 if one differs.
"""

import argparse
import json
import os
import platform
import random
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter, sleep
from typing import Final

from check_interruptions import contents

TICK: Final = 0.1
BUILD: Final = [sys.executable, "-P", "-m", "dame_fast", "build"]


class Cluster:
    """A scheduler and workers on this machine; what ends is started again."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.workers = workers
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.scheduler = self._start_scheduler()
        self.nannies = [self._start_worker() for _ in range(workers)]

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return f"tcp://127.0.0.1:{self.port}"

    def look(self) -> None:
        """Start again what has ended: workers end when their scheduler does."""
        if self.scheduler.poll() is not None:
            self.scheduler = self._start_scheduler()
        self.nannies = [self._start_worker() if nanny.poll() is not None else nanny for nanny in self.nannies]

    def kill_worker(self, draw: random.Random) -> None:
        """Kill the process that works; its nanny starts another one."""
        with suppress(ProcessLookupError, IndexError):
            os.kill(draw.choice(children(draw.choice(self.nannies).pid)), signal.SIGKILL)

    def kill_scheduler(self) -> None:
        """Kill it; its workers end then."""
        self.scheduler.kill()
        self.scheduler.wait()

    def close(self) -> None:
        """Kill all."""
        for process in (self.scheduler, *self.nannies):
            for child in (process.pid, *children(process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            process.wait()

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"]
        return self._start("scheduler", *options)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        options = ["--nthreads", "1", "--no-dashboard", "--death-timeout", "60", "--local-directory", str(self.folder)]
        return self._start("worker", self.address, *options)

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "dask", what, *options]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def children(parent: int) -> list[int]:
    """Return the processes that a process has started, and those that these have; newest last."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{parent}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *children(int(child))]
    return sorted(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=6)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two killed workers")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    with TemporaryDirectory() as name:
        folder = Path(name)
        begin = perf_counter()
        command = [*BUILD, "--pieces", str(arguments.pieces), "--out"]
        subprocess.run([*command, str(folder / "local")], check=True, capture_output=True)
        alone = perf_counter() - begin
        cluster = Cluster(folder, arguments.workers)
        try:
            found = disturb(command, folder / "cluster", cluster, draw, arguments.every, alone)
        finally:
            cluster.close()
        right, made = contents(folder / "local"), contents(folder / "cluster")
    different = sorted(name for name in right | made if right.get(name) != made.get(name))
    print(
        json.dumps(
            {
                "check": "cluster",
                "pieces": arguments.pieces,
                "workers": arguments.workers,
                "seed": arguments.seed,
                **found,
                "files": len(right),
                "different": different,
                "seconds_local": round(alone, 3),
                "machine": platform.machine(),
                "python": platform.python_version(),
            }
        )
    )
    sys.exit(1 if different else 0)


def disturb(
    command: list[str], directory: Path, cluster: Cluster, draw: random.Random, every: float, alone: float
) -> dict[str, object]:
    """Build, and kill meanwhile; return what became of it."""
    log = directory.parent / "log.jsonl"
    options = [str(directory), "--scheduler", cluster.address, "--json", "--log", str(log)]
    kills = {"workers": 0, "schedulers": 0, "coordinators": 0}
    begin = monotonic()
    next_worker = begin + every
    scheduler_at, coordinators_at = begin + alone / 2, [begin + alone / 4, begin + alone]
    results: list[dict[str, int]] = []
    while not results:
        with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as build:
            while build.poll() is None:
                sleep(TICK)
                cluster.look()
                now = monotonic()
                if now >= next_worker:
                    cluster.kill_worker(draw)
                    kills["workers"] += 1
                    next_worker += every
                if kills["schedulers"] == 0 and now >= scheduler_at:
                    cluster.kill_scheduler()
                    kills["schedulers"] += 1
                if coordinators_at and now >= coordinators_at[0]:
                    coordinators_at.pop(0)
                    build.kill()
                    kills["coordinators"] += 1
            said, errors = build.communicate()
        if build.returncode == 0:
            results.append(json.loads(said)["cluster"])
        elif build.returncode > 0:
            sys.exit(f"the build has failed: {errors.decode()[-500:]}")
    names = [record["task"] for record in map(json.loads, log.read_text().splitlines()) if "task" in record]
    return {
        "killed": kills,
        "tasks": len(names),
        "tasks_done_twice": len(names) - len(set(names)),
        "last_run": results[0],
        "seconds": round(monotonic() - begin, 3),
    }


if __name__ == "__main__":
    main()
