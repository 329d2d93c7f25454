"""Kill builds at random moments: `python tools/check_interruptions.py [--pieces N] [--kills N]`, one JSON line.

Builds once undisturbed. Then builds the same again and again, each time killed (SIGKILL) after a random time: half of
the kills hit a directory that an earlier one has left, so that they meet builds that have just begun, that go on, and
that are about to end. Now and then the same command goes on until it is done; then all bytes must be the same. Work
files are made for small slices too, so that there is something to go on with. Ends with status 1 if a byte differs.
"""

import argparse
import json
import platform
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

BUILD: Final = """\
import sys
from dame_fast.build import plan, room
for module in (plan, room):
    module.WORK_LEAST = module.RESUME_LEAST = 1 << 16
from dame_fast.__main__ import main
main()
"""
"""The program, with work files for small slices."""


def start(directory: Path, options: list[str]) -> subprocess.Popen[bytes]:
    """Start a build."""
    command = [sys.executable, "-P", "-c", BUILD, "build", "--out", str(directory), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(directory: Path, options: list[str]) -> str:
    """Build until it is done, and return what the program said."""
    with start(directory, options) as process:
        _, said = process.communicate()
    if process.returncode != 0:
        sys.exit(f"the build of {directory} has failed: {said.decode()}")
    return said.decode()


def kill_after(directory: Path, options: list[str], seconds: float) -> str | None:
    """Start a build and kill it; return what it was in the middle of, None if it was done before."""
    with start(directory, options) as process:
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    return stage_of(directory) if process.returncode < 0 else None


def stage_of(directory: Path) -> str:
    """Tell from what it has left what a killed build was doing."""
    if not directory.is_dir() or not any(directory.iterdir()):
        return "starting"
    if any(directory.glob(".*.partial")):
        return "writing"
    work = directory / "work"
    return "solving" if work.is_dir() and any(work.iterdir()) else "between"


def contents(directory: Path) -> dict[str, bytes]:
    """Return every file; a folder that is left is one that should not be there."""
    return {path.name: b"" if path.is_dir() else path.read_bytes() for path in directory.iterdir()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=float, help="GiB that a build may use, so that values live in work files")
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    options = ["--pieces", str(arguments.pieces)]
    if arguments.memory is not None:
        options += ["--memory", str(arguments.memory)]

    stages: Counter[str] = Counter()
    builds = different = damaged = 0
    with TemporaryDirectory() as folder:
        begin = perf_counter()
        finish(Path(folder) / "undisturbed", options)
        whole = perf_counter() - begin
        right = contents(Path(folder) / "undisturbed")
        while stages.total() < arguments.kills:
            directory = Path(folder) / str(builds)
            stage = kill_after(directory, options, draw.uniform(0, whole))
            if stage is not None:  # a build that was done before its time was not killed
                stages[stage] += 1
            if stage is None or draw.random() < 0.5 or stages.total() == arguments.kills:
                damaged += finish(directory, options).count("made again")
                different += contents(directory) != right
                builds += 1
    print(
        json.dumps(
            {
                "check": "interruptions",
                "pieces": arguments.pieces,
                "memory": arguments.memory,
                "seed": arguments.seed,
                "kills": arguments.kills,
                "stages": dict(sorted(stages.items())),
                "builds": builds,
                "different": different,
                "damaged": damaged,
                "seconds_undisturbed": round(whole, 3),
                "machine": platform.machine(),
                "python": platform.python_version(),
            }
        )
    )
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
