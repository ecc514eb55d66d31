"""Runs functions that block on threads that a run can leave behind."""

from __future__ import annotations

import contextlib
import contextvars
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import anyio
from anyio import from_thread
from anyio.lowlevel import EventLoopToken, current_token

T = TypeVar("T")


class Threads:
    """Threads for calls that may hang. A call that is cancelled goes on alone; nobody waits for it.

    The threads are daemons: a process ends with calls that still hang.

    Attributes:
        stuck: Calls that were left behind and have not returned.
        late: Calls that were left behind and returned after all; what they gave was dropped.
    """

    def __init__(self) -> None:
        self.stuck = 0
        self.late = 0
        self._lock = threading.Lock()

    async def call(self, function: Callable[[], T]) -> T:
        """Call a function on a thread of its own and wait for what it gives or raises."""
        call = _Call(function, self)
        threading.Thread(target=call.run, name="minos subject", daemon=True).start()
        try:
            await call.done.wait()
        except BaseException:
            self._leave(call)
            raise
        if call.error is not None:
            raise call.error
        return call.value

    def _leave(self, call: _Call[T]) -> None:
        with self._lock:
            if not call.has_returned:
                call.is_left = True
                self.stuck += 1

    def returned(self, call: _Call[T]) -> bool:
        """Take note that a call has returned; whether somebody waits for it."""
        with self._lock:
            call.has_returned = True
            if call.is_left:
                self.stuck -= 1
                self.late += 1
            return not call.is_left


class _Call(Generic[T]):
    """One call, and what came of it."""

    value: T

    def __init__(self, function: Callable[[], T], threads: Threads) -> None:
        self.error: BaseException | None = None
        self.done = anyio.Event()
        self.is_left = False
        self.has_returned = False
        self._function = function
        self._threads = threads
        self._context = contextvars.copy_context()
        self._token: EventLoopToken = current_token()

    def run(self) -> None:
        try:
            self.value = self._context.run(self._function)
        except BaseException as error:  # noqa: BLE001 (raised again where the call was made)
            self.error = error
        if self._threads.returned(self):
            # The loop may end at this very moment, and with it whoever waits.
            with contextlib.suppress(anyio.RunFinishedError):
                from_thread.run_sync(self.done.set, token=self._token)
