"""The figures of a report on the terminal."""

import json
from dataclasses import replace
from datetime import UTC, datetime

from minos import (
    AnswerRecord,
    CalibrationReport,
    DecisionDataset,
    DecisionErrorKind,
    EvaluationResults,
    ItemError,
    ItemResult,
    RunHeader,
    RunSelection,
)
from minos.cli.report_table import report_lines

QUESTIONS = {
    "topic": {"type": "choice", "instructions": "Topic?", "criteria": {"a": "A", "b": "B"}},
    "urgent": {"type": "noul", "instructions": "Urgent?"},
}


def _dataset(count, expected):
    lines = [
        {"id": str(i), "state": "text", "questions": QUESTIONS, "expected": expected}
        for i in range(count)
    ]
    return DecisionDataset.parse("\n".join(map(json.dumps, lines))).unwrap()


def _report(results, expected=None, *, count=4, **header):
    made = RunHeader(
        dataset="support",
        provider="embedded",
        model=None,
        started_at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    dataset = _dataset(count, {"topic": "a", "urgent": True} if expected is None else expected)
    run = EvaluationResults(replace(made, **header), results)
    return CalibrationReport.create(run, dataset).unwrap()


def _answered(number, option="a", probability=0.95, **known):
    answers = {
        "topic": AnswerRecord.choice(option, 0.6),
        "urgent": AnswerRecord.noul(probability),
    }
    return ItemResult(id=str(number), answers=answers, **known)


def _failed(number, kind):
    return ItemResult(id=str(number), error=ItemError(kind=kind, message="no"))


def test_the_figures_stand_by_kind_and_together():
    items = [_answered(0), _answered(1, "b"), _answered(2), _answered(3, probability=0.3)]
    assert list(report_lines(_report(items))) == [
        "        answered  accuracy  base rate    ECE  at 0.90 or surer  accuracy",
        "noul      4 of 4     0.750      1.000  0.212             0.750     1.000",
        "choice    4 of 4     0.750      1.000  0.150             0.000         -",
        "all       8 of 8     0.750      1.000  0.181             0.375     1.000",
    ]


def test_failures_and_costs_are_told():
    items = [
        _answered(0, cost_usd=0.25),
        _failed(1, DecisionErrorKind.SERVER),
        _failed(2, DecisionErrorKind.TIMEOUT),
        _failed(3, DecisionErrorKind.SERVER),
    ]
    assert list(report_lines(_report(items)))[-2:] == [
        "3 items failed: Server (2), Timeout (1)",
        "cost: 0.250000 US dollars",
    ]


def test_a_cost_that_is_not_wholly_known_is_a_lower_bound():
    lines = list(report_lines(_report([_answered(0, cost_usd=0.25), *map(_answered, (1, 2, 3))])))
    assert lines[-1] == "cost: at least 0.250000 US dollars"


def test_what_was_left_out_is_told_first():
    lines = list(report_lines(_report([_answered(0)], partial=True)))
    assert lines[0] == "Partial run: 1 of 4 items"
    selection = RunSelection(of=4, limit=2)
    lines = list(report_lines(_report([_answered(0), _answered(1)], selection=selection)))
    assert lines[0] == "Selected: 2 of 4 items"


def test_without_labels_there_are_no_figures():
    report = _report([_answered(0)], {}, count=1)
    assert list(report_lines(report)) == ["no question has an expected answer"]
