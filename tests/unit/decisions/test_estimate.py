from datetime import date

import pytest
from tests.unit.decisions.asked import Scripted, dataset

from minos.decisions.directory import DirectoryRun
from minos.decisions.estimate import check_cost_limit, estimate
from minos.decisions.options import DatasetRunOptions
from minos.decisions.prices import ModelPrice, PriceTable
from minos.decisions.runner import run_sync
from minos.errors import ConfigError
from minos.providers import DecisionClient, DecisionClientOptions, Embedded, ProviderName, Secret

PRICES = PriceTable(
    [
        ModelPrice(
            model="fake",
            input_per_million=4.0,
            output_per_million=1.0,
            date=date(2026, 11, 30),
            source="test",
        )
    ]
)


def client(provider):
    options = DecisionClientOptions(
        provider=provider, api_key=Secret("k"), model="m", base_address="http://localhost:1/"
    )
    return DecisionClient(options)


def test_it_counts_items_questions_and_bytes():
    items = dataset(10)
    told = estimate(Scripted(), items, range(2, 5), PRICES)
    size = sum(len(items[n].state_json) + len(items[n].questions.json) for n in range(2, 5))
    assert (told.items, told.questions) == (3, 9)
    assert told.input_tokens == -(-size // 4)
    assert told.cost_usd == told.input_tokens * 4.0 / 1e6
    assert told.price.model == "fake"


def test_without_a_price_the_cost_is_not_known():
    told = estimate(Scripted(), dataset(1), [0])
    assert told.cost_usd is told.price is None


def test_what_is_free_costs_nothing():
    told = estimate(Embedded(), dataset(1), [0], PRICES)
    assert (told.cost_usd, told.price) == (0.0, None)


def test_nothing_is_asked(tmp_path):
    provider = Scripted()
    run = DirectoryRun(provider, dataset(5), tmp_path, DatasetRunOptions(limit=3))
    assert run.estimate().items == 3
    assert provider.asked == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [ProviderName.TYPESAFE, ProviderName.OPENAI])
def test_a_limit_on_cost_without_costs_is_refused(name, tmp_path):
    provider = client(name)
    options = DatasetRunOptions(max_cost_usd=1)
    with pytest.raises(ConfigError, match="a limit on cost needs prices"):
        run_sync(provider, dataset(1), options)
    with pytest.raises(ConfigError, match="a limit on cost needs prices"):
        DirectoryRun(provider, dataset(1), tmp_path, options)


@pytest.mark.parametrize(
    ("provider", "limit", "prices"),
    [
        (client(ProviderName.TYPESAFE), None, None),
        (client(ProviderName.TYPESAFE), 1.0, PRICES),
        (client(ProviderName.OPENROUTER), 1.0, None),
        (client(ProviderName.CUSTOM), 1.0, None),
        (Scripted(), 1.0, None),
    ],
)
def test_otherwise_it_is_not(provider, limit, prices):
    check_cost_limit(provider, limit, prices)
