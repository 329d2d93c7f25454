"""Draws the arrows of tests/layers.toml into docs/design.md.

Run it after a change of the arrows and commit the result; tests/test_layers.py compares.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
DESIGN: Final = ROOT / "docs" / "design.md"
RULES: Final[dict[str, Any]] = tomllib.loads((ROOT / "tests" / "layers.toml").read_text())


def draw(section: str) -> str:
    """Return the arrows of "src" or "python" as a table, each with its reason."""
    rows = (
        f"| {layer} | {'; '.join(f'**{target}**: {reason}' for target, reason in targets.items()) or 'nothing'} |\n"
        for layer, targets in RULES[section].items()
    )
    table = "| part | may know |\n|---|---|\n" + "".join(rows)
    return table.replace("dame_fast.", "") if section == "python" else table


def drawn(text: str) -> str:
    """Return a document with its tables of arrows as the rules have them now."""
    for section in ("src", "python"):
        start, end = f"<!-- arrows of {section}, made by tests/draw_layers.py -->\n", "<!-- end -->\n"
        assert text.count(start) == 1, f"{DESIGN}: no place for the arrows of {section}"
        before, _, rest = text.partition(start)
        text = before + start + draw(section) + end + rest.partition(end)[2]
    return text


if __name__ == "__main__":
    DESIGN.write_text(drawn(DESIGN.read_text()))
