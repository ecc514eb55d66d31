"""Cloudflare's Clef on Workers AI: System One in an envelope."""

from __future__ import annotations

from dataclasses import replace

from minos.providers.errors import server_words, status_failure
from minos.providers.exchange import Failure, RawExchange
from minos.providers.redactor import Redactor
from minos.providers.response import ResponseReader
from minos.providers.systemone import SystemOneWire, read_answers
from minos.questions import QuestionSet
from minos.request import DecisionResponse

_DAILY_QUOTA_SPENT = 4006


class CloudflareWire(SystemOneWire):
    """System One as Workers AI wraps it."""

    def failure_of(self, raw: RawExchange, redactor: Redactor) -> Failure | None:
        """Return why a response is a failure; a spent daily quota does not come back soon."""
        failure = status_failure(raw, redactor)
        if failure is not None and _DAILY_QUOTA_SPENT in _codes(failure.error.detail):
            return replace(failure, is_transient=False)
        return failure

    def read(self, raw: RawExchange, questions: QuestionSet) -> DecisionResponse:
        """Read the answers out of the envelope.

        Raises:
            DecisionError: InvalidResponse.
        """
        reader = ResponseReader(raw)
        document = reader.document()
        result = document.get("result")
        if document.get("success") is False or not isinstance(result, dict):
            said = server_words(document)
            told = "The response has no result."
            reader.refuse({}, f"{told} The server said: {said}" if said else told)
        return reader.read(result, questions, read_answers)


def _codes(detail: object) -> list[object]:
    errors = detail.get("errors") if isinstance(detail, dict) else None
    if not isinstance(errors, list):
        return []
    return [error.get("code") for error in errors if isinstance(error, dict)]
