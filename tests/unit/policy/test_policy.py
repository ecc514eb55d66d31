"""Policy files, rules and gates."""

import pytest

from minos.errors import ConfigError
from minos.policy.file import Policy, parse_policy, read_policy
from minos.policy.gates import Gates, GateStatus, Share, gate_status
from minos.policy.pass_rule import PassRule
from minos.policy.rules import Rule, apply_rules

WHOLE = """\
version: 1
datasets: [tests/a.yaml, tests/b.json]
sampling:
  repeat: 5
  pass_rule: {rate: 0.8}
gates:
  overall: {threshold: 0.9}
  groups: {by: category, pass_rate: 0.8}
  rules:
    - {metric: accuracy, slice: overall, on: lower, min: 0.8}
    - {metric: pass_rate, slice: metrics.contains, min: 0.5, max: 1}
"""


def told(text):
    return [(p.line, p.path, p.message) for p in parse_policy(text.encode()).problems]


def test_a_whole_policy_is_read(tmp_path):
    (tmp_path / "policy.yaml").write_text(WHOLE)
    assert read_policy(tmp_path / "policy.yaml").unwrap() == Policy(
        datasets=("tests/a.yaml", "tests/b.json"),
        repeat=5,
        pass_rule=PassRule.rate(0.8),
        threshold=0.9,
        group_by="category",
        group_threshold=0.8,
        rules=(
            Rule(metric="accuracy", slice="overall", on="lower", min=0.8),
            Rule(metric="pass_rate", slice="metrics.contains", min=0.5, max=1),
        ),
    )
    assert parse_policy(b'{"version": 1}').unwrap() == Policy()


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", [(1, "", "policy must be a YAML map")]),
        ("[]", [(1, "", "policy must be a YAML map")]),
        ("{}", [(1, "", "policy version is required")]),
        ("version: 2", [(1, "version", "unsupported policy version 2; expected 1")]),
        ("version: true", [(1, "version", "unsupported policy version True; expected 1")]),
        ("version: 1\ngate: {}",
         [(2, "gate", "unknown policy keys: gate; did you mean 'gates'?")]),
        ("version: 1\ndatasets: []",
         [(2, "datasets", "datasets must be a nonempty list of paths")]),
        ("version: 1\ndatasets: [a, '']",
         [(2, "datasets[1]", "datasets must be a nonempty list of nonempty string paths")]),
        ("version: 1\nsampling: 5", [(2, "sampling", "sampling must be a map")]),
        ("version: 1\nsampling:\n  repeat: 0\n  pass_rule: most\n  x: 1",
         [(5, "sampling.x", "unknown sampling keys: x"),
          (3, "sampling.repeat", "sampling.repeat must be a positive integer"),
          (4, "sampling.pass_rule",
           "sampling.pass_rule must be all, any, majority, or a rate map")]),
        ("version: 1\nsampling: {pass_rule: {}}",
         [(2, "sampling.pass_rule", "sampling.pass_rule.rate is required")]),
        ("version: 1\nsampling: {pass_rule: {rate: 2}}",
         [(2, "sampling.pass_rule.rate",
           "sampling.pass_rule.rate must be a number between 0.0 and 1.0")]),
        ("version: 1\ngates: {overall: {}, groups: {threshold: 0.5}}",
         [(2, "gates.overall", "gates.overall.threshold is required"),
          (2, "gates.groups", "gates.groups.by must be a nonempty string")]),
        ("version: 1\ngates: {overall: {threshold: 1, pass_rate: 1}}",
         [(2, "gates.overall", "gates.overall cannot set both pass_rate and threshold")]),
        ("version: 1\ngates: {overall: {threshold: yes}, groups: [], rules: {}}",
         [(2, "gates.groups", "gates.groups must be a map"),
          (2, "gates.overall.threshold",
           "gates.overall.threshold must be a number between 0.0 and 1.0"),
          (2, "gates.groups", "gates.groups.by must be a nonempty string"),
          (2, "gates.groups", "gates.groups.threshold is required"),
          (2, "gates.rules", "gates.rules must be a list")]),
        (("version: 1\ngates:\n  rules:\n  - {metric: x}\n  - {min: 1}\n  - {metric: x, min: a}\n"
         "  - 5\n  - {metric: x, min: 1, on: both}\n  - {metric: x, max: 1, slise: y}"),
         [(4, "gates.rules[0]", "a rule needs min or max"),
          (5, "gates.rules[1]", "a rule needs a metric"),
          (6, "gates.rules[2]", "min and max of a rule must be numbers"),
          (7, "gates.rules[3]", "a rule must be a map"),
          (8, "gates.rules[4]", "a rule is on value, lower or upper"),
          (9, "gates.rules[5]",
           "unknown keys of a rule: slise (metric, slice, on, min, max)")]),
        ("version: 1\nversion: 1", [(2, "version", "'version' appears more than once.")]),
    ],
)  # fmt: skip
def test_every_problem_of_a_policy_is_told(text, problems):
    assert told(text) == problems


REPORT = {
    "overall": {"accuracy": 0.9, "accuracyInterval": {"lower": 0.7, "upper": 0.95}, "ece": None},
    "questions": [{"key": "urgent", "accuracy": 0.5}, {"key": "topic", "accuracy": 1}],
    "gates": {"groups": {"results": [{"value": "returns", "pass_rate": 0.25}]}},
    "pass_rate": 0.5,
}


@pytest.mark.parametrize(
    ("rule", "observed", "reason"),
    [
        (Rule(metric="pass_rate", min=0.5), 0.5, ""),
        (Rule(metric="pass_rate", min=0.6), 0.5, "0.5 is below 0.6"),
        (Rule(metric="accuracy", slice="overall", max=0.8), 0.9, "0.9 is above 0.8"),
        (Rule(metric="accuracy", slice="overall", on="lower", min=0.8), 0.7, "0.7 is below 0.8"),
        (Rule(metric="accuracy", slice="questions.topic", min=1), 1, ""),
        (Rule(metric="pass_rate", slice="gates.groups.results.returns", min=0.2), 0.25, ""),
        (Rule(metric="ece", slice="overall", max=1), None, "the report does not say what ece is"),
        (Rule(metric="ece", slice="overall", on="upper", max=1), None,
         "the report does not say what the upper end of ece is"),
        (Rule(metric="x", slice="questions.none", max=1), None,
         "the report has no slice 'questions.none'"),
    ],
)  # fmt: skip
def test_a_rule_is_held_against_a_report(rule, observed, reason):
    (result,) = apply_rules([rule], REPORT)
    assert (result.observed, result.reason, result.passed) == (observed, reason, not reason)


def test_rules_say_what_they_ask():
    assert str(Rule(metric="ece", slice="overall", max=0.1)) == "overall.ece <= 0.1"
    both = Rule(metric="x", on="upper", min=0, max=1)
    assert str(both) == "upper end of x >= 0 and <= 1"


def status(gates, overall, groups=(), *, complete=True, rules=()):
    return gate_status(gates, overall, groups, apply_rules(rules, REPORT), is_complete=complete)


def test_gates_come_to_a_status():
    half = Share(2, 1)
    assert status(Gates(), half) is GateStatus.NOT_CONFIGURED
    assert status(Gates(), half, complete=False) is GateStatus.FAILED
    assert status(Gates(), Share(2, 1, 1)) is GateStatus.ERROR
    assert status(Gates(), Share()) is GateStatus.FAILED
    assert status(Gates(threshold=0.5), half) is GateStatus.PASSED
    assert status(Gates(threshold=0.5), half, complete=False) is GateStatus.FAILED
    assert status(Gates(threshold=0.51), half) is GateStatus.FAILED
    assert status(Gates(is_strict=True), half) is GateStatus.FAILED
    assert status(Gates(is_strict=True), Share(2, 2)) is GateStatus.PASSED
    grouped = Gates(group_by="c", group_threshold=0.8)
    assert status(grouped, half, [Share(1, 1), Share(1, 0)]) is GateStatus.FAILED
    assert status(grouped, half, [Share(1, 1), Share(5, 4)]) is GateStatus.PASSED
    rule = Rule(metric="pass_rate", min=0.6)
    assert status(Gates(rules=(rule,)), half, rules=[rule]) is GateStatus.FAILED


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": 1.5},
        {"threshold": 0.5, "is_strict": True},
        {"group_by": "c"},
        {"group_threshold": 0.5},
    ],
)
def test_gates_do_not_contradict_each_other(wrong):
    with pytest.raises(ConfigError):
        Gates(**wrong)


def test_a_share_of_nothing_is_undefined():
    assert Share().pass_rate is None
    assert Share(4, 3, 1).failed == 1
    assert not Share(4, 3, 1).meets(0.5)
