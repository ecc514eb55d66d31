"""`minos validate` over files of cases."""

import json
from pathlib import Path

import pytest

from minos.cli.main import run

GOOD = '{"input": "x", "actual_output": "y", "expected": {"equals": "y"}}\n'
WARNED = '{"input": "x", "expected": {"faithful": {}}}\n'
BAD = '{"input": null, "expected": {"contians": "y"}}\n'


@pytest.fixture
def validate(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        capfd.readouterr()
        code = run(["validate", *arguments])
        out, err = capfd.readouterr()
        return int(code), out, err

    return call


def test_every_format_of_cases_is_taken(validate):
    Path("a.yaml").write_text("- {input: x}\n- {inptu: x}\n")
    Path("b.json").write_text("[\n" + GOOD + "]")
    Path("c.jsonl").write_text(WARNED + BAD)
    code, out, err = validate("a.yaml", "b.json", "c.jsonl")
    assert code == 2
    assert out.splitlines() == [
        "a.yaml: line 2: 'inptu' is not a member of a case; did you mean 'input'?",
        "a.yaml: line 2: 'input' is required.",
        "a.yaml: line 1: warning: The case has no assertions: running it is an error.",
        "a.yaml: line 2: warning: The case has no assertions: running it is an error.",
        "c.jsonl: line 2: 'input' is required.",
        "c.jsonl: line 2: There is no assertion 'contians'; did you mean 'contains'?",
        "c.jsonl: line 1: warning: 'faithful' needs 'context', which the case does not have.",
    ]
    assert err.splitlines() == [
        "a.yaml: cases, 1 item, 2 problems",
        "b.json: cases, 1 item, 0 problems",
        "c.jsonl: cases, 1 item, 2 problems",
    ]


def test_warnings_change_no_exit_code(validate):
    Path("c.jsonl").write_text(WARNED)
    code, out, _ = validate("c.jsonl", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["problems"] == []
    assert document["items"] == 1
    assert document["warnings"] == [
        {
            "line": 1,
            "code": "missing-member",
            "path": "[0].expected.faithful",
            "byte": None,
            "message": "'faithful' needs 'context', which the case does not have.",
        }
    ]


def test_the_kind_can_be_said(validate):
    Path("data.txt").write_text('{"input": "x"}\n{"input": 1}\n')
    code, _, err = validate("data.txt", "--kind", "cases")
    assert (code, err) == (0, "data.txt: cases, 2 items, 0 problems\n")
    Path("empty.yaml").write_text("")
    assert validate("empty.yaml")[0] == 0


def test_judge_names_are_known(validate):
    text = "- {input: x, context: y, expected_output: z, expected: {similar: {threshold: 0.75}}}\n"
    Path("judged.yaml").write_text(text)
    assert validate("judged.yaml") == (0, "", "judged.yaml: cases, 1 item, 0 problems\n")
