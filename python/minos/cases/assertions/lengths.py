"""How long the answer is: min_length, max_length, word_count."""

from __future__ import annotations

from minos._native import grapheme_length
from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.options import count


def _min_length(options: Options) -> Check:
    least = count(options, "min_length", "value", "min")
    if least is None:
        raise OptionsError("min_length requires a whole number from 0 as value or min", "value")

    def check(observed: Observed) -> Verdict:
        length = grapheme_length(observed.output)
        if length >= least:
            return Verdict.passed(length=length, min=least)
        return Verdict.failed(
            f"Output length {length} below minimum {least}", length=length, min=least
        )

    return check


def _max_length(options: Options) -> Check:
    most = count(options, "max_length", "value", "max")
    if most is None:
        raise OptionsError("max_length requires a whole number from 0 as value or max", "value")

    def check(observed: Observed) -> Verdict:
        length = grapheme_length(observed.output)
        if length <= most:
            return Verdict.passed(length=length, max=most)
        return Verdict.failed(
            f"Output length {length} exceeds maximum {most}", length=length, max=most
        )

    return check


def _word_count(options: Options) -> Check:
    least = count(options, "word_count", "min")
    most = count(options, "word_count", "max")
    if least is not None and most is not None and least > most:
        raise OptionsError(
            f"word_count cannot have a min of {least} above its max of {most}", "min"
        )

    def check(observed: Observed) -> Verdict:
        words = len(observed.output.split())
        if least is not None and words < least:
            return Verdict.failed(f"Word count {words} below minimum {least}", word_count=words)
        if most is not None and words > most:
            return Verdict.failed(f"Word count {words} exceeds maximum {most}", word_count=words)
        return Verdict.passed(word_count=words)

    return check


MIN_LENGTH = AssertionType(name="min_length", read=_min_length, options=("value", "min"))
MAX_LENGTH = AssertionType(name="max_length", read=_max_length, options=("value", "max"))
WORD_COUNT = AssertionType(name="word_count", read=_word_count, options=("min", "max"))
