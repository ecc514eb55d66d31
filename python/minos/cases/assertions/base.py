"""What an assertion is, what it is shown, and how it comes out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from minos.cases.case import Case
from minos.subjects.answer import ToolCall, Usage


class Status(StrEnum):
    """How an assertion or an attempt came out. The order is from good to bad."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    """It could not be decided; never taken for a bad answer."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """An assertion as it stands in a data set.

    Attributes:
        type: Its name.
        options: What it is given, by name; a bare value in the file stands under `value`.
    """

    type: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What an assertion is shown.

    Attributes:
        case: The case that was answered.
        output: The answer.
        latency_ms: How long the subject took, in milliseconds; None for a recorded answer.
        usage: What the answer used up; None where the subject does not say.
        tool_calls: The calls of tools, in order; None where the subject does not tell of them.
    """

    case: Case
    output: str
    latency_ms: float | None = None
    usage: Usage | None = None
    tool_calls: Sequence[ToolCall] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an assertion came out. Made with `passed`, `failed`, `error`.

    Attributes:
        status: Passed, failed, or not decided.
        reason: Why, in a line; empty for most that passed.
        details: What was found, as JSON values by name.
    """

    status: Status
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def passed(cls, **details: Any) -> Verdict:  # noqa: ANN401 (JSON values)
        """Say that the answer is as it should be."""
        return cls(Status.PASSED, details=details)

    @classmethod
    def failed(cls, reason: str, **details: Any) -> Verdict:  # noqa: ANN401 (JSON values)
        """Say that the answer is not as it should be, and why."""
        return cls(Status.FAILED, reason, details)

    @classmethod
    def error(cls, reason: str) -> Verdict:
        """Say that it could not be decided, and why."""
        return cls(Status.ERROR, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A verdict and the assertion it is of."""

    type: str
    verdict: Verdict


class OptionsError(Exception):
    """The options of an assertion are wrong.

    Attributes:
        option: The option it is about; empty for all of them together.
        index: The entry of that option's list; None for the option itself.
    """

    def __init__(self, message: str, option: str = "", index: int | None = None) -> None:
        self.option = option
        self.index = index
        super().__init__(message)


Check: TypeAlias = Callable[[Observed], Verdict | Awaitable[Verdict]]
"""Decides about one answer."""

Options: TypeAlias = Mapping[str, Any]


def _nothing_more(_options: Options) -> None:
    """Ask nothing more of the options in a file."""


def _nothing_lacks() -> str:
    """Say that nothing is lacking."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssertionType:
    """A kind of assertion.

    Attributes:
        name: Its name in data sets.
        read: Takes options for a check; raises `OptionsError` where they are wrong.
        options: The names of the options that it takes.
        texts: Those of them that hold text or a list of texts.
        takes_any_option: Whether other options are passed on to it too.
        read_in_file: What is asked of options in a file beyond what `read` asks.
        is_of_text: Whether it reads the answer letter by letter, so that Unicode normalisation
            could change what it says.
        needs: Says what it lacks to run (`a judge`); empty where it can.
    """

    name: str
    read: Callable[[Options], Check]
    options: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    takes_any_option: bool = False
    read_in_file: Callable[[Options], None] = _nothing_more
    is_of_text: bool = False
    needs: Callable[[], str] = _nothing_lacks
