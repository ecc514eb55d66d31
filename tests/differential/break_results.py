"""Ways to break the results of a run: in the text, in the members, and in how they fit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.differential.generate_runs import Run

WRONG_VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 1.5, -0.001, 1.0000001, 1e308, 10**30, "", "x", "NaN", [], {}, [1],
    {"a": 1},
]  # fmt: skip
STRAYS = ["expect", "Cost", "latency_ms", "", "a.b", "'"]
TEXTS = [
    b"", b" ", b"{", b"[]", b"NaN", b'"x"', b"{}", b'{"id":"a"', b'{"id":"a",}', b'{"id":01}',
    b'{"id":"\\ud800"}', b'{"id":"\xff"}', b'{"id":"a","id":"a"}', b'{"id":NaN}', b"{'id':1}",
    b'{"id":"z","answers":{"q":{"type":"noul","probability":NaN}}}',
    b'{"id":"z","answers":{"q":{"type":"noul","probability":1e400}}}',
    b'{"id":"z","answers":{"q":{"type":"noul","probability":0.5,"probability":0.6}}}',
    b'{"id":"z","error":{"kind":"Server","message":"m"},"tries":0,"latencyMs":-0.0}',
    b'{"id":"z","error":{"kind":"Server","message":"m"},"inputTokens":-0,"outputTokens":1e3}',
    b'{"id":"z","answers":{},"error":{"kind":"Servers","message":"m"}}',
    b"[" * 600,
]  # fmt: skip


def break_text(run: Run, seed: int) -> bytes:
    """A results file with some lines put out of order at the level of text."""
    rng = random.Random(seed)
    lines = run.results_file.split(b"\n")[:-1]
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines))
        match rng.randrange(5):
            case 0:
                lines.insert(place, rng.choice(TEXTS))
            case 1:
                lines[place] = rng.choice(TEXTS)
            case 2:
                lines.insert(place, lines[rng.randrange(len(lines))])
            case 3:
                line = bytearray(lines[place])
                at = rng.randrange(len(line) + 1)
                del line[at : at + rng.randrange(2)]
                line.insert(at, rng.choice(b'"{}[],:0-e\\u\xff '))
                lines[place] = bytes(line)
            case _:
                del lines[place]
                lines = lines or [b""]
    breaks = rng.choice([b"\n", b"\r\n", b"\r"])
    return (b"\xef\xbb\xbf" if rng.random() < 0.2 else b"") + breaks.join(lines)


def break_members(run: Run, seed: int) -> bytes:
    """A results file whose lines are JSON objects with wrong, missing and stray members."""
    rng = random.Random(seed)
    values = [json.loads(line) for line in run.results_file.splitlines()]
    for _ in range(rng.randint(1, 4)):
        parent, name = rng.choice(list(_places(rng.choice(values))))
        match rng.randrange(4):
            case 0 if isinstance(parent, dict):
                parent.pop(name, None)
            case 1 if isinstance(parent, dict):
                parent[rng.choice(STRAYS)] = rng.choice(WRONG_VALUES)
            case _:
                parent[name] = rng.choice(WRONG_VALUES)
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a value, as a container and a name or index in it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    places = [(value, name) for name, _ in inner]
    for parent, name in list(places):
        if isinstance(parent[name], dict | list):
            places += _places(parent[name])
    return places or [({}, "")]


def break_fit(run: Run, seed: int) -> bytes:
    """A results file without problems of its own that does not fit the data set."""
    rng = random.Random(seed)
    results = [json.loads(json.dumps(result)) for result in run.results]
    header = dict(run.header)
    for _ in range(rng.randint(1, 2)):
        change = rng.choice(CHANGES)
        if results:
            change(rng, results)
    if "selection" in header and rng.random() < 0.3:
        header["selection"] = {**header["selection"], "of": rng.randrange(100)}
    header["itemCount"] = len(results)
    return b"".join(json.dumps(value).encode() + b"\n" for value in [header, *results])


def _swap(rng: random.Random, results: list[Any]) -> None:
    one, other = rng.randrange(len(results)), rng.randrange(len(results))
    results[one], results[other] = results[other], results[one]


def _drop(rng: random.Random, results: list[Any]) -> None:
    del results[rng.randrange(len(results))]


def _rename(rng: random.Random, results: list[Any]) -> None:
    results[rng.randrange(len(results))]["id"] = f"stranger-{rng.randrange(10**6)}"


def _append(rng: random.Random, results: list[Any]) -> None:
    stranger = {"id": f"late-{rng.randrange(10**6)}", "answers": {}}
    results.insert(rng.choice([len(results), rng.randrange(len(results))]), stranger)


def _answer_otherwise(rng: random.Random, results: list[Any]) -> None:
    answers = rng.choice(results).get("answers", {})
    if not answers:
        return
    key = rng.choice(list(answers))
    answer = answers[key]
    match rng.randrange(5):
        case 0:
            answers["nobody asked"] = answer
        case 1:
            answers[key] = {"type": "noul", "probability": 0.25}
        case 2:
            answers[key] = {"type": "choice", "choice": "no such option"}
        case 3:
            answers[key] = {"type": "score", "level": 3, "probabilities": [0.1] * 6}
        case _ if answer["type"] == "choice":
            answer["probabilities"] = {"no such option": 0.5, **answer.get("probabilities", {})}


CHANGES: list[Callable[[random.Random, list[Any]], None]] = [
    _swap, _drop, _rename, _append, _answer_otherwise, _answer_otherwise, _answer_otherwise,
]  # fmt: skip
