"""A disk that is soon full."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def small_disk_at(path: Path, size: str) -> Iterator[Path]:
    """Mount a file system of so many bytes ("256k"), where that is allowed; elsewhere the plain directory."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, check=False, capture_output=True).returncode == 0
    try:
        yield path
    finally:
        if mounted:  # lazily: a test that failed holds files open while it is shown
            subprocess.run(["umount", "--lazy", str(path)], check=True)
