"""How the answer begins and ends, and what it is: starts_with, ends_with, equals."""

from __future__ import annotations

from minos.cases.assertions.base import AssertionType, Check, Observed, Options, Verdict
from minos.cases.assertions.options import text


def _starts_with(options: Options) -> Check:
    prefix = text(options, "starts_with requires a string :value", "value")

    def check(observed: Observed) -> Verdict:
        if observed.output.startswith(prefix):
            return Verdict.passed(prefix=prefix)
        return Verdict.failed(f"Output does not start with: {prefix}", expected=prefix)

    return check


def _ends_with(options: Options) -> Check:
    suffix = text(options, "ends_with requires a string :value", "value")

    def check(observed: Observed) -> Verdict:
        if observed.output.endswith(suffix):
            return Verdict.passed(suffix=suffix)
        return Verdict.failed(f"Output does not end with: {suffix}", expected=suffix)

    return check


def _equals(options: Options) -> Check:
    expected = text(options, "equals requires a string :value", "value")

    def check(observed: Observed) -> Verdict:
        if observed.output == expected:
            return Verdict.passed()
        reason = "Output does not match expected"
        return Verdict.failed(reason, expected=expected, actual=observed.output)

    return check


STARTS_WITH, ENDS_WITH, EQUALS = (
    AssertionType(name=name, read=read, options=("value",), texts=("value",), is_of_text=True)
    for name, read in (
        ("starts_with", _starts_with),
        ("ends_with", _ends_with),
        ("equals", _equals),
    )
)
