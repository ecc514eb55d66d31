"""What a client refuses to read, or a run to take, fails a check; and nothing breaks the checks."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.providers.asked import QUESTIONS, request
from tests.unit.providers.dialects import DIALECTS
from tests.unit.providers.test_hostile_bodies import (
    CLIENTS,
    EXTREMES,
    changed,
    each_replaced,
    written,
)

from minos.conformance import ConformanceReport, Verdict
from minos.conformance.answer_checks import AnswerChecks
from minos.conformance.findings import Findings
from minos.decisions.fitting import MisfitError, fit
from minos.errors import DecisionError
from minos.providers.body import Body
from minos.providers.exchange import RawExchange

ASKED = request()


def is_taken(name, raw):
    """Whether a run takes every answer."""
    try:
        answers = CLIENTS[name].read(raw, ASKED).answers
        return set(fit(answers, ASKED.questions)) == set(QUESTIONS)
    except (DecisionError, MisfitError):
        return False


def assert_nothing_is_missed(name, data):
    masked = Body(CLIENTS[name].endpoint.redactor().data(data))
    raw = RawExchange(b"", 200, {"content-type": "application/json"}, masked)
    findings = Findings()
    AnswerChecks(findings, CLIENTS[name].endpoint.format).check(1, raw, QUESTIONS)
    checks = findings.results("not made")
    failed = [check.name for check in checks if check.verdict is Verdict.FAIL]
    is_declined = any("is declined" in check.detail for check in checks)
    assert is_taken(name, raw) or failed or is_declined
    return ConformanceReport("p", "m", "", False, checks, ())


@pytest.mark.parametrize("name", DIALECTS)
def test_the_right_body_breaks_no_rule(name):
    raw = RawExchange(
        b"", 200, {"content-type": "application/json"}, Body(written(DIALECTS[name].body))
    )
    findings = Findings()
    AnswerChecks(findings, CLIENTS[name].endpoint.format).check(1, raw, QUESTIONS)
    assert [c for c in findings.results("") if c.verdict is Verdict.FAIL] == []


@pytest.mark.parametrize("name", DIALECTS)
@given(st.data())
def test_one_change_in_a_right_body_is_not_missed(name, data):
    body = changed(data.draw, copy.deepcopy(DIALECTS[name].body))
    report = assert_nothing_is_missed(name, written(body))
    json.loads(report.to_json().encode())
    assert report.to_markdown().encode()


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("value", EXTREMES, ids=repr)
def test_each_value_in_turn_is_another(name, value):
    for body in each_replaced(DIALECTS[name].body, value):
        assert_nothing_is_missed(name, written(body))


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("depth", [480, 900])
def test_what_nests_deep_breaks_nothing(name, depth):
    deep = b"[" * depth + b"1" + b"]" * depth
    for body in each_replaced(DIALECTS[name].body, "@"):
        assert_nothing_is_missed(name, written(body).replace(b'"@"', deep))


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("twice", ['"x": {"y": 1, "y": 1}', '"model": "a", "model": "b"'])
def test_a_member_that_is_there_twice_is_not_missed(name, twice):
    text = written(DIALECTS[name].body).decode()
    assert_nothing_is_missed(name, f"{text[:-1]}, {twice}}}".encode())


@pytest.mark.parametrize("name", ["OpenAI", "Custom in OpenAI's words"])
@pytest.mark.parametrize("change", ["again", "swapped", "an option again", "a level again"])
def test_lists_that_are_not_in_order_are_not_missed(name, change):
    body = copy.deepcopy(DIALECTS[name].body)
    answers = body["answers"]
    match change:
        case "again":
            answers.append(answers[0])
        case "swapped":
            answers.reverse()
        case "an option again":
            answers[1]["probabilities"].append({"value": "other", "probability": 0.0})
        case "a level again":
            answers[2]["probabilities"].append({"value": 0, "label": "x", "probability": 0.0})
    assert_nothing_is_missed(name, written(body))


def test_an_envelope_that_says_no_is_not_missed():
    body = {**DIALECTS["Cloudflare"].body, "success": False}
    assert_nothing_is_missed("Cloudflare", written(body))
    assert_nothing_is_missed("Cloudflare", written(body["result"]))
