"""What a subject is to a run: something that is asked and replies, or fails to."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, runtime_checkable

from minos.errors import MinosError
from minos.outcome import Ok
from minos.subjects.answer import Answer, Failure, ToolCall, Usage


class SubjectError(MinosError):
    """The subject gave no answer. The attempt is an operational error, and the run goes on."""


class StuckError(MinosError):
    """So many calls hang that nothing more can be asked. The run stops.

    Attributes:
        hint: What to do about it.
    """

    def __init__(self, message: str, *, hint: str) -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Question:
    """What a subject is asked.

    Attributes:
        input: Any JSON value but null.
        metadata: The metadata of the case.
        context: The texts that belong to the question; None where there are none.
        case: The whole case, for Python callables alone: it holds the right answer.
    """

    input: Any
    metadata: dict[str, Any] | None
    context: Sequence[str] | None
    case: object


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        answer: The answer.
        case: The case that the subject returned in place of the one it was asked about; None
            where it returned none.
    """

    answer: Answer
    case: object = None


@runtime_checkable
class Subject(Protocol):
    """Anything that answers questions.

    Attributes:
        name: What the results file calls it.
    """

    name: str

    async def ask(self, question: Question) -> Reply:
        """Ask one question; may be called again while earlier calls are under way.

        Raises:
            SubjectError: There is no answer.
            StuckError: Nothing more can be asked.
        """
        ...

    async def aclose(self) -> None:
        """Let go of what the subject holds."""
        ...


def read_reply(value: object, case_type: type | None = None) -> Reply:
    """Take what a callable returned for a reply.

    Args:
        value: Text, an `Answer`, a case with `actual_output`, `Ok` of one of these, or a `Failure`.
        case_type: What a case is; None where none may be returned.

    Raises:
        SubjectError: It is a failure, or nothing of these.
    """
    if isinstance(value, Ok):
        value = value.value
    case: object = None
    answer: object = value
    if case_type is not None and isinstance(value, case_type):
        case, answer = value, getattr(value, "actual_output", None)
        if not isinstance(answer, str):
            raise SubjectError("the subject returned a Case without actual_output")
    if isinstance(answer, Failure):
        raise SubjectError(str(answer.reason))
    if isinstance(answer, str):
        answer = Answer(answer)
    if not isinstance(answer, Answer) or not isinstance(answer.text, str):
        kind = type(answer).__name__
        raise SubjectError(
            f"the subject returned {kind}, which is no answer: return text, an Answer,"
            " a Case with actual_output, or a Failure"
        )
    try:
        answer.text.encode()
    except UnicodeEncodeError:
        raise SubjectError("the subject's text is not valid Unicode") from None
    if not _is_whole(answer):
        raise SubjectError("the subject returned an Answer whose members are not what they must be")
    return Reply(answer, case)


def is_json(value: object) -> bool:
    """Whether a value can stand in a JSON file."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _is_whole(answer: Answer) -> bool:
    # What people build is not always what the types say.
    calls: Iterable[object] = answer.tool_calls or ()
    found: Iterable[object] = answer.retrieved or ()
    usage: object = answer.usage
    return (
        all(isinstance(call, ToolCall) and is_json(asdict(call)) for call in calls)
        and all(isinstance(name, str) and is_json(name) for name in found)
        and (usage is None or (isinstance(usage, Usage) and _are_amounts(usage)))
    )


def _are_amounts(usage: Usage) -> bool:
    amounts: Iterable[object] = (usage.input_tokens, usage.output_tokens, usage.cost_usd)
    return all(
        amount is None
        or (isinstance(amount, int | float) and type(amount) is not bool and 0 <= amount < math.inf)
        for amount in amounts
    )
