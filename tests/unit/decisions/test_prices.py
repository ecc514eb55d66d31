"""Prices of models, from objects and from files."""

from __future__ import annotations

import copy
import json
import math
import pickle
from datetime import date

import pytest

from minos.decisions.prices import ModelPrice, PriceTable
from minos.errors import ProblemsError
from minos.outcome import Err

PRICE = {
    "model": "jev-1.14",
    "inputPerMillion": 0.042,
    "outputPerMillion": 0,
    "date": "2026-10-17",
    "source": "OpenRouter listing",
}


def price(**members) -> ModelPrice:
    known = {
        "model": "jev-1.14",
        "input_per_million": 0.042,
        "output_per_million": 0,
        "date": date(2026, 10, 17),
        "source": "OpenRouter listing",
    }
    return ModelPrice(**{**known, **members})


def test_a_table_can_be_pickled():
    table = PriceTable([price()])
    again = pickle.loads(pickle.dumps(table))  # noqa: S301
    assert again == copy.deepcopy(table) == table
    assert again.find("jev-1.14-x") == price()


def problems_of(text: str | bytes) -> list[tuple[str, str]]:
    outcome = PriceTable.parse(text)
    assert isinstance(outcome, Err)
    return [(problem.code, problem.path) for problem in outcome.problems]


def test_a_file(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"prices": [PRICE]}, indent=2))
    table = PriceTable.load(path).unwrap()
    assert list(table) == [price()]
    assert table == PriceTable([price()])
    assert json.loads(table.json) == {"prices": [PRICE]}


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        PriceTable.load(tmp_path / "prices.json")


@pytest.mark.parametrize(
    ("entry", "code", "path"),
    [
        ({"model": ""}, "invalid-member", "prices[0].model"),
        ({"model": 1}, "invalid-member", "prices[0].model"),
        ({"inputPerMillion": -1}, "invalid-number", "prices[0].inputPerMillion"),
        ({"inputPerMillion": "1"}, "invalid-member", "prices[0].inputPerMillion"),
        ({"outputPerMillion": None}, "invalid-member", "prices[0].outputPerMillion"),
        ({"date": "17.10.2026"}, "invalid-member", "prices[0].date"),
        ({"date": "2026-13-01"}, "invalid-member", "prices[0].date"),
        ({"date": "2026-02-30"}, "invalid-member", "prices[0].date"),
        ({"source": None}, "invalid-member", "prices[0].source"),
        ({"currency": "EUR"}, "unknown-member", "prices[0].currency"),
    ],
)
def test_a_price_that_is_wrong(entry, code, path):
    assert problems_of(json.dumps({"prices": [{**PRICE, **entry}]})) == [(code, path)]


@pytest.mark.parametrize("member", list(PRICE))
def test_a_member_that_is_missing(member):
    entry = {name: value for name, value in PRICE.items() if name != member}
    assert problems_of(json.dumps({"prices": [entry]})) == [
        ("missing-member", f"prices[0].{member}")
    ]


def test_every_problem_is_told():
    entries = [{**PRICE, "date": 1}, 7, {**PRICE, "model": "m", "source": 2, "x": 1}]
    assert problems_of(json.dumps({"prices": entries})) == [
        ("invalid-member", "prices[0].date"),
        ("invalid-member", "prices[1]"),
        ("unknown-member", "prices[2].x"),
        ("invalid-member", "prices[2].source"),
    ]


def test_two_prices_for_one_model():
    with pytest.raises(ProblemsError, match="jev-1"):
        PriceTable([price(), price(input_per_million=1.0)])


@pytest.mark.parametrize("number", [math.nan, math.inf, -0.5])
def test_prices_that_are_no_price(number):
    with pytest.raises(ProblemsError):
        PriceTable([price(input_per_million=number)])


def test_a_file_of_something_else():
    assert problems_of(b"[]") == [("not-an-object", "")]
    assert problems_of(b"{}") == [("missing-member", "prices")]
    assert problems_of(b'{"prices": {}}') == [("invalid-member", "prices")]
    assert problems_of(b'{"prices": [}') == [("invalid-json", "")]


def test_an_empty_table():
    assert len(PriceTable([])) == 0
    assert list(PriceTable.parse(b'{"prices":[]}').unwrap()) == []
