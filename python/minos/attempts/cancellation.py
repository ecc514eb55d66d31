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


class CancelRequests:
    """The calls of `cancel()` on the current asyncio task since this object was made.

    There are none elsewhere: in trio, and in a callback, which is no task.
    """

    def __init__(self) -> None:
        self._task = _asyncio_task()
        self._before = self._task.cancelling() if self._task else 0

    def are_there(self) -> bool:
        """Whether `cancel()` was called."""
        return self._task is not None and self._task.cancelling() > self._before

    def forget(self) -> None:
        """Take them back; asyncio would go on to count the task as one that is being cancelled."""
        while self._task is not None and self.are_there():
            self._task.uncancel()


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
        self._requests = CancelRequests()

    def is_requested(self) -> bool:
        """Whether it has been asked; called within the run, outside any scope of its own."""
        return anyio.current_effective_deadline() == -math.inf or self._requests.are_there()


def _asyncio_task() -> asyncio.Task[object] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no asyncio loop
        return None
