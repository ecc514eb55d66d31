"""Holds one answer against assertions, from Python."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from minos.attempts.sync import run_in_own_loop
from minos.cases.assertions.base import Assertion, AssertionType
from minos.cases.assertions.registry import installed
from minos.cases.attempt import Attempt, ErrorKind
from minos.cases.case import Case
from minos.cases.judging import Given, Judging, attempt_of, unanswered
from minos.cases.keys import content_digest, content_key
from minos.subjects.answer import Answer

Assertions: TypeAlias = (
    Mapping[str, Any] | Iterable[Assertion | str | tuple[str, Mapping[str, Any]]]
)
"""A map as in a data set, or a list of names, pairs of name and options, and `Assertion`s."""


def evaluate(
    case: Case,
    assertions: Assertions,
    *,
    answer: Answer | str | None = None,
    latency_ms: float | None = None,
    defaults: Mapping[str, Any] | None = None,
    registry: Mapping[str, AssertionType] | None = None,
) -> Attempt:
    """Hold one answer against assertions.

    What is wrong with an assertion, an unknown name or option say, is an error of the attempt and
    stops nothing.

    Args:
        case: The case.
        assertions: What its answer is held against.
        answer: The answer; the case's `actual_output` when left out.
        latency_ms: How long the subject took, in milliseconds.
        defaults: Options for all assertions; each gets those that it takes.
        registry: The assertions there are; those of minos and of installed packages when left out.

    Raises:
        TypeError: `assertions` holds something else than assertions.

    Example:
        ```python
        case = Case(input="What is the return policy?", actual_output="30 days, with a receipt.")
        attempt = evaluate(case, {"contains_all": ["30 days", "receipt"]})
        assert attempt.has_passed
        ```
    """
    return run_in_own_loop(
        partial(
            evaluate_async,
            case,
            assertions,
            answer=answer,
            latency_ms=latency_ms,
            defaults=defaults,
            registry=registry,
        )
    )


async def evaluate_async(
    case: Case,
    assertions: Assertions,
    *,
    answer: Answer | str | None = None,
    latency_ms: float | None = None,
    defaults: Mapping[str, Any] | None = None,
    registry: Mapping[str, AssertionType] | None = None,
) -> Attempt:
    """Do what `evaluate` does, from asynchronous code."""
    started = time.perf_counter()
    planned = _assertions(assertions)
    answer = case.actual_output if answer is None else answer
    given = Given(Answer(answer) if isinstance(answer, str) else answer, latency_ms)
    if case.input is None:
        judged = unanswered(planned, ErrorKind.INPUT, "input is required")
    else:
        judging = Judging(installed() if registry is None else registry, defaults or {})
        judged = await judging.judge(case, planned, given)
    key = content_key(content_digest({"input": case.input, "context": case.context}), 1)
    duration_ms = round((time.perf_counter() - started) * 1000, 3)
    return attempt_of(case, case.id or key, judged, given, duration_ms=duration_ms)


def _assertions(assertions: Assertions) -> list[Assertion]:
    if isinstance(assertions, Mapping):
        return [
            Assertion(name, value if isinstance(value, Mapping) else {"value": value})
            for name, value in assertions.items()
        ]
    return [_assertion(each) for each in assertions]


def _assertion(entry: object) -> Assertion:
    match entry:
        case Assertion():
            return entry
        case str():
            return Assertion(entry)
        case (str() as name, Mapping() as options):
            return Assertion(name, options)
    raise TypeError(
        "an assertion is a name, a pair of name and options, or an Assertion, not"
        f" {type(entry).__name__}"
    )
