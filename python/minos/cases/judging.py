"""Turns an answer, or the lack of one, into an attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from minos.cases.assertions.base import (
    Assertion,
    AssertionType,
    Evaluation,
    Observed,
    Status,
    Verdict,
)
from minos.cases.assertions.dispatch import evaluate_all
from minos.cases.attempt import Attempt, AttemptError, ErrorKind
from minos.cases.case import Case
from minos.subjects.answer import Answer


@dataclass(frozen=True, slots=True)
class Judged:
    """How an attempt came out.

    Attributes:
        evaluations: The verdicts, in the order of the assertions.
        error: Why it could not be decided; None where it could.
    """

    evaluations: Sequence[Evaluation]
    error: AttemptError | None

    @property
    def status(self) -> Status:
        """Passed where every assertion passed; an error where something could not be decided."""
        if self.error is not None:
            return Status.ERROR
        is_good = all(each.verdict.status is Status.PASSED for each in self.evaluations)
        return Status.PASSED if is_good else Status.FAILED


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, or the lack of one.

    Attributes:
        answer: The answer; None where there is none.
        latency_ms: How long the subject took, in milliseconds; None where it was not asked.
        case: The case that the subject returned in place of its own; None where it returned none.
    """

    answer: Answer | None
    latency_ms: float | None = None
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Judging:
    """How answers are judged.

    Attributes:
        registry: The assertions there are.
        defaults: Options for all assertions; each gets those that it takes.
    """

    registry: Mapping[str, AssertionType]
    defaults: Mapping[str, Any] = field(default_factory=dict)

    async def judge(self, case: Case, assertions: Sequence[Assertion], given: Given) -> Judged:
        """Hold an answer against the assertions of its case."""
        answer = given.answer
        if answer is None:
            return unanswered(assertions, ErrorKind.INPUT, "Missing actual output")
        if not assertions:
            return Judged((), AttemptError(ErrorKind.INPUT, "No assertions configured"))
        observed = Observed(
            case=case if given.case is None else given.case,
            output=answer.text,
            latency_ms=given.latency_ms,
            usage=answer.usage,
            tool_calls=answer.tool_calls,
        )
        evaluations = await evaluate_all(observed, assertions, self.registry, self.defaults)
        return Judged(evaluations, _undecided(evaluations))


def unanswered(assertions: Sequence[Assertion], kind: ErrorKind, message: str) -> Judged:
    """Tell of a case without an answer: no assertion can be decided."""
    verdict = Verdict.error(message)
    evaluations = [Evaluation(type=each.type, verdict=verdict) for each in assertions]
    return Judged(evaluations, AttemptError(kind, message))


def attempt_of(
    case: Case,
    key: str,
    judged: Judged,
    given: Given,
    *,
    attempt: int = 1,
    duration_ms: float = 0.0,
) -> Attempt:
    """Put together what is known of an attempt.

    Args:
        case: The case as it stands in the data set.
        key: What the case is known by across runs.
        judged: How the attempt came out.
        given: The answer.
        attempt: Which attempt of the case, from 1.
        duration_ms: How long answer and assertions took, in milliseconds.
    """
    answer = given.answer
    return Attempt(
        id=case.id or key,
        key=key,
        attempt=attempt,
        status=judged.status,
        output=None if answer is None else answer.text,
        evaluations=judged.evaluations,
        error=judged.error,
        duration_ms=duration_ms,
        latency_ms=given.latency_ms,
        usage=None if answer is None else answer.usage,
        tool_calls=None if answer is None else answer.tool_calls,
        retrieved=None if answer is None else answer.retrieved,
        case=given.case,
    )


def _undecided(evaluations: Sequence[Evaluation]) -> AttemptError | None:
    errors = [each for each in evaluations if each.verdict.status is Status.ERROR]
    if not errors:
        return None
    told = "; ".join(f"{each.type}: {each.verdict.reason}" for each in errors)
    return AttemptError(ErrorKind.ASSERTION, told)
