"""Tells a run's own cancellation from one that something else caused."""

from __future__ import annotations

import asyncio
import concurrent.futures
import math

import anyio

Cancelled: tuple[type[BaseException], ...] = (
    asyncio.CancelledError,
    concurrent.futures.CancelledError,
)
"""What a cancellation looks like in asyncio and in threads; trio's is added where a run starts."""


class OwnCancellation:
    """Whether whoever started a run has asked it to end. Made in the task that starts it.

    It is asked by a cancel scope around the run, in asyncio also by `cancel()` on the run's own
    task. An await that ends cancelled without either was cancelled by something else: a future
    that another task gave up, say.

    Attributes:
        types: Every exception that means that an await was cancelled.
    """

    def __init__(self) -> None:
        self.types = (*Cancelled, anyio.get_cancelled_exc_class())
        self._task = _asyncio_task()
        self._requests = self._task.cancelling() if self._task else 0

    def is_requested(self) -> bool:
        """Whether it has been asked; called within the run, outside any scope of its own."""
        if anyio.current_effective_deadline() == -math.inf:
            return True
        return self._task is not None and self._task.cancelling() > self._requests


class ForeignCancellation:
    """Takes back a `cancel()` that a provider called on the task that awaits it.

    Without this, asyncio would go on to count the task as one that is being cancelled.
    """

    def __init__(self) -> None:
        self._task = _asyncio_task()
        self._requests = self._task.cancelling() if self._task else 0

    def forget(self) -> None:
        """Leave the task as it was when this object was made."""
        while self._task is not None and self._task.cancelling() > self._requests:
            self._task.uncancel()


def _asyncio_task() -> asyncio.Task[object] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no asyncio loop: trio
        return None
