"""Make the tables that ship with the package: `python tools/make_databases.py` (about half a minute).

Builds into a fresh directory beside `databases/` and exchanges the two when everything has been verified.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from dame_fast.build.builder import build
from dame_fast.tables.sums import SUMS
from dame_fast.tables.verification import EVERY_VALUE, verify_directory

ROOT = Path(__file__).resolve().parent.parent
VARIANT = "english"
PIECES = 5
DISTANCE_PIECES = 4  # distances of 5 pieces alone would be 42 MB


def main() -> None:
    target = ROOT / "databases" / VARIANT
    target.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as fresh:
        tables = Path(fresh) / VARIANT
        build(tables, variant=VARIANT, pieces=PIECES)
        build(tables, variant=VARIANT, pieces=DISTANCE_PIECES, metric="dtw")
        verify_directory(tables, extent=EVERY_VALUE)
        (tables / SUMS).unlink()  # the manifest has the same digests, and the wheel has its own
        if target.exists():
            statistics = target / "statistics"  # of larger tables than ship
            if statistics.exists():
                shutil.copytree(statistics, tables / "statistics")
            shutil.rmtree(target)
        tables.rename(target)
    sizes = [path.stat().st_size for path in target.iterdir() if path.is_file()]
    print(f"{target}: {len(sizes)} files, {sum(sizes):,} bytes")


if __name__ == "__main__":
    main()
