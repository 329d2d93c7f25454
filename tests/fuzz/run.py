"""Run every fuzz target for some time: run.py SECONDS [TARGET ...].

The targets in C are built with clang and libFuzzer, those in Python need atheris and the installed package. Each
starts with its folder in corpus/, which stays as it is. One line is printed for each target; exit status 1 if one of
them found something, and then the input that shows it is kept.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
IN_C = ("fuzz_table", "fuzz_coder", "fuzz_pack", "fuzz_work")
IN_PYTHON = ("fuzz_fen", "fuzz_manifest")

LONGEST_INPUT = 4096
SLOWEST_INPUT = 30
"""Seconds that one input may take."""


class Outcome(NamedTuple):
    """What became of one target."""

    line: str
    log: str
    """What the target printed, if it found something."""


def build_targets(folder: Path, compiler: str) -> None:
    """Build the targets in C; ends the program if that is not possible."""
    options = [
        "-DDAME_FUZZ=ON",
        "-DDAME_C_LIBRARY=OFF",
        "-DDAME_INSTRUCTION_SETS=base",
        f"-DCMAKE_C_COMPILER={compiler}",
    ]
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", *options],
        ["cmake", "--build", str(folder), "--target", *IN_C],
    ):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout)


def run_target(target: str, seconds: int, folder: Path, findings: Path) -> Outcome:
    """Run one target, which may find at most one thing."""
    if target in IN_C:
        program = [str(folder / "tests" / "fuzz" / target)]
    else:
        program = [sys.executable, str(HERE / "fuzz_python.py"), target]
    with TemporaryDirectory() as found, TemporaryDirectory() as scratch:
        options = (
            f"-max_total_time={seconds}",
            f"-max_len={LONGEST_INPUT}",
            f"-timeout={SLOWEST_INPUT}",
            f"-artifact_prefix={findings}/{target}_",
            "-print_final_stats=1",
        )
        command = [*program, *options, found, str(HERE / "corpus" / target)]
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "TMPDIR": scratch},  # libFuzzer ends a program before it can tidy up
        )
    kept = sorted(findings.glob(f"{target}_*"))
    if done.returncode != 0 or kept:
        where = ", ".join(str(path) for path in kept) or "no input was kept"
        return Outcome(f"{target}: FOUND: {where}", done.stdout)
    executions = re.search(r"stat::number_of_executed_units: (\d+)|Done (\d+) runs", done.stdout)
    count = int(executions[1] or executions[2]) if executions else 0
    covered = re.findall(r"cov: (\d+) ft: (\d+)", done.stdout) or [("0", "0")]
    edges, features = covered[-1]
    return Outcome(f"{target}: {count:,} executions, {edges} edges, {features} features", "")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=int, help="for each target")
    parser.add_argument("targets", nargs="*", default=[*IN_C, *IN_PYTHON], metavar="TARGET", help="default: all")
    parser.add_argument("--jobs", type=int, default=2, help="targets at a time")
    parser.add_argument("--compiler", default="clang")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.targets) - {*IN_C, *IN_PYTHON}
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    findings = Path(mkdtemp(prefix="dame_findings_"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        if set(chosen.targets) & set(IN_C):
            build_targets(folder, chosen.compiler)
        with ThreadPoolExecutor(chosen.jobs) as pool:
            outcomes = pool.map(lambda target: run_target(target, chosen.seconds, folder, findings), chosen.targets)
            failed = False
            for outcome in outcomes:
                print(outcome.line, flush=True)
                if outcome.log:
                    failed = True
                    print(outcome.log[-4000:])
    if not any(findings.iterdir()):
        findings.rmdir()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
