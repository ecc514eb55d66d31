"""Runs asynchronous code from code that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import TypeVar

import anyio
from anyio.from_thread import start_blocking_portal

from minos.attempts.cancellation import CancelRequests

T = TypeVar("T")

_LOOK_EVERY_S = 0.1


def run_in_own_loop(function: Callable[[], Awaitable[T]]) -> T:
    """Call an asynchronous function and wait for what it gives.

    Where an event loop is running already, as in a notebook, the function gets a loop of its own
    in another thread. Ctrl-C cancels it and is raised once it has ended.

    Args:
        function: A function without parameters.
    """
    if not _is_loop_running():
        return anyio.run(partial(_awaited, function))
    caller = CancelRequests()
    with start_blocking_portal() as portal:
        future = portal.start_task_soon(_caught, function)
        try:
            result = _wait(future, caller)
        except BaseException:
            future.cancel()
            raise
    if isinstance(result, _Interrupt):
        raise result.error
    return result


def _wait(future: Future[T], caller: CancelRequests) -> T:
    """Wait, and look now and then whether the caller's task is cancelled: its loop stands still."""
    while not wait([future], timeout=_LOOK_EVERY_S).done:
        if caller.are_there():
            raise asyncio.CancelledError
    return future.result()


class _Interrupt:
    """An interrupt on its way between threads: a loop that meets one falls apart noisily."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


async def _awaited(function: Callable[[], Awaitable[T]]) -> T:
    return await function()


async def _caught(function: Callable[[], Awaitable[T]]) -> T | _Interrupt:
    try:
        return await function()
    except (KeyboardInterrupt, SystemExit) as error:
        return _Interrupt(error)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _is_trio_running()
    return True


def _is_trio_running() -> bool:
    try:
        anyio.get_current_task()
    except RuntimeError:
        return False
    return True
