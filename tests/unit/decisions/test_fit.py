"""Whether results fit a data set, and on which lines it is told where they do not."""

from __future__ import annotations

import math

import pytest
from tests.unit.decisions.small_runs import QUESTIONS, dataset_file, results

from minos.answers import AnswerRecord
from minos.decisions.dataset import DecisionDataset
from minos.decisions.records import ItemResult, RunSelection
from minos.decisions.report import CalibrationReport

# Blank lines, so that lines are not places.
OVER = DecisionDataset.parse(
    b"\n" + dataset_file(*[{"questions": QUESTIONS, "expected": {}}] * 3).replace(b"\n", b"\n\n")
).unwrap()
LINES = [2, 4, 6]
ALL = [ItemResult(id=f"item-{n}", answers={}) for n in range(3)]


def told(made, over=OVER):
    outcome = CalibrationReport.create(made, over)
    return [] if outcome.is_ok else [(p.line, p.code, p.path) for p in outcome.problems]


def test_lines_are_those_of_the_file():
    assert [item.line for item in OVER] == LINES


def test_whole_results_fit():
    assert told(results(*ALL)) == []


def test_an_item_that_is_missing():
    assert told(results(ALL[0], ALL[2])) == [(4, "missing-item", "id")]
    assert told(results(ALL[0], ALL[1])) == [(6, "missing-item", "id")]
    assert told(results()) == [(2, "missing-item", "id")]


@pytest.mark.parametrize("members", [{"partial": True}, {"selection": RunSelection(of=3)}])
def test_a_part_may_leave_items_out(members):
    assert told(results(ALL[0], ALL[2], **members)) == []
    assert told(results(**members)) == []
    assert told(results(ALL[2], ALL[0], **members)) == [(2, "wrong-order", "id")]


def test_an_item_that_the_data_set_does_not_have():
    stranger = ItemResult(id="stranger", answers={})
    assert told(results(*ALL, stranger)) == [(7, "unknown-item", "id")]
    assert told(results(ALL[0], stranger, ALL[2])) == [(4, "unknown-item", "id")]
    assert told(results(stranger), DecisionDataset.parse(b"").unwrap()) == [
        (1, "unknown-item", "id")
    ]


def test_items_in_another_order_are_told_once():
    assert told(results(ALL[0], ALL[2], ALL[1])) == [(6, "wrong-order", "id")]


def test_a_selection_of_another_data_set():
    assert told(results(*ALL, selection=RunSelection(of=4))) == [
        (0, "count-mismatch", "selection.of")
    ]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"who": AnswerRecord.noul(0.5)}, [("unknown-answer", "answers.who")]),
        ({"topic": AnswerRecord.noul(0.5)}, [("wrong-kind", "answers.topic.type")]),
        ({"topic": AnswerRecord.choice("card")}, [("unknown-option", "answers.topic.choice")]),
        ({"mood": AnswerRecord.score(3)}, [("unknown-option", "answers.mood.level")]),
        (
            {"topic": AnswerRecord.choice("card_arrival", 0.5, {"card": 0.5})},
            [("unknown-option", "answers.topic.probabilities.card")],
        ),
        (
            {"mood": AnswerRecord.score(0, 0.5, None, [0.25] * 4)},
            [("unknown-option", "answers.mood.probabilities[3]")],
        ),
        (
            {"mood": AnswerRecord.noul(0.5), "topic": AnswerRecord.choice("card")},
            [("wrong-kind", "answers.mood.type"), ("unknown-option", "answers.topic.choice")],
        ),
    ],
)
def test_answers_that_do_not_fit(answers, expected):
    made = results(ALL[0], ItemResult(id="item-1", answers=answers), ALL[2])
    assert told(made) == [(4, *problem) for problem in expected]


def test_results_that_cannot_be_saved_are_told_on_the_lines_of_their_items():
    made = results(
        ALL[0],
        ItemResult(id="item-1", answers={}, latency_ms=math.nan),
        ItemResult(id="stranger", answers={}, cost_usd=-1.0),
        item_count=4,
    )
    assert told(made) == [
        (0, "count-mismatch", "itemCount"),
        (4, "invalid-number", "latencyMs"),
        (6, "invalid-number", "cost"),
    ]


def test_a_corrected_expected_answer_does_not_matter():
    corrected = DecisionDataset.parse(
        dataset_file(*[{"questions": QUESTIONS, "expected": {"urgent": True}}] * 3)
    ).unwrap()
    assert told(results(*ALL), corrected) == []
