"""Reading answers off a wire: what must be there, and what it must be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite
from typing import Any, Final

from minos.answers import AnswerRecord
from minos.providers.shown import shown
from minos.providers.strict_json import UnreadableError, parse_json, unwrapped
from minos.questions import ChoiceQuestion, Question, ScoreQuestion

DECLINED: Final = frozenset({"refusal", "unsupported"})
"""Types of an answer that say that there is none; such a question counts as not answered."""

_SCALE = 10**12
_LARGEST_COUNT = 2**53


def as_object(value: object) -> dict[str, Any]:
    """Return a JSON object.

    Raises:
        UnreadableError: The value is something else.
    """
    if not isinstance(value, dict):
        raise UnreadableError(f"Expected a JSON object but found {type_name(value)}.")
    return value


def as_array(value: object) -> list[Any]:
    """Return a JSON array.

    Raises:
        UnreadableError: The value is something else.
    """
    if not isinstance(value, list):
        raise UnreadableError(f"Expected a JSON array but found {type_name(value)}.")
    return value


def collect(
    answers: Iterable[tuple[Question, object]],
    read_answer: Callable[[Question, object], AnswerRecord | None],
) -> dict[str, AnswerRecord]:
    """Read answers one by one; those that were declined are left out.

    Args:
        answers: Each question with its answer as parsed JSON.
        read_answer: Reads one answer; None where it was declined.

    Raises:
        UnreadableError: One cannot be read; the message names its question.
    """
    records: dict[str, AnswerRecord] = {}
    for question, answer in answers:
        try:
            record = read_answer(question, answer)
        except UnreadableError as error:
            raise UnreadableError(f"{error} (question '{question.key}')") from error
        if record is not None:
            records[question.key] = record
    return records


def read_number(answer: Mapping[str, Any], name: str) -> float | None:
    """Return a number of an answer; None where it is null or not there.

    Raises:
        UnreadableError: It is something else, or too large for a double.
    """
    value = answer.get(name)
    return None if value is None else _number(value)


def read_noul(probability: float | None, name: str) -> AnswerRecord:
    """Return the answer to a noul.

    Raises:
        UnreadableError: There is no probability.
    """
    if probability is None:
        raise UnreadableError(f"The answer has no '{name}' field.")
    return AnswerRecord.noul(probability)


def read_choice(
    question: ChoiceQuestion,
    option: object,
    confidence: float | None,
    probabilities: Mapping[str, Any] | None,
) -> AnswerRecord:
    """Return the answer to a choice.

    Raises:
        UnreadableError: There is no option, or the question does not have it.
    """
    if option is None:
        raise UnreadableError("The answer has no 'choice' field.")
    if not isinstance(option, str):
        raise UnreadableError(f"Expected a string but found {type_name(option)}.")
    for name in (option, *(probabilities or ())):
        if name not in question.options:
            raise UnreadableError(f"'{shown(name)}' is not one of the options.")
    distribution = (
        None
        if probabilities is None
        else {name: _number(value) for name, value in probabilities.items()}
    )
    return AnswerRecord.choice(option, confidence, distribution)


def read_score(
    question: ScoreQuestion,
    score: float | None,
    confidence: float | None,
    probabilities: Mapping[str, Any] | None,
) -> AnswerRecord:
    """Return the answer to a score: its most probable level, or the one nearest to `score`.

    On a tie it is the lower level.

    Raises:
        UnreadableError: There are no probabilities, and no score within the levels either.
    """
    count = len(question.levels)
    if probabilities:
        indexes = {str(index): index for index in range(count)}
        distribution: list[float | None] = [None] * count
        for name, value in probabilities.items():
            if name not in indexes:
                raise UnreadableError(f"'{shown(name)}' is not one of the options.")
            distribution[indexes[name]] = _number(value)
        level = _most_probable(distribution)
        return AnswerRecord.score(level, confidence, score, distribution)
    if score is None:
        raise UnreadableError("The answer has no 'score' field.")
    if not 0 <= score <= count - 1:
        raise UnreadableError("The score is outside the levels.")
    level = (round(score * _SCALE) + _SCALE // 2 - 1) // _SCALE
    return AnswerRecord.score(level, confidence, score)


def read_type(answer: Mapping[str, Any], wanted: str) -> bool:
    """Return whether an answer was given; False where its type says that it was declined.

    Raises:
        UnreadableError: The type is missing, or is that of another kind of question.
    """
    told = answer.get("type")
    if told is None:
        raise UnreadableError("The answer has no 'type' field.")
    if told == wanted:
        return True
    if isinstance(told, str) and told in DECLINED:
        return False
    raise UnreadableError(f"Expected an answer of type '{wanted}'.")


def read_count(value: object) -> int | None:
    """Return a count of tokens; None for anything but a whole number from 0 up."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _LARGEST_COUNT else None


def total_tokens(body: bytes) -> int | None:
    """Return the tokens that a body of any wire counts, both ways; None where it does not."""
    try:
        document = parse_json(body)
    except UnreadableError:
        return None
    usage = unwrapped(document).get("usage") if isinstance(document, dict) else None
    if not isinstance(usage, dict):
        return None
    read = read_count(usage.get("input_tokens"))
    return None if read is None else read + (read_count(usage.get("output_tokens")) or 0)


def read_cost(value: object) -> float | None:
    """Return a cost in US dollars; None for anything but a number from 0 up."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        cost = float(value)
    except OverflowError:
        return None
    return cost if 0 <= cost < inf else None


def read_name(value: object) -> str | None:
    """Return a name that a server gives, such as a model's; None for anything but text."""
    return shown(value) or None if isinstance(value, str) else None


def _most_probable(distribution: list[float | None]) -> int:
    # A number that is no probability is told where answers are held against their questions.
    keys = [-inf if p is None else round(max(-1.0, min(p, 2.0)) * _SCALE) for p in distribution]
    return keys.index(max(keys))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableError(f"Expected a number but found {type_name(value)}.")
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise UnreadableError("Expected a number but found one that is too large.")
    return number


def type_name(value: object) -> str:
    """Return what a value of JSON is, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int() | float():
            return "a number"
        case list():
            return "an array"
        case _:
            return "an object"
