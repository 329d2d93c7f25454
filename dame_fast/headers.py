"""Where the header of the C library for engines is."""

from pathlib import Path


def get_include() -> str:
    """Return the directory that holds `dame.h`, for compilers.

    The header and `dame_fast/dame.pxd` (for Cython) come with the package; the library itself is built with CMake
    (docs/c_library.md).

    >>> import os
    >>> os.listdir(get_include())
    ['dame.h']
    """
    return str(Path(__file__).parent / "include")
