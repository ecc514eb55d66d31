"""The System One wire, `/v1/systemone`: what is sent, and how an answer is read."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from minos.answers import AnswerRecord
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.errors import status_failure
from minos.providers.exchange import Failure, RawExchange
from minos.providers.reading import (
    UnreadableError,
    as_object,
    parse_json,
    read_choice,
    read_cost,
    read_count,
    read_name,
    read_noul,
    read_number,
    read_score,
    read_type,
)
from minos.providers.secret import Redactor
from minos.questions import ChoiceQuestion, NoulQuestion, Question, QuestionSet
from minos.request import DecisionRequest, DecisionResponse


class SystemOneWire:
    """System One, as TypeSafe, OpenRouter and most open servers speak it."""

    retry_count_header: bytes | None = b"X-TypeSafe-Retry-Count"

    def request_body(self, request: DecisionRequest, model: str) -> bytes:
        """Return the request as JSON; the state goes out byte for byte as it was read."""
        return b'{"state":%b,"model":%b,"questions":%b}' % (
            request.state_json,
            json.dumps(model).encode(),
            request.questions.json,
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
        if raw.body.fault:
            refuse(raw, {}, f"The response could not be read: it {raw.body.fault}.")
        try:
            document = parse_json(raw.body.data)
        except UnreadableError as error:
            refuse_answers(raw, {}, str(error), error)
        return self.read_document(raw, document, questions)

    def read_document(
        self, raw: RawExchange, document: object, questions: QuestionSet
    ) -> DecisionResponse:
        """Read the answers of a parsed body.

        Raises:
            DecisionError: InvalidResponse; it carries what the envelope tells.
        """
        if not isinstance(document, dict):
            refuse(raw, {}, "The response body is not a JSON object.")
        if "answers" not in document:
            refuse(raw, document, "The response has no answers.")
        if _has_answers_twice(raw.body.data):
            refuse(raw, document, "The response has more than one answers property.")
        if document["answers"] is None:
            refuse(raw, document, "The response's answers are null.")
        try:
            answers = read_answers(document["answers"], questions)
        except UnreadableError as error:
            refuse_answers(raw, document, str(error), error)
        envelope = _envelope(raw, document)
        return DecisionResponse(answers, tries=raw.tries, held_s=raw.held_s, **envelope)


def read_answers(value: object, questions: QuestionSet) -> dict[str, AnswerRecord]:
    """Read the answers to some questions, as a response holds them.

    A question without an answer, or whose answer says that it was declined, is left out, and so
    is an answer to a question that was not asked.

    Raises:
        UnreadableError: It is no JSON object, or one of the answers cannot be read.
    """
    given = as_object(value)
    answers: dict[str, AnswerRecord] = {}
    for key, question in questions.items():
        if key in given:
            try:
                answer = _read_answer(question, given[key])
            except UnreadableError as error:
                raise UnreadableError(f"{error} (question '{key}')") from error
            if answer is not None:
                answers[key] = answer
    return answers


def refuse(raw: RawExchange, document: dict[str, Any], message: str) -> NoReturn:
    """Raise InvalidResponse with what the envelope tells.

    Raises:
        DecisionError: Always.
    """
    raise DecisionError(
        DecisionErrorKind.INVALID_RESPONSE,
        message,
        status_code=raw.status_code,
        tries=raw.tries,
        held_s=raw.held_s,
        **_envelope(raw, document),
    )


def refuse_answers(
    raw: RawExchange, document: dict[str, Any], reason: str, cause: UnreadableError
) -> NoReturn:
    """Raise InvalidResponse for answers that cannot be read.

    Raises:
        DecisionError: Always.
    """
    told = f"The response could not be read as the question set's answers: {reason}"
    try:
        refuse(raw, document, told)
    except DecisionError as error:
        raise error from cause


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


def _has_answers_twice(data: bytes) -> bool:
    if data.count(b'"answers"') < 2:  # noqa: PLR2004  # nearly always; it saves a second parse
        return False
    members = json.loads(data.removeprefix(b"\xef\xbb\xbf"), object_pairs_hook=list)
    return [name for name, _ in members].count("answers") > 1


def _envelope(raw: RawExchange, document: dict[str, Any]) -> dict[str, Any]:
    usage = document.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    return {
        "model": read_name(document.get("model")),
        "input_tokens": read_count(usage.get("input_tokens")),
        "output_tokens": read_count(usage.get("output_tokens")),
        "cost_usd": read_cost(usage.get("cost")),
        "request_id": raw.request_id or read_name(document.get("id")),
    }
