"""Sends anything to a provider, and returns what comes back, whatever it is."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto

from minos.providers.clock import Clock
from minos.providers.errors import status_error
from minos.providers.exchange import TOO_MUCH, Exchanger, Failure, RawExchange, Sender
from minos.providers.flow import Flow
from minos.providers.options import Endpoint
from minos.providers.secret import Secret

DUMMY_KEY = "minos-conformance-not-a-key"
"""What is sent as a key that is none. It resembles no key of anybody's."""


class KeyUse(Enum):
    """Which key a request goes out with."""

    OWN = auto()
    """The one that is configured, or none."""
    DUMMY = auto()
    """One that is no key."""
    NONE = auto()
    """No key at all."""


class Prober:
    """Sends bodies of any content, with the own key, a wrong one or none.

    Only a server that is busy, or no response at all, is a reason to send one again.
    """

    def __init__(self, endpoint: Endpoint, sender: Sender, clock: Clock) -> None:
        """Prepare one way out for each use of a key.

        Args:
            endpoint: Where and how.
            sender: What carries a request.
            clock: Time.
        """
        self._ways = {
            use: _exchanger(keyed, sender, clock)
            for use, keyed in (
                (KeyUse.OWN, endpoint),
                (KeyUse.DUMMY, replace(endpoint, key=Secret(DUMMY_KEY))),
                (KeyUse.NONE, replace(endpoint, key=None)),
            )
        }

    async def send(self, body: bytes, key: KeyUse = KeyUse.OWN) -> RawExchange:
        """Send a body and return the response, of whatever status.

        Raises:
            DecisionError: No response came.
        """
        return await self._ways[key].exchange(body)


def _exchanger(endpoint: Endpoint, sender: Sender, clock: Clock) -> Exchanger:
    redactor = endpoint.redactor()

    def failure_of(raw: RawExchange) -> Failure | None:
        if raw.is_success:
            return None
        return Failure(status_error(raw, redactor), raw.status_code in TOO_MUCH)

    return Exchanger(
        endpoint,
        sender,
        failure_of=failure_of,
        retry_count_header=None,
        flow=Flow(clock, endpoint.requests_per_minute),
        clock=clock,
    )
