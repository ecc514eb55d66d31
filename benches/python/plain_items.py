"""The best that plain Python does: `json.loads`, a hook for repeated members, checks by hand.

It finds what minos finds (text, grammar, repeats, every rule, ids) and says less of it: which line,
and what. `tests/differential/plain_validator.py`, the oracle, also says where, byte by byte.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

ITEM = {"id", "state", "questions", "expected", "source", "version"}
NEEDED = ("id", "state", "questions", "expected")
QUESTION = {"type", "instructions", "criteria"}
CRITERION = {"description", "examples", "not_for"}
DEEPEST, DEEPEST_CONTENT = 512, 60
BLANKS = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
BLANKS += "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

Tell = Callable[[str], None]


class _Line:
    """The problems of one line."""

    def __init__(self) -> None:
        self.told: list[str] = []
        decoder = json.JSONDecoder(object_pairs_hook=self._members, parse_constant=self._refuse)
        self._decode = decoder.decode

    def check(self, text: bytes) -> tuple[str | None, list[str]]:
        """Return the id and the problems."""
        self.told = []
        try:
            item = self._decode(text.decode())
        except (ValueError, RecursionError) as error:
            return None, [str(error)]
        if b"\\ud" in text or b"\\uD" in text:
            try:
                json.dumps(item, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                return None, ["unpaired surrogate"]
        if not isinstance(item, dict):
            return None, ["the line is no object"]
        self._item(item)
        found = item.get("id")
        return found if isinstance(found, str) else None, self.told

    def _members(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            self.told.append("a member appears more than once")
        return members

    @staticmethod
    def _refuse(constant: str) -> None:
        raise ValueError(constant)

    def _item(self, item: dict[str, Any]) -> None:
        tell = self.told.append
        if not item.keys() <= ITEM:
            tell("unknown member")
        for name in NEEDED:
            if name not in item:
                tell(f"{name} is missing")
        found = item.get("id", "a")
        if not isinstance(found, str) or not found:
            tell("id is no text")
        state = item.get("state", "")
        if not isinstance(state, str | dict | list):
            tell("state is no content")
        elif not isinstance(state, str) and _depth(state) >= DEEPEST:
            tell("too deep")
        if not isinstance(item.get("source", ""), str):
            tell("source is no text")
        if type(item.get("version", 1)) is not int or item.get("version", 1) != 1:
            tell("version")
        self._labels(item)

    def _labels(self, item: dict[str, Any]) -> None:
        tell = self.told.append
        questions = item.get("questions", {})
        if not isinstance(questions, dict) or ("questions" in item and not questions):
            tell("questions are no object")
            return
        for key, asked in questions.items():
            if not key:
                tell("MIN106")
            _question(asked, tell)
        expected = item.get("expected", {})
        if not isinstance(expected, dict):
            tell("expected is no object")
            return
        for key, answer in expected.items():
            _answer(questions.get(key), answer, tell)


def _question(asked: Any, tell: Tell) -> None:
    if not isinstance(asked, dict):
        tell("a question is no object")
        return
    if not asked.keys() <= QUESTION:
        tell("unknown member")
    _content(asked.get("instructions"), tell)
    check = CRITERIA.get(asked["type"]) if isinstance(asked.get("type"), str) else None
    if check is None:
        tell("type")
    elif check is not _sides or "criteria" in asked:
        check(asked.get("criteria"), tell)


def _sides(criteria: Any, tell: Tell) -> None:
    if not isinstance(criteria, dict) or not criteria.keys() <= {"true", "false"}:
        tell("criteria")
        return
    for side in criteria.values():
        _content(side, tell)


def _options(criteria: Any, tell: Tell) -> None:
    if not isinstance(criteria, dict) or not 1 <= len(criteria) <= 255:
        tell("criteria")
        return
    for name, described in criteria.items():
        if not name:
            tell("MIN106")
        if described is not None:
            _criterion(described, tell)


def _levels(criteria: Any, tell: Tell) -> None:
    if not isinstance(criteria, list) or not 2 <= len(criteria) <= 10:
        tell("criteria")
        return
    for described in criteria:
        _criterion(described, tell)


CRITERIA = {"noul": _sides, "choice": _options, "score": _levels}


def _content(value: Any, tell: Tell) -> None:
    if isinstance(value, str):
        if not value.strip(BLANKS):
            tell("MIN003")
    elif not isinstance(value, dict | list) or not value:
        tell("MIN003")
    elif _depth(value) > DEEPEST_CONTENT:
        tell("MIN108")


def _criterion(value: Any, tell: Tell) -> None:
    if isinstance(value, str):
        if not value.strip(BLANKS):
            tell("MIN003")
    elif not isinstance(value, dict) or not value.keys() <= CRITERION:
        tell("criterion")
    else:
        texts = [value.get("description")]
        for name in ("examples", "not_for"):
            entries = value.get(name, [])
            texts += entries if isinstance(entries, list) else [None]
        if not all(isinstance(text, str) and text.strip(BLANKS) for text in texts):
            tell("MIN003")


def _answer(asked: Any, answer: Any, tell: Tell) -> None:
    match asked:
        case {"type": "noul"}:
            is_right = isinstance(answer, bool)
        case {"type": "choice", "criteria": dict(options)}:
            is_right = isinstance(answer, str) and answer in options
        case {"type": "score", "criteria": list(levels)}:
            is_right = type(answer) is int and 0 <= answer < len(levels)
        case _:
            is_right = False
    if not is_right:
        tell("expected")


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(part) for part in inner if isinstance(part, dict | list)), default=0)


def main() -> None:
    """Check the file that the command names."""
    line = _Line()
    first: dict[str, int] = {}
    problems = 0
    with open(sys.argv[1], "rb") as file:  # noqa: PTH123
        for number, text in enumerate(file, start=1):
            found, told = line.check(text)
            if found is not None and first.setdefault(found, number) != number:
                told.append("id is used already")
            problems += len(told)
    print(problems)


if __name__ == "__main__":
    main()
