"""What a subject may answer with, beside plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the subject made.

    Attributes:
        name: The name of the tool.
        arguments: What it was called with, by name; None where that is not known.
        error: How it failed; None where it did not.
        duration_ms: How long it took, in milliseconds; None where that is not known.
    """

    name: str
    arguments: Mapping[str, Any] | None = None
    error: str | None = None
    duration_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer used up; None is not known, which is not 0.

    Attributes:
        input_tokens: Tokens read.
        output_tokens: Tokens written.
        cost_usd: What it cost, in US dollars.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A text, and what is known of how it came about.

    Attributes:
        text: The answer itself.
        tool_calls: The calls of tools, in order; None where nothing is known of them, which is not
            the same as none.
        retrieved: The ids of the documents that were found, in order; None where that is not known.
        usage: What it used up; None where that is not known.
    """

    text: str
    tool_calls: Sequence[ToolCall] | None = None
    retrieved: Sequence[str] | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """The subject could not answer. A run tells it apart from a bad answer.

    Attributes:
        reason: Why, in a line.
    """

    reason: str
