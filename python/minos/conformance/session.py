"""Probes sent to a provider, each kept as evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minos.conformance.result import SHOWN_CHARACTERS, Exchange
from minos.errors import DecisionError
from minos.providers.client import DecisionClient
from minos.providers.exchange import TOO_MUCH, RawExchange
from minos.providers.prober import KeyUse
from minos.questions import QuestionSet
from minos.request import DecisionRequest

_HIDDEN_HEADERS = frozenset({"set-cookie"})
_MOST_SILENCES = 3


class StoppedError(Exception):
    """No more is sent: the message says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        number: The number of the exchange.
        raw: The response; None where there was none.
        fault: Why there was none; empty where there was one.
    """

    number: int
    raw: RawExchange | None
    fault: str = ""

    @property
    def is_answer(self) -> bool:
        """Whether the status is 200 to 299."""
        return self.raw is not None and self.raw.is_success

    @property
    def told(self) -> str:
        """What came back instead of an answer, in a few words."""
        if self.raw is None:
            return self.fault
        said = " ".join(self.raw.body.data[:120].decode("utf-8", "replace").split())
        return f"HTTP {self.raw.status_code}: {said}" if said else f"HTTP {self.raw.status_code}"


class Session:
    """Sends probes and keeps them.

    Attributes:
        exchanges: Every probe so far, in order.
    """

    def __init__(self, client: DecisionClient) -> None:
        """Prepare.

        Args:
            client: The provider; its limits and its retries do not hold for probes.
        """
        self._client = client
        self._prober = client.prober()
        self._silences = 0
        self.exchanges: list[Exchange] = []

    def body(self, questions: Mapping[str, Any], state: object) -> bytes:
        """Return a request in the provider's language.

        Args:
            questions: Questions by key, as System One has them.
            state: What they are about, as JSON values.
        """
        rendered = json.dumps(questions, separators=(",", ":")).encode()
        request = DecisionRequest(json.dumps(state).encode(), QuestionSet(rendered))
        return self._client.request_body(request)

    def refusal(self, questions: Mapping[str, Any]) -> str:
        """Return why the provider is known not to take questions; empty where it may."""
        rendered = json.dumps(questions).encode()
        return self._client.endpoint.capabilities.refusal(QuestionSet(rendered)) or ""

    async def send(self, probe: str, body: bytes, key: KeyUse = KeyUse.OWN) -> Reply:
        """Send a body as it is.

        Args:
            probe: What it is for.
            body: What is sent.
            key: Which key it goes out with.

        Raises:
            StoppedError: It was the third in a row without a response; or the provider has too
                much to do, also after the waits that it asked for.
        """
        number = len(self.exchanges) + 1
        raw, fault = None, ""
        try:
            raw = await self._prober.send(body, key)
        except DecisionError as error:
            fault = str(error)
        headers = {} if raw is None else raw.headers
        self.exchanges.append(
            Exchange(
                number=number,
                probe=probe,
                request=_cut(body),
                status_code=None if raw is None else raw.status_code,
                headers={n: v for n, v in headers.items() if n not in _HIDDEN_HEADERS},
                body="" if raw is None else _cut(raw.body.data),
                fault=fault,
            )
        )
        self._silences = self._silences + 1 if raw is None else 0
        if self._silences == _MOST_SILENCES:
            raise StoppedError(f"{_MOST_SILENCES} probes in a row got no response: {fault}")
        # A wrong key may be turned away so for good, which says nothing about the right one.
        is_known = key is KeyUse.OWN or self._client.endpoint.key is None
        if raw is not None and raw.status_code in TOO_MUCH and is_known:
            raise StoppedError(f"the provider has too much to do: HTTP {raw.status_code}")
        return Reply(number, raw, fault)


def _cut(data: bytes) -> str:
    text = data[: 4 * SHOWN_CHARACTERS].decode("utf-8", "replace")
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"
