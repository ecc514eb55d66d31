"""A line that is made of a record says what the record says, whether a file can hold it or not."""

from __future__ import annotations

import json
import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.run_strategies import HEADER, runs

from minos._native import item_line
from minos.answers import AnswerRecord
from minos.decisions.record_lines import header_line
from minos.decisions.records import ItemError, ItemResult
from minos.decisions.results import EvaluationResults, Results
from minos.errors import DecisionErrorKind
from minos.questions import QuestionKind

texts = st.text(st.characters())  # unpaired surrogates too
numbers = st.floats() | st.integers() | st.booleans()
anything = st.none() | numbers | texts
distributions = (
    st.none()
    | st.dictionaries(texts, anything, max_size=3)
    | st.dictionaries(texts, numbers, max_size=3).map(MappingProxyType)
    | st.lists(anything, max_size=3)
    | st.lists(anything, max_size=3).map(tuple)
)
answers = st.builds(
    AnswerRecord,
    st.sampled_from(QuestionKind),
    probability=anything,
    option=anything,
    level=anything,
    confidence=anything,
    expected_level=anything,
    probabilities=distributions,
)
items = st.builds(
    ItemResult,
    id=anything,
    answers=st.none() | st.dictionaries(texts, answers, max_size=3),
    error=st.none()
    | st.builds(
        ItemError, kind=st.sampled_from(DecisionErrorKind), message=texts, status_code=anything
    ),
    latency_ms=anything,
    model=anything,
    input_tokens=anything,
    output_tokens=anything,
    cost_usd=anything,
    cached=anything,
    request_id=anything,
    tries=anything,
)


@given(runs)
def test_a_record_that_a_file_can_hold_is_rendered_as_in_the_file(made):
    results = EvaluationResults(HEADER, made)
    lines = [item_line(item) for item in made]
    native = Results.parse(
        b"\n".join((header_line(results.header, len(made)), *lines)), is_text=False
    )
    assert [native.item_json(place) for place in range(len(made))] == lines


@given(items)
def test_any_record_is_told_as_it_is(item):
    assert json.loads(item_line(item)) == told(item)


@pytest.mark.parametrize("value", [b"bytes", object(), 1j, {1: 0.5}])
def test_what_json_has_not_is_refused(value):
    answer = AnswerRecord.choice("a", None, value)
    with pytest.raises(TypeError):
        item_line(ItemResult(id="a", answers={"c": answer}))


def told(item):
    """What the line of a record is to hold, as plainly as it can be said."""
    members = {
        "answers": item.answers and {key: answer(each) for key, each in item.answers.items()},
        "error": item.error
        and known(
            kind=str(item.error.kind),
            statusCode=number(item.error.status_code),
            message=item.error.message,
        ),
        "latencyMs": number(item.latency_ms),
        "model": number(item.model),
        "inputTokens": number(item.input_tokens),
        "outputTokens": number(item.output_tokens),
        "cost": number(item.cost_usd),
        "cached": number(item.cached) if item.cached else None,
        "requestId": number(item.request_id),
        "tries": None if item.tries == 1 else number(item.tries),
    }
    return {"id": number(item.id), **known(**members)}


def answer(given_):
    if given_.kind is QuestionKind.NOUL:
        return known(type="noul", probability=number(given_.probability))
    chances = given_.probabilities
    if isinstance(chances, list | tuple):
        chances = [number(each) for each in chances]
    elif chances is not None:
        chances = {name: number(each) for name, each in chances.items()}
    own = {"choice": number(given_.option), "level": number(given_.level)}
    return known(
        type=str(given_.kind),
        **own,
        confidence=number(given_.confidence),
        expectedLevel=number(given_.expected_level),
        probabilities=chances,
    )


def known(**members):
    return {name: value for name, value in members.items() if value is not None}


def number(value):
    is_beyond = isinstance(value, float) and not math.isfinite(value)
    return 10**400 if is_beyond else value
