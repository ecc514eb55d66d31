"""How a question goes to a command or a URL, and how an answer comes back.

The question is `{"version": 1, "input", "metadata", "context"}`: never an expected output, an
assertion, an id. The answer is text as it stands, or a JSON object that begins
`{"version": 1, "output": ...}` and says more than text can.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from minos.subjects.answer import Answer, ToolCall, Usage
from minos.subjects.base import Question, Reply, SubjectError

LARGEST_REPLY = 16 << 20
"""The most bytes that are read of an answer."""

_MEMBERS = {"version", "output", "error", "tool_calls", "retrieved", "usage"}


def question_json(question: Question) -> bytes:
    """Return a question as it is sent."""
    members = {
        "version": 1,
        "input": question.input,
        "metadata": question.metadata,
        "context": None if question.context is None else list(question.context),
    }
    return json.dumps(members, ensure_ascii=False).encode()


def reply_of(body: bytes, what: str) -> Reply:
    """Read an answer. One final line break of plain text is dropped.

    Args:
        body: What came back.
        what: What that is, for messages.

    Raises:
        SubjectError: It is not UTF-8, tells of an error, or is an answer object with a fault.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise SubjectError(f"{what} is not UTF-8 at byte {error.start}") from None
    members = _answer_object(text)
    if members is None:
        return Reply(Answer(text.removesuffix("\n").removesuffix("\r")))
    try:
        return Reply(_answer(members))
    except (TypeError, ValueError, KeyError) as error:
        raise SubjectError(f"{what} is an answer object with a fault: {error}") from None


def _answer_object(text: str) -> Mapping[str, Any] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_answer = members.get("version") == 1 and ("output" in members or "error" in members)
    return members if is_answer and _MEMBERS.issuperset(members) else None


def _answer(members: Mapping[str, Any]) -> Answer:
    if members.get("error") is not None:
        raise SubjectError(str(members["error"]))
    output, calls, found = (members.get(name) for name in ("output", "tool_calls", "retrieved"))
    if not isinstance(output, str):
        raise TypeError("'output' must be text")
    output.encode()
    usage = members.get("usage")
    return Answer(
        output,
        tool_calls=None if calls is None else tuple(_tool_call(call) for call in _list(calls)),
        retrieved=None if found is None else tuple(_document(each) for each in _list(found)),
        usage=None if usage is None else _usage(usage),
    )


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("'tool_calls' and 'retrieved' must be lists")
    return value


def _tool_call(call: object) -> ToolCall:
    if isinstance(call, str):
        return ToolCall(call)
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        raise TypeError("a tool call must be a name or an object with a 'name'")
    return ToolCall(
        call["name"],
        arguments=call.get("arguments"),
        error=None if call.get("error") is None else str(call["error"]),
        duration_ms=_amount(call, "duration_ms"),
    )


def _document(value: object) -> str:
    name = value.get("id") if isinstance(value, dict) else value
    if not isinstance(name, str):
        raise TypeError("a document that was found must be an id or an object with an 'id'")
    return name


def _usage(value: object) -> Usage:
    if not isinstance(value, dict):
        raise TypeError("'usage' must be an object")
    tokens = [_amount(value, name) for name in ("input_tokens", "output_tokens")]
    whole = [None if count is None else int(count) for count in tokens]
    return Usage(whole[0], whole[1], _amount(value, "cost_usd"))


def _amount(members: Mapping[str, Any], name: str) -> float | None:
    value = members.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"'{name}' must be a number")
    if not 0 <= value < float("inf"):
        raise ValueError(f"'{name}' must be a number from 0")
    return value
