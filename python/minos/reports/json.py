"""Documents as JSON, for programs that lay reports out themselves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from minos.reports.document import (
    BarChart,
    Block,
    Checks,
    Document,
    Heading,
    Inline,
    Listing,
    Name,
    Paragraph,
    Strong,
    Table,
    Text,
    stretches,
)


def render_json(document: Document) -> str:
    r"""Render a document as JSON: `{"kind": "minos-document", "version": 1, "title", "blocks"}`.

    Text is a list of stretches, each a string, `{"name"}` or `{"strong"}`. An undefined cell is
    null. The figures of a report are in its own JSON; here they are as they are shown.
    """
    members = {
        "kind": "minos-document",
        "version": 1,
        "title": _text(document.title),
        "blocks": [_block(block) for block in document.blocks],
    }
    return json.dumps(members, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _block(block: Block) -> dict[str, Any]:
    match block:
        case Heading():
            return {"type": "heading", "level": block.level, "text": _text(block.text)}
        case Paragraph():
            return {"type": "paragraph", "text": _text(block.text)}
        case Listing():
            return {"type": "list", "points": [_text(point) for point in block.points]}
        case Table():
            return {
                "type": "table",
                "columns": [{"title": c.title, "align": c.align} for c in block.columns],
                "rows": [[None if c is None else _text(c) for c in row] for row in block.rows],
            }
        case BarChart():
            return {
                "type": "bars",
                "caption": _text(block.caption),
                "bars": [
                    {"label": b.label, "value": b.value, "mark": b.mark, "note": b.note}
                    for b in block.bars
                ],
            }
        case Checks():
            return {
                "type": "checks",
                "checks": [
                    {"name": _text(c.name), "status": c.status, "detail": _text(c.detail)}
                    for c in block.checks
                ],
            }


def _text(text: Text) -> Sequence[str | dict[str, str]]:
    return [_stretch(part) for part in stretches(text)]


def _stretch(part: Inline) -> str | dict[str, str]:
    match part:
        case Name():
            return {"name": part.text}
        case Strong():
            return {"strong": part.text}
        case str():
            return part
