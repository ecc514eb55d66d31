from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.decisions.asked import ANSWERS, Scripted, dataset

from minos.decisions.costs import cost_usd
from minos.decisions.options import DatasetRunOptions
from minos.decisions.prices import ModelPrice, PriceTable
from minos.decisions.records import ItemResult, RunHeader
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults
from minos.decisions.runner import run
from minos.request import DecisionResponse


def price(model, read=1.0, written=2.0):
    return ModelPrice(
        model=model,
        input_per_million=read,
        output_per_million=written,
        date=date(2026, 11, 30),
        source="test",
    )


PRICES = PriceTable([price("jev-1.14"), price("jev-1.14-20261014", 5.0), price("jev")])


def item(**members):
    return ItemResult(id="a", answers={}, **members)


@pytest.mark.parametrize(
    ("model", "matched"),
    [
        ("jev-1.14", "jev-1.14"),
        ("jev-1.14-20261013", "jev-1.14"),
        ("jev-1.14-20261014", "jev-1.14-20261014"),
        ("jev-1.14-20261014-x", "jev-1.14-20261014"),
        ("jev-1.141", "jev"),
        ("jev", "jev"),
        ("jevv", None),
        ("typesafe/jev-1.14", None),
        ("JEV", None),
        ("je", None),
    ],
)
def test_the_longest_price_that_matches(model, matched):
    found = PRICES.find(model)
    assert (found and found.model) == matched


def test_a_reported_cost_counts_even_when_it_is_0():
    told = item(cost_usd=0.0, model="jev", input_tokens=10**6, output_tokens=0)
    assert cost_usd(told, PRICES) == 0.0


def test_otherwise_both_token_counts_times_the_price():
    told = item(model="jev-1.14-x", input_tokens=500_000, output_tokens=250_000)
    assert cost_usd(told, PRICES) == 1.0


@pytest.mark.parametrize(
    "members",
    [
        {"model": "jev", "input_tokens": 5},
        {"model": "jev", "output_tokens": 5},
        {"input_tokens": 5, "output_tokens": 5},
        {"model": "other", "input_tokens": 5, "output_tokens": 5},
    ],
)
def test_otherwise_it_is_unknown(members):
    assert cost_usd(item(**members), PRICES) is None
    assert cost_usd(item(model="jev", input_tokens=5, output_tokens=5), None) is None


@given(
    st.sampled_from(["jev", "jev-1.14", "jev-1.14-20261014", "jev-1", "other"]),
    st.integers(0, 2**40),
    st.integers(0, 2**40),
    st.floats(0, 100),
    st.floats(0, 100),
)
def test_a_run_counts_what_the_report_counts(model, read, written, per_read, per_written):
    prices = PriceTable([price("jev", per_read, per_written), price("jev-1.14", per_written)])
    asked = dataset(1)
    result = ItemResult(
        id=asked[0].id, answers=ANSWERS, model=model, input_tokens=read, output_tokens=written
    )
    header = RunHeader(
        dataset="d", provider="p", model=None, started_at=datetime(2026, 11, 30, tzinfo=UTC)
    )
    report = CalibrationReport.create(EvaluationResults(header, [result]), asked, prices).unwrap()
    assert cost_usd(result, prices) == report.cost.total


@pytest.mark.anyio
async def test_a_cost_comes_from_prices_where_none_is_reported():
    response = DecisionResponse(ANSWERS, model="fake-1", input_tokens=100, output_tokens=200)
    told = []
    options = DatasetRunOptions(prices=PriceTable([price("fake")]), progress=told.append)
    results = await run(Scripted(response=response), dataset(2), options)
    assert told[-1].cost_usd == 0.001
    assert results[0].cost_usd is None
