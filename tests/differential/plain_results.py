"""A plain, slow reader of results files that finds every problem: the oracle of the native one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from tests.differential.plain_json import Fault, Members, Number, is_blank, lines, parse

from minos.outcome import Err, Outcome

KINDS_OF_ERROR = frozenset(
    [
        "Unauthorized",
        "Validation",
        "RateLimited",
        "Overloaded",
        "Server",
        "Http",
        "Network",
        "Timeout",
        "InvalidResponse",
        "Unsupported",
        "InvalidQuestions",
        "Disposed",
        "Cancelled",
    ]
)
HEADER = [
    "kind",
    "version",
    "dataset",
    "provider",
    "model",
    "startedAt",
    "itemCount",
    "partial",
    "selection",
]
SELECTION = ["of", "count", "limit", "sample", "seed", "ids"]
ITEM = [
    "id",
    "answers",
    "error",
    "latencyMs",
    "model",
    "inputTokens",
    "outputTokens",
    "cost",
    "cached",
    "requestId",
    "tries",
]
ERROR = ["kind", "statusCode", "message"]
ANSWER = {
    "noul": ["type", "probability"],
    "choice": ["type", "choice", "confidence", "probabilities"],
    "score": ["type", "level", "confidence", "expectedLevel", "probabilities"],
}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
LARGEST = 2**64 - 1


@dataclass(frozen=True, order=True)
class Told:
    """A problem as far as the oracle tells it: everything but the words."""

    line: int
    code: str
    path: str = ""
    byte: int | None = None


def as_told(outcome: Outcome[object]) -> list[Told]:
    """What the product tells, as the oracle would."""
    if not isinstance(outcome, Err):
        return []
    return [Told(p.line, p.code, p.path, p.byte) for p in outcome.problems]


@dataclass
class Plain:
    """A results file in plain values; complete only where `problems` is empty."""

    header: dict[str, object] = field(default_factory=dict)
    items: list[dict[str, object]] = field(default_factory=list)
    problems: list[Told] = field(default_factory=list)


Check = Callable[[object], str | None]
"""The code of what is wrong with a value, or None."""


def read(data: bytes) -> Plain:
    """Read a results file, to the last problem."""
    plain = Plain()
    numbered = [(n, line) for n, line in enumerate(lines(data), 1) if not is_blank(line)]
    if not numbered:
        return Plain(problems=[Told(1, "invalid-header")])
    header_line, first = numbered[0]
    header, told, is_header = _header(header_line, first)
    plain.problems += told
    if not is_header:
        return plain
    used: set[str] = set()
    items_told: list[Told] = []
    for number, line in numbered[1:]:
        item, told = _item(number, line)
        identity = item.get("id")
        if isinstance(identity, str) and identity:
            if identity in used:
                told.append(Told(number, "duplicate-id", "id"))
            used.add(identity)
        items_told += told
        plain.items.append(item)
    count = header.get("itemCount")
    if _whole(0)(count) is None and int(count.text) != len(numbered) - 1:
        plain.problems.append(Told(header_line, "count-mismatch", "itemCount"))
    plain.problems += items_told
    plain.header = _plain(header)
    plain.items = [_plain(item) for item in plain.items]
    return plain


def _parsed(number: int, line: bytes) -> tuple[Members | None, list[Told]]:
    try:
        value = parse(line)
    except Fault as fault:
        return None, [Told(number, fault.code, "", fault.byte)]
    if not isinstance(value, Members):
        return None, [Told(number, "not-an-object")]
    return value, [Told(number, "duplicate-member", path) for path in _repeats(value, "")]


def _repeats(value: object, path: str) -> Iterator[str]:
    """The path of every member that stands twice, once each, as the repeats stand."""
    told: set[str] = set()
    for place in _repeats_of(value, path):
        if place not in told:
            told.add(place)
            yield place


def _repeats_of(value: object, path: str) -> Iterator[str]:
    if isinstance(value, Members):
        seen: set[str] = set()
        for name, member in value.pairs:
            place = f"{path}.{name}" if path else name
            if name in seen:
                yield place
            seen.add(name)
            yield from _repeats_of(member, place)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _repeats_of(member, f"{path}[{index}]")


def _header(number: int, line: bytes) -> tuple[dict[str, object], list[Told], bool]:
    members, told = _parsed(number, line)
    if members is None:
        return {}, told, False
    header = members.first()
    if header.get("kind") != "minos-results":
        return {}, [Told(number, "invalid-header", "kind")], False
    version = header.get("version")
    if isinstance(version, Number) and version.is_whole and version.text != "1":
        return {}, [Told(number, "unsupported-version", "version")], False
    told += _unknown(number, header, HEADER, "")
    if "version" not in header:
        told.append(Told(number, "missing-member", "version"))
    elif version != Number("1"):
        told.append(Told(number, "invalid-version", "version"))
    rules: list[tuple[str, Check, bool]] = [
        ("dataset", _text, True),
        ("provider", _text, True),
        ("model", lambda v: None if v is None else _text(v), True),
        ("startedAt", _instant, True),
        ("itemCount", _whole(0), True),
        ("partial", _boolean, False),
        ("selection", _object, False),
    ]
    told += _members(number, header, rules, "")
    selection = header.get("selection")
    if isinstance(selection, Members):
        chosen = selection.first()
        told += _unknown(number, chosen, SELECTION, "selection.")
        rules = [("of", _whole(0), True)]
        rules += [(name, _whole(0), False) for name in ("count", "limit", "sample", "seed")]
        told += _members(number, chosen, [*rules, ("ids", _texts, False)], "selection.")
    return header, told, True


def _item(number: int, line: bytes) -> tuple[dict[str, object], list[Told]]:
    members, told = _parsed(number, line)
    if members is None:
        return {}, told
    item = members.first()
    told += _unknown(number, item, ITEM, "")
    told += _members(number, item, [("id", _name, True)], "")
    if "answers" not in item and "error" not in item:
        told.append(Told(number, "missing-member", "answers"))
    told += _members(number, item, [("answers", _object, False)], "")
    answers = item.get("answers")
    if isinstance(answers, Members):
        for key, answer in answers.first().items():
            told += _answer(number, answer, f"answers.{key}")
    if "answers" in item and "error" in item:
        told.append(Told(number, "invalid-member", "error"))
    else:
        told += _members(number, item, [("error", _object, False)], "")
    error = item.get("error")
    if isinstance(error, Members):
        parts = error.first()
        told += _unknown(number, parts, ERROR, "error.")
        rules: list[tuple[str, Check, bool]] = [
            ("kind", _kind_of_error, True),
            ("statusCode", _whole(100, 999), False),
            ("message", _text, True),
        ]
        told += _members(number, parts, rules, "error.")
    rules = [
        ("latencyMs", _amount, False),
        ("model", _text, False),
        ("inputTokens", _whole(0), False),
        ("outputTokens", _whole(0), False),
        ("cost", _amount, False),
        ("cached", _boolean, False),
        ("requestId", _text, False),
        ("tries", _whole(1), False),
    ]
    return item, told + _members(number, item, rules, "")


def _answer(number: int, answer: object, path: str) -> list[Told]:
    if not isinstance(answer, Members):
        return [Told(number, "invalid-member", path)]
    parts = answer.first()
    kind = parts.get("type")
    if "type" not in parts:
        return [Told(number, "missing-member", f"{path}.type")]
    if not isinstance(kind, str) or kind not in ANSWER:
        return [Told(number, "invalid-member", f"{path}.type")]
    told = _unknown(number, parts, ANSWER[kind], f"{path}.")
    rules: list[tuple[str, Check, bool]]
    match kind:
        case "noul":
            rules = [("probability", _share, True)]
        case "choice":
            rules = [
                ("choice", _text, True),
                ("confidence", _share, False),
                ("probabilities", _object, False),
            ]
        case _:
            rules = [
                ("level", _whole(0), True),
                ("confidence", _share, False),
                ("expectedLevel", _finite, False),
                ("probabilities", _list, False),
            ]
    told += _members(number, parts, rules, f"{path}.")
    chances = parts.get("probabilities")
    if kind == "choice" and isinstance(chances, Members):
        named = [(name, _share, False) for name in chances.first()]
        told += _members(number, chances.first(), named, f"{path}.probabilities.")
    if kind == "score" and isinstance(chances, list):
        for index, chance in enumerate(chances):
            code = None if chance is None else _share(chance)
            if code is not None:
                told.append(Told(number, code, f"{path}.probabilities[{index}]"))
    return told


def _unknown(number: int, found: dict[str, object], known: list[str], path: str) -> list[Told]:
    return [Told(number, "unknown-member", path + name) for name in found if name not in known]


def _members(
    number: int, found: dict[str, object], rules: list[tuple[str, Check, bool]], path: str
) -> list[Told]:
    told = []
    for name, check, required in rules:
        if name not in found:
            if required:
                told.append(Told(number, "missing-member", path + name))
            continue
        code = check(found[name])
        if code is not None:
            told.append(Told(number, code, path + name))
    return told


def _typed(holds: bool) -> str | None:
    return None if holds else "invalid-member"


def _text(value: object) -> str | None:
    return _typed(isinstance(value, str))


def _name(value: object) -> str | None:
    return _typed(isinstance(value, str) and value != "")


def _texts(value: object) -> str | None:
    return _typed(isinstance(value, list) and all(isinstance(each, str) for each in value))


def _boolean(value: object) -> str | None:
    return _typed(isinstance(value, bool))


def _object(value: object) -> str | None:
    return _typed(isinstance(value, Members))


def _list(value: object) -> str | None:
    return _typed(isinstance(value, list))


def _kind_of_error(value: object) -> str | None:
    return _typed(isinstance(value, str) and value in KINDS_OF_ERROR)


def _instant(value: object) -> str | None:
    if not isinstance(value, str) or INSTANT.fullmatch(value) is None:
        return _typed(False)
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return _typed(False)
    return None


def _numeric(value: object, holds: Callable[[Number], bool]) -> str | None:
    if not isinstance(value, Number):
        return "invalid-member"
    return None if holds(value) else "invalid-number"


def _share(value: object) -> str | None:
    return _numeric(value, lambda number: 0 <= number.value <= 1)


def _amount(value: object) -> str | None:
    return _numeric(value, lambda number: 0 <= number.value <= 1e12)


def _finite(value: object) -> str | None:
    return _numeric(value, lambda number: math.isfinite(number.value))


def _whole(least: int, most: int = LARGEST) -> Check:
    return lambda value: _numeric(
        value, lambda number: number.is_whole and least <= int(number.text) <= most
    )


def _plain(value: object) -> object:
    """Members as dictionaries, whole numbers as int, others as float."""
    match value:
        case Members():
            return {name: _plain(member) for name, member in value.first().items()}
        case dict():
            return {name: _plain(member) for name, member in value.items()}
        case list():
            return [_plain(each) for each in value]
        case Number():
            return int(value.text) if value.is_whole else value.value
        case _:
            return value
