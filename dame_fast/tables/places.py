"""Where tables are looked for: in the directories that somebody names, in those of `DAME_TABLES`, in the package.

`DAME_TABLES` is a variable of the environment: directories, separated as those of `PATH` are. It counts where no
directory is named. Each of them holds tables, or a directory of tables for each rule set, called `english`, `russian`
and so on, as the package has them. Tables of other rule sets are left alone. If `DAME_TABLES` has none of the rule set,
those of the package are taken.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dame_fast.arguments import check_path
from dame_fast.errors import ArgumentError, MissingTableError, shown
from dame_fast.rules.rules import Rules
from dame_fast.tables.files import list_files, read_header

SHIPPED: Final = Path(__file__).parent.parent / "databases"
"""Where the tables are that come with the package, one directory for each rule set."""

VARIABLE: Final = "DAME_TABLES"

Directories = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def find_directories(named: Directories | None, rules: Rules) -> tuple[Path, ...]:
    """Return the directories with the tables of a rule set; None: nobody has named any.

    Raises `ArgumentError` for what is no name of a directory, `MissingTableError` if there are no such tables, or for a
    directory in `DAME_TABLES` that is not there.

    >>> from dame_fast.rules.find import find_rules
    >>> [path.name for path in find_directories(["tables", "more"], find_rules("english"))]
    ['tables', 'more']
    """
    if named is not None:
        return check_directories(named)
    listed = [check_path("directory", name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    found = tuple(place for directory in listed if (place := _place_for(directory, rules)) is not None)
    if found:
        return found
    if (SHIPPED / rules.id).is_dir():
        return (SHIPPED / rules.id,)
    where = f"are in {VARIABLE} ({write_places(listed)}), and none " if listed else ""
    raise MissingTableError(
        f"no tables of {rules.id} {where}come with the package: build some, and name their directory"
    )


def write_places(directories: Sequence[Path]) -> str:
    r"""Return directories as a message has them, which is one line.

    >>> write_places([Path("/a"), Path("b\nc")])
    "/a, 'b\\nc'"
    """
    return ", ".join(name if name.isprintable() else shown(name) for name in map(str, directories))


def check_directories(named: Directories) -> tuple[Path, ...]:
    """Return the paths of one or more directories.

    Raises `ArgumentError` for what is no name of a directory, and if there is none.

    >>> [path.name for path in check_directories("tables")], [path.name for path in check_directories(["a", "b"])]
    (['tables'], ['a', 'b'])
    """
    if isinstance(named, str | os.PathLike):
        return (check_path("directory", named),)
    if not isinstance(named, Sequence) or isinstance(named, bytes):
        raise ArgumentError(f"not the name of a directory: {shown(named)}")
    if not named:
        raise ArgumentError("no directory is named")
    return tuple(check_path("directory", name) for name in named)


def _place_for(directory: Path, rules: Rules) -> Path | None:
    """Return where a directory of `DAME_TABLES` has tables of a rule set, None if it has none."""
    try:
        place = directory / rules.id if (directory / rules.id).is_dir() else directory
        files = list_files(place)
    except (ArgumentError, MissingTableError) as error:
        raise type(error)(f"{VARIABLE}: {error}") from None
    return place if files and read_header(files[0])["variant"] == rules.id else None
