"""One case: what is put to a subject, and what its answer is held against."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """A case. Texts that are given as one string where several may stand become a list of one.

    Attributes:
        input: What is asked: any JSON value but null.
        evaluation_input: What judges see as the question; None where the input speaks for itself.
        actual_output: A recorded answer; None where there is none.
        expected_output: A right answer; None where there is none.
        context: The texts that an answer has to be faithful to; None where there are none.
        retrieval_context: The texts that were found; None where that is not known.
        metadata: Anything else that is known of the case; None for nothing.
        id: What people call the case; in a data set `FILE#n` where the file gives it no id.
    """

    input: Any
    evaluation_input: str | None = None
    actual_output: str | None = None
    expected_output: str | None = None
    context: Sequence[str] | None = None
    retrieval_context: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        for name in ("context", "retrieval_context"):
            texts = getattr(self, name)
            if isinstance(texts, str):
                object.__setattr__(self, name, (texts,))
            elif isinstance(texts, list):
                object.__setattr__(self, name, tuple(texts))

    @property
    def question(self) -> str:
        """What judges see as the question: `evaluation_input`, else the input as text."""
        return self.display_input if self.evaluation_input is None else self.evaluation_input

    @property
    def display_input(self) -> str:
        """The input as text: a string as it is, anything else as compact JSON."""
        return as_text(self.input)

    def display_name(self, length: int = 80) -> str:
        """Return the start of the input as text, at most so many characters."""
        return self.display_input[:length].strip()

    def with_output(self, output: str) -> Case:
        """Return the case with an answer of the subject."""
        return replace(self, actual_output=output)


def as_text(value: Any) -> str:  # noqa: ANN401 (a JSON value)
    """Return a JSON value as text: a string as it is, anything else as compact JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
