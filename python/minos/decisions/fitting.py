"""Whether the answers of a response fit the questions of their item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from numbers import Integral, Real

from minos.answers import AnswerRecord
from minos.questions import ChoiceQuestion, Question, QuestionSet, ScoreQuestion


class MisfitError(Exception):
    """Answers do not fit; the message says which and how."""


def fit(answers: Mapping[str, AnswerRecord], questions: QuestionSet) -> dict[str, AnswerRecord]:
    """Check the answers of a response and return them in the order of the questions.

    What is not asked for is dropped, and a question that was not answered is left out. A
    distribution that does not add up, or a choice that is not the most probable, is no misfit.

    Args:
        answers: What the provider answered, by question key.
        questions: The item's questions.

    Raises:
        MisfitError: An answer is of the wrong kind, names an option or level that its question
            does not have, or holds a probability or confidence that is not from 0 to 1; or no
            question is answered.
        TypeError: An answer is no `AnswerRecord`.
    """
    fitted: dict[str, AnswerRecord] = {}
    for key, question in questions.items():
        if key not in answers:
            continue
        answer = answers[key]
        if not isinstance(answer, AnswerRecord):
            raise TypeError(f"the answer to {key!r} is no AnswerRecord but {type(answer).__name__}")
        if _fits(answer, question):
            fitted[key] = answer
            continue
        try:
            fitted[key] = _fitted(answer, question)
        except MisfitError as error:
            raise MisfitError(f"The answer to '{key}' {error}.") from None
    if not fitted:
        raise MisfitError("The response answers none of the questions.")
    return fitted


def _fits(answer: AnswerRecord, question: Question) -> bool:
    """Whether an answer is right as it stands: what nearly all are, and quick to tell."""
    if answer.kind is not question.kind:
        return False
    if answer.confidence is not None and not _is_share(answer.confidence):
        return False
    chances: object = answer.probabilities
    match question:
        case ChoiceQuestion(options=options):
            return (
                type(answer.option) is str
                and answer.option in options
                and type(chances) is dict
                and bool(chances)
                and chances.keys() <= options.keys()
                and all(map(_is_share, chances.values()))
            )
        case ScoreQuestion(levels=levels):
            return (
                type(answer.level) is int
                and 0 <= answer.level < len(levels)
                and (answer.expected_level is None or type(answer.expected_level) is float)
                and isfinite(answer.expected_level or 0.0)
                and type(chances) is list
                and 0 < len(chances) <= len(levels)
                and all(each is None or _is_share(each) for each in chances)
            )
        case _:
            return _is_share(answer.probability)


def _is_share(value: object) -> bool:
    return type(value) is float and 0.0 <= value <= 1.0


def _fitted(answer: AnswerRecord, question: Question) -> AnswerRecord:
    if answer.kind is not question.kind:
        raise MisfitError(f"is of kind {answer.kind}, not {question.kind}")
    match question:
        case ChoiceQuestion():
            return _fitted_choice(answer, question)
        case ScoreQuestion():
            return _fitted_score(answer, question)
        case _:
            return AnswerRecord.noul(_share(answer.probability, "probability"))


def _fitted_choice(answer: AnswerRecord, question: ChoiceQuestion) -> AnswerRecord:
    option: object = answer.option
    if not isinstance(option, str):
        raise MisfitError("names no option")
    chances: object = answer.probabilities
    if chances is not None and not isinstance(chances, Mapping):
        raise MisfitError("has probabilities that are not by option")
    for name in (option, *(chances or ())):
        if name not in question.options:
            raise MisfitError(f"names the option '{name}', which the question does not have")
    shares = chances and {name: _share(each, "probability") for name, each in chances.items()}
    return AnswerRecord.choice(option, _confidence(answer), shares or None)


def _fitted_score(answer: AnswerRecord, question: ScoreQuestion) -> AnswerRecord:
    count = len(question.levels)
    level: object = answer.level
    if isinstance(level, bool) or not isinstance(level, Integral):
        raise MisfitError("names no level")
    if not 0 <= int(level) < count:
        raise MisfitError(f"names the level {level}, which the question does not have")
    chances: object = answer.probabilities
    if chances is not None and (isinstance(chances, str) or not isinstance(chances, Sequence)):
        raise MisfitError("has probabilities that are not by level")
    if chances is not None and len(chances) > count:
        raise MisfitError("has probabilities of levels that the question does not have")
    shares = chances and [each if each is None else _share(each, "probability") for each in chances]
    return AnswerRecord.score(int(level), _confidence(answer), _mean(answer), shares or None)


def _confidence(answer: AnswerRecord) -> float | None:
    return None if answer.confidence is None else _share(answer.confidence, "confidence")


def _mean(answer: AnswerRecord) -> float | None:
    """Return the mean level, which is only passed on; None for one that no file could hold."""
    mean = answer.expected_level
    return float(mean) if mean is not None and isfinite(mean) else None


def _share(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise MisfitError(f"has a {name} that is no number")
    try:
        share = float(value)
    except OverflowError:
        share = inf
    if not 0 <= share <= 1:
        raise MisfitError(f"has a {name} of {value}, which is not from 0 to 1")
    return share
