"""Lines of decision data sets to start from."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

EXAMPLE = (
    '{"id":"msg-1","state":"My card was meant to arrive last week and nothing has come.",'
    '"questions":{"topic":{"type":"choice","instructions":"Which topic is this message about?",'
    '"criteria":{"card_arrival":"The card has not arrived yet.","card_not_working":"The card '
    'arrived but does not work.","lost_or_stolen_card":null}},"urgent":{"type":"noul",'
    '"instructions":"Does the customer need action today?"},"mood":{"type":"score",'
    '"instructions":"How upset is the customer?","criteria":["calm","annoyed","angry"]}},'
    '"expected":{"topic":"card_arrival","urgent":false,"mood":1},'
    '"source":"support/2026-10#1","version":1}'
)
"""The line that the format is explained with."""

QUESTION = '{"q":{"type":"noul","instructions":"Is it?"}}'


def line(id: str = "a", state: str = '""', questions: str = QUESTION) -> str:  # noqa: A002
    """Give a right line around parts that are JSON (the id apart)."""
    return f'{{"id":{json.dumps(id)},"state":{state},"questions":{questions},"expected":{{}}}}'


def vectors() -> list[dict[str, Any]]:
    """Give the known files: name, data, items, problems."""
    path = Path(__file__).parent / "vectors" / "decision_files.jsonl"
    known = [json.loads(each) for each in path.read_text().splitlines()]
    return [each | {"data": base64.b64decode(each.pop("data_base64"))} for each in known]
