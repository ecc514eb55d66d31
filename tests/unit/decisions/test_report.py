"""The figures of a report, on runs small enough to be worked out by hand."""

from __future__ import annotations

import json
from datetime import date

import pytest
from tests.unit.decisions.small_runs import QUESTIONS, dataset, dataset_of, results

from minos.answers import AnswerRecord
from minos.decisions.prices import ModelPrice, PriceTable
from minos.decisions.records import ItemError, ItemResult, RunSelection
from minos.decisions.report import CalibrationReport
from minos.errors import DecisionErrorKind
from minos.questions import QuestionKind

NOUL, CHOICE, SCORE = AnswerRecord.noul, AnswerRecord.choice, AnswerRecord.score


def report(made, over, prices=None) -> CalibrationReport:
    return CalibrationReport.create(made, over, prices).unwrap()


def answered(*answers: dict, **members):
    return results(
        *(ItemResult(id=f"item-{n}", answers=a) for n, a in enumerate(answers)), **members
    )


def price(model: str, read: float = 1.0, written: float = 2.0) -> ModelPrice:
    return ModelPrice(
        model=model,
        input_per_million=read,
        output_per_million=written,
        date=date(2026, 10, 17),
        source="a listing",
    )


def failed(place: int, kind: DecisionErrorKind, **members) -> ItemResult:
    error = ItemError(kind=kind, message="The request failed.")
    return ItemResult(id=f"item-{place}", error=error, **members)


def test_a_noul_counts_in_either_direction():
    made = answered({"urgent": NOUL(0.07)}, {"urgent": NOUL(0.93)}, {"urgent": NOUL(0.92)})
    found = report(made, dataset(*[{"urgent": False}] * 3))
    point = found.noul.at(0.93)
    assert (point.covered, point.correct, point.scored) == (2, 1, 3)
    assert found.noul.at(0.92).covered == 3
    assert found.noul.at(0.94).covered == 0
    assert found.noul.at(0.94).accuracy is None


def test_every_hundredth_reaches_its_own_threshold():
    chances = [k / 100 for k in range(101)]
    found = report(
        answered(*({"urgent": NOUL(p)} for p in chances)), dataset(*[{"urgent": True}] * 101)
    )
    for k in range(101):
        covered = sum(max(j, 100 - j) >= k for j in range(101))
        assert found.overall.at(k / 100).covered == covered


def test_half_is_yes():
    found = report(answered({"urgent": NOUL(0.5)}), dataset({"urgent": True}))
    assert found.overall.accuracy == 1


def test_questions_of_their_own_have_a_base_rate_of_1():
    over = [{"questions": {f"q{n}": QUESTIONS["urgent"]}, "expected": {f"q{n}": n % 2 == 0}}
            for n in range(10)]  # fmt: skip
    made = answered(*({f"q{n}": NOUL(0.9)} for n in range(10)))
    overall = report(made, dataset_of(*over)).overall
    assert (overall.base_rate, overall.accuracy, overall.lift) == (1, 0.5, -0.5)


def test_abstentions_only_lower_the_coverage():
    over = dataset({"urgent": True, "topic": "card_arrival"}, {"urgent": False}, {"urgent": True})
    made = results(
        ItemResult(id="item-0", answers={"urgent": NOUL(0.8)}),
        failed(1, DecisionErrorKind.SERVER),
        ItemResult(id="item-2", answers={"urgent": NOUL(0.2)}),
    )
    found = report(made, over)
    overall = found.overall
    assert (overall.scored, overall.answered, overall.abstained) == (4, 2, 2)
    assert (overall.accuracy, overall.accuracy_all, overall.base_rate) == (0.5, 0.25, 1)
    assert overall.at(0.8).coverage == 0.5
    assert sum(each.count for each in overall.bins) == 2
    assert found.choice is not None
    assert found.choice.accuracy is None
    assert found.score is None
    assert list(found.kinds) == [QuestionKind.NOUL, QuestionKind.CHOICE]


def test_questions_without_an_expected_answer_are_only_counted():
    over = dataset_of({"questions": QUESTIONS, "expected": {"urgent": True}})
    made = answered({"urgent": NOUL(1.0), "topic": CHOICE("card_arrival", 0.3), "mood": SCORE(0)})
    found = report(made, over)
    counts = found.counts
    assert (counts.items, counts.questions, counts.scored, counts.unscored) == (1, 3, 1, 2)
    assert found.overall.answered == 1
    assert [each.key for each in found.questions] == ["urgent"]


def test_answers_without_a_confidence_are_right_or_wrong_but_in_no_bin():
    made = answered({"topic": CHOICE("card_arrival")}, {"topic": CHOICE("card_arrival", 0.6)})
    overall = report(made, dataset(*[{"topic": "card_arrival"}] * 2)).overall
    assert (overall.answered, overall.without_confidence, overall.accuracy) == (2, 1, 1)
    assert sum(each.count for each in overall.bins) == 1
    assert overall.at(0.0).covered == 1
    assert overall.ece == pytest.approx(0.4, abs=1e-12)


def test_what_is_irregular_is_told_and_stands():
    made = answered(
        {"topic": CHOICE("card_arrival", 0.5, {"card_arrival": 0.5})},
        {"topic": CHOICE("card_arrival", 0.5, {"card_arrival": 0.4, "card_not_working": 0.6})},
        {"topic": CHOICE("card_arrival", 0.5, {"card_arrival": 0.5, "card_not_working": 0.2})},
        {"topic": CHOICE("card_arrival", 0.5, {"card_arrival": 0.7, "card_not_working": 0.295})},
        {"mood": SCORE(0, 0.5, expected_level=2.5, probabilities=[1.0, 0.0, 0.0])},
    )
    over = dataset(*[{"topic": "card_arrival"}] * 4, {"mood": 0})
    found = report(made, over)
    assert found.choice is not None
    assert dict(found.choice.irregular) == {"incomplete": 1, "notMostProbable": 1, "sum": 1}
    assert found.choice.correct == 4
    assert found.choice.top_probability.answered == 1
    top = found.choice.top_probability.bins[0]
    assert top.mean_confidence == pytest.approx(0.7 / 0.995, abs=1e-12)
    assert found.score is not None
    assert dict(found.score.irregular) == {"outsideLevels": 1}


def test_the_same_bins_whatever_the_order():
    confidences = [0.5, 0.7, 0.7, 0.7, 0.7, 0.9, 0.9, 1.0]
    made = answered(*({"topic": CHOICE("card_arrival", c)} for c in confidences))
    over = dataset(*[{"topic": "card_arrival"}] * 8)
    bins = report(made, over).overall.bins
    assert [(b.lower, b.upper, b.count) for b in bins] == [
        (0.5, 0.5, 1),
        (0.7, 0.7, 4),
        (0.9, 0.9, 2),
        (1.0, 1.0, 1),
    ]
    width = report(made, over).overall.bins_equal_width
    assert [b.count for b in width] == [0, 0, 0, 0, 0, 1, 0, 4, 0, 3]
    assert width[0].accuracy is None


def test_prices_match_the_longest_name():
    over = dataset(*[{"urgent": True}] * 5)
    models = ["jev-1.14", "jev-1.14-20261014", "jev-1.140", "jev-2", "other"]
    made = results(
        *(
            ItemResult(
                id=f"item-{n}",
                answers={"urgent": NOUL(1.0)},
                model=model,
                input_tokens=1_000_000,
                output_tokens=0,
            )
            for n, model in enumerate(models)
        )
    )
    found = report(made, over, PriceTable([price("jev", 0.5), price("jev-1.14", 0.042)]))
    assert (found.cost.priced, found.cost.unknown) == (4, 1)
    assert found.cost.total == pytest.approx(0.042 * 2 + 0.5 * 2, abs=1e-12)
    assert found.cost.is_lower_bound
    assert found.prices == (price("jev", 0.5), price("jev-1.14", 0.042))


def test_the_order_in_which_a_cost_is_decided():
    over = dataset(*[{"urgent": True}] * 6)
    answers = {"urgent": NOUL(1.0)}
    tokens = {"input_tokens": 1_000_000, "output_tokens": 1_000_000}
    made = results(
        ItemResult(id="item-0", answers=answers, model="m", cost_usd=0.0, **tokens),
        ItemResult(id="item-1", answers=answers, model="m", **tokens),
        ItemResult(id="item-2", answers=answers, model="m", input_tokens=1),
        ItemResult(id="item-3", answers=answers, **tokens),
        ItemResult(id="item-4", answers=answers, cost_usd=9.0, cached=True),
        failed(5, DecisionErrorKind.NETWORK),
    )
    cost = report(made, over, PriceTable([price("m")])).cost
    assert (cost.reported, cost.priced, cost.unknown, cost.cached) == (1, 1, 2, 1)
    assert cost.total == 3.0
    assert cost.per1000 == 1500.0


def test_a_run_without_a_known_cost_has_none():
    cost = report(answered({"urgent": NOUL(1.0)}), dataset({"urgent": True})).cost
    assert (cost.total, cost.per1000, cost.is_lower_bound) == (None, None, True)


def test_an_invalid_response_was_served_and_billed():
    over = dataset(*[{"urgent": True}] * 3)
    made = results(
        failed(0, DecisionErrorKind.INVALID_RESPONSE, model="m", cost_usd=0.25, latency_ms=5.0),
        failed(1, DecisionErrorKind.SERVER, latency_ms=7.0),
        failed(2, DecisionErrorKind.SERVER, cost_usd=0.5),
    )
    found = report(made, over)
    assert (found.cost.total, found.cost.reported) == (0.75, 2)
    assert [(each.model, each.count) for each in found.models] == [("m", 1)]
    assert found.latency.count == 0
    assert found.latency.median is None
    assert [(each.kind, each.count) for each in found.errors] == [
        ("Server", 2),
        ("InvalidResponse", 1),
    ]


def test_latency_leaves_out_what_came_from_a_cache():
    over = dataset(*[{"urgent": True}] * 21)
    items = [
        ItemResult(id=f"item-{n}", answers={"urgent": NOUL(1.0)}, latency_ms=float(n + 1))
        for n in range(20)
    ]
    cached = ItemResult(
        id="item-20", answers={"urgent": NOUL(1.0)}, latency_ms=1e6, cached=True, model="m"
    )
    found = report(results(*items, cached), over)
    latency = found.latency
    assert (latency.count, latency.cached_count) == (20, 1)
    assert (latency.mean, latency.median, latency.p95, latency.max) == (10.5, 10, 19, 20)
    assert [(each.model, each.count) for each in found.models] == [(None, 20), ("m", 1)]


def test_a_partial_run_says_so():
    over = dataset(*[{"urgent": True}] * 4)
    made = answered({"urgent": NOUL(1.0)}, partial=True)
    found = report(made, over)
    assert (found.run.items, found.run.partial, found.run.partial_of) == (1, True, 4)
    assert "Partial run: 1 of 4 items" in found.to_markdown()


def test_a_selection_says_so():
    over = dataset(*[{"urgent": True}] * 4)
    made = answered({"urgent": NOUL(1.0)}, {"urgent": NOUL(1.0)}, selection=RunSelection(of=4))
    found = report(made, over)
    assert not found.run.partial
    assert "Selected: 2 of 4 items" in found.to_markdown()


def test_a_partial_run_of_a_selection_counts_what_was_selected():
    over = dataset(*[{"urgent": True}] * 4)
    selection = RunSelection(of=4, count=3, ids=("item-[012]",))
    page = report(
        answered({"urgent": NOUL(1.0)}, partial=True, selection=selection), over
    ).to_markdown()
    assert "Partial run: 1 of 3 items" in page
    assert "Selected: 3 of 4 items" in page


def test_an_empty_run():
    found = report(results(), dataset())
    assert found.overall.accuracy is None
    assert found.overall.ece is None
    assert found.kinds == {}
    assert found.questions == ()
    assert "The results hold no item" in found.to_markdown()


def test_many_questions_are_listed_by_how_often_they_are_scored():
    keys = [f"q{n:04}" for n in range(1005)]
    asked = dict.fromkeys(keys, QUESTIONS["urgent"])
    over = dataset_of(
        {"questions": asked, "expected": dict.fromkeys(keys, True)},
        {"questions": asked, "expected": dict.fromkeys(keys[5:], True)},
    )
    found = report(answered(*[dict.fromkeys(keys, NOUL(1.0))] * 2), over)
    assert [each.key for each in found.questions] == keys[5:]
    assert found.questions_omitted == 5
    assert found.questions[0].metrics.sweep == ()
    assert "905 questions scored less often not shown" in found.to_markdown()


def test_json_is_of_its_kind_and_holds_no_nan():
    made = answered({"urgent": NOUL(0.25)})
    found = report(made, dataset({"urgent": True}))
    members = json.loads(found.to_json(), parse_constant=pytest.fail)
    assert (members["kind"], members["version"]) == ("minos-report", 1)
    assert list(members) == [
        "kind",
        "version",
        "run",
        "counts",
        "overall",
        "noul",
        "questions",
        "latency",
        "cost",
        "errors",
        "models",
        "prices",
    ]
    assert CalibrationReport(found.to_json().encode()) == found
