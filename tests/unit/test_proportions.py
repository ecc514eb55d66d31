import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.stats import clustered_wilson, wilson


@pytest.mark.parametrize(
    ("part", "total", "lower", "upper"),
    [
        (0, 4, 0.0, 0.4898907),
        (4, 4, 0.5101093, 1.0),
        (5, 10, 0.2365931, 0.7634069),
        (1, 100, 0.0017674, 0.0544862),
    ],
)
def test_known_intervals(part, total, lower, upper):
    interval = wilson(part, total)
    assert interval.lower == pytest.approx(lower, abs=1e-6)
    assert interval.upper == pytest.approx(upper, abs=1e-6)
    assert interval.method == "wilson"


def test_no_trial_has_no_interval():
    assert wilson(0, 0) is None
    assert clustered_wilson([]) is None
    assert clustered_wilson([(0, 0), (0, 0)]) is None


def test_clusters_of_one_are_trials():
    clusters = [(int(n < 30), 1) for n in range(100)]
    plain, clustered = wilson(30, 100), clustered_wilson(clusters)
    assert clustered.lower == pytest.approx(plain.lower, abs=2e-3)
    assert clustered.upper == pytest.approx(plain.upper, abs=2e-3)


def test_trials_that_are_alike_within_a_cluster_are_worth_one():
    alike = clustered_wilson([(5 * (n % 2), 5) for n in range(40)])
    single = wilson(20, 40)
    assert alike.lower == pytest.approx(single.lower, abs=5e-3)
    assert alike.upper == pytest.approx(single.upper, abs=5e-3)


def test_the_same_share_everywhere_is_as_sure_as_independent_trials():
    assert clustered_wilson([(1, 2)] * 30).lower == pytest.approx(wilson(30, 60).lower)


@given(
    st.lists(
        st.integers(0, 6).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))),
        min_size=1,
    )
)
def test_an_interval_holds_the_share(clusters):
    interval = clustered_wilson(clusters)
    total = sum(total for _, total in clusters)
    if not total:
        assert interval is None
        return
    share = sum(part for part, _ in clusters) / total
    assert 0 <= interval.lower <= share + 1e-12
    assert share - 1e-12 <= interval.upper <= 1


def test_it_covers_the_truth_as_often_as_it_says():
    chance = random.Random(7)
    covered = 0
    for _ in range(1000):
        clusters = []
        for _ in range(40):
            p = chance.betavariate(1.5, 3.5)  # questions of an item fare alike
            clusters.append((sum(chance.random() < p for _ in range(4)), 4))
        interval = clustered_wilson(clusters)
        covered += interval.lower <= 0.3 <= interval.upper
    assert 925 <= covered <= 980
