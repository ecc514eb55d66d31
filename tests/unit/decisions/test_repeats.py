import json
from datetime import UTC, datetime
from itertools import combinations
from math import sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minos.answers import AnswerRecord
from minos.decisions.records import ItemError, ItemResult, RunHeader
from minos.decisions.repeats import FlipRate, RepeatReport
from minos.decisions.results import EvaluationResults
from minos.errors import DecisionErrorKind
from minos.questions import QuestionKind

HEADER = RunHeader(
    dataset="d", provider="p", model="m", started_at=datetime(2026, 11, 30, tzinfo=UTC)
)
FAILED = ItemError(kind=DecisionErrorKind.SERVER, message="no")


def results(*items):
    """Results whose items have the given answers; None is a failed item."""
    return EvaluationResults(
        HEADER,
        [
            ItemResult(id=f"i{n}", error=FAILED)
            if answers is None
            else ItemResult(id=f"i{n}", answers=answers)
            for n, answers in enumerate(items)
        ],
    )


def noul(probability):
    return {"q": AnswerRecord.noul(probability)}


def test_what_changed_is_counted_by_question_kind_and_item():
    first = {"t": AnswerRecord.choice("a"), "u": AnswerRecord.noul(0.9), "m": AnswerRecord.score(1)}
    second = {
        "t": AnswerRecord.choice("b"),
        "u": AnswerRecord.noul(0.6),
        "m": AnswerRecord.score(2),
    }
    report = RepeatReport([results(first, first), results(second, first)])
    assert (report.repeats, report.items, report.changed_items) == (2, 2, 1)
    assert report.overall == FlipRate(compared=6, changed=2, pairs=6, flips=2)
    assert list(report.kinds) == [QuestionKind.NOUL, QuestionKind.CHOICE, QuestionKind.SCORE]
    assert report.kinds[QuestionKind.NOUL] == FlipRate(compared=2, changed=0, pairs=2, flips=0)
    assert report.questions[QuestionKind.CHOICE, "t"].rate == 0.5
    assert report.questions[QuestionKind.SCORE, "m"].rate == 0.5
    assert report.changed_share == 0.5


def test_only_the_answer_counts_not_how_sure_it_is():
    report = RepeatReport([results(noul(0.51)), results(noul(0.99)), results(noul(0.5))])
    assert report.overall.flips == 0


def test_three_repeats_are_three_pairs():
    report = RepeatReport([results(noul(0.9)), results(noul(0.1)), results(noul(0.9))])
    assert report.overall == FlipRate(compared=1, changed=1, pairs=3, flips=2)


def test_what_was_not_answered_is_not_compared():
    report = RepeatReport([results(noul(0.9), None), results(None, None), results({}, noul(0.1))])
    assert report.overall == FlipRate()
    assert report.overall.rate is report.changed_share is None
    assert json.loads(report.to_json())["items"]["interval"] is None


def test_repeats_of_different_items_are_refused():
    with pytest.raises(ValueError, match="not over the same items"):
        RepeatReport([results(noul(0.5)), results(noul(0.5), noul(0.5))])
    other = EvaluationResults(HEADER, [ItemResult(id="x", answers=noul(0.5))])
    with pytest.raises(ValueError, match="not over the same items"):
        RepeatReport([results(noul(0.5)), other])
    with pytest.raises(ValueError, match="at least two"):
        RepeatReport([results(noul(0.5))])


def wilson_roots(part, total):
    """The shares whose normal test does not reject the one that was seen: a quadratic's roots."""
    square = NormalDist().inv_cdf(0.975) ** 2
    a, b, c = total + square, -(2 * part + square), part**2 / total
    root = sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_the_document():
    first = [noul(0.9)] * 8
    second = [noul(0.1), noul(0.1), *[noul(0.9)] * 6]
    report = RepeatReport([results(*first), results(*second)])
    told = json.loads(report.to_json())
    lower, upper = wilson_roots(2, 8)
    rates = {"compared": 8, "changed": 2, "pairs": 8, "flips": 2, "flipRate": 0.25}
    assert told == {
        "kind": "minos-repeats",
        "version": 1,
        "dataset": "d",
        "provider": "p",
        "model": "m",
        "repeats": 2,
        "items": {
            "compared": 8,
            "changed": 2,
            "share": 0.25,
            "interval": {
                "lower": pytest.approx(lower),
                "upper": pytest.approx(upper),
                "level": 0.95,
                "method": "wilson",
            },
        },
        "overall": rates,
        "noul": rates,
        "questions": [{"kind": "noul", "key": "q", **rates}],
    }


@pytest.mark.parametrize("flipped", [0, 5])
def test_the_interval_reaches_to_the_end(flipped):
    second = [noul(0.1)] * flipped + [noul(0.9)] * (5 - flipped)
    report = RepeatReport([results(*[noul(0.9)] * 5), results(*second)])
    interval = json.loads(report.to_json())["items"]["interval"]
    assert (interval["lower"] == 0.0) == (flipped == 0)
    assert (interval["upper"] == 1.0) == (flipped == 5)


@given(
    st.integers(2, 4).flatmap(
        lambda repeats: st.lists(
            st.lists(st.sampled_from([None, 0.1, 0.9]), min_size=repeats, max_size=repeats),
            min_size=1,
            max_size=6,
        )
    )
)
def test_the_counts_are_those_of_all_pairs(table):
    columns = list(zip(*table, strict=True))
    repeats = [
        results(*[None if each is None else noul(each) for each in column]) for column in columns
    ]
    report = RepeatReport(repeats)
    pairs = [
        (a, b) for row in table for a, b in combinations(row, 2) if a is not None and b is not None
    ]
    assert report.overall.pairs == len(pairs)
    assert report.overall.flips == sum((a >= 0.5) != (b >= 0.5) for a, b in pairs)
