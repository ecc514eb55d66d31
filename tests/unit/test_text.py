"""Text measures as Python sees them."""

import pytest

from minos._native import Pattern, composed, edit_distance, grapheme_length, without_ignorable


def test_lengths_distances_and_forms():
    assert grapheme_length("👩‍👩‍👧 e\u0301\r\n") == 4
    assert edit_distance("hello", "helo") == 1
    assert composed("e\u0301") == "é"
    assert without_ignorable("a\u200bb") == "ab"


def test_a_distance_has_a_limit():
    with pytest.raises(ValueError, match="100,000 characters"):
        edit_distance("a" * 100_001, "b")


def test_a_pattern_finds_its_leftmost_match():
    assert Pattern("b+$").find("abb\n") == "bb"
    assert Pattern("x").find("abc") is None


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("(?=a)", "look-around `(?=` is not supported in a pattern"),
        (r"(a)\1", r"a back-reference `\1` is not supported in a pattern"),
        ("(", "not a pattern: unclosed group (character 0)"),
        ("(a{1000}){1000}", "the pattern takes more than 10 MiB once compiled"),
    ],
)
def test_a_pattern_that_cannot_be_used_says_why(source, told):
    with pytest.raises(ValueError, match="pattern") as caught:
        Pattern(source)
    assert str(caught.value) == told
