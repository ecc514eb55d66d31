"""What an item cost: reported, else priced, else unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.decisions.records import ItemResult

if TYPE_CHECKING:
    from minos.decisions.prices import PriceTable


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
    if prices is None or result.model is None:
        return None
    if result.input_tokens is None or result.output_tokens is None:
        return None
    return prices.cost_usd(result.model, result.input_tokens, result.output_tokens)
