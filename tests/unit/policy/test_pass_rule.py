"""When repeated attempts have passed."""

import pytest

from minos.policy.pass_rule import PassRule, meets


@pytest.mark.parametrize(
    ("rule", "passed", "attempts", "is_met"),
    [
        ("all", 5, 5, True),
        ("all", 4, 5, False),
        ("any", 1, 5, True),
        ("any", 0, 5, False),
        ("majority", 2, 4, False),
        ("majority", 3, 4, True),
        ("majority", 1, 1, True),
        ("rate:0.8", 4, 5, True),
        ("rate:0.8", 3, 5, False),
        ("rate:0", 0, 3, True),
        ("rate:1", 3, 3, True),
        ("rate:0.7", 7, 10, True),
        ("rate:0.3333333333333333", 1, 3, True),
    ],
)
def test_a_rule_counts_attempts(rule, passed, attempts, is_met):
    assert PassRule.parse(rule).is_met(passed, attempts) is is_met


@pytest.mark.parametrize(
    "text", ["", "most", "rate", "rate:", "rate:x", "rate:1.1", "rate:nan", "all:1"]
)
def test_other_words_are_no_rule(text):
    with pytest.raises(ValueError, match=r"rate|all"):
        PassRule.parse(text)


def test_a_rule_is_written_as_it_is_read():
    for value in ("all", "any", "majority", {"rate": 0.8}):
        assert PassRule.of(value).to_json() == value
    assert str(PassRule.rate(0.8)) == "rate >= 0.8"
    assert str(PassRule()) == "all"
    assert PassRule.of(PassRule.rate(1)) == PassRule.of({"rate": 1})
    for value in (5, {"rate": True}, {"rate": 0.5, "x": 1}, None):
        with pytest.raises(ValueError, match="a pass rule is"):
            PassRule.of(value)
    with pytest.raises(ValueError, match="share"):
        PassRule("all", 0.5)


def test_shares_are_compared_without_rounding():
    assert meets(7, 10, 0.7)
    assert not meets(699_999, 1_000_000, 0.7)
    assert not meets(0, 0, 0.0)
