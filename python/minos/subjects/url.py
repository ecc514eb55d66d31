"""A URL as a subject: the question is posted to it, the answer is the body."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from minos.errors import ConfigError
from minos.subjects.base import Question, Reply, SubjectError
from minos.subjects.wire import LARGEST_REPLY, question_json, reply_of

if TYPE_CHECKING:
    import httpx

_HEADERS = {"content-type": "application/json", "accept": "application/json, text/plain, */*"}


class UrlSubject:
    """An HTTP endpoint that a question is posted to as JSON. No redirect is followed.

    Attributes:
        name: What the results file calls it: host and path.
    """

    def __init__(self, url: str, *, count: int = 1) -> None:
        """Describe an endpoint; nothing is sent yet.

        Args:
            url: An http or https address without a user or a password.
            count: How many questions may be under way at a time.

        Raises:
            ConfigError: It is no such address.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigError("the URL must begin with http:// or https:// and name a host")
        if parts.username is not None or parts.password is not None:
            raise ConfigError("the URL must not hold a user or a password")
        self.name = f"{parts.hostname}{parts.path.rstrip('/')}"
        self._url = url
        self._count = count
        self._client: httpx.AsyncClient | None = None

    async def ask(self, question: Question) -> Reply:
        """Post the question and read the body, up to 16 MiB.

        Raises:
            SubjectError: The endpoint cannot be reached, does not answer with a status from 200 to
                299, or says too much.
        """
        import httpx  # noqa: PLC0415 (takes long to import)

        if self._client is None:
            limits = httpx.Limits(max_connections=self._count)
            self._client = httpx.AsyncClient(timeout=None, limits=limits, trust_env=False)  # noqa: S113 (the attempt has one)
        body = bytearray()
        sent = self._client.stream(
            "POST", self._url, content=question_json(question), headers=_HEADERS
        )
        try:
            async with sent as response:
                if not response.is_success:
                    raise SubjectError(f"the URL answered with status {response.status_code}")
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > LARGEST_REPLY:
                        raise SubjectError("the URL answered with more than 16 MiB")
        except httpx.HTTPError as error:
            told = str(error) or type(error).__name__
            raise SubjectError(f"the URL cannot be reached: {told}") from error
        return reply_of(bytes(body), "the URL's answer")

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
