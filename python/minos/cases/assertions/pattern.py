"""Whether a pattern is found in the answer: regex."""

from __future__ import annotations

from functools import lru_cache

from minos._native import Pattern
from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.options import given, text


@lru_cache(maxsize=256)
def _compiled(source: str) -> Pattern:
    return Pattern(source)


def _regex(options: Options) -> Check:
    source = text(options, "regex requires a string :value or :pattern", "value", "pattern")
    try:
        pattern = _compiled(source)
    except ValueError as error:
        raise OptionsError(f"regex: {error}", given(options, "value", "pattern")[0]) from None

    def check(observed: Observed) -> Verdict:
        matched = pattern.find(observed.output)
        if matched is not None:
            return Verdict.passed(matched=matched, pattern=source)
        return Verdict.failed(f"Pattern not found: {source}", pattern=source)

    return check


REGEX = AssertionType(
    name="regex",
    read=_regex,
    options=("value", "pattern"),
    texts=("value", "pattern"),
    is_of_text=True,
)
