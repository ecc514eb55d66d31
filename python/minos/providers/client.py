"""A decision provider on the network."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.clock import Clock, SystemClock
from minos.providers.cloudflare import CloudflareWire
from minos.providers.connections import Connections, GivenClient
from minos.providers.exchange import Exchanger, Failure, RawExchange, Sender
from minos.providers.flow import Flow
from minos.providers.openai import OpenAIWire
from minos.providers.openrouter import OpenRouterWire
from minos.providers.options import DecisionClientOptions, Endpoint
from minos.providers.presets import PRESETS, WireFormat
from minos.providers.prober import Prober
from minos.providers.redactor import Redactor
from minos.providers.systemone import SystemOneWire
from minos.questions import QuestionSet
from minos.request import DecisionRequest, DecisionResponse


class Wire(Protocol):
    """The language of a wire: how a request is written and a response is read."""

    retry_count_header: bytes | None

    def request_body(self, request: DecisionRequest, model: str) -> bytes:
        """Return the request as JSON."""
        ...

    def failure_of(self, raw: RawExchange, redactor: Redactor) -> Failure | None:
        """Return why a response is a failure; None where it is an answer."""
        ...

    def read(self, raw: RawExchange, questions: QuestionSet) -> DecisionResponse:
        """Read the answers of a successful response.

        Raises:
            DecisionError: InvalidResponse.
        """
        ...


_WIRES: dict[WireFormat, Callable[[], Wire]] = {
    WireFormat.SYSTEM_ONE: SystemOneWire,
    WireFormat.OPENROUTER: OpenRouterWire,
    WireFormat.OPENAI: OpenAIWire,
    WireFormat.CLOUDFLARE: CloudflareWire,
}


class DecisionClient:
    """A provider that is asked over HTTP. Made of explicit values; the environment is not read.

    Attributes:
        name: What results call the provider.
        model: The model asked for.
        address: The URL that questions are posted to.
        endpoint: The options as they were found right.
        flow: What lets requests through.
        reports_cost: Whether its answers say what they cost; None where that is not known.

    Example:
        >>> from minos.providers import DecisionClient, DecisionClientOptions, ProviderName
        >>> client = DecisionClient(
        ...     DecisionClientOptions(
        ...         provider=ProviderName.CUSTOM,
        ...         base_address="http://localhost:8000/",
        ...         model="local-model",
        ...     )
        ... )
        >>> client.address
        'http://localhost:8000/v1/systemone'
    """

    def __init__(
        self,
        options: DecisionClientOptions | Endpoint,
        *,
        name: str | None = None,
        http_client: Any = None,  # noqa: ANN401  # an AsyncClient of either library
        proxy_url: str | None = None,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Prepare; nothing is opened before the first request.

        Args:
            options: How to reach the provider.
            name: What results call it; its preset's name by default.
            http_client: An `AsyncClient` of httpx or httpx2 to send with; it stays the caller's,
                who closes it. By default every request under way has a connection of its own.
            proxy_url: The proxy on the way there; not with `http_client`.
            clock: Time; that of the machine by default.
            chance: Numbers from 0 up to but not including 1, for the jitter of waits.

        Raises:
            ConfigError: An option is missing or wrong.
            TypeError: `http_client` is the client of another library.
        """
        endpoint = options if isinstance(options, Endpoint) else options.endpoint()
        self._sender: Sender = (
            GivenClient(endpoint.url, http_client)
            if http_client is not None
            else Connections(endpoint.url, proxy_url=proxy_url)
        )
        self.name = name or str(endpoint.provider)
        self.model = endpoint.model
        self.address = endpoint.url
        self.endpoint = endpoint
        self.reports_cost = PRESETS[endpoint.provider].reports_cost
        self._wire = _WIRES[endpoint.format]()
        self._redactor = endpoint.redactor()
        self._clock = clock or SystemClock()
        self.flow = Flow(self._clock, endpoint.requests_per_minute, endpoint.tokens_per_minute)
        self._exchanger = Exchanger(
            endpoint,
            self._sender,
            failure_of=self._failure_of,
            retry_count_header=self._wire.retry_count_header,
            flow=self.flow,
            clock=self._clock,
            chance=chance,
        )

    async def decide(self, request: DecisionRequest) -> DecisionResponse:
        """Answer one request.

        Raises:
            DecisionError: The request failed; `Unsupported` where the provider cannot take it, and
                then nothing was sent.
            RuntimeError: The client is closed.
        """
        return self.read(await self.exchange(request), request)

    async def exchange(self, request: DecisionRequest) -> RawExchange:
        """Send one request, with its retries, and return the last response before it is read.

        Raises:
            DecisionError: No response came, or nothing was sent.
            RuntimeError: The client is closed.
        """
        self._refuse_unsupported(request.questions)
        return await self._exchanger.exchange(self.request_body(request))

    def request_body(self, request: DecisionRequest) -> bytes:
        """Return what is sent for a request, as JSON."""
        return self._wire.request_body(request, self.model)

    def read(self, raw: RawExchange, request: DecisionRequest) -> DecisionResponse:
        """Read the response to a request.

        Raises:
            DecisionError: It is a failure, or has no answers that can be read.
        """
        failure = self._failure_of(raw)
        if failure is not None:
            raise failure.error
        return self._wire.read(raw, request.questions)

    def prober(self) -> Prober:
        """Return what sends anything at all over the connections of this client."""
        return Prober(self.endpoint, self._sender, self._clock)

    async def aclose(self) -> None:
        """Close the connections; a request under way fails as `Disposed`."""
        await self._exchanger.aclose()

    def _failure_of(self, raw: RawExchange) -> Failure | None:
        return self._wire.failure_of(raw, self._redactor)

    def _refuse_unsupported(self, questions: QuestionSet) -> None:
        reason = self.endpoint.capabilities.refusal(questions)
        if reason is not None:
            raise DecisionError(
                DecisionErrorKind.UNSUPPORTED,
                f"{self.name} cannot be asked this: {reason}.",
                tries=0,
            )
