from datetime import date

import pytest
from tests.unit.decisions.asked import ANSWERS, Scripted, dataset

from minos.decisions.costs import cost_usd, price_of
from minos.decisions.options import DatasetRunOptions
from minos.decisions.prices import ModelPrice, PriceTable
from minos.decisions.records import ItemResult
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
    found = price_of(model, PRICES)
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


@pytest.mark.anyio
async def test_a_cost_comes_from_prices_where_none_is_reported():
    response = DecisionResponse(ANSWERS, model="fake-1", input_tokens=100, output_tokens=200)
    told = []
    options = DatasetRunOptions(prices=PriceTable([price("fake")]), progress=told.append)
    results = await run(Scripted(response=response), dataset(2), options)
    assert told[-1].cost_usd == 0.001
    assert results[0].cost_usd is None
