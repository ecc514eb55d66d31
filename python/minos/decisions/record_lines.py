"""Records as lines of a results file, and back."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from minos.answers import AnswerRecord
from minos.decisions.records import ItemError, ItemResult, RunHeader, RunSelection
from minos.errors import DecisionErrorKind
from minos.questions import QuestionKind

_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


def header_line(header: RunHeader, item_count: int) -> bytes:
    """Render a header as the first line of a results file.

    Args:
        header: The header.
        item_count: How many items follow, where the header does not say.
    """
    started_at = header.started_at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    members: dict[str, Any] = {
        "kind": "minos-results",
        "version": 1,
        "dataset": header.dataset,
        "provider": header.provider,
        "model": header.model,
        "startedAt": started_at,
        "itemCount": item_count if header.item_count is None else header.item_count,
    }
    if header.partial:
        members["partial"] = True
    chosen = header.selection
    if chosen is not None:
        ids = None if chosen.ids is None else list(chosen.ids)
        members["selection"] = {"of": chosen.of} | _known(
            count=chosen.count, limit=chosen.limit, sample=chosen.sample, seed=chosen.seed, ids=ids
        )
    return _line(members)


def read_header(line: bytes) -> RunHeader:
    """Read the header of results that the native reader has found right."""
    members: dict[str, Any] = json.loads(line)
    return RunHeader(
        dataset=members["dataset"],
        provider=members["provider"],
        model=members["model"],
        started_at=datetime.fromisoformat(members["startedAt"]),
        item_count=members["itemCount"],
        partial=members.get("partial", False),
        selection=read_selection(members.get("selection")),
    )


def read_selection(members: dict[str, Any] | None) -> RunSelection | None:
    """Read the selection of a header or a report."""
    if members is None:
        return None
    ids = members.get("ids")
    return RunSelection(**{**members, "ids": None if ids is None else tuple(ids)})


def read_item(line: bytes) -> ItemResult:
    """Read an item of results that the native reader has found right."""
    members: dict[str, Any] = json.loads(line)
    answers = members.get("answers")
    error = members.get("error")
    return ItemResult(
        id=members["id"],
        answers=None if answers is None else {k: _read_answer(a) for k, a in answers.items()},
        error=None
        if error is None
        else ItemError(
            kind=DecisionErrorKind(error["kind"]),
            message=error["message"],
            status_code=error.get("statusCode"),
        ),
        latency_ms=members.get("latencyMs"),
        model=members.get("model"),
        input_tokens=members.get("inputTokens"),
        output_tokens=members.get("outputTokens"),
        cost_usd=members.get("cost"),
        cached=members.get("cached", False),
        request_id=members.get("requestId"),
        tries=members.get("tries", 1),
    )


def _read_answer(members: dict[str, Any]) -> AnswerRecord:
    match members["type"]:
        case QuestionKind.NOUL:
            return AnswerRecord.noul(members["probability"])
        case QuestionKind.CHOICE:
            return AnswerRecord.choice(
                members["choice"], members.get("confidence"), members.get("probabilities")
            )
        case _:
            return AnswerRecord.score(
                members["level"],
                members.get("confidence"),
                members.get("expectedLevel"),
                members.get("probabilities"),
            )


def _known(**members: object) -> dict[str, object]:
    return {name: value for name, value in members.items() if value is not None}


def _line(members: dict[str, Any]) -> bytes:
    return _ENCODE(members).encode()
