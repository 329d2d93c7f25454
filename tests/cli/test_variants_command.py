"""`variants`."""

import json
from dataclasses import asdict

from small_tables import Command

from dame_fast import variants


def test_table(command: Command) -> None:
    status, out, err = command("variants")
    heading, line, *rows = out.splitlines()
    assert (status, err) == (0, "")
    assert " ".join(heading.split()) == "variant GameType board men first notation 1 is what it is"
    assert set(line) == {" ", "\u2500"}
    assert [row.split()[0] for row in rows] == list(variants())
    for row, rules in zip(rows, variants().values(), strict=True):
        assert row.endswith(f" {rules.about}")
        assert (rules.game_type or "  ") in row
        assert (" bottom right " in row) == (rules.id in ("spanish", "portuguese", "thai"))


def test_json(command: Command) -> None:
    status, out, err = command("variants", "--json")
    assert (status, out.count("\n"), err) == (0, 1, "")
    listed = json.loads(out)
    assert [facts["id"] for facts in listed] == list(variants())
    for facts, rules in zip(listed, variants().values(), strict=True):
        derived = {name: facts.pop(name) for name in ("first", "board", "numbering")}
        assert facts == asdict(rules)
        assert derived == {name: getattr(rules, name) for name in derived}


def test_no_arguments(command: Command) -> None:
    status, out, err = command("variants", "english")
    assert (status, out) == (2, "")
    assert err == "dame-fast: Got unexpected extra argument (english) (see dame-fast variants --help)\n"
