"""The page of a report, against stored pages. `MINOS_STORE_PAGES=1` stores them anew."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from tests.unit.decisions.small_runs import QUESTIONS, dataset_of, results

from minos._native import printable
from minos.answers import AnswerRecord
from minos.decisions.prices import ModelPrice, PriceTable
from minos.decisions.records import ItemError, ItemResult, RunSelection
from minos.decisions.report import CalibrationReport
from minos.errors import DecisionErrorKind

PAGES = Path(__file__).parent / "pages"
HOSTILE = [
    "a|b",
    "`<script>alert(1)</script>`",
    "[x](https://example.com)\n| row |",
    "\u202e\x1b[31m@team #1",
    "**" * 3 + "\\",
]


def page(made, over, prices=None) -> str:
    return CalibrationReport.create(made, over, prices).unwrap().to_markdown()


def a_whole_run() -> str:
    """Four items of three kinds with everything that a page can show."""
    answers = [
        {
            "topic": AnswerRecord.choice(
                "card_arrival", 0.9, {"card_arrival": 0.9, "card_not_working": 0.1}
            ),
            "urgent": AnswerRecord.noul(0.07),
            "mood": AnswerRecord.score(1, 0.8, 1.1, [0.1, 0.7, 0.2]),
        },
        {
            "topic": AnswerRecord.choice("card_not_working", 0.55, {"card_not_working": 0.4}),
            "urgent": AnswerRecord.noul(0.6),
            "mood": AnswerRecord.score(0, None, 7.0, [0.9, 0.1, 0.0]),
        },
        {"topic": AnswerRecord.choice("card_arrival"), "urgent": AnswerRecord.noul(0.93)},
    ]
    tokens = {"input_tokens": 60, "output_tokens": 3, "model": "jev-1.14-20261014"}
    items = [
        ItemResult(id="item-0", answers=answers[0], latency_ms=310.25, **tokens),
        ItemResult(id="item-1", answers=answers[1], latency_ms=295.5, cost_usd=0.000125),
        ItemResult(id="item-2", answers=answers[2], latency_ms=1.0, cached=True, **tokens),
        ItemResult(
            id="item-3",
            error=ItemError(kind=DecisionErrorKind.INVALID_RESPONSE, message="m"),
            model="jev-1.14-20261014",
        ),
    ]
    expected = {"topic": "card_arrival", "urgent": False, "mood": 1}
    over = dataset_of(*[{"questions": QUESTIONS, "expected": expected}] * 4)
    price = ModelPrice(
        model="jev-1.14",
        input_per_million=0.042,
        output_per_million=0,
        date=date(2026, 10, 17),
        source="OpenRouter listing",
    )
    return page(results(*items), over, PriceTable([price]))


def hostile_names() -> str:
    """Names of all sorts that would be markup, were they not shown as names."""
    asked = dict.fromkeys(HOSTILE, QUESTIONS["urgent"])
    over = dataset_of({"questions": asked, "expected": dict.fromkeys(HOSTILE, True)})
    item = ItemResult(
        id="item-0",
        answers=dict.fromkeys(HOSTILE, AnswerRecord.noul(1.0)),
        model=HOSTILE[1],
    )
    price = ModelPrice(
        model=HOSTILE[2],
        input_per_million=1,
        output_per_million=1,
        date=date(2026, 10, 17),
        source=HOSTILE[3],
    )
    made = results(item, dataset=HOSTILE[0], provider=HOSTILE[2], model=HOSTILE[4])
    return page(made, over, PriceTable([price]))


def a_partial_run_of_a_selection() -> str:
    over = dataset_of(*[{"questions": QUESTIONS, "expected": {"urgent": True}}] * 5)
    item = ItemResult(id="item-1", answers={"urgent": AnswerRecord.noul(0.2)})
    selection = RunSelection(of=5, count=3, sample=3, seed=7)
    return page(results(item, partial=True, selection=selection), over)


def nothing_answered() -> str:
    over = dataset_of({"questions": QUESTIONS, "expected": {"urgent": True, "mood": 0}})
    error = ItemError(kind=DecisionErrorKind.SERVER, message="m")
    return page(results(ItemResult(id="item-0", error=error)), over)


def nothing_expected() -> str:
    over = dataset_of({"questions": QUESTIONS, "expected": {}})
    return page(results(ItemResult(id="item-0", answers={})), over)


def an_empty_run() -> str:
    return page(results(model=None), dataset_of())


MAKERS = [
    a_whole_run,
    hostile_names,
    a_partial_run_of_a_selection,
    nothing_answered,
    nothing_expected,
    an_empty_run,
]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_page(make):
    found = make()
    stored = PAGES / f"{make.__name__}.md"
    if os.environ.get("MINOS_STORE_PAGES"):
        stored.write_bytes(found.encode())
    assert found == stored.read_bytes().decode()


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_a_page_holds_no_markup_of_others(make):
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(make())
    assert not [token for token in tokens if token.type.startswith("html")]
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "code_inline", "strong_open", "strong_close"}
    tables = [token for token in tokens if token.type == "table_open"]
    assert tables


def test_every_hostile_name_is_shown_as_it_is():
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(hostile_names())
    shown = {
        child.content
        for token in tokens
        for child in token.children or []
        if child.type == "code_inline"
    }
    assert shown == {printable(name) for name in HOSTILE}


def test_a_page_has_no_line_end_but_lf_and_ends_in_one():
    found = hostile_names()
    assert not set("\r\x0b\x0c\x85\u2028\u2029\t") & set(found)
    assert found.endswith("\n")
    assert not found.endswith("\n\n")
