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


REPORT = {"kind": "minos-report", "version": 1, "run": {}}


@pytest.mark.parametrize(
    ("name", "text", "what", "command"),
    [
        ("p.json", '{\n "prices": []\n}', "a prices file", "--prices"),
        ("p.jsonl", '{"prices": []}', "a prices file", "--prices"),
        ("minos.json", '\ufeff{ "Minos" : {}}', "a config file", "minos config show"),
        ("minos.json", '{"minos": {}}', "a config file", "minos config show"),
        ("r.json", json.dumps(REPORT, indent=2), "a report", "minos report"),
        ("r.txt", json.dumps(REPORT), "a report", "minos report"),
        (
            "c.json",
            '{\n"kind": "minos-case-report"',
            "a report on cases",
            "minos eval",
        ),
        ("x.json", '{"kind": "minos-conformance"', "a report on conformance", "minos conformance"),
        ("x.json", '{"kind": "minos-probe"', "the report of a probe", "minos probe"),
        ("x.json", '{"kind": "minos-repeats"', "a report on repeats", "--repeat"),
        ("x.json", '{"kind": "minos-output"', "what a command printed", "no file"),
        ("x.json", '{"kind": "minos-cached-response"', "a cached response", "--cache"),
        (".minos-journal.jsonl", '{"kind":"minos-journal"}', "the journal of a run", "--resume"),
    ],
)
def test_a_file_of_minos_is_known_by_how_it_begins(validate, name, text, what, command):
    Path(name).write_text(text, encoding="utf-8")
    code, out, err = validate(name)
    assert (code, out) == (2, "")
    told, hint, *_ = err.splitlines()
    assert told == f"error: {name} is {what}, no data set"
    assert hint.startswith("hint: ")
    assert command in hint


def test_a_results_file_is_one_whatever_its_name(validate):
    header = {"kind": "minos-results", "version": 1}
    Path("r.json").write_text(json.dumps(header) + "\n", encoding="utf-8")
    code, out, err = validate("r.json")
    assert code == 2
    assert out.startswith("line 1: ")
    assert err.startswith("r.json: results, ")


@pytest.mark.parametrize(
    "text", ['[{"input": "kind"}]', '{"cases": []}', '{"kind": "x"}', '{"price": 1}', "{", ""]
)
def test_other_documents_are_read_as_cases(validate, text):
    Path("it.json").write_text(text, encoding="utf-8")
    _, out, err = validate("it.json")
    assert "no data set" not in err
    assert "cases" in err or out


def test_what_a_file_is_can_be_said_against_its_look(validate):
    Path("p.jsonl").write_text('{"prices": []}', encoding="utf-8")
    assert "no data set" not in validate("p.jsonl", "--kind", "decisions")[2]
