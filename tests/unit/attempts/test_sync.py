import asyncio
import os
import signal
import threading

import anyio
import pytest

from minos.attempts.sync import run_in_own_loop


async def thread():
    await anyio.lowlevel.checkpoint()
    return threading.current_thread()


async def fail():
    raise ValueError("x")


async def interrupt():
    raise KeyboardInterrupt("x")


async def hang_and_press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)
    await anyio.sleep_forever()


def test_without_a_loop_it_runs_here():
    assert run_in_own_loop(thread) is threading.current_thread()
    with pytest.raises(ValueError, match="x"):
        run_in_own_loop(fail)


@pytest.mark.anyio
async def test_within_a_loop_it_runs_in_a_thread_that_is_gone_afterwards():
    other = run_in_own_loop(thread)
    assert other is not threading.current_thread()
    assert not other.is_alive()
    with pytest.raises(ValueError, match="x"):
        run_in_own_loop(fail)


@pytest.mark.anyio
async def test_an_interrupt_crosses_the_thread():
    with pytest.raises(KeyboardInterrupt):
        run_in_own_loop(interrupt)


def test_in_a_callback_there_is_no_task_but_a_loop():
    async def main():
        loop, threads = asyncio.get_running_loop(), []
        loop.call_soon(lambda: threads.append(run_in_own_loop(thread)))
        await asyncio.sleep(0)
        return threads

    (other,) = asyncio.run(main())
    assert other is not threading.current_thread()


def test_ctrl_c_without_a_loop():
    with pytest.raises(KeyboardInterrupt):
        run_in_own_loop(hang_and_press_ctrl_c)


def test_ctrl_c_while_the_caller_is_a_task():
    ended = []

    async def main():
        try:
            run_in_own_loop(hang_and_press_ctrl_c)
        except asyncio.CancelledError:
            ended.append(threading.active_count())
            raise

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    assert ended == [threading.active_count()]
