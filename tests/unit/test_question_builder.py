"""Question sets made in Python, and what the rules say of them."""

from __future__ import annotations

import pytest

from minos.errors import ProblemsError
from minos.question_builder import QuestionSetBuilder
from minos.questions import ChoiceQuestion, Criterion, QuestionSet

BLANK = "empty or whitespace, or an empty JSON object or array"
LEVEL_COUNT = (
    "A Score question has fewer than 2 or more than 10 levels, outside the API's guidance."
)


def deep(levels):
    content = "x"
    for _ in range(levels):
        content = [content]
    return content


def test_a_set_of_every_kind():
    questions = (
        QuestionSetBuilder()
        .noul("urgent", "Today?", true="yes", false={"when": ["later"]})
        .choice(
            "topic", {"ask": "Which?"}, {"a": "A", "b": Criterion("B", ("e",), ("n",)), "c": None}
        )
        .score("mood", ["How?"], ["calm", Criterion("angry")])
        .build()
        .unwrap()
    )
    assert questions.json == (
        b'{"urgent":{"type":"noul","instructions":"Today?",'
        b'"criteria":{"true":"yes","false":{"when":["later"]}}},'
        b'"topic":{"type":"choice","instructions":{"ask":"Which?"},"criteria":{"a":"A",'
        b'"b":{"description":"B","examples":["e"],"not_for":["n"]},"c":null}},'
        b'"mood":{"type":"score","instructions":["How?"],"criteria":["calm","angry"]}}'
    )
    assert len(questions.warnings) == 0
    again = QuestionSetBuilder()
    for question in questions.values():
        again.add(question)
    assert again.build().unwrap() == questions


def test_failures_in_order():
    outcome = (
        QuestionSetBuilder()
        .noul("", "x")
        .choice("none", "x", {})
        .choice("c", "x", [("a", None), ("", None), ("a", None), ("", None), ("a", "d")])
        .score("c", "x", [])
        .noul("d", deep(61), true=deep(61), false=deep(61))
        .noul("c", deep(60))
        .build()
    )
    assert [(p.line, p.code, p.path, p.message) for p in outcome.problems] == [
        (0, code, f"questions.{key}", f"{code} 'questions.{key}': {text}")
        for code, key, text in [
            ("MIN106", "", "The question key is empty."),
            ("MIN001", "none", "A Choice question needs at least one option."),
            ("MIN106", "c", "An option key of 'c' is empty."),
            ("MIN106", "c", "The option key 'a' is used more than once in 'c'."),
            ("MIN106", "c", "An option key of 'c' is empty."),
            ("MIN002", "c", "A Score question needs at least one level."),
            ("MIN108", "d", "The instructions of 'd' nests deeper than 60 levels."),
            ("MIN108", "d", "What a yes answer means of 'd' nests deeper than 60 levels."),
            ("MIN108", "d", "What a no answer means of 'd' nests deeper than 60 levels."),
            ("MIN106", "c", "The question key 'c' is used more than once."),
        ]
    ]
    with pytest.raises(ProblemsError, match=r"^The question set breaks 10 rule\(s\): "):
        outcome.unwrap()


def test_warnings_do_not_stand_in_the_way():
    questions = (
        QuestionSetBuilder()
        .noul("n", "\u2003\t", true={}, false="")
        .choice("c", "x", {f"o{i}": None for i in range(256)} | {"o1": Criterion(" ", ("",))})
        .score("s", "x", ["only"])
        .score("t", [], [str(i) for i in range(11)])
        .build()
        .unwrap()
    )
    assert [(p.code, p.path, p.message.split(": ", 1)[1]) for p in questions.warnings] == [
        ("MIN003", "questions.n", f"The instructions are {BLANK}."),
        ("MIN003", "questions.n", f"What a yes answer means is {BLANK}."),
        ("MIN003", "questions.n", f"What a no answer means is {BLANK}."),
        (
            "MIN005",
            "questions.c",
            "A Choice question has more than 255 options, beyond the API's guidance.",
        ),
        ("MIN003", "questions.c", f"The description of 'o1' in 'c' is {BLANK}."),
        (
            "MIN003",
            "questions.c",
            "An example or not-for entry of 'o1' in 'c' is null, empty or whitespace.",
        ),
        ("MIN005", "questions.s", LEVEL_COUNT),
        ("MIN003", "questions.t", f"The instructions are {BLANK}."),
        ("MIN005", "questions.t", LEVEL_COUNT),
    ]
    assert isinstance(questions["c"], ChoiceQuestion)


def test_separators_of_files_are_no_white_space():
    questions = QuestionSetBuilder().noul("n", "\x1c").build().unwrap()
    assert len(questions.warnings) == 0


def test_an_empty_set_is_a_set():
    questions = QuestionSetBuilder().build().unwrap()
    assert isinstance(questions, QuestionSet)
    assert questions.json == b"{}"
    assert len(questions) == 0


def test_values_of_the_wrong_type():
    builder = QuestionSetBuilder()
    for wrong in (
        lambda: builder.noul(1, "x"),
        lambda: builder.choice("c", "x", {1: None}),
        lambda: builder.choice("c", "x", {"a": ["list"]}),
        lambda: builder.score("s", "x", "ab"),
        lambda: builder.score("s", "x", [{"description": "a"}]),
        lambda: builder.noul("n", object()),
    ):
        with pytest.raises(TypeError):
            wrong()
    assert builder.build().unwrap().json == b"{}"


def test_a_level_without_criterion_is_told():
    [problem] = QuestionSetBuilder().score("s", 5, ["a", None]).build().problems[:1]
    assert problem.path == "questions.s.instructions"
    paths = [p.path for p in QuestionSetBuilder().score("s", "x", ["a", None]).build().problems]
    assert paths == ["questions.s.criteria[1]"]


def test_a_surrogate_is_told():
    [problem] = QuestionSetBuilder().noul("n", "\ud800").build().problems
    assert problem.code == "invalid-unicode"
