"""Attempts as lines of a results file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from minos.cases.assertions.base import Evaluation, Status, Verdict
from minos.cases.attempt import Attempt, AttemptError, ErrorKind
from minos.cases.case import Case
from minos.cases.schema import written
from minos.subjects.answer import ToolCall, Usage


def attempt_line(attempt: Attempt) -> bytes:
    """Return an attempt as one JSON object without a line break; what is not known is left out."""
    members = {
        "id": attempt.id,
        "key": attempt.key,
        "attempt": attempt.attempt,
        "status": attempt.status,
        "output": attempt.output,
        "evaluations": [_evaluation(each) for each in attempt.evaluations],
        "error": None if attempt.error is None else asdict(attempt.error),
        "duration_ms": attempt.duration_ms,
        "latency_ms": attempt.latency_ms,
        "usage": None if attempt.usage is None else _known(asdict(attempt.usage)),
        "tool_calls": None
        if attempt.tool_calls is None
        else [_known(asdict(call)) for call in attempt.tool_calls],
        "retrieved": None
        if attempt.retrieved is None
        else [{"id": name} for name in attempt.retrieved],
        "case": None if attempt.case is None else _known(written(attempt.case)),
    }
    text = json.dumps(_known(members), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")


def read_attempt(members: Mapping[str, Any]) -> Attempt:
    """Read an attempt.

    Raises:
        KeyError: A member is missing.
        TypeError: A member is of the wrong kind.
        ValueError: A value is not one of those there are.
    """
    error, usage, case = (members.get(name) for name in ("error", "usage", "case"))
    calls, found = members.get("tool_calls"), members.get("retrieved")
    return Attempt(
        id=members["id"],
        key=members["key"],
        attempt=members["attempt"],
        status=Status(members["status"]),
        output=members.get("output"),
        evaluations=tuple(_read_evaluation(each) for each in members.get("evaluations", ())),
        error=None if error is None else AttemptError(ErrorKind(error["kind"]), error["message"]),
        duration_ms=members.get("duration_ms", 0.0),
        latency_ms=members.get("latency_ms"),
        usage=None if usage is None else Usage(**usage),
        tool_calls=None if calls is None else tuple(ToolCall(**call) for call in calls),
        retrieved=None if found is None else tuple(each["id"] for each in found),
        case=None if case is None else Case(**case),
    )


def _evaluation(evaluation: Evaluation) -> dict[str, Any]:
    verdict = evaluation.verdict
    members = {"type": evaluation.type, "status": verdict.status}
    if verdict.reason:
        members["reason"] = verdict.reason
    if verdict.details:
        members["details"] = dict(verdict.details)  # type: ignore[assignment]
    return members


def _read_evaluation(members: Mapping[str, Any]) -> Evaluation:
    verdict = Verdict(
        Status(members["status"]), members.get("reason", ""), members.get("details", {})
    )
    return Evaluation(type=members["type"], verdict=verdict)


def _known(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}
