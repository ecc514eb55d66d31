"""Documents as JSON."""

from __future__ import annotations

import json

import pytest

from minos.reports.document import (
    Align,
    Bar,
    BarChart,
    Check,
    Checks,
    Column,
    Document,
    Heading,
    Listing,
    Name,
    Paragraph,
    Status,
    Strong,
    Table,
)
from minos.reports.json import render_json


def test_every_block():
    document = Document(
        ["Report of ", Name("<a>\u2028")],
        [
            Heading("h", 3),
            Paragraph(Strong("p")),
            Listing(["one", Name("two")]),
            Table([Column("c", Align.LEFT)], [[None], ["x"]]),
            BarChart([Bar("l", 0.5, None, "n")], "c"),
            Checks([Check("k", Status.ERROR, "why")]),
        ],
    )
    text = render_json(document)
    assert text.endswith("}\n")
    assert json.loads(text) == {
        "kind": "minos-document",
        "version": 1,
        "title": ["Report of ", {"name": "<a>\u2028"}],
        "blocks": [
            {"type": "heading", "level": 3, "text": ["h"]},
            {"type": "paragraph", "text": [{"strong": "p"}]},
            {"type": "list", "points": [["one"], [{"name": "two"}]]},
            {
                "type": "table",
                "columns": [{"title": "c", "align": "left"}],
                "rows": [[None], [["x"]]],
            },
            {
                "type": "bars",
                "caption": ["c"],
                "bars": [{"label": "l", "value": 0.5, "mark": None, "note": "n"}],
            },
            {
                "type": "checks",
                "checks": [{"name": ["k"], "status": "error", "detail": ["why"]}],
            },
        ],
    }


def test_no_number_that_json_does_not_have():
    with pytest.raises(ValueError, match="JSON"):
        render_json(Document("t", [BarChart([Bar("l", float("nan"))], "c")]))
