"""Records as lines of a results file, and back."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta, timezone

import pytest

from minos._native import item_line
from minos.answers import AnswerRecord
from minos.decisions.record_lines import header_line, read_header, read_item
from minos.decisions.records import ItemError, ItemResult, RunHeader, RunSelection
from minos.errors import DecisionErrorKind

STARTED = datetime(2026, 11, 30, 12, 0, 0, 123456, UTC)


def test_header_of_a_whole_run():
    header = RunHeader(dataset="support", provider="embedded", model=None, started_at=STARTED)
    assert header_line(header, 2) == (
        b'{"kind":"minos-results","version":1,"dataset":"support","provider":"embedded",'
        b'"model":null,"startedAt":"2026-11-30T12:00:00.123Z","itemCount":2}'
    )


def test_header_comes_back():
    header = RunHeader(
        dataset="d",
        provider="p",
        model="m",
        started_at=STARTED,
        item_count=7,
        partial=True,
        selection=RunSelection(of=9, count=8, limit=9, sample=8, seed=0, ids=("a*",)),
    )
    assert read_header(header_line(header, 0)) == header


def test_start_is_brought_to_utc():
    there = STARTED.astimezone(timezone(timedelta(hours=5, minutes=30)))
    header = RunHeader(dataset="d", provider="p", model="m", started_at=there)
    assert header.started_at.isoformat() == "2026-11-30T12:00:00.123000+00:00"


def test_start_without_a_time_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        RunHeader(dataset="d", provider="p", model="m", started_at=datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize(
    "result",
    [
        ItemResult(id="a", answers={}),
        ItemResult(
            id="é\u2028",
            answers={
                "n": AnswerRecord.noul(0.07),
                "c": AnswerRecord.choice("x", 0.1 + 0.2, {"x": 0.30000000000000004, "y": 0.7}),
                "c2": AnswerRecord.choice("x"),
                "s": AnswerRecord.score(1, 0.5, 1.25, [0.25, None, 0.75]),
                "s2": AnswerRecord.score(0),
            },
            latency_ms=0.5,
            model="m",
            input_tokens=0,
            output_tokens=2**63,
            cost_usd=0.0,
            cached=True,
            request_id="r",
            tries=3,
        ),
        ItemResult(
            id="f",
            error=ItemError(kind=DecisionErrorKind.SERVER, message="m", status_code=500),
        ),
        ItemResult(id="g", error=ItemError(kind=DecisionErrorKind.CANCELLED, message="")),
    ],
)
def test_items_come_back(result):
    assert read_item(item_line(result)) == result


def test_what_is_not_known_is_left_out():
    assert item_line(ItemResult(id="a", answers={})) == b'{"id":"a","answers":{}}'


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_cannot_hold_stay_wrong(number):
    line = item_line(ItemResult(id="a", answers={}, latency_ms=number))
    latency = json.loads(line)["latencyMs"]
    with pytest.raises(OverflowError):
        float(latency)
