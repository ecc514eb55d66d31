"""What comes back, and what was right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from minos.questions import QuestionKind

Distribution: TypeAlias = Mapping[str, float] | Sequence[float | None]
"""Probabilities by option (choice), or by level from 0 (score; None where a level was left out)."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer of a provider, as a results file holds it. Made with `noul`, `choice`, `score`.

    Nothing is checked here: a probability outside 0 to 1 is told by the run (`InvalidResponse`)
    or by saving.

    Attributes:
        kind: The kind of question it answers.
        probability: The probability of yes; of a noul only.
        option: The key of the option; of a choice only.
        level: The index of the level; of a score only.
        confidence: The provider's own confidence; None where it gave none, and for a noul, whose
            confidence is derived from its probability.
        expected_level: The mean level, of a score only; None where it was not given.
        probabilities: The distribution over options or levels; None where it was not given.
    """

    kind: QuestionKind
    probability: float | None = None
    option: str | None = None
    level: int | None = None
    confidence: float | None = None
    expected_level: float | None = None
    probabilities: Distribution | None = None

    @classmethod
    def noul(cls, probability: float) -> AnswerRecord:
        """Answer a noul with the probability of yes; 0.5 and above is yes."""
        return cls(QuestionKind.NOUL, probability=probability)

    @classmethod
    def choice(
        cls,
        option: str,
        confidence: float | None = None,
        probabilities: Mapping[str, float] | None = None,
    ) -> AnswerRecord:
        """Answer a choice with the key of an option."""
        return cls(
            QuestionKind.CHOICE, option=option, confidence=confidence, probabilities=probabilities
        )

    @classmethod
    def score(
        cls,
        level: int,
        confidence: float | None = None,
        expected_level: float | None = None,
        probabilities: Sequence[float | None] | None = None,
    ) -> AnswerRecord:
        """Answer a score with the index of a level, counted from 0."""
        return cls(
            QuestionKind.SCORE,
            level=level,
            confidence=confidence,
            expected_level=expected_level,
            probabilities=probabilities,
        )

    @property
    def value(self) -> bool | str | int | None:
        """The answer itself: yes or no, an option's key, or a level's index."""
        if self.kind is QuestionKind.NOUL:
            return self.probability is not None and self.probability >= 0.5  # noqa: PLR2004
        return self.option if self.kind is QuestionKind.CHOICE else self.level


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """The right answer to a question. Made with `noul`, `choice`, `score`; compares by value."""

    kind: QuestionKind
    value: bool | str | int

    @classmethod
    def noul(cls, value: bool) -> ExpectedAnswer:
        """Expect yes or no."""
        return cls(QuestionKind.NOUL, value)

    @classmethod
    def choice(cls, option: str) -> ExpectedAnswer:
        """Expect an option, by its key."""
        return cls(QuestionKind.CHOICE, option)

    @classmethod
    def score(cls, level: int) -> ExpectedAnswer:
        """Expect a level, by its index from 0.

        Raises:
            ValueError: The level is negative.
        """
        if level < 0:
            raise ValueError("a level is counted from 0 and cannot be negative")
        return cls(QuestionKind.SCORE, level)
