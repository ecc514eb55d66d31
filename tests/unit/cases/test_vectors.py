"""The rules of the format on small examples."""

import pytest

from minos.cases import (
    Case,
    CaseBatch,
    CaseDataset,
    CaseReport,
    CaseRunOptions,
    Failure,
    Gates,
    GateStatus,
    Status,
    evaluate,
    run_sync,
)

PASSED, FAILED, ERROR = Status.PASSED, Status.FAILED, Status.ERROR


def outcome(output, kind, value):
    attempt = evaluate(Case(input="q", actual_output=output), {kind: value})
    return attempt.status, dict(attempt.evaluations[0].verdict.details)


def test_1_letters_count():
    assert outcome("Hello", "contains", "hello") == (FAILED, {"missing": ["hello"]})


def test_2_contains_takes_one_text():
    assert outcome("abc", "contains", ["a"]) == (ERROR, {})
    (problem,) = CaseDataset.parse("- {input: q, expected: {contains: [a]}}", "yaml").problems
    assert problem.code == "invalid-option"
    assert "use contains_all or contains_any for lists" in problem.message


def test_3_any_tells_the_first_found():
    assert outcome("hello", "contains_any", ["x", "lo"]) == (PASSED, {"matched": "lo"})


def test_4_all_of_nothing_is_an_error():
    assert outcome("x", "contains_all", [])[0] is ERROR
    assert CaseDataset.parse("- {input: q, expected: {contains_all: []}}", "yaml").problems


def test_5_spaces_are_no_words():
    assert outcome("  ", "word_count", {"min": 1}) == (FAILED, {"word_count": 0})


def test_6_a_distance_is_inclusive():
    assert outcome("hello", "levenshtein", {"value": "helo", "max_distance": 1}) == (
        PASSED,
        {"distance": 1, "max_distance": 1},
    )


def test_7_a_scalar_is_json():
    assert outcome("5", "is_json", {}) == (PASSED, {"parsed": 5})


def decided(answers, repeat, rule):
    """The status of one case whose attempts are answered in turn."""
    rest = iter(answers)

    def answer(case):
        return next(rest)

    data = CaseDataset.build([(Case(input="q"), {"equals": "good"})]).unwrap()
    results = run_sync(data, answer, CaseRunOptions(repeat=repeat, pass_rule=rule))
    (case,) = CaseReport.create(results, CaseBatch([data])).cases()
    return case.status


def test_9_half_is_no_majority():
    assert decided(["good", "bad"] * 2, 4, "majority") is FAILED


def test_10_a_rate_takes_failures_but_no_errors():
    assert decided([*["good"] * 4, "bad"], 5, "rate:0.8") is PASSED
    assert decided([*["good"] * 4, Failure("down")], 5, "rate:0.8") is ERROR


def gated(outputs, **gates):
    pairs = [(Case(input="q", actual_output=output), {"equals": "good"}) for output in outputs]
    data = CaseDataset.build(pairs).unwrap()
    report = CaseReport.create(run_sync(data), CaseBatch([data]), Gates(**gates))
    return report.status, report.threshold_passed


def test_11_errors_fail_without_a_gate_and_failures_do_not():
    assert gated(["good", "bad"]) == (GateStatus.NOT_CONFIGURED, None)
    assert gated(["good", None]) == (GateStatus.ERROR, None)
    assert gated(["good", None], threshold=0.1) == (GateStatus.ERROR, False)


def test_12_nothing_is_no_success():
    data = CaseDataset.parse("[]", "json").unwrap()
    assert len(data) == 0
    report = CaseReport.create(run_sync(data), CaseBatch([data]))
    assert report.status is GateStatus.FAILED


def test_13_a_threshold_is_inclusive():
    assert gated(["good", "bad"], threshold=0.5) == (GateStatus.PASSED, True)


def test_15_expected_may_be_a_list_of_names():
    data = CaseDataset.parse("- {input: q, expected: [relevant]}", "yaml").unwrap()
    ((_, assertions),) = data.pairs()
    assert [(each.type, dict(each.options)) for each in assertions] == [("relevant", {})]
    assert CaseDataset.parse("- {input: q, expected: [{contains: x}]}", "yaml").problems


@pytest.mark.parametrize(
    ("rule", "passed"),
    [("all", False), ("any", True), ("majority", True), ("rate:0.6", True), ("rate:0.7", False)],
)
def test_rules_over_three_attempts(rule, passed):
    assert decided(["good", "bad", "good"], 3, rule) is (PASSED if passed else FAILED)
