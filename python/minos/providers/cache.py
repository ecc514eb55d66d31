"""Answers kept on disk, so that what was asked and paid for once need not be again."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from minos.attempts.identity import identity
from minos.errors import DecisionError
from minos.providers.body import Body
from minos.providers.client import DecisionClient
from minos.providers.clock import Clock, SystemClock
from minos.providers.exchange import RawExchange
from minos.request import DecisionRequest, DecisionResponse

_KIND = "minos-cached-response"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """What was answered, and when.

    Attributes:
        status_code: The status of the response.
        body: Its body, keys masked.
        request_id: The provider's name for the request.
        stored_at: When it was kept, in UTC.
    """

    status_code: int
    body: str
    request_id: str | None
    stored_at: datetime


class ResponseCache:
    """A directory of responses, one JSON file each. It holds no keys and no headers."""

    def __init__(
        self, directory: Path, *, max_age_s: float | None = None, clock: Clock | None = None
    ) -> None:
        """Make the directory where it is missing.

        Args:
            directory: Where the files are.
            max_age_s: Seconds after which an answer is asked for again; None keeps it for good.
            clock: Time; that of the machine by default.

        Raises:
            OSError: The directory cannot be made.
        """
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._max_age = None if max_age_s is None else timedelta(seconds=max_age_s)
        self._clock = clock or SystemClock()

    def get(self, key: str) -> CacheEntry | None:
        """Return what is kept under a key; None where there is nothing, or nothing to be used.

        Args:
            key: A SHA-256 in hexadecimal.
        """
        try:
            document = json.loads(self._path(key).read_bytes())
            entry = _entry(document)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        if self._max_age is not None and self._clock.now() - entry.stored_at > self._max_age:
            return None
        return entry

    def put(self, key: str, raw: RawExchange, about: dict[str, str]) -> None:
        """Keep a response.

        Args:
            key: A SHA-256 in hexadecimal.
            raw: The response.
            about: What a person who looks at the file may want to know.

        Raises:
            OSError: It cannot be written.
        """
        document = {
            "kind": _KIND,
            "version": _VERSION,
            **about,
            "storedAt": self._clock.now().isoformat(timespec="milliseconds"),
            "statusCode": raw.status_code,
            "requestId": raw.request_id,
            "body": raw.body.data.decode(),
        }
        path = self._path(key)
        path.parent.mkdir(exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(document, file, ensure_ascii=False, indent=1)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def _path(self, key: str) -> Path:
        return self._directory / key[:2] / f"{key}.json"


class CachedClient:
    """A client that asks only for what is not in a cache.

    Attributes:
        name: What results call the provider.
        model: The model asked for.
        address: The URL that questions are posted to.
        reports_cost: Whether its answers say what they cost; None where that is not known.
    """

    def __init__(self, client: DecisionClient, cache: ResponseCache, *, repeat: int = 1) -> None:
        """Put a cache before a client.

        Args:
            client: What is asked for the rest.
            cache: What was answered before.
            repeat: Which repeat of a run this is: each has answers of its own.
        """
        self.name = client.name
        self.model = client.model
        self.address = client.address
        self.reports_cost = client.reports_cost
        self._client = client
        self._cache = cache
        self._repeat = repeat

    async def decide(self, request: DecisionRequest) -> DecisionResponse:
        """Answer one request, from the cache where it was answered before.

        An answer from the cache is flagged as such and costs nothing. Only answers that can be
        read are kept; failures never are.

        Raises:
            DecisionError: The request failed.
            OSError: An answer cannot be kept.
        """
        body = self._client.request_body(request)
        key = self._key(body)
        entry = self._cache.get(key)
        if entry is not None:
            headers = {} if entry.request_id is None else {"x-request-id": entry.request_id}
            raw = RawExchange(body, entry.status_code, headers, Body(entry.body.encode()))
            # A body that cannot be read now, whatever it was when it was kept, is asked for again.
            with suppress(DecisionError):
                return replace(self._client.read(raw, request), cached=True, cost_usd=None)
        raw = await self._client.exchange(request)
        response = self._client.read(raw, request)
        if response.answers:
            about = {"provider": self.name, "address": self.address, "model": self.model}
            self._cache.put(key, raw, about)
        return response

    async def aclose(self) -> None:
        """Close the client."""
        await self._client.aclose()

    def _key(self, body: bytes) -> str:
        parts = (self.name, self.address, self.model, str(self._repeat))
        return identity(*(part.encode() for part in parts), body)


def _entry(document: dict[str, Any]) -> CacheEntry:
    if (document["kind"], document["version"]) != (_KIND, _VERSION):
        raise ValueError("another kind of file")
    entry = CacheEntry(
        status_code=document["statusCode"],
        body=document["body"],
        request_id=document["requestId"],
        stored_at=datetime.fromisoformat(document["storedAt"]),
    )
    types = (int, str, str | None, datetime)
    values = (entry.status_code, entry.body, entry.request_id, entry.stored_at)
    is_right = all(isinstance(value, wanted) for value, wanted in zip(values, types, strict=True))
    if not is_right or entry.stored_at.tzinfo is None:
        raise ValueError("a member is none of its kind")
    return entry
