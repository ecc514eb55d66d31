"""Data sets made in Python."""

from __future__ import annotations

from decimal import Decimal

import pytest

from minos.answers import ExpectedAnswer
from minos.decisions.dataset import DecisionDataset
from minos.decisions.dataset_builder import DecisionDatasetBuilder
from minos.question_builder import QuestionSetBuilder

QUESTIONS = (
    QuestionSetBuilder()
    .choice("topic", "Which topic?", {"card": "The card.", "other": None})
    .noul("urgent", "Today?")
    .score("mood", "How upset?", ["calm", "angry"])
    .build()
    .unwrap()
)


def test_what_is_built_is_saved_and_comes_back(tmp_path):
    builder = DecisionDatasetBuilder()
    expected = {"urgent": True, "mood": ExpectedAnswer.score(1), "topic": "other"}
    state = {"text": "é\n", "numbers": [1, 2.5, Decimal("1e400"), 10**5000], "none": None}
    builder.add("m1", "Where is it?", QUESTIONS, {})
    builder.add("m2", state, QUESTIONS, expected, source="mail #2")
    dataset = builder.build().unwrap()
    dataset.save(tmp_path / "built.jsonl")
    loaded = DecisionDataset.load(tmp_path / "built.jsonl").unwrap()
    assert loaded == dataset
    first, second = loaded
    assert (first.line, second.line) == (1, 2)
    assert first.questions is second.questions
    assert first.questions == QUESTIONS
    assert second.state == state
    assert list(second.expected) == ["urgent", "mood", "topic"]
    assert second.expected["topic"] == ExpectedAnswer.choice("other")
    assert second.source == "mail #2"


def test_every_problem_is_told_by_its_item():
    builder = DecisionDatasetBuilder()
    empty = QuestionSetBuilder().build().unwrap()
    warned = QuestionSetBuilder().score("s", " ", ["only"]).build().unwrap()
    builder.add("", "x", QUESTIONS, {"topic": "none", "urgent": 1, "mood": -1, "else": True})
    builder.add("a", 5, empty, {})
    builder.add("a", "", warned, {"s": 0})
    outcome = builder.build()
    assert [(p.line, p.code, p.path) for p in outcome.problems] == [
        (1, "invalid-member", "id"),
        (1, "invalid-expected", "expected.topic"),
        (1, "invalid-expected", "expected.urgent"),
        (1, "invalid-expected", "expected.mood"),
        (1, "unknown-question", "expected.else"),
        (2, "invalid-member", "state"),
        (2, "invalid-member", "questions"),
        (3, "MIN003", "questions.s"),
        (3, "MIN005", "questions.s"),
        (3, "duplicate-id", "id"),
    ]


def test_a_surrogate_is_told_also_beside_its_other_half():
    builder = DecisionDatasetBuilder()
    builder.add("a", "\ud83d\ude00", QUESTIONS, {})
    [problem] = builder.build().problems
    assert (problem.code, problem.byte) == ("invalid-unicode", 19)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ({1: "x"}, TypeError),
        ({"a": {1}}, TypeError),
        (b"x", TypeError),
        ([float("nan")], ValueError),
    ],
)
def test_what_json_cannot_hold_raises(state, error):
    with pytest.raises(error):
        DecisionDatasetBuilder().add("a", state, QUESTIONS, {})


def test_no_items():
    assert len(DecisionDatasetBuilder().build().unwrap()) == 0
