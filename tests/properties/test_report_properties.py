"""What holds for every run."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.run_strategies import EXPECTED, HEADER, QUESTIONS, runs

from minos.decisions.dataset import DecisionDataset
from minos.decisions.records import ItemError, ItemResult
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults
from minos.errors import DecisionErrorKind


def dataset_for(items: list[ItemResult]) -> DecisionDataset:
    lines = [
        json.dumps({"id": i.id, "state": "", "questions": QUESTIONS, "expected": EXPECTED})
        for i in items
    ]
    return DecisionDataset.parse("\n".join(lines)).unwrap()


def report(items: list[ItemResult]) -> CalibrationReport:
    results = EvaluationResults(HEADER, items)
    return CalibrationReport.create(results, dataset_for(items)).unwrap()


def slices(made: CalibrationReport):
    return [made.overall, *made.kinds.values(), *(each.metrics for each in made.questions)]


@given(runs, st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(items, rng):
    shuffled = items[:]
    rng.shuffle(shuffled)
    assert report(items).to_json() == report(shuffled).to_json()


@given(runs)
def test_an_abstention_changes_only_the_coverage(items):
    before = report(items).overall
    error = ItemError(kind=DecisionErrorKind.SERVER, message="")
    after = report([*items, ItemResult(id="late", error=error)]).overall
    assert (after.scored, after.abstained) == (before.scored + 3, before.abstained + 3)
    for name in (
        "answered",
        "correct",
        "accuracy",
        "base_rate",
        "lift",
        "ece",
        "ece_equal_width",
        "signed_bias",
        "bins",
        "bins_equal_width",
        "top_probability",
        "irregular",
        "without_confidence",
    ):
        assert getattr(after, name) == getattr(before, name)
    for one, other in zip(before.sweep, after.sweep, strict=True):
        assert (one.covered, one.correct, one.accuracy) == (
            other.covered,
            other.correct,
            other.accuracy,
        )


@given(runs)
def test_figures_agree_with_one_another(items):
    for each in slices(report(items)):
        assert each.scored == each.answered + each.abstained
        assert each.correct <= each.answered
        if each.ece is not None and each.signed_bias is not None:
            assert each.ece >= abs(each.signed_bias) - 1e-12
            assert each.ece_equal_width is not None
            assert each.ece_equal_width >= abs(each.signed_bias) - 1e-12
        if each.bins:
            confident = each.answered - each.without_confidence
            assert sum(b.count for b in each.bins) == confident
            assert sum(b.count for b in each.bins_equal_width) == confident
            assert all(b.lower <= b.upper for b in each.bins)
        coverages = [point.covered for point in each.sweep]
        assert coverages == sorted(coverages, reverse=True)


@given(runs)
def test_every_answer_twice_changes_no_rate(items):
    once = report(items).overall
    twice = report([*items, *(replace(i, id=f"{i.id}-again") for i in items)]).overall
    for name in ("accuracy", "base_rate", "lift", "ece", "ece_equal_width", "signed_bias"):
        one, other = getattr(once, name), getattr(twice, name)
        assert (one is None) == (other is None)
        assert one is None or abs(one - other) < 1e-12
    assert [p.coverage for p in once.sweep] == [p.coverage for p in twice.sweep]
