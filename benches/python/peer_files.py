"""The same labelled answers in the formats of five tools.

Three questions an item: a noul, a choice, a score. The confidence of an answer is its greatest
probability, so that tools that go by the one or by the other find the same calibration.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generate

TOPICS = ("card_arrival", "lost_card", "refund", "transfer", "limits", "login", "fees", "unknown")
MOODS = ("calm", "neutral", "annoyed", "angry", "unknown")
QUESTIONS: dict[str, Any] = {
    "urgent": {"type": "noul", "instructions": "Must somebody act today?"},
    "topic": {
        "type": "choice",
        "instructions": "What is the message about?",
        "criteria": {topic: f"It is about {topic}." for topic in TOPICS},
    },
    "mood": {
        "type": "score",
        "instructions": "How upset is the customer?",
        "criteria": [f"The customer is {mood}." for mood in MOODS],
    },
}
WORDS = generate.WORDS.split()
BACKEND = {"name": "none", "deployment": "none", "requested_model": "none", "transport": "none"}
Line = Callable[[dict[str, Any]], list[dict[str, Any]]]


def items(count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Return items: a text, what is right, and an answer with its distribution to each question."""
    rng = random.Random(seed)
    return [_item(rng, number) for number in range(count)]


def _item(rng: random.Random, number: int) -> dict[str, Any]:
    yes = rng.random()
    found: dict[str, Any] = {"id": f"msg-{number}", "text": " ".join(rng.choices(WORDS, k=30))}
    found["latency_ms"] = round(rng.random() * 900, 2)
    found["urgent"] = {"p": yes, "right": rng.random() < yes}
    for key, size in (("topic", len(TOPICS)), ("mood", len(MOODS))):
        top = 0.5 + rng.random() / 2
        spread = [(1 - top) / (size - 1)] * size
        chosen = rng.randrange(size)
        spread[chosen] = top
        right = chosen if rng.random() < top else rng.randrange(size)
        found[key] = {"chosen": chosen, "p": top, "spread": spread, "right": right}
    return found


def write(folder: Path, count: int) -> dict[str, Path]:
    """Write the files of every tool; return where they are, by tool."""
    pack = folder / "bench"
    pack.mkdir()
    (pack / "pack.yaml").write_text(json.dumps(_pack()), encoding="utf-8")
    header = {"kind": "minos-results", "version": 1, "dataset": "bench", "provider": "none"}
    header |= {"model": "none", "startedAt": "2026-11-30T00:00:00.000Z", "itemCount": count}
    start = {"schema_version": _events_version(), "event": "run_start", "run_id": "r"}
    formats: dict[str, tuple[str, list[dict[str, Any]], Line]] = {
        "dataset": ("dataset.jsonl", [], _dataset_lines),
        "minos": ("results.jsonl", [header], _results_lines),
        "jev-eval": ("cache.jsonl", [], _cache_lines),
        "jevkit-calibrate": ("records.jevl", [], _record_lines),
        "jevassert": ("bench/cases.jsonl", [], _case_lines),
        "jevassert predictions": ("predictions.jsonl", [], _prediction_lines),
        "decision-metrics": ("events.jsonl", [start], _event_lines),
    }
    made = items(count)
    for name, head, lines in formats.values():
        with (folder / name).open("w", encoding="utf-8") as file:
            for line in head:
                file.write(json.dumps(line) + "\n")
            for item in made:
                file.writelines(json.dumps(line) + "\n" for line in lines(item))
    return {tool: folder / name for tool, (name, _, _) in formats.items()} | {"pack": pack}


def _events_version() -> Any:
    try:
        from decision_metrics.types import SCHEMA_VERSION
    except ImportError:
        return 1
    return SCHEMA_VERSION


def _pack() -> dict[str, Any]:
    topic, mood = dict(QUESTIONS["topic"]), dict(QUESTIONS["mood"])
    topic["options"] = topic.pop("criteria")
    del mood["criteria"]
    return {
        "spec": 0, "id": "bench", "version": "1.0.0", "license": "CC0", "tested": None,
        "description": "Messages.", "state": {"description": "A message.", "fields": ["text"]},
        "questions": {
            "urgent": QUESTIONS["urgent"], "topic": topic, "mood": mood | {"levels": [*MOODS]},
        },
    }  # fmt: skip


def _dataset_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    expected = {
        "urgent": item["urgent"]["right"],
        "topic": TOPICS[item["topic"]["right"]],
        "mood": item["mood"]["right"],
    }
    line = {"id": item["id"], "state": item["text"], "questions": QUESTIONS, "expected": expected}
    return [line]


def _results_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    topic, mood = item["topic"], item["mood"]
    answers = {
        "urgent": {"type": "noul", "probability": item["urgent"]["p"]},
        "topic": {
            "type": "choice", "choice": TOPICS[topic["chosen"]], "confidence": topic["p"],
            "probabilities": dict(zip(TOPICS, topic["spread"], strict=True)),
        },
        "mood": {
            "type": "score", "level": mood["chosen"], "confidence": mood["p"],
            "probabilities": mood["spread"],
        },
    }  # fmt: skip
    return [{"id": item["id"], "answers": answers, "latencyMs": item["latency_ms"]}]


def _wire_answers(item: dict[str, Any], levels: tuple[str, ...]) -> dict[str, Any]:
    """Return answers as a server gives them; the names of levels differ between tools."""
    topic, mood = item["topic"], item["mood"]
    return {
        "urgent": {"type": "noul", "noul": item["urgent"]["p"]},
        "topic": {
            "type": "choice", "choice": TOPICS[topic["chosen"]], "confidence": topic["p"],
            "probabilities": dict(zip(TOPICS, topic["spread"], strict=True)),
        },
        "mood": {
            "type": "score", "score": float(mood["chosen"]), "confidence": mood["p"],
            "probabilities": dict(zip(levels, mood["spread"], strict=True)),
        },
    }  # fmt: skip


_NUMBERED = tuple(map(str, range(len(MOODS))))


def _cache_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    answers = _wire_answers(item, tuple(QUESTIONS["mood"]["criteria"]))
    gold = _dataset_lines(item)[0]["expected"]
    gold["mood"] = QUESTIONS["mood"]["criteria"][gold["mood"]]
    row = int(item["id"].removeprefix("msg-"))
    shared = {"model": "none", "row": row, "state_hash": _hash(item["text"]), "meta": {}}
    return [
        shared
        | {
            "id": key, "type": question["type"], "question_hash": key, "question": question,
            "answer": answers[key], "gold": gold[key], "state_chars": len(item["text"]),
            "call": item["id"], "input_tokens": 60,
        }
        for key, question in QUESTIONS.items()
    ]  # fmt: skip


def _record_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "v": 1, "id": _hash(item["id"]), "ts": "2026-11-30T00:00:00Z", "model": "none",
            "request": {"state": item["text"], "questions": QUESTIONS},
            "answers": _wire_answers(item, _NUMBERED),
            "label": _dataset_lines(item)[0]["expected"],
        }
    ]  # fmt: skip


def _case_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    expect = _dataset_lines(item)[0]["expected"]
    expect["mood"] = MOODS[expect["mood"]]
    return [{"id": item["id"], "state": {"text": item["text"]}, "expect": expect}]


def _prediction_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    usage = {"input_tokens": 60, "output_tokens": 3}
    line = {"case_id": item["id"], "model": "none", "latency_ms": item["latency_ms"]}
    return [line | {"usage": usage, "answers": _wire_answers(item, _NUMBERED), "error": None}]


def _event_lines(item: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the event of one decision: this tool knows choices alone, and no right answers."""
    answer = _wire_answers(item, _NUMBERED)["topic"]
    return [
        {
            "schema_version": _VERSION, "event": "decision", "run_id": "r",
            "decision_id": item["id"], "phase": "decision", "backend": BACKEND,
            "request": {"state": item["text"], "options": QUESTIONS["topic"]["criteria"]},
            "source": "provider", "status": "ok", "latency_ms": item["latency_ms"],
            "request_attempted": True, "deadline_missed": False, "result": answer,
            "returned_model": "none", "usage": {"input_tokens": 60, "output_tokens": 3},
            "estimated_api_cost_usd": 0.00001,
        }
    ]  # fmt: skip


_VERSION = _events_version()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
