"""Runs asynchronous code from code that is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import anyio
from anyio.from_thread import start_blocking_portal

T = TypeVar("T")


def run_in_own_loop(function: Callable[[], Awaitable[T]]) -> T:
    """Call an asynchronous function and wait for what it gives.

    Where an event loop is running already, as in a notebook, the function gets a loop of its own
    in another thread. Ctrl-C cancels it and is raised once it has ended.

    Args:
        function: A function without parameters.
    """
    if not _is_loop_running():
        return anyio.run(partial(_awaited, function))
    with start_blocking_portal() as portal:
        future = portal.start_task_soon(function)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


async def _awaited(function: Callable[[], Awaitable[T]]) -> T:
    return await function()


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
