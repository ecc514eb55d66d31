"""What a run would take, without asking anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from minos.decisions.dataset import DecisionDataset
from minos.errors import ConfigError
from minos.providers.base import DecisionProvider

if TYPE_CHECKING:
    from minos.decisions.prices import ModelPrice, PriceTable

_BYTES_A_TOKEN = 4
"""What English text comes to in most vocabularies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """What a run would take.

    Attributes:
        items: Items that would be asked for, one request each.
        questions: Questions in them.
        input_tokens: Tokens that would be read, by the bytes of states and questions: a guess.
        cost_usd: What reading them would cost, in US dollars; 0 for a provider that is free, None
            where there is no price for the model that is asked.
        price: The price that was taken.
    """

    items: int
    questions: int
    input_tokens: int
    cost_usd: float | None
    price: ModelPrice | None


def estimate(
    provider: DecisionProvider,
    dataset: DecisionDataset,
    indices: Iterable[int],
    prices: PriceTable | None = None,
) -> RunEstimate:
    """Estimate what a run would take; nothing is sent.

    Args:
        provider: What would be asked.
        dataset: The items.
        indices: Which of them.
        prices: What models cost.
    """
    items = questions = size = 0
    for index in indices:
        item = dataset[index]
        items += 1
        questions += len(item.questions)
        size += len(item.state_json) + len(item.questions.json)
    tokens = -(-size // _BYTES_A_TOKEN)
    model = getattr(provider, "model", None) or ""
    price = None if prices is None else prices.find(model)
    cost_usd = None if prices is None else prices.cost_usd(model, tokens, 0)
    if getattr(provider, "is_free", False):
        price, cost_usd = None, 0.0
    return RunEstimate(
        items=items, questions=questions, input_tokens=tokens, cost_usd=cost_usd, price=price
    )


def check_cost_limit(
    provider: DecisionProvider, max_cost_usd: float | None, prices: PriceTable | None
) -> None:
    """Refuse a limit on cost where it is known that no answer will have one.

    Raises:
        ConfigError: The provider reports no cost and there are no prices.
    """
    reports_cost = getattr(provider, "reports_cost", None)
    if max_cost_usd is not None and reports_cost is False and not prices:
        raise ConfigError(
            "a limit on cost needs prices: the provider does not say what its answers cost",
            hint="give a prices file, or limit the requests",
        )
