"""What a provider can take, told before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from minos.questions import (
    ChoiceQuestion,
    Criterion,
    NoulQuestion,
    Question,
    QuestionKind,
    QuestionSet,
    ScoreQuestion,
)

ALL_KINDS = frozenset(QuestionKind)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The limits of a provider; None where it has none that is known.

    Attributes:
        kinds: The kinds of questions it answers.
        structured_text: Whether instructions and the sides of a noul may be JSON.
        max_questions: Most questions in one request.
        min_options: Fewest options of a choice.
        max_options: Most options of a choice.
        min_levels: Fewest levels of a score.
        max_levels: Most levels of a score.
        question_key: What a question's key must look like, as a regular expression.
    """

    kinds: frozenset[QuestionKind] = ALL_KINDS
    structured_text: bool = True
    max_questions: int | None = None
    min_options: int = 1
    max_options: int | None = None
    min_levels: int = 1
    max_levels: int | None = None
    question_key: str | None = None

    def refusal(self, questions: QuestionSet) -> str | None:
        """Return why a question set cannot be asked, naming the question; None where it can."""
        if self.max_questions is not None and len(questions) > self.max_questions:
            return f"it takes at most {self.max_questions} questions, not {len(questions)}"
        for question in questions.values():
            reason = self._question_refusal(question)
            if reason:
                return f"question '{question.key}': {reason}"
        return None

    def _question_refusal(self, question: Question) -> str | None:
        if question.kind not in self.kinds:
            return f"it does not answer a {question.kind}"
        if self.question_key is not None and not re.fullmatch(self.question_key, question.key):
            return f"its keys look like {self.question_key}"
        if not self.structured_text and _is_structured(question):
            return "it takes instructions and criteria as text only"
        match question:
            case ChoiceQuestion(options=options):
                return _count_refusal("options", len(options), self.min_options, self.max_options)
            case ScoreQuestion(levels=levels):
                return _count_refusal("levels", len(levels), self.min_levels, self.max_levels)
            case _:
                return None


def _count_refusal(noun: str, count: int, least: int, most: int | None) -> str | None:
    if count < least:
        return f"it takes at least {least} {noun}, not {count}"
    if most is not None and count > most:
        return f"it takes at most {most} {noun}, not {count}"
    return None


def _is_structured(question: Question) -> bool:
    match question:
        case NoulQuestion(instructions=instructions, true=true, false=false):
            return any(isinstance(part, Mapping | list) for part in (instructions, true, false))
        case ChoiceQuestion(instructions=instructions, options=options):
            return not isinstance(instructions, str) or any(map(_has_lists, options.values()))
        case ScoreQuestion(instructions=instructions, levels=levels):
            return not isinstance(instructions, str) or any(map(_has_lists, levels))


def _has_lists(criterion: Criterion | None) -> bool:
    return criterion is not None and bool(criterion.examples or criterion.not_for)
