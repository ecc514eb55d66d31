"""How fast a provider is asked: as it can take it, and no faster than it may be."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import anyio

from minos.providers.clock import Clock

_MINUTE_S = 60.0
_TOKENS_PER_BYTE = 0.25
_LEARNED_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Admission:
    """One request's turn.

    Attributes:
        held_s: Seconds that it waited for the provider's sake.
        epoch: How often the number in flight had been halved when it was let in.
        size: The bytes of the request.
        tokens: The tokens it is taken to use.
    """

    held_s: float
    epoch: int
    size: int
    tokens: float


@dataclass(slots=True)
class Flow:
    """Lets requests through to one provider.

    The number in flight is whatever the callers make it, until the provider says that it is too
    much: then it is halved, once for all that were in flight together, and grows by one after
    every full round of answers, until it is what it was. A wish to wait holds everyone back.
    Rates are kept by spacing requests evenly, so that no minute sees more than its share.

    Attributes:
        clock: Time.
        requests_per_minute: The most requests a minute; None is no limit.
        tokens_per_minute: The most tokens a minute, estimated and then put right by what the
            provider counted; None is no limit.
    """

    clock: Clock
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    _in_flight: int = 0
    _ceiling: int | None = None
    _former: int = 0
    _round: int = 0
    _epoch: int = 0
    _held_until: float = float("-inf")
    _next_request: float = float("-inf")
    _next_token: float = float("-inf")
    _tokens_per_byte: float = _TOKENS_PER_BYTE
    _waiting: deque[anyio.Event] = field(default_factory=deque)

    @property
    def ceiling(self) -> int | None:
        """The most requests in flight for now; None where the provider has not said it is much."""
        return self._ceiling

    async def enter(self, size: int) -> Admission:
        """Wait for a turn; whoever gets one calls `leave`.

        Args:
            size: The bytes of the request, from which its tokens are estimated.
        """
        started = self.clock.monotonic()
        await self._take_place()
        try:
            tokens = size * self._tokens_per_byte
            due = self._reserve(tokens)
            while (wait_s := max(due, self._held_until) - self.clock.monotonic()) > 0:
                await self.clock.sleep(wait_s)
        except BaseException:
            self.leave()
            raise
        held_s = max(0.0, self.clock.monotonic() - started)
        return Admission(held_s, self._epoch, size, tokens)

    def leave(self) -> None:
        """Give the turn to the next."""
        self._in_flight -= 1
        self._wake()

    def answered(self, admission: Admission, tokens: int | None) -> None:
        """Take note that a request was answered.

        Args:
            admission: Its turn.
            tokens: What the provider counted; None where it did not.
        """
        if tokens is not None and admission.size and self.tokens_per_minute is not None:
            self._next_token += (tokens - admission.tokens) * _MINUTE_S / self.tokens_per_minute
            learned = tokens / admission.size
            self._tokens_per_byte += _LEARNED_SHARE * (learned - self._tokens_per_byte)
        if self._ceiling is None:
            return
        self._round += 1
        if self._round >= self._ceiling:
            self._round = 0
            self._ceiling += 1
            if self._ceiling >= self._former:
                self._ceiling = None
            self._wake()

    def throttled(self, admission: Admission) -> None:
        """Take note that the provider has too much to do: halve the number in flight.

        Args:
            admission: The turn of the request that was refused. Others that were in flight with
                it may be refused for the same reason, which halves nothing again.
        """
        if admission.epoch != self._epoch:
            return
        self._epoch += 1
        self._round = 0
        if self._ceiling is None:
            self._former = self._in_flight
        self._ceiling = max(1, min(self._ceiling or self._in_flight, self._in_flight) // 2)

    def hold(self, seconds: float) -> None:
        """Let nobody in for some time."""
        self._held_until = max(self._held_until, self.clock.monotonic() + seconds)

    def _reserve(self, tokens: float) -> float:
        """Take the next place in time, and return when it is."""
        now = self.clock.monotonic()
        due = now
        if self.requests_per_minute is not None:
            due = max(due, self._next_request)
            self._next_request = max(now, self._next_request) + _MINUTE_S / self.requests_per_minute
        if self.tokens_per_minute is not None:
            due = max(due, self._next_token)
            spread_s = tokens * _MINUTE_S / self.tokens_per_minute
            self._next_token = max(now, self._next_token) + spread_s
        return due

    async def _take_place(self) -> None:
        if self._has_room() and not self._waiting:
            self._in_flight += 1
            return
        turn = anyio.Event()
        self._waiting.append(turn)
        try:
            await turn.wait()
        except BaseException:
            if turn.is_set():
                self.leave()
            else:
                self._waiting.remove(turn)
            raise

    def _wake(self) -> None:
        while self._waiting and self._has_room():
            self._in_flight += 1  # on behalf of the one that is woken, so that nobody is faster
            self._waiting.popleft().set()

    def _has_room(self) -> bool:
        return self._ceiling is None or self._in_flight < self._ceiling
