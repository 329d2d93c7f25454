"""Draws `dame_fast/__init__.pyi`: what type checkers read in place of names that are imported when they are used.

Run it after a change of the names in `dame_fast/__init__.py` and commit the result; tests/test_face.py compares.
"""

import ast
from pathlib import Path
from typing import Final

FACE: Final = Path(__file__).resolve().parent.parent / "dame_fast" / "__init__.py"
STUB: Final = FACE.with_suffix(".pyi")


def names_of() -> dict[str, tuple[str, ...]]:
    """Return the names that each module gives to the face."""
    for node in ast.parse(FACE.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_NAMES_OF":
            found: dict[str, tuple[str, ...]] = ast.literal_eval(node.value)
            return found
    raise AssertionError(f"{FACE}: no _NAMES_OF")


def draw() -> str:
    """Return the stub: one import for each name."""
    imports = (f"from {home} import {name} as {name}\n" for home, names in names_of().items() for name in names)
    return "# Made by tests/draw_face.py.\n" + "".join(imports) + "\n__all__: list[str]\n"


if __name__ == "__main__":
    STUB.write_text(draw())
