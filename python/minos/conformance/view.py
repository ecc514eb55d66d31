"""A response of any wire, seen as System One has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minos.conformance.values import told
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
        return None if document.get("success") is False else document.get("result")
    if wire is WireFormat.OPENAI and isinstance(document.get("answers"), list):
        return {**document, "answers": _by_key(document["answers"], questions)}
    return document


def _by_key(answers: list[Any], questions: Questions) -> dict[str, Any]:
    """Return answers by question: matched by position, by name where some are missing."""
    keys = list(questions)
    is_whole = len(answers) == len(keys)
    translated = []
    for position, answer in enumerate(answers):
        name = answer.get("name") if isinstance(answer, dict) else None
        key = keys[position] if position < len(keys) else f"#{position}"
        if name not in (None, key):  # any JSON value
            said = name if isinstance(name, str) else told(name)
            key = f"{said} in the place of {key}" if is_whole else said
        translated.append((key, _answer(answer)))
    return _told_apart(translated)


def _answer(answer: Any) -> Any:  # noqa: ANN401
    if not isinstance(answer, dict):
        return answer
    seen = dict(answer)
    if seen.get("type") == "predicate":
        seen["type"] = "noul"
        seen["noul"] = seen.pop("probability", None)
    given = seen.get("probabilities")
    if isinstance(given, list) and all(isinstance(entry, dict) for entry in given):
        wanted = int if seen.get("type") == "score" else str
        values = [(_key(entry.get("value"), wanted), entry) for entry in given]
        seen["probabilities"] = _told_apart([(key, e.get("probability")) for key, e in values])
        if seen.get("type") == "score":
            seen["legend"] = _told_apart([(key, e.get("label")) for key, e in values])
    return seen


def _told_apart(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return members by name; one that is there again is another, which nobody asked for."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        key = name
        while key in members:
            key += " again"
        members[key] = value
    return members


def _key(value: Any, wanted: type) -> str:  # noqa: ANN401
    is_right = isinstance(value, wanted) and not isinstance(value, bool)
    return str(value) if is_right else f"{told(value)}, which is none"
