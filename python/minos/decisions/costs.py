"""What an item cost: reported, else priced, else unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.decisions.records import ItemResult

if TYPE_CHECKING:
    from minos.decisions.prices import ModelPrice, PriceTable


def cost_usd(result: ItemResult, prices: PriceTable | None) -> float | None:
    """Return what an item that was served cost, in US dollars.

    Args:
        result: The item; a reported cost of 0 counts as reported.
        prices: What models cost whose provider reports no cost.

    Returns:
        None where it is not known: no cost was reported and there is no price for the model, no
        model, or a missing token count.
    """
    if result.cost_usd is not None:
        return result.cost_usd
    if result.model is None or result.input_tokens is None or result.output_tokens is None:
        return None
    price = price_of(result.model, prices)
    if price is None:
        return None
    read = result.input_tokens * price.input_per_million
    written = result.output_tokens * price.output_per_million
    return (read + written) / 1_000_000


def price_of(model: str, prices: PriceTable | None) -> ModelPrice | None:
    """Return the price of a model: its own, or of the longest model that it is a version of."""
    matching = [
        price
        for price in prices or ()
        if model == price.model or model.startswith(f"{price.model}-")
    ]
    return max(matching, key=lambda price: len(price.model), default=None)
