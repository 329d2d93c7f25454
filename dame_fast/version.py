"""The version of the package. It stands here and nowhere else: `pyproject.toml` and `CMakeLists.txt` read this file."""

__version__ = "0.1.0"
