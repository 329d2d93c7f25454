"""The examples in docstrings and in the rule book run, in the package that is installed (pytest runs README.md's).

Documents name what is there: their links lead somewhere, and so does the walk through the code.
"""

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import dame_fast
from dame_fast import Board

ROOT = Path(__file__).resolve().parent.parent
MODULES = ["dame_fast", *(one.name for one in pkgutil.walk_packages(dame_fast.__path__, "dame_fast."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_of_the_rule_book() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "rules.md"), module_relative=False, encoding="utf-8")
    assert result.attempted >= 30
    assert result.failed == 0


def test_every_source_file_is_installed() -> None:
    source = ROOT / "dame_fast"
    names = {
        ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(".__init__")
        for path in source.rglob("*.py*")
        if path.suffix in (".py", ".pyx")
    }
    assert names == set(MODULES)


DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        ROOT / "src/tables/FORMAT.md",
        ROOT / "src/planes/WORK.md",
        ROOT / "tests/data/README.md",
    ]
)


def anchors(document: Path) -> set[str]:
    """The names of the headings of a document, as links have them."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_design_names_files_that_are_there() -> None:
    """From the root on, or from src/ or dame_fast/."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+(?:/\w+)+\.(?:c|h|py|pxi|toml))`", text))
    assert len(named) >= 30
    assert [
        one for one in sorted(named) if not any((ROOT / root / one).exists() for root in ("", "src", "dame_fast"))
    ] == []


def test_the_walk_through_the_code() -> None:
    """Each file is there, and holds the names that are said to be in it."""
    design = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    walk = design.partition("## 8. From a question to the bytes")[2].partition("\n## ")[0]
    steps = re.findall(r"^\| (\d+) \| `(.*?)` \| (.*) \|$", walk, re.MULTILINE)
    assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert 15 <= len(steps) <= 20
    for _, file, what in steps:
        source = (ROOT / file).read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", what):
            assert re.search(rf"\b{name}\b", source), (file, name)


GAMES = re.findall(r"```pdn\n(.*?)```", (ROOT / "docs" / "longest_wins.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.splitlines()[0])
def test_lines_of_the_longest_wins(game: str) -> None:
    """They can be played, are as long as they say, and are right as far as the shipped tables can tell."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.MULTILINE))
    moves = re.findall(r"\b\d+(?:[-x]\d+)+\b", game.rpartition("]")[2])
    material, plies = tags["Event"].split(", ")
    board = Board(tags["FEN"])
    assert (len(moves), len(board.pieces)) == (int(plies.split()[0]), len(material) - 1)
    looked_up = set()
    with dame_fast.open_tablebase() as tables:
        for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
            wins = left % 2 == 1
            if len(board.pieces) <= tables.largest:
                assert tables.probe_wdl(board) == (1 if wins else -1)
                looked_up.add("wdl")
            if len(board.pieces) <= 4:
                assert tables.probe_dtw(board) == (left if wins else -left)
                looked_up.add("dtw")
            board.push_pdn(move)
    assert looked_up == {"wdl", "dtw"}
    assert board.is_game_over()


def test_the_games_are_there() -> None:
    assert len(GAMES) == 4
