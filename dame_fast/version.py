"""The version of the package. It stands here and nowhere else: `pyproject.toml` and `CMakeLists.txt` read this file."""

from typing import Final

__version__: Final = "0.1.0"
