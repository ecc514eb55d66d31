"""Answers that are held against a JSON Schema."""

import sys

import pytest

from minos import ConfigError
from minos.cases import Case, CaseDataset, Status, evaluate, run_sync

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "pattern": "^[A-Z]"}, "age": {"minimum": 0}},
    "required": ["name"],
    "patternProperties": {"^x-": {"type": "string"}},
    "additionalProperties": False,
}


def verdict(output, schema):
    case = Case(input="q", actual_output=output)
    return evaluate(case, {"json_schema": {"schema": schema}}).evaluations[0].verdict


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ('{"name": "Ada", "age": 36, "x-note": "a"}', ""),
        ('{"name": "ada"}', "$.name: 'ada' does not match '^[A-Z]'"),
        ('{"age": -1}', "$.age: -1 is less than the minimum of 0"),
        ('{"age": 1}', "$: 'name' is a required property"),
        ('{"name": "A", "x-note": 5}', "5 is not of type 'string'"),
        ('{"name": "A", "more": 5}', "Additional properties are not allowed"),
        ("[]", "$: [] is not of type 'object'"),
        ("{", "Invalid JSON"),
    ],
)
def test_an_answer_keeps_a_schema_or_says_where_not(output, reason):
    told = verdict(output, PERSON)
    assert told.status is (Status.FAILED if reason else Status.PASSED)
    assert reason in told.reason


def test_many_faults_are_cut():
    told = verdict("[1, 2, 3, 4, 5, 6, 7]", {"items": {"type": "string"}})
    assert told.reason.endswith("and 2 more")
    assert len(told.details["errors"]) == 5


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (5, "write `json_schema: {schema: {...}}`"),
        ({"type": "strin"}, "json_schema: $.type: 'strin' is not valid"),
        ({"pattern": "(?=a)"}, "look-around"),
        ({"patternProperties": {"a": {}}, "unevaluatedProperties": False}, "cannot be used with"),
        ({"items": [{"patternProperties": {"(": {}}}]}, "not a pattern"),
    ],
)
def test_what_is_no_schema_is_a_problem_of_the_file(schema, message):
    cases = [(Case(input="q"), {"json_schema": {"schema": schema}})]
    (problem,) = CaseDataset.build(cases).problems
    assert message in problem.message


def test_nothing_is_read_from_elsewhere():
    told = verdict("5", {"$ref": "http://127.0.0.1:1/schema.json"})
    assert told.status is Status.ERROR
    assert "the schema cannot be followed" in told.reason
    assert verdict("5", {"$ref": "#/$defs/n", "$defs": {"n": {"type": "number"}}}).status is (
        Status.PASSED
    )


def test_a_schema_cannot_stall_a_run():
    told = verdict(f'"{"a" * 100_000}!"', {"pattern": "^(a+)+$"})
    assert told.status is Status.FAILED


def test_without_the_package_it_is_refused_before_anything_is_asked(monkeypatch):
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    data = CaseDataset.build([(Case(input="q"), {"json_schema": {"schema": {}}})]).unwrap()
    asked = []
    with pytest.raises(ConfigError, match=r"pip install 'minos-eval\[schema\]'"):
        run_sync(data, asked.append)
    assert asked == []
