"""Whether the answer holds some texts: contains, contains_all, contains_any, not_contains."""

from __future__ import annotations

from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.options import given, quoted, text, texts

_ONE_TEXT = "contains requires a single string :value; use contains_all or contains_any for lists"


def _contains(options: Options) -> Check:
    wanted = text(options, _ONE_TEXT, "value")

    def check(observed: Observed) -> Verdict:
        if wanted in observed.output:
            return Verdict.passed(matched=[wanted])
        return Verdict.failed(f"Output missing: {quoted([wanted])}", missing=[wanted])

    return check


def _contains_all(options: Options) -> Check:
    wanted = texts(options, "contains_all")

    def check(observed: Observed) -> Verdict:
        missing = [each for each in wanted if each not in observed.output]
        if missing:
            return Verdict.failed(f"Output missing: {quoted(missing)}", missing=missing)
        return Verdict.passed(matched=wanted)

    return check


def _contains_any(options: Options) -> Check:
    wanted = texts(options, "contains_any")

    def check(observed: Observed) -> Verdict:
        found = next((each for each in wanted if each in observed.output), None)
        if found is not None:
            return Verdict.passed(matched=found)
        return Verdict.failed(f"Output contains none of: {quoted(wanted)}", expected_any=wanted)

    return check


def _not_contains(options: Options) -> Check:
    forbidden = texts(options, "not_contains")

    def check(observed: Observed) -> Verdict:
        found = [each for each in forbidden if each in observed.output]
        if found:
            return Verdict.failed(f"Output contains forbidden: {quoted(found)}", found=found)
        return Verdict.passed(checked=forbidden)

    return check


def _no_empty_text(options: Options) -> None:
    name, value = given(options, "value", "values")
    if value == "":
        raise OptionsError("every output contains the empty text", name)
    if isinstance(value, list) and "" in value:
        raise OptionsError("every output contains the empty text", name, value.index(""))


CONTAINS = AssertionType(
    name="contains",
    read=_contains,
    options=("value",),
    texts=("value",),
    read_in_file=_no_empty_text,
    is_of_text=True,
)
CONTAINS_ALL, CONTAINS_ANY, NOT_CONTAINS = (
    AssertionType(
        name=name,
        read=read,
        options=("value", "values"),
        texts=("value", "values"),
        read_in_file=_no_empty_text,
        is_of_text=True,
    )
    for name, read in (
        ("contains_all", _contains_all),
        ("contains_any", _contains_any),
        ("not_contains", _not_contains),
    )
)
