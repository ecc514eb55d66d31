"""A plain reader of data sets that are known to be right."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tests.differential.plain_json import is_blank, lines


@dataclass(frozen=True)
class PlainItem:
    """An item, its line, and its questions and right answers as JSON has them."""

    line: int
    id: str
    questions: dict[str, dict[str, object]]
    expected: dict[str, object]


def read(data: bytes) -> list[PlainItem]:
    items = []
    for number, line in enumerate(lines(data), 1):
        if not is_blank(line):
            item = json.loads(line)
            items.append(PlainItem(number, item["id"], item["questions"], item["expected"]))
    return items
