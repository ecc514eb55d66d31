"""Reports over cases: figures, gates, documents, JSON."""

import json

import pytest

from minos import ConfigError
from minos.cases import (
    Case,
    CaseBatch,
    CaseDataset,
    CaseReport,
    CaseRunOptions,
    Gates,
    GateStatus,
    Rule,
    Status,
    run_sync,
)
from minos.cases.report_document import cases_document, percent, summary_document
from minos.reports.document import Status as Shown
from minos.reports.text import render_text


def dataset():
    pairs = [
        (
            Case(input={"q": number}, actual_output=output, metadata={"c": group}),
            {"contains": "good", "max_length": 4},
        )
        for number, (output, group) in enumerate(
            [("good", "a"), ("good one", "b"), ("bad", 1), (None, "1"), ("good", True)]
        )
    ]
    return CaseDataset.build(pairs).unwrap()


def made(data=None, results=None, **gates):
    data = dataset() if data is None else data
    results = run_sync(data) if results is None else results
    return CaseReport.create(results, CaseBatch([data]), Gates(**gates))


def test_figures_are_counted_over_cases_attempts_and_assertions():
    report = made()
    cases = report.tally.cases.share()
    assert (cases.total, cases.passed, cases.failed, cases.errors) == (5, 2, 3, 1)
    contains = report.tally.metrics["contains"].share()
    assert (contains.total, contains.passed, contains.errors) == (5, 3, 1)
    assert report.status is GateStatus.ERROR


def test_groups_are_told_apart_by_kind_and_sorted_by_their_words():
    report = made(group_by="c", group_threshold=0.5)
    assert [(value, share.passed, share.total) for value, share in report.groups] == [
        (1, 0, 1),
        ("1", 0, 1),
        ("a", 1, 1),
        ("b", 0, 1),
        (True, 1, 1),
    ]


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (None, 'case 1 is missing metadata group "c"'),
        ({"c": None}, 'case 1 is missing metadata group "c"'),
        ({"c": [1]}, 'case 1 metadata group "c" must be a string, number, or boolean; got: [1]'),
    ],
)
def test_a_case_in_no_group_is_refused(metadata, message):
    data = CaseDataset.build([(Case(input=1, actual_output="x", metadata=metadata), {})]).unwrap()
    with pytest.raises(ConfigError) as caught:
        made(data, group_by="c", group_threshold=0.5)
    assert str(caught.value) == message


def test_the_json_has_the_shape_of_schema_3():
    document = json.loads(made(threshold=0.5, group_by="c", group_threshold=0.1).to_json())
    assert document["schema_version"] == 3
    assert document["summary"]["gate_status"] == "error"
    assert document["summary"]["threshold_passed"] is False
    assert document["summary"]["threshold"] == 0.5
    assert document["summary"]["attempts"]["total"] == 5
    assert document["metrics"]["max_length"] == {
        "total": 5,
        "passed": 3,
        "failed": 2,
        "errors": 1,
        "pass_rate": 0.6,
    }
    assert document["gates"]["overall"] == {
        "threshold": 0.5,
        "total": 5,
        "passed": 2,
        "failed": 3,
        "errors": 1,
        "pass_rate": 0.4,
        "passed_gate": False,
    }
    assert document["gates"]["groups"]["by"] == "c"
    assert [entry["value"] for entry in document["gates"]["groups"]["results"]] == [
        1, "1", "a", "b", True,
    ]  # fmt: skip
    good, long, bad, silent, _ = document["cases"]
    assert good["status"] == "passed"
    assert good["results"]["contains"] == {"pass": {"matched": ["good"]}}
    assert good["group"] == {"by": "c", "value": "a"}
    assert good["sample"]["assertions"][0] == {
        "index": 0,
        "type": "contains",
        "passed": 1,
        "failed": 0,
        "errors": 0,
        "pass_rate": 1.0,
    }
    assert long["failures"] == [{"max_length": "Output length 8 exceeds maximum 4"}]
    assert bad["results"]["contains"] == {
        "fail": {"missing": ["good"], "reason": 'Output missing: ["good"]'}
    }
    assert bad["evaluations"][0]["type"] == "contains"
    assert silent["execution_error"] is True
    assert silent["failures"] == [{"evaluation": "Missing actual output"}]
    assert silent["results"]["contains"] == {"error": "Missing actual output"}
    assert silent["status"] == "failed"
    assert silent["input"] == {"q": 3}


def test_strict_is_a_threshold_of_one():
    document = json.loads(made(is_strict=True).to_json())
    assert document["summary"]["threshold"] is None
    assert document["summary"]["strict"] is True
    assert document["gates"]["overall"]["threshold"] == 1.0


def test_rules_look_into_the_report():
    held = Rule(metric="pass_rate", slice="metrics.contains", min=0.5)
    broken = Rule(metric="pass_rate", slice="summary", min=0.9)
    report = made(rules=(held, broken))
    assert [(result.passed, result.observed) for result in report.rules] == [
        (True, 0.6),
        (False, 0.4),
    ]
    told = json.loads(report.to_json())["gates"]["rules"]
    assert told[1] == {
        "rule": "summary.pass_rate >= 0.9",
        "observed": 0.4,
        "passed": False,
        "reason": "0.4 is below 0.9",
    }


def test_attempts_are_reduced_by_the_rule():
    answers = iter(["good", "bad", "bad", "bad"])
    data = CaseDataset.build([(Case(input=n), {"equals": "good"}) for n in range(2)]).unwrap()
    results = run_sync(data, lambda case: next(answers), CaseRunOptions(repeat=2, pass_rule="any"))
    first, second = json.loads(made(data, results).to_json())["cases"]
    assert (first["status"], first["failures"]) == ("passed", [])
    assert first["actual_output"] == "bad"
    assert [attempt["status"] for attempt in first["attempts"]] == ["passed", "failed"]
    assert second["failures"] == [
        {"equals": "Attempt 1: Output does not match expected"},
        {"equals": "Attempt 2: Output does not match expected"},
    ]
    assert second["sample"]["pass_rule"] == "any"


def test_of_several_verdicts_on_one_assertion_the_worst_counts():
    data = CaseDataset.build([(Case(input=1, actual_output="x"), ["is_json", "is_json"])]).unwrap()
    report = made(data)
    (case,) = json.loads(report.to_json())["cases"]
    assert case["results"] == {"is_json": {"fail": {"reason": "Invalid JSON"}}}
    assert len(case["evaluations"]) == 2


def test_the_summary_says_what_a_person_wants_to_know():
    text = render_text(summary_document(made(threshold=0.5, group_by="c", group_threshold=0.5)))
    assert text.startswith("Evaluation of recorded\n======")
    assert "FAILED: 1 case could not be decided (threshold: 50%)" in text
    assert "ERROR" not in text.split("Gates")[0]
    assert "FAILED overall: 40% observed, 50% required, 1 error" in text
    assert "PASSED c=a: 100% observed, 50% required" in text
    assert "contains    ############........  3/5  60%" in text
    assert '1. {"q":1}' in text
    assert "  - max_length: Output length 8 exceeds maximum 4" in text
    assert "  - output: good one" in text
    assert "  - samples: 0/1 passed, 1 failed, 0 errors, rule: all" in text


def test_long_lists_of_failures_are_cut_where_a_person_reads():
    text = render_text(summary_document(made(), most_failed=1))
    assert "Failed cases (3)" in text
    assert "and 2 more" in text


def test_every_case_is_a_check():
    document = cases_document(made())
    assert document.title == "minos: 2/5 passed (40%)"
    (block,) = document.blocks
    assert [check.status for check in block.checks] == [
        Shown.PASSED,
        Shown.FAILED,
        Shown.FAILED,
        Shown.ERROR,
        Shown.PASSED,
    ]


def test_a_partial_run_says_so():
    data = dataset()
    results = run_sync(data, None, CaseRunOptions(limit=2))
    assert "Selected: 2 of 5 cases" in render_text(summary_document(made(data, results)))


def test_per_cents_never_flatter():
    assert [percent(share) for share in (None, 0.0, 0.5, 0.999, 1.0)] == [
        "-", "0%", "50%", "99%", "100%",
    ]  # fmt: skip


def test_statuses_of_cases():
    assert [outcome.status for outcome in made().cases()] == [
        Status.PASSED,
        Status.FAILED,
        Status.FAILED,
        Status.ERROR,
        Status.PASSED,
    ]
