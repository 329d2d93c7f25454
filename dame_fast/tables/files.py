"""The table files of a directory: their names, and those that belong together.

    KKMvKM.wdl          material, the side to move first, and metric (dame_fast.tables.metric)
    KKMvKM.n40.wdl      the same for a draw after 40 plies without capture and man move
    KKMvKM.c100.wdl     the same for a draw after 100 plies without a capture

A directory may hold tables without a draw rule and tables for several draw rules. Only those of one rule are opened
together.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import dame_fast._native as _native
from dame_fast.arguments import check_text
from dame_fast.errors import ArgumentError, CorruptTableError, MissingTableError, VariantError, quote
from dame_fast.rules.draw_rule import DRAW_COUNTERS, DrawRule, rule_order
from dame_fast.tables.material import Material
from dame_fast.tables.metric import METRICS

_COUNTER_OF_LETTER: Final = {page["letter"]: counter for counter, page in DRAW_COUNTERS.items()}
_PLIES = rf"(?P<counter>[{''.join(_COUNTER_OF_LETTER)}])(?P<plies>[1-9][0-9]{{0,4}})"
_NAME = re.compile(rf"(?P<material>[KMv]+)(\.{_PLIES})?\.(?P<metric>{'|'.join(METRICS)})")
_RULE = re.compile(rf"\.{_PLIES}\.[a-z]+")


class TableName(NamedTuple):
    """What the name of a table file says.

    >>> str(TableName(Material.parse("KKvK"), "wdl", DrawRule("draw_plies", 40))), TableName.parse("KvK.dtw").metric
    ('KKvK.n40.wdl', 'dtw')
    """

    material: Material
    metric: str
    draw_rule: DrawRule | None = None

    def __str__(self) -> str:
        """Return the name of the file."""
        rule = "" if self.draw_rule is None else self.draw_rule.suffix
        return f"{self.material.name}{rule}.{self.metric}"

    @classmethod
    def parse(cls, name: str) -> "TableName":
        """Read the name of a table file; `ArgumentError` for any other name."""
        found = _NAME.fullmatch(check_text("the name of a table", name))
        if found is None:
            raise ArgumentError(f"not the name of a table: {quote(name)}")
        return cls(Material.parse(found["material"]), found["metric"], _rule_in(found))

    @classmethod
    def find(cls, name: str) -> "TableName | None":
        """Read the name of a file; None if it is not that of a table."""
        try:
            return cls.parse(name)
        except ArgumentError:
            return None

    @classmethod
    def of(cls, header: "_native.Header") -> "TableName":
        """Return the name of the file that has this header."""
        return cls(Material(*header["material"]), header["metric"], DrawRule.among(header))

    def order(self) -> tuple[object, ...]:
        """Sort tables: by slice, those it needs first; without a draw rule first; then by metric."""
        return *self.material.order(), *rule_order(self.draw_rule), METRICS[self.metric].code


def file_name(header: "_native.Header") -> str:
    """Return the name of the file that has this header."""
    return str(TableName.of(header))


def check_name(path: Path, header: "_native.Header") -> None:
    """Raise `CorruptTableError` if a file holds another table than its name says."""
    if path.name != file_name(header):
        raise CorruptTableError(f"{path}: holds {file_name(header)}")


def rule_of(path: Path) -> DrawRule | None:
    """Return the draw rule in the name of a table file, None if there is none.

    >>> rule_of(Path("KKvK.n40.wdl")), rule_of(Path("KKvK.wdl"))
    (DrawRule(counter='draw_plies', plies=40), None)
    """
    found = _RULE.search(path.name)
    return None if found is None else _rule_in(found)


def table_files(directory: Path) -> list[Path]:
    """Return the table files of a directory, of every metric and draw rule, sorted by name.

    Raises `MissingTableError` if there are none or no such directory, `ArgumentError` if it is something
    else.
    """
    found = list_files(directory)
    if not found:
        raise MissingTableError(f"no tables in the directory {str(directory)!r}")
    return found


def list_files(directory: Path) -> list[Path]:
    """Return what `table_files` does; nothing if there are no tables."""
    if not directory.exists():
        raise MissingTableError(f"no tables: there is no directory {str(directory)!r}")
    if not directory.is_dir():
        raise ArgumentError(f"not a directory: {str(directory)!r}")
    endings = {f".{metric}" for metric in METRICS}
    return sorted(path for path in directory.iterdir() if path.suffix in endings and not path.name.startswith("."))


def choose_files(directories: Sequence[Path], variant: str, rule: DrawRule | None) -> list[Path]:
    """Return the table files of one draw rule (None: those without one) in some directories, each sorted by name.

    Raises what `list_files` and `read_header` do, `MissingTableError` if there are none or all are of other draw rules
    (it names them), `CorruptTableError` for a file of another rule or metric than its name says.
    """
    every = [path for directory in directories for path in list_files(directory)]
    chosen = [path for path in every if rule_of(path) == rule]
    if not chosen:
        where = "the directory" if len(directories) == 1 else "the directories"
        names = ", ".join(repr(str(directory)) for directory in directories)
        if not every:
            raise MissingTableError(f"no tables in {where} {names}")
        known = _list_rules({rule_of(path) for path in every})
        raise MissingTableError(f"no tables {_rule_text(rule)} in {where} {names} (there are some {known})")
    for path in chosen:
        header = read_header(path, variant)
        if DrawRule.among(header) != rule:
            raise CorruptTableError(f"{path}: holds a table {_rule_text(DrawRule.among(header))}")
        if path.suffix != f".{header['metric']}":
            raise CorruptTableError(f"{path}: holds a table of the metric {header['metric']}")
    return chosen


def read_header(path: Path, variant: str | None = None) -> "_native.Header":
    """Return the header of a table file.

    Raises `VariantError` if it belongs to another rule set than `variant` (None: any will do),
    `CorruptTableError` or `OSError` if it cannot be read.
    """
    header = _native.peek(str(path))
    if variant is not None and header["variant"] != variant:
        raise VariantError(f"{path}: a table of {header['variant']}, not of {variant}")
    return header


def _rule_in(found: re.Match[str]) -> DrawRule | None:
    return None if found["counter"] is None else DrawRule(_COUNTER_OF_LETTER[found["counter"]], int(found["plies"]))


def _rule_text(rule: DrawRule | None) -> str:
    return "without a draw rule" if rule is None else f"for a draw after {rule}"


def _list_rules(rules: Iterable[DrawRule | None]) -> str:
    """Name draw rules, none first.

    >>> _list_rules([DrawRule("draw_plies", 80), None])
    'without a draw rule, for a draw after 80 plies without capture and man move'
    """
    return ", ".join(_rule_text(rule) for rule in sorted(rules, key=rule_order))
