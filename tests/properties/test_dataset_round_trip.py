"""What is built and saved loads back equal."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from minos.content import content_from_json, content_to_json
from minos.decisions.dataset import DecisionDataset
from minos.decisions.dataset_builder import DecisionDatasetBuilder
from minos.question_builder import QuestionSetBuilder
from minos.questions import Criterion, QuestionKind

texts = st.text(st.characters(codec="utf-8"), max_size=12)
said = texts.filter(lambda text: text.strip() != "")
keys = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
containers = st.lists(json_values, min_size=1, max_size=4) | st.dictionaries(
    texts, json_values, min_size=1, max_size=4
)
contents = said | containers
criteria = st.builds(
    Criterion, said, st.lists(said, max_size=2).map(tuple), st.lists(said, max_size=2).map(tuple)
)


@st.composite
def question_sets(draw):
    builder = QuestionSetBuilder()
    for key in draw(st.lists(keys, min_size=1, max_size=3, unique=True)):
        match draw(st.sampled_from(QuestionKind)):
            case QuestionKind.NOUL:
                sides = st.none() | contents
                builder.noul(key, draw(contents), true=draw(sides), false=draw(sides))
            case QuestionKind.CHOICE:
                options = st.dictionaries(keys, st.none() | said | criteria, min_size=1, max_size=4)
                builder.choice(key, draw(contents), draw(options))
            case QuestionKind.SCORE:
                levels = st.lists(said | criteria, min_size=2, max_size=4)
                builder.score(key, draw(contents), draw(levels))
    outcome = builder.build()
    assert outcome.is_ok, outcome.problems
    assert len(outcome.value.warnings) == 0
    return outcome.value


def answers(question):
    match question.kind:
        case QuestionKind.NOUL:
            return st.booleans()
        case QuestionKind.CHOICE:
            return st.sampled_from(list(question.options))
        case QuestionKind.SCORE:
            return st.integers(0, len(question.levels) - 1)


@st.composite
def items(draw):
    questions = draw(question_sets())
    answered = draw(st.lists(st.sampled_from(list(questions)), unique=True))
    return {
        "state": draw(texts | st.lists(json_values, max_size=4) | containers),
        "questions": questions,
        "expected": {key: draw(answers(questions[key])) for key in answered},
        "source": draw(st.none() | texts),
    }


data = st.dictionaries(keys, items(), max_size=3)


def built(made):
    builder = DecisionDatasetBuilder()
    for name, item in made.items():
        source = item["source"]
        builder.add(name, item["state"], item["questions"], item["expected"], source=source)
    outcome = builder.build()
    assert outcome.is_ok, outcome.problems
    return outcome.value


@given(data)
def test_what_is_built_holds_what_was_given(made):
    dataset = built(made)
    assert [item.id for item in dataset] == list(made)
    for item, wanted in zip(dataset, made.values(), strict=True):
        assert item.state == wanted["state"]
        assert item.questions == wanted["questions"]
        assert list(item.questions.values()) == list(wanted["questions"].values())
        assert {key: answer.value for key, answer in item.expected.items()} == wanted["expected"]
        assert item.source == wanted["source"]


@settings(max_examples=20)  # each example waits for the disk
@given(data)
def test_what_is_saved_loads_back_equal(made):
    dataset = built(made)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "built.jsonl"
        dataset.save(path)
        assert DecisionDataset.load(path).unwrap() == dataset
        assert DecisionDataset.parse(path.read_bytes().decode()).unwrap() == dataset


@given(json_values)
def test_content_comes_back(content):
    assert content_from_json(content_to_json(content).encode()) == content


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_keeps_what_a_float_can(number):
    back = content_from_json(content_to_json(number).encode())
    if isinstance(back, int):
        assert back == number
    elif isinstance(back, float):
        assert back == float(number)
        # What the float is written as is the integer that was there.
        if number == number.to_integral_value():
            assert Decimal(repr(back)) == number
    else:
        assert back == number


@given(question_sets())
def test_a_set_is_made_again_from_its_questions(questions):
    again = QuestionSetBuilder()
    for question in questions.values():
        again.add(question)
    assert again.build().unwrap() == questions
