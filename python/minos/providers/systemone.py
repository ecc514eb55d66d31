"""The System One wire, `/v1/systemone`: what is sent, and how an answer is read."""

from __future__ import annotations

import json

from minos.answers import AnswerRecord
from minos.providers.errors import status_failure
from minos.providers.exchange import Failure, RawExchange
from minos.providers.reading import (
    as_object,
    collect,
    read_choice,
    read_noul,
    read_number,
    read_score,
    read_type,
)
from minos.providers.redactor import Redactor
from minos.providers.response import ResponseReader
from minos.questions import ChoiceQuestion, NoulQuestion, Question, QuestionSet
from minos.request import DecisionRequest, DecisionResponse


class SystemOneWire:
    """System One, as TypeSafe and most open servers speak it."""

    retry_count_header: bytes | None = b"X-TypeSafe-Retry-Count"

    def questions_json(self, questions: QuestionSet) -> bytes:
        """Return the questions as they go out."""
        return questions.json

    def request_body(self, request: DecisionRequest, model: str) -> bytes:
        """Return the request as JSON; the state goes out byte for byte as it was read."""
        return b'{"state":%b,"model":%b,"questions":%b}' % (
            request.state_json,
            json.dumps(model).encode(),
            self.questions_json(request.questions),
        )

    def failure_of(self, raw: RawExchange, redactor: Redactor) -> Failure | None:
        """Return why a response is a failure; None where it is an answer."""
        return status_failure(raw, redactor)

    def read(self, raw: RawExchange, questions: QuestionSet) -> DecisionResponse:
        """Read the answers of a successful response.

        A question without an answer, or whose answer says that it was declined, is left out.
        Answers to questions that were not asked, and members that are not known, are skipped.

        Raises:
            DecisionError: InvalidResponse; it carries what the envelope tells.
        """
        reader = ResponseReader(raw)
        return reader.read(reader.document(), questions, read_answers)


def read_answers(value: object, questions: QuestionSet) -> dict[str, AnswerRecord]:
    """Read the answers to some questions, as a response holds them.

    A question without an answer, or whose answer says that it was declined, is left out, and so
    is an answer to a question that was not asked.

    Raises:
        UnreadableError: It is no JSON object, or one of the answers cannot be read.
    """
    given = as_object(value)
    asked = ((question, given[key]) for key, question in questions.items() if key in given)
    return collect(asked, _read_answer)


def _read_answer(question: Question, value: object) -> AnswerRecord | None:
    answer = as_object(value)
    if not read_type(answer, question.kind):
        return None
    if isinstance(question, NoulQuestion):
        return read_noul(read_number(answer, "noul"), "noul")
    confidence = read_number(answer, "confidence")
    probabilities = answer.get("probabilities")
    if probabilities is not None:
        probabilities = as_object(probabilities)
    if isinstance(question, ChoiceQuestion):
        return read_choice(question, answer.get("choice"), confidence, probabilities)
    return read_score(question, read_number(answer, "score"), confidence, probabilities)
