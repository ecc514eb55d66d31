"""One request and its retries, and the response as it came."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

from minos._native import __version__
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.body import Body
from minos.providers.clock import Clock
from minos.providers.connections import Received, RequestHeaders, TransportError
from minos.providers.flow import Admission, Flow
from minos.providers.options import Endpoint
from minos.providers.reading import total_tokens
from minos.providers.retry import is_transient, server_delay_s
from minos.providers.shown import shown

_log = logging.getLogger("minos.providers")

TOO_MUCH = frozenset({HTTPStatus.TOO_MANY_REQUESTS, 529})
"""The statuses by which a provider says that it has too much to do."""

_REQUEST_ID_HEADERS = (
    "x-typesafe-request-id",
    "x-request-id",
    "x-generation-id",
    "apim-request-id",
    "cf-ai-req-id",
    "cf-ray",
)


@dataclass(frozen=True, slots=True)
class RawExchange:
    """What was sent and what came back, before anybody reads it. Keys are masked.

    Attributes:
        request_body: The body sent.
        status_code: The status of the last response.
        headers: Its headers by lower-case name.
        body: Its body.
        retry_after_s: How long the server asked to wait, in seconds.
        tries: How many requests were sent; at least 1.
        held_s: Seconds spent waiting for the provider's sake, as in `DecisionResponse`.
    """

    request_body: bytes
    status_code: int
    headers: Mapping[str, str]
    body: Body
    retry_after_s: float | None = None
    tries: int = 1
    held_s: float = 0.0

    @property
    def is_success(self) -> bool:
        """Whether the status is 200 to 299."""
        return HTTPStatus.OK <= self.status_code < HTTPStatus.MULTIPLE_CHOICES

    @property
    def request_id(self) -> str | None:
        """The provider's name for the request, from the headers."""
        for name in _REQUEST_ID_HEADERS:
            told = self.headers.get(name)
            if told:
                return shown(told)
        return None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a response or its absence is no answer.

    Attributes:
        error: What is raised in the end.
        is_transient: Whether it may pass when the request is sent again.
    """

    error: DecisionError
    is_transient: bool


class Sender(Protocol):
    """Whatever carries one request to the address of the endpoint."""

    async def post(self, body: bytes, headers: RequestHeaders) -> Received:
        """Send one request and read its response.

        Raises:
            TransportError: No whole response came.
        """
        ...

    async def aclose(self) -> None:
        """Close what was opened."""
        ...


class Exchanger:
    """Sends requests to one endpoint, and sends again what failed in passing."""

    def __init__(
        self,
        endpoint: Endpoint,
        sender: Sender,
        *,
        failure_of: Callable[[RawExchange], Failure | None],
        retry_count_header: bytes | None,
        flow: Flow,
        clock: Clock,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Prepare the headers.

        Args:
            endpoint: Where and how.
            sender: What carries a request.
            failure_of: Reads why a response is a failure; None where it is not.
            retry_count_header: The header that counts the retries of a request.
            flow: What lets requests through.
            clock: Time.
            chance: Numbers from 0 up to but not including 1, for jitter.
        """
        self._endpoint = endpoint
        self._sender = sender
        self._failure_of = failure_of
        self._retry_count_header = retry_count_header
        self._flow = flow
        self._clock = clock
        self._chance = chance
        self._redactor = endpoint.redactor()
        self._headers = _headers(endpoint)
        self._is_closed = False

    async def exchange(self, body: bytes) -> RawExchange:
        """Send a body and return the last response, of whatever status.

        Raises:
            DecisionError: No response came, after every retry.
            RuntimeError: The client is closed.
        """
        if self._is_closed:
            raise RuntimeError("the client is closed")
        retry = 0
        held_s = 0.0
        while True:
            admission = await self._flow.enter(len(body))
            held_s += admission.held_s
            try:
                result = await self._try(body, retry, held_s)
                failure = self._judge(result)
                self._tell_flow(admission, result, failure)
            finally:
                self._flow.leave()
            if failure is None or not (failure.is_transient and self._may_retry(retry)):
                if isinstance(result, DecisionError):
                    raise result
                return result
            await self._pause(retry, failure.error)
            retry += 1

    async def aclose(self) -> None:
        """Close what was opened; a request under way fails as disposed."""
        self._is_closed = True
        await self._sender.aclose()

    def _may_retry(self, retry: int) -> bool:
        return retry < self._endpoint.retries.max_retries

    async def _pause(self, retry: int, failed: DecisionError) -> None:
        if failed.kind is DecisionErrorKind.TIMEOUT:
            _log.warning("A request timed out and is sent again; it may be billed twice.")
        await self._clock.sleep(
            self._endpoint.retries.delay_s(retry, failed.retry_after_s, self._chance())
        )

    def _judge(self, result: RawExchange | DecisionError) -> Failure | None:
        if isinstance(result, DecisionError):
            return Failure(result, is_transient(result.kind))
        return self._failure_of(result)

    def _tell_flow(
        self,
        admission: Admission,
        result: RawExchange | DecisionError,
        failure: Failure | None,
    ) -> None:
        if failure is None:
            is_counted = self._flow.tokens_per_minute is not None
            if is_counted and isinstance(result, RawExchange):
                self._flow.answered(admission, total_tokens(result.body.data))
            else:
                self._flow.answered(admission, None)
            return
        if failure.error.status_code in TOO_MUCH:
            self._flow.throttled(admission)
        hint_s = failure.error.retry_after_s
        if hint_s is not None:
            self._flow.hold(min(hint_s, self._endpoint.retries.max_delay_s))

    async def _try(self, body: bytes, retry: int, held_s: float) -> RawExchange | DecisionError:
        headers = self._headers
        if retry and self._retry_count_header:
            headers = [*headers, (self._retry_count_header, b"%d" % retry)]
        try:
            with self._clock.fail_after(self._endpoint.timeout_s):
                received = await self._sender.post(body, headers)
        except (TimeoutError, TransportError) as cause:
            error = self._no_response(cause)
            # What a server sends may stand in the words of whoever could not read it.
            error.__cause__ = None if self._names_a_key(cause) else cause
            error.tries, error.held_s = retry + 1, held_s
            return error
        mask = self._redactor
        return RawExchange(
            request_body=body,
            status_code=received.status_code,
            headers=mask.headers(received.headers),
            body=Body(mask.data(received.body.data), shown(mask.text(received.body.fault))),
            retry_after_s=server_delay_s(received.headers, self._clock.now()),
            tries=retry + 1,
            held_s=held_s,
        )

    def _names_a_key(self, cause: BaseException | None) -> bool:
        while cause is not None:
            told = str(cause)
            if self._redactor.text(told) != told:
                return True
            cause = cause.__cause__ or cause.__context__
        return False

    def _no_response(self, cause: TimeoutError | TransportError) -> DecisionError:
        if self._is_closed:
            return DecisionError(
                DecisionErrorKind.DISPOSED,
                "The client was disposed while the request was in flight.",
            )
        if isinstance(cause, TimeoutError) or cause.is_timeout:
            return DecisionError(DecisionErrorKind.TIMEOUT, "The request timed out.")
        told = shown(self._redactor.text(str(cause))) or "The request could not be sent."
        return DecisionError(DecisionErrorKind.NETWORK, told)


def _headers(endpoint: Endpoint) -> RequestHeaders:
    headers = {
        "Accept": "application/json",
        "Accept-Encoding": "gzip, deflate",
        "Content-Type": "application/json",
        "User-Agent": f"minos/{__version__}",
    }
    if endpoint.key is not None:
        headers["Authorization"] = f"Bearer {endpoint.key.reveal()}"
    for name, value in endpoint.headers.items():
        headers[name] = value.reveal()
    return [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
