"""Make the tables that ship with the package: `python tools/make_databases.py` (about ten seconds).

Builds into a fresh directory beside `databases/` and exchanges the two when everything has been verified.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from dame_fast.build import build
from dame_fast.cli import run

ROOT = Path(__file__).resolve().parent.parent
VARIANT = "english"
PIECES = 5


def main() -> None:
    target = ROOT / "databases" / VARIANT
    target.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=target.parent) as fresh:
        tables = Path(fresh) / VARIANT
        result = build(tables, variant=VARIANT, pieces=PIECES)
        verify(tables)
        if target.exists():
            shutil.rmtree(target)
        tables.rename(target)
    print(f"{target}: {len(result.plan.slices)} slices, {result.bytes:,} bytes")


def verify(tables: Path) -> None:
    """Check every value against its successors; ends the program if one is wrong."""
    status = run(["verify", str(tables), "--full"])
    if status != 0:
        sys.exit(status)


if __name__ == "__main__":
    main()
