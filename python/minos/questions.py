"""What is asked: typed questions, and sets of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from minos.problems import DatasetProblems

Content: TypeAlias = str | Mapping[str, Any] | list[Any]
"""Text, or one JSON object or array: a state, instructions, or a side of a noul."""


class QuestionKind(StrEnum):
    """The kind of a question. The order is the order of a report."""

    NOUL = "noul"
    CHOICE = "choice"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Criterion:
    """What an option of a choice or a level of a score means.

    Attributes:
        description: The meaning, in words.
        examples: Inputs the option is for.
        not_for: Inputs the option is not for.
    """

    description: str
    examples: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoulQuestion:
    """A yes or no. `true` and `false` say what each side means; None where it is not said."""

    key: str
    instructions: Content
    true: Content | None = None
    false: Content | None = None

    @property
    def kind(self) -> QuestionKind:
        """Always `QuestionKind.NOUL`."""
        return QuestionKind.NOUL


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """One of several named options; an option's criterion may be None (not described)."""

    key: str
    instructions: Content
    options: Mapping[str, Criterion | None]

    @property
    def kind(self) -> QuestionKind:
        """Always `QuestionKind.CHOICE`."""
        return QuestionKind.CHOICE


@dataclass(frozen=True, slots=True)
class ScoreQuestion:
    """One of an ordered list of levels, lowest first; a level is named by its index from 0."""

    key: str
    instructions: Content
    levels: tuple[Criterion, ...]

    @property
    def kind(self) -> QuestionKind:
        """Always `QuestionKind.SCORE`."""
        return QuestionKind.SCORE


Question: TypeAlias = NoulQuestion | ChoiceQuestion | ScoreQuestion


class QuestionSet(Mapping[str, Question]):
    """The questions of an item by key, in file order. Immutable; equal sets compare equal.

    Attributes:
        json: The set as compact JSON, rendered once; a criterion of text alone is a plain string.
            This is what goes over a System One wire.
        warnings: What the rules warn of; empty for a set that a data set was loaded with, since a
            data set takes a warning for a problem.
    """

    __slots__ = ("__weakref__", "_questions", "json", "warnings")

    json: bytes
    warnings: DatasetProblems | tuple[()]

    def __init__(self, rendered: bytes, warnings: DatasetProblems | tuple[()] = ()) -> None:
        """Read a set that the native reader has found right.

        Args:
            rendered: The set as the native reader renders it. Use `QuestionSetBuilder` to make a
                set from Python values.
            warnings: What the rules warn of.
        """
        self.json = rendered
        self.warnings = warnings
        members: dict[str, dict[str, Any]] = json.loads(rendered)
        self._questions = MappingProxyType(
            {key: _question(key, member) for key, member in members.items()}
        )

    def __getitem__(self, key: str) -> Question:
        return self._questions[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._questions)

    def __len__(self) -> int:
        return len(self._questions)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, QuestionSet):
            return self.json == other.json
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.json)

    def __reduce__(self) -> tuple[object, ...]:
        return QuestionSet, (self.json, self.warnings)

    def __repr__(self) -> str:
        return f"QuestionSet({', '.join(f'{q.key!r}: {q.kind}' for q in self.values())})"


def _question(key: str, member: dict[str, Any]) -> Question:
    instructions = member["instructions"]
    criteria: Any = member.get("criteria")
    match member["type"]:
        case QuestionKind.NOUL:
            sides = criteria or {}
            return NoulQuestion(key, instructions, sides.get("true"), sides.get("false"))
        case QuestionKind.CHOICE:
            options = {name: _criterion(value) for name, value in criteria.items()}
            return ChoiceQuestion(key, instructions, MappingProxyType(options))
        case _:
            levels = tuple(Criterion(v) if isinstance(v, str) else _described(v) for v in criteria)
            return ScoreQuestion(key, instructions, levels)


def _criterion(value: str | dict[str, Any] | None) -> Criterion | None:
    if value is None:
        return None
    return Criterion(value) if isinstance(value, str) else _described(value)


def _described(value: dict[str, Any]) -> Criterion:
    return Criterion(
        value["description"], tuple(value.get("examples", ())), tuple(value.get("not_for", ()))
    )
