"""The connections to one server."""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from types import ModuleType
from typing import Any, TypeAlias

import httpx

from minos.providers.body import Body, read_body

BODY_LIMIT = 16 * 1024 * 1024
"""How many bytes of an answer are read."""

ERROR_BODY_LIMIT = 16 * 1024
"""How many bytes of an error's body are read."""

RequestHeaders: TypeAlias = Sequence[tuple[bytes, bytes]]

_ONE_CONNECTION = httpx.Limits(max_connections=1, max_keepalive_connections=1)


class TransportError(Exception):
    """No whole response came: the message says why, as the transport tells it."""

    def __init__(self, message: str, *, is_timeout: bool) -> None:
        self.is_timeout = is_timeout
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Received:
    """A response as it came.

    Attributes:
        status_code: The HTTP status.
        headers: The headers by lower-case name; the first value of a repeated one.
        body: The body, read up to the limit.
    """

    status_code: int
    headers: dict[str, str]
    body: Body


class Connections:
    """Posts to one address, on a connection of its own for every request under way.

    A pool that many requests share spends more time on choosing a connection than on using it:
    with 128 requests under way a shared pool of httpx serves a fraction of what as many pools of
    one connection do. So there is a free list of those; the one used last is taken first, and the
    list is as long as the most requests that were ever under way at once.
    """

    def __init__(self, url: str, *, proxy_url: str | None = None) -> None:
        """Prepare; nothing is opened before the first request.

        Args:
            url: The address that is posted to.
            proxy_url: The proxy on the way there; None goes directly.
        """
        self._url = httpx.URL(url)
        self._proxy = httpx.Proxy(proxy_url) if proxy_url else None
        self._verify: ssl.SSLContext | bool | None = None
        self._opened: list[httpx.AsyncHTTPTransport] = []
        self._free: list[httpx.AsyncHTTPTransport] = []
        self._keeper: AsyncGenerator[None] | None = None
        self._loop: object = None

    async def post(self, body: bytes, headers: RequestHeaders) -> Received:
        """Send one request and read its response; redirects are not followed.

        Raises:
            TransportError: No whole response came.
        """
        if self._loop != _running_loop():
            await self._enter_loop()
        free = self._free
        transport = free.pop() if free else self._open()
        try:
            request = httpx.Request("POST", self._url, headers=list(headers), content=body)
            response = await transport.handle_async_request(request)
            return await _receive(response)
        except httpx.TransportError as error:
            raise _transport_error(error, httpx) from error
        finally:
            free.append(transport)

    async def aclose(self) -> None:
        """Close the connections; a request under way fails."""
        opened, self._opened, self._free = self._opened, [], []
        for transport in opened:
            await transport.aclose()

    def _open(self) -> httpx.AsyncHTTPTransport:
        if self._verify is None:
            # Reading the certificates takes tens of milliseconds: once, and only where needed.
            is_encrypted = self._url.scheme == "https"
            self._verify = httpx.create_ssl_context() if is_encrypted else False
        transport = httpx.AsyncHTTPTransport(
            verify=self._verify, trust_env=False, limits=_ONE_CONNECTION, proxy=self._proxy
        )
        self._opened.append(transport)
        return transport

    async def _enter_loop(self) -> None:
        """Belong to the running event loop: connections of another one are of no use in it."""
        self._opened, self._free = [], []
        self._loop = _running_loop()
        self._keeper = self._keep()
        await anext(self._keeper)

    async def _keep(self) -> AsyncGenerator[None]:
        # An event loop closes its asynchronous generators before it ends, and so the connections,
        # also where nobody closes the provider.
        try:
            yield
        finally:
            await self.aclose()


class GivenClient:
    """Posts to one address through a client that the caller made, of httpx or httpx2."""

    def __init__(self, url: str, client: Any) -> None:  # noqa: ANN401
        """Use a client; it stays the caller's, who closes it.

        Args:
            url: The address that is posted to.
            client: An `AsyncClient`.

        Raises:
            TypeError: It is the client of another library.
        """
        self._url = url
        self._client = client
        self._library = _library_of(client)

    async def post(self, body: bytes, headers: RequestHeaders) -> Received:
        """Send one request and read its response; redirects are not followed.

        Raises:
            TransportError: No whole response came.
        """
        request = self._client.build_request(
            "POST", self._url, headers=list(headers), content=body, timeout=None
        )
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            return await _receive(response)
        except self._library.TransportError as error:
            raise _transport_error(error, self._library) from error

    async def aclose(self) -> None:
        """Do nothing."""


async def _receive(response: Any) -> Received:  # noqa: ANN401
    headers: dict[str, str] = {}
    for name, value in response.headers.raw:
        headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    status_code: int = response.status_code
    is_success = HTTPStatus.OK <= status_code < HTTPStatus.MULTIPLE_CHOICES
    try:
        body = await read_body(
            aiter(response.stream),
            headers.get("content-encoding", ""),
            BODY_LIMIT if is_success else ERROR_BODY_LIMIT,
        )
    finally:
        await response.aclose()
    return Received(status_code, headers, body)


def _transport_error(error: Exception, library: ModuleType) -> TransportError:
    return TransportError(str(error), is_timeout=isinstance(error, library.TimeoutException))


def _library_of(client: Any) -> ModuleType:  # noqa: ANN401
    for base in type(client).__mro__:
        library = base.__module__.partition(".")[0]
        if base.__name__ == "AsyncClient" and library in {"httpx", "httpx2"}:
            return sys.modules[library]
    raise TypeError(
        f"http_client must be an AsyncClient of httpx or httpx2, not {type(client).__name__}"
    )


def _running_loop() -> object:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        import anyio  # noqa: PLC0415  # trio has no loop to be found so

        return anyio.lowlevel.current_token()
