"""Question sets made in Python, under the same rules as those of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Self, TypeAlias

from minos._native import check_questions
from minos.content import content_to_json
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems
from minos.questions import (
    ChoiceQuestion,
    Content,
    Criterion,
    NoulQuestion,
    Question,
    QuestionKind,
    QuestionSet,
    ScoreQuestion,
)

OptionCriterion: TypeAlias = str | Criterion | None
"""What an option means: text, text with examples, or nothing said."""

Options: TypeAlias = Mapping[str, OptionCriterion] | Iterable[tuple[str, OptionCriterion]]
"""The options of a choice by key, in order."""


class QuestionSetBuilder:
    """Collects questions and checks them together.

    Example:
        >>> from minos.question_builder import QuestionSetBuilder
        >>> builder = QuestionSetBuilder()
        >>> _ = builder.noul("urgent", "Does the customer need action today?")
        >>> _ = builder.score("mood", "How upset is the customer?", ["calm", "annoyed", "angry"])
        >>> builder.build().unwrap()
        QuestionSet('urgent': noul, 'mood': score)
    """

    def __init__(self) -> None:
        self._members: list[str] = []

    def noul(
        self,
        key: str,
        instructions: Content,
        *,
        true: Content | None = None,
        false: Content | None = None,
    ) -> Self:
        """Add a question that is answered with yes or no.

        Args:
            key: The key, unique in the set and not empty.
            instructions: The question itself: text, or JSON as a mapping or list.
            true: What a yes means, where it needs saying.
            false: What a no means, where it needs saying.

        Raises:
            TypeError: A value has a type that JSON has not.
            ValueError: A number is not finite, or a value nests deeper than 512 levels.
        """
        sides = {"true": true, "false": false}
        criteria = {name: side for name, side in sides.items() if side is not None}
        rendered = content_to_json(criteria) if criteria else None
        return self._add(key, QuestionKind.NOUL, instructions, rendered)

    def choice(self, key: str, instructions: Content, options: Options) -> Self:
        """Add a question that is answered with one of its options.

        Args:
            key: The key, unique in the set and not empty.
            instructions: The question itself: text, or JSON as a mapping or list.
            options: What each option means, by the option's key; None where it speaks for itself.
                Pairs are taken too.

        Raises:
            TypeError: A value has a type that JSON has not.
            ValueError: A number is not finite, or a value nests deeper than 512 levels.
        """
        pairs = options.items() if isinstance(options, Mapping) else options
        members = [f"{_text(name)}:{_criterion(meaning)}" for name, meaning in pairs]
        return self._add(key, QuestionKind.CHOICE, instructions, "{" + ",".join(members) + "}")

    def score(self, key: str, instructions: Content, levels: Iterable[str | Criterion]) -> Self:
        """Add a question that is answered with a level.

        Args:
            key: The key, unique in the set and not empty.
            instructions: The question itself: text, or JSON as a mapping or list.
            levels: What each level means, lowest first. A level is named by its index from 0.

        Raises:
            TypeError: A value has a type that JSON has not.
            ValueError: A number is not finite, or a value nests deeper than 512 levels.
        """
        if isinstance(levels, str):
            raise TypeError("the levels must be a list of texts, not one text")
        members = [_criterion(level) for level in levels]
        return self._add(key, QuestionKind.SCORE, instructions, "[" + ",".join(members) + "]")

    def add(self, question: Question) -> Self:
        """Add a question that is already there, of another set say."""
        match question:
            case NoulQuestion():
                return self.noul(
                    question.key, question.instructions, true=question.true, false=question.false
                )
            case ChoiceQuestion():
                return self.choice(question.key, question.instructions, question.options)
            case ScoreQuestion():
                return self.score(question.key, question.instructions, question.levels)

    def build(self) -> Outcome[QuestionSet]:
        """Check the questions.

        Returns:
            The set, with what the rules warn of in `warnings` (MIN003, MIN005); or every failure.
            The problems have line 0. A data set takes the warnings for problems, too.
        """
        json = "{" + ",".join(self._members) + "}"
        failures, warnings, rendered = check_questions(json.encode(errors="surrogatepass"))
        if rendered is None:
            problems = DatasetProblems(DatasetProblem(*told) for told in failures)
            return Err(problems, f"The question set breaks {len(problems)} rule(s)")
        return Ok(QuestionSet(rendered, DatasetProblems(DatasetProblem(*t) for t in warnings)))

    def _add(
        self, key: str, kind: QuestionKind, instructions: Content, criteria: str | None
    ) -> Self:
        members = f'"type":"{kind}","instructions":{content_to_json(instructions)}'
        if criteria is not None:
            members += f',"criteria":{criteria}'
        self._members.append(f"{_text(key)}:{{{members}}}")
        return self


def _text(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key must be text, not {type(key).__name__}")
    return content_to_json(key)


def _criterion(meaning: object) -> str:
    if isinstance(meaning, Criterion):
        lists = {"examples": meaning.examples, "not_for": meaning.not_for}
        members = {"description": meaning.description}
        return content_to_json(members | {name: list(each) for name, each in lists.items() if each})
    if meaning is None or isinstance(meaning, str):
        return content_to_json(meaning)
    raise TypeError(f"a criterion must be text, a Criterion or None, not {type(meaning).__name__}")
