"""How the values of a slice pair are cut: nothing is left out, and nothing is there twice."""

import pytest

from dame_fast.build.cluster import units as units_module
from dame_fast.build.cluster.units import Steps, Units, part_names, steps_of, whole_of
from dame_fast.build.plan import Pair, make_plan
from dame_fast.tables.material import Material

PAIRS = make_plan(pieces=6, threads=1).pairs


def cut(pair: Pair, metric: str, most: int, monkeypatch: pytest.MonkeyPatch) -> Steps:
    """The steps of a pair if a part may have so many values."""
    monkeypatch.setattr(units_module, "PART_VALUES", most)
    monkeypatch.setattr(units_module, "PARTS_MOST", 1 << 40)
    return steps_of("english", pair.material, metric)


@pytest.mark.parametrize("metric", ["wdl", "dtz"])
def test_every_unit_is_in_one_part(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One part begins where the one before ends, and all values together are those of the pair."""
    assert len(PAIRS) == 82
    for pair in PAIRS:
        for most in (1, 1000, 100_000, 1 << 28):
            at = values = 0
            for units in (units for step in cut(pair, metric, most, monkeypatch) for units in step):
                assert units.first == at
                assert units.count > 0
                assert units.values > 0
                at += units.count
                values += units.values
            assert values == pair.values, (pair.material.name, most)


def test_a_small_pair_is_one_part() -> None:
    for pair in PAIRS:
        steps = steps_of("english", pair.material, "wdl")
        assert steps == ((whole_of(steps),),) or pair.values > units_module.PART_VALUES


def test_a_large_pair_is_cut_into_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels of their own are steps; a level that has too many values is several parts of one step."""
    pair = next(pair for pair in PAIRS if pair.material == Material.parse("KMMvKM"))
    steps = cut(pair, "wdl", pair.values // 4, monkeypatch)
    assert [len(step) for step in steps] == [1] * len(steps)
    assert 4 < len(steps) < 10
    assert all(units.values <= pair.values // 4 for step in steps for units in step)
    small = cut(pair, "wdl", pair.values // 100, monkeypatch)
    assert len(small) > len(steps)
    assert max(len(step) for step in small) > 1


def test_no_unit_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """MMvMM is one unit for win, draw and loss, whatever a part may have."""
    pair = next(pair for pair in PAIRS if pair.material == Material.parse("MMvMM"))
    assert cut(pair, "wdl", 1, monkeypatch) == ((Units(0, 1, 142_884),),)


def test_the_largest_pairs_have_larger_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "PART_VALUES", 1)
    monkeypatch.setattr(units_module, "PARTS_MOST", 8)
    pair = next(pair for pair in PAIRS if pair.material == Material.parse("KMMvKM"))
    steps = steps_of("english", pair.material, "wdl")
    assert 8 <= sum(len(step) for step in steps) <= 24
    assert whole_of(steps).values == pair.values


def test_names_of_parts() -> None:
    pairs = {pair.material.name: pair for pair in PAIRS}
    assert part_names(pairs["KvK"], Units(0, 1, 1024)) == ["KvK.0+1.values"]
    assert part_names(pairs["KKvM"], Units(3, 12, 5)) == ["KKvM.3+12.values", "MvKK.3+12.values"]
