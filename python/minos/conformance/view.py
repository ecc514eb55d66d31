"""A response of any wire, seen as System One has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minos.providers.presets import WireFormat

Questions = Mapping[str, Mapping[str, Any]]
"""Questions by key, as System One has them."""


def as_system_one(document: Any, wire: WireFormat, questions: Questions) -> Any:  # noqa: ANN401
    """Return a parsed body as System One would have it; what cannot be translated is left.

    Args:
        document: The body as JSON.
        wire: The language it is in.
        questions: What was asked.
    """
    if not isinstance(document, dict):
        return document
    if wire is WireFormat.CLOUDFLARE:
        return document.get("result", document)
    if wire is WireFormat.OPENAI and isinstance(document.get("answers"), list):
        return {**document, "answers": _by_key(document["answers"], questions)}
    return document


def _by_key(answers: list[Any], questions: Questions) -> dict[str, Any]:
    keys = list(questions)
    translated = {}
    for position, answer in enumerate(answers):
        name = answer.get("name") if isinstance(answer, dict) else None
        key = keys[position] if position < len(keys) else f"#{position}"
        translated[name if isinstance(name, str) else key] = _answer(answer)
    return translated


def _answer(answer: Any) -> Any:  # noqa: ANN401
    if not isinstance(answer, dict):
        return answer
    told = dict(answer)
    if told.get("type") == "predicate":
        told["type"] = "noul"
        told["noul"] = told.pop("probability", None)
    given = told.get("probabilities")
    if isinstance(given, list) and all(isinstance(entry, dict) for entry in given):
        told["probabilities"] = {_key(e.get("value")): e.get("probability") for e in given}
        if told.get("type") == "score":
            told["legend"] = {_key(e.get("value")): e.get("label") for e in given}
    return told


def _key(value: Any) -> str:  # noqa: ANN401
    return value if isinstance(value, str) else repr(value)
