"""One attempt of a case: what came back, and how it came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from minos.cases.assertions.base import Evaluation, Status
from minos.cases.case import Case
from minos.subjects.answer import ToolCall, Usage


class ErrorKind(StrEnum):
    """What kept an attempt from being decided."""

    INPUT = "input"
    """The case itself: it has no recorded answer, or no assertions."""
    SUBJECT = "subject"
    """The subject gave no answer."""
    TIMEOUT = "timeout"
    """The attempt took longer than it may."""
    ASSERTION = "assertion"
    """An assertion could not be decided."""
    JUDGE = "judge"
    """A judge could not be asked."""
    INFRA = "infra"
    """Something other than the run cancelled the attempt."""


@dataclass(frozen=True, slots=True)
class AttemptError:
    """Why an attempt could not be decided.

    Attributes:
        kind: What kept it from that.
        message: That in a line.
    """

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt of a case.

    Attributes:
        id: What people call the case.
        key: What it is known by across runs.
        attempt: Which attempt of the case, from 1.
        status: Passed; failed, when an assertion failed; error, when it could not be decided.
        output: The answer; None where there is none.
        evaluations: The verdicts, in the order of the assertions.
        error: Why it could not be decided; None where it could.
        duration_ms: How long answer and assertions took, in milliseconds.
        latency_ms: How long the subject took, in milliseconds; None where it was not asked.
        usage: What the answer used up; None where the subject does not say.
        tool_calls: The calls of tools; None where the subject does not tell of them.
        retrieved: The ids of the documents found; None where the subject does not tell of them.
        case: The case that the subject returned in place of its own; None where it returned none.
    """

    id: str
    key: str
    attempt: int = 1
    status: Status
    output: str | None = None
    evaluations: Sequence[Evaluation] = ()
    error: AttemptError | None = None
    duration_ms: float = 0.0
    latency_ms: float | None = None
    usage: Usage | None = None
    tool_calls: Sequence[ToolCall] | None = None
    retrieved: Sequence[str] | None = None
    case: Case | None = None

    @property
    def has_passed(self) -> bool:
        """Whether every assertion passed."""
        return self.status is Status.PASSED

    @property
    def failures(self) -> list[tuple[str, str]]:
        """What went wrong: the type of an assertion, or the kind of an error, and why.

        Assertions that could not be decided are in it, those that failed only because there was no
        answer are not.
        """
        if self.error is not None and self.error.kind is not ErrorKind.ASSERTION:
            return [(_SPOKEN.get(self.error.kind, self.error.kind), self.error.message)]
        fallback = {Status.FAILED: "Assertion failed", Status.ERROR: "Assertion errored"}
        return [
            (each.type, each.verdict.reason or fallback[each.verdict.status])
            for each in self.evaluations
            if each.verdict.status is not Status.PASSED
        ]


_SPOKEN = {
    ErrorKind.SUBJECT: "provider",
    ErrorKind.TIMEOUT: "provider",
    ErrorKind.INFRA: "provider",
    ErrorKind.INPUT: "evaluation",
}
"""What a report calls the errors of attempts."""
