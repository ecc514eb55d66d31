"""Seeded data sets with results that fit them, and results that are broken."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

ERRORS = ["RateLimited", "Server", "Timeout", "InvalidResponse", "Unsupported", "Cancelled"]
MODELS = [None, "jev-1.14", "jev-1.14-20261014", "jev-1.140", "clef-flash", "clef-flash-2"]
PRICES = [
    {
        "model": "jev-1.14",
        "inputPerMillion": 0.042,
        "outputPerMillion": 0,
        "date": "2026-10-17",
        "source": "a listing",
    },
    {
        "model": "jev",
        "inputPerMillion": 1.5,
        "outputPerMillion": 6.25,
        "date": "2026-10-17",
        "source": "a listing",
    },
    {
        "model": "clef-flash",
        "inputPerMillion": 0.1,
        "outputPerMillion": 0.30000000000000004,
        "date": "2026-11-01",
        "source": "",
    },
]
KEYS = ["topic", "urgent", "mood", "a.b", "it's", "ключ", "q|r", "漢字", "e\u0301"]


@dataclass
class Run:
    """A data set and the results of running it, as Python values and as files."""

    items: list[dict[str, Any]] = field(default_factory=list)
    header: dict[str, Any] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)
    prices: list[dict[str, Any]] = field(default_factory=list)

    @property
    def dataset_file(self) -> bytes:
        return _lines(self.items)

    @property
    def results_file(self) -> bytes:
        return _lines([self.header, *self.results])


def _lines(values: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(v, ensure_ascii=False).encode() + b"\n" for v in values)


def generate(seed: int, most_items: int = 60) -> Run:
    """One run: all kinds, failures, abstentions, odd distributions, unknown costs."""
    rng = random.Random(seed)
    run = Run(prices=PRICES[: rng.randrange(len(PRICES) + 1)])
    places = rng.choice([1, 2, 2, 4, 17])
    own_keys = rng.random() < 0.1
    shared = [_question(rng) for _ in range(rng.randint(1, 4))]
    keys = rng.sample(KEYS, len(shared))
    for n in range(rng.randrange(most_items + 1)):
        asked = shared if rng.random() < 0.8 else [_question(rng) for _ in shared]
        named = {f"{k}{n}" if own_keys else k: q for k, q in zip(keys, asked, strict=True)}
        item = {
            "id": f"item-{n}",
            "state": rng.choice(["text", {"a": [1, None]}, ["b"]]),
            "questions": named,
            "expected": {k: _expected(rng, q) for k, q in named.items() if rng.random() < 0.9},
        }
        run.items.append(item)
        run.results.append(_result(rng, item, places))
    run.header = {
        "kind": "minos-results",
        "version": 1,
        "dataset": "support",
        "provider": "embedded",
        "model": rng.choice(["jev-1.14", None]),
        "startedAt": "2026-11-30T12:00:00.123Z",
    }
    _cut(rng, run)
    run.header["itemCount"] = len(run.results)
    return run


def _cut(rng: random.Random, run: Run) -> None:
    """Make some runs partial, some a selection, some both."""
    total = len(run.results)
    meant = total
    if rng.random() < 0.2:
        meant = rng.randint(0, total)
        chosen = rng.choice([{"count": meant, "ids": ["item-*"]}, {"sample": meant, "seed": 7}])
        run.header["selection"] = {"of": total, **chosen}
    got = meant
    if rng.random() < 0.2:
        got = rng.randint(0, meant)
        run.header["partial"] = True
    kept = sorted(rng.sample(range(total), got))
    run.results = [run.results[place] for place in kept]


def _question(rng: random.Random) -> dict[str, Any]:
    kind = rng.choice(["noul", "choice", "score"])
    question: dict[str, Any] = {"type": kind, "instructions": "Which is it?"}
    if kind == "choice":
        names = rng.sample(["a", "b", "c.d", "é", "it's", "x|y"], rng.randint(1, 5))
        question["criteria"] = dict.fromkeys(names)
    elif kind == "score":
        question["criteria"] = ["low", "middle", "high", "top"][: rng.randint(2, 4)]
    return question


def _expected(rng: random.Random, question: dict[str, Any]) -> Any:
    match question["type"]:
        case "noul":
            return rng.random() < 0.7
        case "choice":
            return rng.choice(list(question["criteria"]))
        case _:
            return rng.randrange(len(question["criteria"]))


def _result(rng: random.Random, item: dict[str, Any], places: int) -> dict[str, Any]:
    result: dict[str, Any] = {"id": item["id"]}
    failure = rng.random()
    if failure < 0.15:
        kind = rng.choice(ERRORS)
        result["error"] = {"kind": kind, "message": "The request failed."}
        if kind in ("RateLimited", "Server"):
            result["error"]["statusCode"] = 429 if kind == "RateLimited" else 500
        is_served = kind == "InvalidResponse"
    else:
        is_served = True
        result["answers"] = {
            k: _answer(rng, q, places) for k, q in item["questions"].items() if rng.random() < 0.93
        }
    _add_facts(rng, result, is_served)
    return result


def _add_facts(rng: random.Random, result: dict[str, Any], is_served: bool) -> None:
    """Add what a provider may or may not tell beside its answers."""
    latency = rng.choice([rng.expovariate(0.01), float(rng.randrange(500)), 0.5])
    model = rng.choice(MODELS)
    facts = {
        "latencyMs": (0.95, latency),
        "model": (0.9 if is_served and model is not None else 0, model),
        "inputTokens": (0.8 if is_served else 0, rng.randrange(5000)),
        "outputTokens": (0.8 if is_served else 0, rng.randrange(5000)),
        "cost": (0.3 if is_served else 0.05, rng.choice([0, 0.0, 0.001, rng.random() / 999, 1e-9])),
        "cached": (0.1, rng.random() < 0.8),
        "requestId": (0.2, f"r-{rng.randrange(1000)}"),
        "tries": (0.1, rng.randint(1, 3)),
    }
    result |= {name: value for name, (share, value) in facts.items() if rng.random() < share}


def _share(rng: random.Random, places: int) -> float:
    return rng.choice([round(rng.random(), places), round(1 - rng.random() / 20, places), 1.0, 0.5])


def _distribution(rng: random.Random, size: int, places: int) -> list[float]:
    weights = [rng.expovariate(1) ** 3 for _ in range(size)]
    return [round(weight / sum(weights), places) for weight in weights]


def _answer(rng: random.Random, question: dict[str, Any], places: int) -> dict[str, Any]:
    kind = question["type"]
    if kind == "noul":
        return {"type": "noul", "probability": _share(rng, places)}
    size = len(question["criteria"])
    chances = _distribution(rng, size, places)
    place = chances.index(max(chances)) if rng.random() < 0.9 else rng.randrange(size)
    answer: dict[str, Any] = {"type": kind}
    if kind == "choice":
        answer["choice"] = list(question["criteria"])[place]
    else:
        answer["level"] = place
    if rng.random() < 0.85:
        answer["confidence"] = chances[place] if rng.random() < 0.5 else _share(rng, places)
    if kind == "score" and rng.random() < 0.5:
        answer["expectedLevel"] = sum(n * p for n, p in enumerate(chances))
        if rng.random() < 0.1:
            answer["expectedLevel"] = rng.choice([-0.5, size - 1, size + 3.25])
    if rng.random() < 0.8:
        answer["probabilities"] = _listed(rng, question, chances, places)
    return answer


def _listed(
    rng: random.Random, question: dict[str, Any], chances: list[float], places: int
) -> dict[str, float] | list[float | None]:
    """A distribution as a results file has it; now and then incomplete, or not adding up to 1."""
    if rng.random() < 0.1:
        chances = [round(chance * 0.9, places) for chance in chances]
    is_incomplete = rng.random() < 0.1
    if question["type"] == "choice":
        listed = dict(zip(question["criteria"], chances, strict=True))
        if is_incomplete:
            listed.popitem()
        return listed
    return rng.choice([chances[:-1], [None, *chances[1:]]]) if is_incomplete else [*chances]
