"""Each assertion over every kind of text: verdicts, details, reasons."""

import pytest

from minos.cases import Answer, Case, Status, ToolCall, Usage, Verdict, assertion, evaluate
from minos.cases.assertions.registry import built_in

PASSED, FAILED, ERROR = Status.PASSED, Status.FAILED, Status.ERROR
FAMILY = "👩‍👩‍👧"
ACCENT = "e\u0301"


def verdict(output, kind, value, **more):
    case = Case(input="question", actual_output=output)
    attempt = evaluate(case, {kind: value}, registry=built_in(), **more)
    (evaluation,) = attempt.evaluations
    assert attempt.status is evaluation.verdict.status
    assert evaluation.type == kind
    return evaluation.verdict


TABLE = [
    ("Hello", "contains", "ell", PASSED, "", {"matched": ["ell"]}),
    ("Hello", "contains", "hello", FAILED, 'Output missing: ["hello"]', {"missing": ["hello"]}),
    ("Hello", "contains", "", PASSED, "", {"matched": [""]}),
    ("", "contains", "a", FAILED, 'Output missing: ["a"]', {"missing": ["a"]}),
    (f"a {FAMILY}", "contains", "👧", PASSED, "", {"matched": ["👧"]}),
    ("ab", "contains_all", ["a", "b"], PASSED, "", {"matched": ["a", "b"]}),
    ("ab", "contains_all", "a", PASSED, "", {"matched": ["a"]}),
    ("ab", "contains_all", {"values": ["a", "x", "y"]}, FAILED,
     'Output missing: ["x", "y"]', {"missing": ["x", "y"]}),
    ("hello", "contains_any", ["x", "lo"], PASSED, "", {"matched": "lo"}),
    ("hello", "contains_any", ["x", "ü"], FAILED,
     'Output contains none of: ["x", "ü"]', {"expected_any": ["x", "ü"]}),
    ("hello", "not_contains", ["x"], PASSED, "", {"checked": ["x"]}),
    ("hello", "not_contains", ["x", "h", "o"], FAILED,
     'Output contains forbidden: ["h", "o"]', {"found": ["h", "o"]}),
    ("hello", "not_contains", "", FAILED, 'Output contains forbidden: [""]', {"found": [""]}),
    ("order 66", "regex", r"\d+", PASSED, "", {"matched": "66", "pattern": r"\d+"}),
    ("order", "regex", {"pattern": r"\d"}, FAILED, r"Pattern not found: \d", {"pattern": r"\d"}),
    ("a", "regex", {"value": "a", "pattern": "b"}, PASSED, "", {"matched": "a", "pattern": "a"}),
    ("ABC", "regex", "(?i)abc", PASSED, "", {"matched": "ABC", "pattern": "(?i)abc"}),
    ("ABC", "regex", "abc", FAILED, "Pattern not found: abc", {"pattern": "abc"}),
    ("end\n", "regex", "end$", PASSED, "", {"matched": "end", "pattern": "end$"}),
    ("", "regex", "^$", PASSED, "", {"matched": "", "pattern": "^$"}),
    ('{"a": [1, null]}', "is_json", {}, PASSED, "", {"parsed": {"a": [1, None]}}),
    ("5", "is_json", {}, PASSED, "", {"parsed": 5}),
    (" true ", "is_json", {}, PASSED, "", {"parsed": True}),
    ("1e400", "is_json", {}, PASSED, "", {"parsed": "1e400"}),
    ("", "is_json", {}, FAILED, "Invalid JSON", {}),
    ("NaN", "is_json", {}, FAILED, "Invalid JSON", {}),
    ("```json\n{}\n```", "is_json", {}, FAILED, "Invalid JSON", {}),
    ("{} x", "is_json", {}, FAILED, "Invalid JSON", {}),
    ("Dear you", "starts_with", "Dear", PASSED, "", {"prefix": "Dear"}),
    ("dear you", "starts_with", "Dear", FAILED,
     "Output does not start with: Dear", {"expected": "Dear"}),
    ("the end.", "ends_with", "end.", PASSED, "", {"suffix": "end."}),
    ("the end.\n", "ends_with", "end.", FAILED,
     "Output does not end with: end.", {"expected": "end."}),
    ("yes", "equals", "yes", PASSED, "", {}),
    ("yes ", "equals", "yes", FAILED,
     "Output does not match expected", {"expected": "yes", "actual": "yes "}),
    (f"{FAMILY}{ACCENT}\r\n", "min_length", 3, PASSED, "", {"length": 3, "min": 3}),
    ("ab", "min_length", {"min": 3}, FAILED,
     "Output length 2 below minimum 3", {"length": 2, "min": 3}),
    ("", "min_length", 0, PASSED, "", {"length": 0, "min": 0}),
    ("", "max_length", 0, PASSED, "", {"length": 0, "max": 0}),
    (FAMILY * 3, "max_length", {"max": 2}, FAILED,
     "Output length 3 exceeds maximum 2", {"length": 3, "max": 2}),
    (" a  b\tc\n", "word_count", {"min": 3, "max": 3}, PASSED, "", {"word_count": 3}),
    ("  ", "word_count", {"min": 1}, FAILED, "Word count 0 below minimum 1", {"word_count": 0}),
    ("a b", "word_count", {"max": 1}, FAILED, "Word count 2 exceeds maximum 1", {"word_count": 2}),
    ("", "word_count", {}, PASSED, "", {"word_count": 0}),
    ("hello", "levenshtein", {"value": "helo", "max_distance": 1}, PASSED, "",
     {"distance": 1, "max_distance": 1}),
    ("hello", "levenshtein", {"value": "hello", "max_distance": 0}, PASSED, "",
     {"distance": 0, "max_distance": 0}),
    ("", "levenshtein", "abcd", FAILED, "Edit distance 4 exceeds max 3",
     {"distance": 4, "max_distance": 3}),
    (f"{FAMILY}{ACCENT}", "levenshtein", {"value": "e", "max_distance": 1}, FAILED,
     "Edit distance 2 exceeds max 1", {"distance": 2, "max_distance": 1}),
    ("x", "latency_ms", {"actual": 200, "max": 200}, PASSED, "", {"latency_ms": 200, "max": 200}),
    ("x", "latency_ms", {"latency": 0, "value": 0}, PASSED, "", {"latency_ms": 0, "max": 0}),
    ("x", "latency_ms", {"actual": 5001}, FAILED, "Latency 5001ms exceeds max 5000ms",
     {"latency_ms": 5001, "max": 5000}),
    ("x", "latency_ms", 5, FAILED, "No latency value provided in opts[:actual]", {}),
]  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_an_assertion_says_how_and_why(row):
    output, kind, value, *expected = row
    assert verdict(output, kind, value) == Verdict(*expected)


ERRORS = [
    ("contains", ["a"], "contains requires a single string :value; use contains_all or"),
    ("contains", 5, "contains requires a single string :value"),
    ("contains", {}, "contains requires a single string :value"),
    ("contains", {"values": ["a"]}, "Unknown options for contains: [values]"),
    ("contains_all", [], "contains_all requires :value or :values"),
    ("contains_all", {}, "contains_all requires :value or :values"),
    ("contains_any", [], "contains_any requires :value or :values"),
    ("not_contains", None, "not_contains requires :value or :values"),
    ("not_contains", [1], "not_contains requires text or a list of texts"),
    ("not_contains", 0, "not_contains requires text or a list of texts"),
    ("regex", "(", "regex: not a pattern: unclosed group (character 0)"),
    ("regex", "(?=a)", "regex: look-around `(?=` is not supported in a pattern"),
    ("regex", {}, "regex requires a string :value or :pattern"),
    ("is_json", True, "Unknown options for is_json: [value]"),
    ("equals", 5, "equals requires a string :value"),
    ("min_length", {}, "min_length requires a whole number from 0 as value or min"),
    ("min_length", "3", "min_length requires a whole number from 0 as value"),
    ("max_length", True, "max_length requires a whole number from 0 as value"),
    ("max_length", -1, "max_length requires a whole number from 0 as value"),
    ("word_count", {"min": 1.5}, "word_count requires a whole number from 0 as min"),
    ("word_count", {"min": 3, "max": 2}, "word_count cannot have a min of 3 above its max of 2"),
    ("levenshtein", {"max_distance": 1}, "levenshtein requires a string :value"),
    ("latency_ms", "fast", "latency_ms requires a number as value"),
    ("latency_ms", {"max": float("inf")}, "latency_ms requires a number from 0 as max"),
    ("cost_usd", {}, "cost_usd requires a number as value or max"),
    ("cost_usd", 1, "The cost is not known: the subject tells of none"),
    ("tool_calls", [], "The calls of tools are not known: return an Answer with tool_calls"),
    ("tool_calls", {}, "tool_calls requires a list of names as value, or max"),
    ("tool_calls", [1], "tool_calls requires a list of names as value"),
    ("max_tokens", {"max": 5}, "Unknown assertion type: max_tokens: it is no longer there"),
    ("pii", {}, "Unknown assertion type: pii: it is called no_pii now"),
    ("contians", "a", "Unknown assertion type: contians; did you mean 'contains'?"),
    ("no_policy_violation", {}, "no_policy_violation requires a policy"),
    ("relevant", {"threshold": 2}, "relevant requires a number from 0 to 1 as threshold"),
]


@pytest.mark.parametrize(("kind", "value", "reason"), ERRORS)
def test_what_cannot_be_decided_is_an_error(kind, value, reason):
    told = verdict("a text", kind, value)
    assert told.status is ERROR
    assert told.reason.startswith(reason)


def test_a_long_answer_is_measured_up_to_a_limit():
    long = "ab" * 50_000
    assert verdict(long, "levenshtein", {"value": long, "max_distance": 0}).status is PASSED
    told = verdict(long + "c", "levenshtein", "x")
    assert told.status is ERROR
    assert "100,000" in told.reason
    assert verdict(long, "max_length", 100_000).status is PASSED


def test_a_catastrophic_pattern_ends():
    assert verdict("a" * 100_000 + "!", "regex", "(a+)+$").status is FAILED


def test_deep_json_is_not_taken_for_no_json():
    assert verdict("[" * 100_000 + "]" * 100_000, "is_json", {}).status is ERROR


@pytest.mark.parametrize(
    ("output", "kind", "value", "status"),
    [
        ("caf\u00e9", "contains", "cafe\u0301", FAILED),
        ("cafe\u0301", "not_contains", "caf\u00e9", PASSED),
        ("caf\u00e9", "equals", "cafe\u0301", FAILED),
        ("caf\u00e9", "regex", "cafe\u0301", FAILED),
        ("cafe\u0301", "contains_all", ["caf\u00e9"], FAILED),
    ],
)
def test_a_verdict_that_hangs_on_normalisation_says_so(output, kind, value, status):
    told = verdict(output, kind, value)
    assert told.status is status
    assert "Unicode normalisation (NFC)" in told.reason


def test_other_verdicts_do_not_speak_of_normalisation():
    assert verdict("cafe\u0301", "contains", "tea").reason == 'Output missing: ["tea"]'


def tools(value, *called):
    answer = Answer("done", tool_calls=[ToolCall(name) for name in called])
    return verdict(None, "tool_calls", value, answer=answer)


@pytest.mark.parametrize(
    ("value", "called", "reason"),
    [
        (["search"], ["search", "book"], ""),
        (["search", "search"], ["search"], 'Tools not called: ["search"]'),
        ([], [], ""),
        ([], ["x"], 'Tools called: ["x"], but none may be'),
        ({"value": ["a", "b"], "in_order": True}, ["a", "x", "b"], ""),
        ({"value": ["a", "b"], "in_order": True}, ["b", "a"],
         'Tools not called in order: ["a", "b"]'),
        ({"value": "a", "only": True}, ["a", "a"], ""),
        ({"value": ["a"], "only": True}, ["a", "b"], 'Other tools called: ["b"]'),
        ({"max": 1}, ["a", "b"], "2 tool calls exceed max 1"),
        ({"value": ["a"], "max": 2}, ["a", "b"], ""),
    ],
)  # fmt: skip
def test_calls_of_tools_are_counted(value, called, reason):
    told = tools(value, *called)
    assert (told.status, told.reason) == (FAILED if reason else PASSED, reason)
    assert told.details == {"called": called}


def test_cost_and_latency_are_what_was_measured():
    dear = Answer("x", usage=Usage(cost_usd=0.02))
    assert verdict(None, "cost_usd", 0.02, answer=dear).status is PASSED
    told = verdict(None, "cost_usd", {"max": 0.01}, answer=dear)
    assert told == Verdict.failed("Cost of $0.02 exceeds max $0.01", cost_usd=0.02, max=0.01)
    free = Answer("x", usage=Usage(cost_usd=0.0))
    assert verdict(None, "cost_usd", 0, answer=free).status is PASSED
    assert verdict("x", "latency_ms", 200, latency_ms=150.5).status is PASSED
    assert verdict("x", "latency_ms", 200, latency_ms=250.5).status is FAILED


def test_an_error_is_no_failure_and_stops_nothing():
    case = Case(input="q", actual_output="words")
    attempt = evaluate(case, [("contains", {"value": "x"}), "nonsense", ("equals", {"value": "y"})])
    assert [each.verdict.status for each in attempt.evaluations] == [FAILED, ERROR, FAILED]
    assert attempt.status is ERROR
    assert attempt.failures[0] == ("contains", 'Output missing: ["x"]')
    assert [kind for kind, _ in attempt.failures] == ["contains", "nonsense", "equals"]


def test_without_an_answer_or_assertions_nothing_can_be_decided():
    missing = evaluate(Case(input="q"), {"contains": "x"})
    assert missing.status is ERROR
    assert missing.failures == [("evaluation", "Missing actual output")]
    assert missing.evaluations[0].verdict == Verdict.error("Missing actual output")
    assert evaluate(Case(input="q", actual_output="a"), []).failures == [
        ("evaluation", "No assertions configured")
    ]
    assert evaluate(Case(input=None, actual_output="a"), {"contains": "a"}).status is ERROR


def test_defaults_go_to_those_who_take_them():
    case = Case(input="q", actual_output="hello")
    attempt = evaluate(
        case,
        {"contains": "hello", "levenshtein": {"value": "helo"}},
        defaults={"max_distance": 0, "model": "openai:x"},
    )
    assert [each.verdict.status for each in attempt.evaluations] == [PASSED, FAILED]


def test_a_custom_assertion_is_a_function():
    @assertion("polite", options=["word"])
    def polite(observed, options):
        return options.get("word", "please") in observed.output

    @assertion("odd")
    async def odd(observed, _options):
        return Verdict.failed("even", length=len(observed.output)) if observed.output else None

    @assertion("broken")
    def broken(_observed, _options):
        raise RuntimeError("no")

    registry = built_in().with_types([polite, odd, broken])
    case = Case(input="q", actual_output="if you please")
    attempt = evaluate(case, {"polite": {}, "odd": 5, "broken": {}}, registry=registry)
    verdicts = [each.verdict for each in attempt.evaluations]
    assert verdicts[0] == Verdict.passed()
    assert verdicts[1] == Verdict.failed("even", length=13)
    assert verdicts[2] == Verdict.error("RuntimeError: no")
    told = evaluate(case, {"polite": {"words": 1}}, registry=registry).evaluations[0].verdict
    assert told.reason == "Unknown options for polite: [words]"
