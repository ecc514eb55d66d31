"""Where the answers of a run come from: a subject, the data set itself, or an earlier run."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from minos.cases.attempt import ErrorKind
from minos.cases.case import Case
from minos.cases.judging import Given
from minos.cases.results import CaseResults
from minos.cases.schema import written
from minos.errors import MinosError
from minos.subjects.answer import Answer
from minos.subjects.base import Question, Subject, SubjectError, is_json

RECORDED = "recorded"
"""What results call answers that stand in the data set."""


class NoAnswerError(MinosError):
    """There is no answer.

    Attributes:
        kind: Why.
        latency_ms: How long the subject took all the same; None where it was not asked.
    """

    def __init__(self, kind: ErrorKind, message: str, latency_ms: float | None = None) -> None:
        self.kind = kind
        self.latency_ms = latency_ms
        super().__init__(message)


class Source(Protocol):
    """Gives the answers to a run.

    Attributes:
        name: What the results call it.
    """

    name: str

    async def give(self, key: str, attempt: int, case: Case) -> Given:
        """Give the answer of one attempt.

        Raises:
            NoAnswerError: There is none.
        """
        ...


class SubjectSource:
    """Asks a subject."""

    def __init__(self, subject: Subject, clock: Callable[[], float] = time.perf_counter) -> None:
        """Take a subject; `clock` gives seconds that only go up."""
        self.name = subject.name
        self._subject = subject
        self._clock = clock

    async def give(self, key: str, attempt: int, case: Case) -> Given:  # noqa: ARG002
        """Ask the subject."""
        metadata = None if case.metadata is None else dict(case.metadata)
        started = self._clock()
        try:
            reply = await self._subject.ask(Question(case.input, metadata, case.context, case))
        except SubjectError as error:
            raise NoAnswerError(ErrorKind.SUBJECT, str(error), self._since(started)) from error
        latency_ms = self._since(started)
        returned = reply.case if isinstance(reply.case, Case) else None
        if returned is not None and not is_json(written(returned)):
            message = "the subject returned a Case that JSON cannot hold"
            raise NoAnswerError(ErrorKind.SUBJECT, message, latency_ms)
        return Given(reply.answer, latency_ms, returned)

    def _since(self, started: float) -> float:
        return round((self._clock() - started) * 1000, 3)


class RecordedSource:
    """Takes the answers that stand in the data set."""

    name = RECORDED

    async def give(self, key: str, attempt: int, case: Case) -> Given:  # noqa: ARG002
        """Take the case's `actual_output`."""
        if case.actual_output is None:
            raise NoAnswerError(ErrorKind.INPUT, "Missing actual output")
        return Given(Answer(case.actual_output))


class ResultsSource:
    """Takes the answers of an earlier run, so that nothing is asked again."""

    def __init__(self, results: CaseResults) -> None:
        """Take the results of the run."""
        self.name = results.header.subject
        self._results = results
        self._places = {
            (attempt.key, attempt.attempt): place for place, attempt in enumerate(results)
        }

    async def give(self, key: str, attempt: int, case: Case) -> Given:  # noqa: ARG002
        """Take the answer that the earlier run had for the attempt."""
        place = self._places.get((key, attempt))
        if place is None:
            raise NoAnswerError(ErrorKind.INPUT, "The earlier run has no answer to this case")
        kept = self._results[place]
        if kept.output is None:
            told = kept.error
            message = "The earlier run had no answer" if told is None else told.message
            kind = ErrorKind.INPUT if told is None else told.kind
            raise NoAnswerError(kind, message, kept.latency_ms)
        answer = Answer(kept.output, kept.tool_calls, kept.retrieved, kept.usage)
        return Given(answer, kept.latency_ms, kept.case)
