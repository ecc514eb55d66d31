"""What a decision provider is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from minos.request import DecisionRequest, DecisionResponse


@runtime_checkable
class DecisionProvider(Protocol):
    """Anything that answers typed questions about a state.

    A provider may also have the attributes `name` and `model` (text), which a run writes into its
    header; `address` (text), which must be the same when a run is gone on with; `reports_cost`
    (whether answers say what they cost; None where that is not known) and `is_free`; and an async
    method `aclose()`, which whoever made the provider calls.
    """

    async def decide(self, request: DecisionRequest) -> DecisionResponse:
        """Answer one request.

        May be called again while earlier calls are under way.

        Raises:
            DecisionError: The request failed; a run writes it on the item and goes on. Any other
                exception stops the run.
        """
        ...


def name_of(provider: DecisionProvider) -> str:
    """Return what a provider is called: its own name, or else that of its class."""
    name: str = getattr(provider, "name", None) or type(provider).__name__
    return name
