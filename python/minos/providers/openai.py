"""OpenAI's Decisions, `/v1/decisions`: an array of questions, an array of answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from minos.answers import AnswerRecord
from minos.providers.errors import status_failure
from minos.providers.exchange import Failure, RawExchange
from minos.providers.reading import (
    as_array,
    as_object,
    collect,
    read_choice,
    read_noul,
    read_number,
    read_score,
    read_type,
    type_name,
)
from minos.providers.redactor import Redactor
from minos.providers.response import ResponseReader
from minos.providers.shown import shown
from minos.providers.strict_json import RepeatedMemberError, UnreadableError
from minos.questions import (
    ChoiceQuestion,
    Content,
    Criterion,
    NoulQuestion,
    Question,
    QuestionSet,
    ScoreQuestion,
)
from minos.request import DecisionRequest, DecisionResponse

_MOST_LEVELS = 32
_MOST_VALUES = 10_000
_MOST_BYTES = 256 * 1024


class OpenAIWire:
    """Decisions as OpenAI speaks it: predicate, choice and score."""

    retry_count_header: bytes | None = None

    def request_body(self, request: DecisionRequest, model: str) -> bytes:
        """Return the request as JSON.

        A state that is an object, or an array of objects, goes as JSON, byte for byte as it was
        read, where it is within OpenAI's limits; any other goes as text.
        """
        return b'{"model":%b,"input":%b,"questions":%b}' % (
            json.dumps(model).encode(),
            _input(request.state_json),
            _questions_json(request.questions),
        )

    def failure_of(self, raw: RawExchange, redactor: Redactor) -> Failure | None:
        """Return why a response is a failure; `x-should-retry` decides whether it may pass."""
        failure = status_failure(raw, redactor)
        told = raw.headers.get("x-should-retry", "").strip().lower()
        if failure is None or told not in {"true", "false"}:
            return failure
        return replace(failure, is_transient=told == "true")

    def read(self, raw: RawExchange, questions: QuestionSet) -> DecisionResponse:
        """Read the answers of a successful response; refused ones are left out.

        Raises:
            DecisionError: InvalidResponse; it carries what the envelope tells.
        """
        reader = ResponseReader(raw)
        return reader.read(reader.document(), questions, _read_answers)


def _input(state: bytes) -> bytes:
    if state.lstrip()[:1] == b'"':
        return state
    if len(state) <= _MOST_BYTES:
        value = json.loads(state)
        is_taken = isinstance(value, dict) or all(isinstance(entry, dict) for entry in value)
        if value and is_taken and _fits(value):
            part = b'{"type":"input_json","data":%b}' % state
            return b'[{"type":"message","role":"user","content":[%b]}]' % part
    return json.dumps(state.decode()).encode()


def _fits(value: object) -> bool:
    """Return whether JSON is within 32 levels of containers and 10,000 values."""
    level: list[Any] = [value]
    depth = count = 0
    while level:
        count += len(level)
        containers = [entry for entry in level if isinstance(entry, dict | list)]
        depth += bool(containers)
        if depth > _MOST_LEVELS or count > _MOST_VALUES:
            return False
        level = [
            entry
            for container in containers
            for entry in (container.values() if isinstance(container, dict) else container)
        ]
    return True


@lru_cache(maxsize=64)  # the items of a data set share a few question sets
def _questions_json(questions: QuestionSet) -> bytes:
    rendered = [_question(question) for question in questions.values()]
    return json.dumps(rendered, separators=(",", ":")).encode()


def _question(question: Question) -> dict[str, Any]:
    asked: dict[str, Any] = {"name": question.key, "instructions": _text(question.instructions)}
    match question:
        case NoulQuestion(true=true, false=false):
            asked["type"] = "predicate"
            if true is not None:
                asked["instructions"] += f"\n\nYes means: {_text(true)}"
            if false is not None:
                asked["instructions"] += f"\n\nNo means: {_text(false)}"
        case ChoiceQuestion(options=options):
            asked["type"] = "choice"
            asked["choices"] = [
                {"value": key}
                if criterion is None
                else {"value": key, "description": "\n".join(_lines(criterion))}
                for key, criterion in options.items()
            ]
        case ScoreQuestion(levels=levels):
            asked["type"] = "score"
            asked["levels"] = [_level(criterion) for criterion in levels]
    return asked


def _level(criterion: Criterion) -> dict[str, str]:
    label, *more = _lines(criterion)
    return {"label": label, "description": "\n".join(more)} if more else {"label": label}


def _lines(criterion: Criterion) -> Iterator[str]:
    yield criterion.description
    for title, entries in (("Examples", criterion.examples), ("Not for", criterion.not_for)):
        if entries:
            yield f"{title}:"
            yield from (f"- {entry}" for entry in entries)


def _text(content: Content) -> str:
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _read_answers(value: object, questions: QuestionSet) -> dict[str, AnswerRecord]:
    return collect(_pairs(as_array(value), questions), _read_answer)


def _pairs(answers: list[Any], questions: QuestionSet) -> Iterator[tuple[Question, object]]:
    """Match answers to questions by position, checked by name; by name alone where some lack."""
    if len(answers) == len(questions):
        for position, question in enumerate(questions.values()):
            answer = as_object(answers[position])
            if answer.get("name") not in (None, question.key):  # any JSON value
                raise UnreadableError(f"Answer {position} is to another question.")
            yield question, answer
        return
    told: set[str] = set()
    for answer in answers:
        name = as_object(answer).get("name")
        if not isinstance(name, str):
            raise UnreadableError(
                f"Expected {len(questions)} answers but found {len(answers)}, not all named."
            )
        if name in told:
            raise RepeatedMemberError(name)
        told.add(name)
        if name in questions:
            yield questions[name], answer


def _read_answer(question: Question, value: object) -> AnswerRecord | None:
    answer = as_object(value)
    if isinstance(question, NoulQuestion):
        if not read_type(answer, "predicate"):
            return None
        return read_noul(read_number(answer, "probability"), "probability")
    if not read_type(answer, question.kind):
        return None
    confidence = read_number(answer, "confidence")
    probabilities = _distribution(answer, question)
    if isinstance(question, ChoiceQuestion):
        return read_choice(question, answer.get("choice"), confidence, probabilities)
    return read_score(question, read_number(answer, "score"), confidence, probabilities)


def _distribution(answer: Mapping[str, Any], question: Question) -> dict[str, Any] | None:
    """Return probabilities by option, or by the text of a level's index."""
    given = answer.get("probabilities")
    if given is None:
        return None
    distribution: dict[str, Any] = {}
    for entry in as_array(given):
        member = as_object(entry)
        value = member.get("value")
        wanted = int if isinstance(question, ScoreQuestion) else str
        if not isinstance(value, wanted) or isinstance(value, bool):
            is_plain = not isinstance(value, dict | list)
            named = shown(json.dumps(value)) if is_plain else type_name(value)
            raise UnreadableError(f"{named} is not one of the options.")
        name = str(value)
        if name in distribution:
            raise RepeatedMemberError(name)
        distribution[name] = member.get("probability")
    return distribution
