"""From a successful response to answers, and to InvalidResponse where there are none to be had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from minos.answers import AnswerRecord
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.errors import server_words
from minos.providers.exchange import RawExchange
from minos.providers.reading import read_cost, read_count, read_name
from minos.providers.strict_json import (
    RepeatedMemberError,
    UnreadableError,
    parse_json,
    salvage,
    unwrapped,
)
from minos.questions import QuestionSet
from minos.request import DecisionResponse

_ANSWERS = frozenset({"answers", "result.answers"})

ReadAnswers: TypeAlias = Callable[[object, QuestionSet], dict[str, AnswerRecord]]
"""Reads the member `answers` of a body; raises UnreadableError where that cannot be done."""


class ResponseReader:
    """Reads one successful response; the envelope is told also where the answers cannot be read."""

    def __init__(self, raw: RawExchange) -> None:
        """Prepare to read.

        Args:
            raw: The response.
        """
        self._raw = raw

    def document(self) -> dict[str, Any]:
        """Return the body as a JSON object.

        Raises:
            DecisionError: InvalidResponse; it carries what can be told of the envelope.
        """
        if self._raw.body.fault:
            self.refuse({}, f"The response could not be read: it {self._raw.body.fault}.")
        try:
            document = parse_json(self._raw.body.data)
        except UnreadableError as error:
            told = unwrapped(salvage(self._raw.body.data))
            if isinstance(error, RepeatedMemberError) and error.path in _ANSWERS:
                self.refuse(told, "The response has more than one answers property.")
            self._refuse_answers(told, str(error), error)
        if not isinstance(document, dict):
            self.refuse({}, "The response body is not a JSON object.")
        return document

    def read(
        self,
        document: dict[str, Any],
        questions: QuestionSet,
        read_answers: ReadAnswers,
    ) -> DecisionResponse:
        """Read the answers and the envelope of a body.

        Args:
            document: The object that holds `answers`.
            questions: What was asked.
            read_answers: Reads the answers to them.

        Raises:
            DecisionError: InvalidResponse; it carries what the envelope tells.
        """
        if "answers" not in document:
            said = server_words(document)
            told = "The response has no answers."
            self.refuse(document, f"{told} The server said: {said}" if said else told)
        if document["answers"] is None:
            self.refuse(document, "The response's answers are null.")
        try:
            answers = read_answers(document["answers"], questions)
        except UnreadableError as error:
            self._refuse_answers(document, str(error), error)
        envelope = self._envelope(document)
        return DecisionResponse(answers, tries=self._raw.tries, held_s=self._raw.held_s, **envelope)

    def refuse(self, document: dict[str, Any], message: str) -> NoReturn:
        """Raise InvalidResponse with what the envelope tells.

        Raises:
            DecisionError: Always.
        """
        raise self._error(document, message)

    def _refuse_answers(
        self, document: dict[str, Any], reason: str, cause: UnreadableError
    ) -> NoReturn:
        told = f"The response could not be read as the question set's answers: {reason}"
        raise self._error(document, told) from cause

    def _error(self, document: dict[str, Any], message: str) -> DecisionError:
        return DecisionError(
            DecisionErrorKind.INVALID_RESPONSE,
            message,
            status_code=self._raw.status_code,
            tries=self._raw.tries,
            held_s=self._raw.held_s,
            **self._envelope(document),
        )

    def _envelope(self, document: dict[str, Any]) -> dict[str, Any]:
        usage = document.get("usage")
        if not isinstance(usage, dict):
            usage = {}
        return {
            "model": read_name(document.get("model")),
            "input_tokens": read_count(usage.get("input_tokens")),
            "output_tokens": read_count(usage.get("output_tokens")),
            "cost_usd": read_cost(usage.get("cost")),
            "request_id": self._raw.request_id or read_name(document.get("id")),
        }
