"""The estimate of time: from some measurements to all pairs."""

from time import perf_counter

import pytest

from dame_fast.build.builder import build
from dame_fast.build.estimate import Rate, estimate_seconds
from dame_fast.build.plan import Pair, make_plan

PAIRS = sorted(make_plan(pieces=4).pairs, key=lambda pair: pair.positions)
LARGE = PAIRS[-1]
SMALL = max((pair for pair in PAIRS if 8 * pair.positions <= LARGE.positions), key=lambda pair: pair.positions)


def test_a_line_through_two_measurements() -> None:
    def seconds(pair: Pair) -> float:
        return 0.5 + 2e-6 * pair.positions

    rate = Rate.of({SMALL: seconds(SMALL), LARGE: seconds(LARGE)})
    for positions in (SMALL.positions, LARGE.positions, 10 * LARGE.positions):
        assert rate.seconds(positions) == pytest.approx(0.5 + 2e-6 * positions)
    assert rate.seconds(SMALL.positions // 2) == pytest.approx(seconds(SMALL) / 2)


@pytest.mark.parametrize("small", [0.0, 1.0, 5.0])
def test_no_measurement_leads_far_astray(small: float) -> None:
    rate = Rate.of({SMALL: small, LARGE: 1.0})
    assert rate.seconds(LARGE.positions) == pytest.approx(1.0)
    assert 500 <= rate.seconds(1000 * LARGE.positions) <= 1000


def test_one_pair_is_enough() -> None:
    rate = Rate.of({LARGE: 1.0})
    assert rate.seconds(3 * LARGE.positions) == pytest.approx(3.0)


@pytest.mark.parametrize(("variant", "metric"), [("english", "wdl"), ("english", "dtw"), ("russian", "dtz")])
def test_it_is_an_estimate(tmp_path_factory: pytest.TempPathFactory, variant: str, metric: str) -> None:
    """Other programs may have the processors while it is built, so it may well take longer."""
    start = perf_counter()
    build(tmp_path_factory.mktemp("tables"), pieces=4, variant=variant, metric=metric)
    seconds = perf_counter() - start
    assert seconds / 20 < estimate_seconds(make_plan(variant, 4, metric=metric)) < 5 * seconds
