"""A clock that a test moves."""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import anyio


class FakeClock:
    """Waits end at once and are written down; a time limit ends when the test says so.

    Attributes:
        waits: The seconds of every wait, in order.
        limits: The seconds of every time limit, in order.
    """

    def __init__(self, start=datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)):
        self.start = start
        self.elapsed_s = 0.0
        self.waits = []
        self.limits = []
        self._scopes = []

    def monotonic(self):
        return self.elapsed_s

    def now(self):
        return self.start + timedelta(seconds=self.elapsed_s)

    async def sleep(self, seconds):
        self.waits.append(seconds)
        self.elapsed_s += seconds
        await anyio.lowlevel.checkpoint()

    @contextmanager
    def fail_after(self, seconds):
        self.limits.append(seconds)
        with anyio.CancelScope() as scope:
            self._scopes.append(scope)
            yield scope
            self._scopes.remove(scope)
            return
        self._scopes.remove(scope)
        raise TimeoutError

    def expire(self):
        """End the time limit that was set last."""
        self._scopes[-1].cancel()
