"""Time as a provider needs it, in one place that a test can replace."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What a provider asks of time."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start; never goes back."""
        ...

    def now(self) -> datetime:
        """Return the date and time in UTC, for servers that name the moment to come back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; may be cancelled."""
        ...

    def fail_after(self, seconds: float | None) -> AbstractContextManager[object]:
        """Return a scope that ends with `TimeoutError` after `seconds`; None never ends it."""
        ...


class SystemClock:
    """The clock of this machine."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start."""
        return time.monotonic()

    def now(self) -> datetime:
        """Return the date and time in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait on the running event loop."""
        import anyio  # noqa: PLC0415  # only a provider that waits needs it

        await anyio.sleep(seconds)

    def fail_after(self, seconds: float | None) -> AbstractContextManager[object]:
        """Return a scope of the running event loop."""
        import anyio  # noqa: PLC0415

        return anyio.fail_after(seconds)
