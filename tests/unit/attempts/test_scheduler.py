import asyncio
import concurrent.futures
import math

import anyio
import pytest
import trio
from tests.unit.attempts.scripted import Script, finished

from minos.attempts.budget import Limits
from minos.attempts.scheduler import Plan, Slots, Stop, run_attempts

pytestmark = pytest.mark.anyio


async def raise_(error):
    raise error


async def hang(_index):
    await anyio.sleep_forever()


async def test_makes_every_attempt_and_keeps_it(script, shelf):
    ending = await run_attempts(script, Plan(range(5), 5), shelf, Slots())
    assert script.started == [0, 1, 2, 3, 4]
    assert sorted(shelf.lines) == [0, 1, 2, 3, 4]
    assert (ending.done, ending.errors, ending.stop, ending.fault) == (5, 0, None, None)


async def test_an_empty_plan_ends_at_once(script, shelf):
    ending = await run_attempts(script, Plan((), 0), shelf, Slots(count=4))
    assert (ending.done, ending.stop, script.started) == (0, None, [])


async def test_one_at_a_time_unless_told_otherwise(shelf):
    in_flight, most = set(), 0

    async def step(index):
        nonlocal most
        in_flight.add(index)
        most = max(most, len(in_flight))
        await anyio.sleep(1)
        in_flight.discard(index)

    script = Script(dict.fromkeys(range(12), step))
    await run_attempts(script, Plan(range(12), 12), shelf, Slots())
    assert most == 1
    await run_attempts(script, Plan(range(12), 12), shelf, Slots(count=4))
    assert most == 4


async def test_pulls_from_the_queue_and_never_ahead(shelf):
    pulled = []

    def indices():
        for index in range(10):
            pulled.append(index)
            yield index

    async def step(index):
        assert len(pulled) <= index + 4  # three slots, and one to know whether there is a next

    script = Script(dict.fromkeys(range(10), step))
    ending = await run_attempts(script, Plan(indices(), 10), shelf, Slots(count=3))
    assert ending.stop is None


async def test_a_slot_starts_the_next_as_soon_as_it_is_free(shelf):
    async def slow(_index):
        await anyio.sleep(10)

    script = Script({0: slow})
    await run_attempts(script, Plan(range(6), 6), shelf, Slots(count=2))
    assert script.ended == [1, 2, 3, 4, 5, 0]


async def test_tells_progress_once_for_each_after_it_is_kept(shelf):
    told = []

    def progress(now):
        assert now.result in shelf.lines
        told.append((now.done, now.total, now.errors, now.result))

    async def fail(index):
        return finished(index, is_error=True)

    plan = Plan([3, 4, 5], 3, done=2, errors=1)
    await run_attempts(Script({4: fail}), plan, shelf, Slots(progress=progress))
    assert told == [(3, 5, 1, 3), (4, 5, 2, 4), (5, 5, 2, 5)]


async def test_progress_tells_cost_and_unknown_costs(shelf):
    costs = [0.1, None, 0.2]

    async def step(index):
        return finished(index, costs[index])

    told = []
    slots = Slots(progress=lambda now: told.append((now.cost_usd, now.unknown_costs)))
    ending = await run_attempts(
        Script(dict.fromkeys(range(3), step)), Plan(range(3), 3), shelf, slots
    )
    assert told == [(0.1, 0), (0.1, 1), (0.3, 1)]
    assert (ending.cost_usd, ending.unknown_costs) == (0.3, 1)


async def test_a_fault_stops_the_run_and_keeps_what_finished(shelf):
    error = RuntimeError("broken client")
    script = Script({2: lambda _: raise_(error)})
    ending = await run_attempts(script, Plan(range(6), 6), shelf, Slots())
    assert ending.fault is error
    assert ending.stop is Stop.FAULT
    assert ending.reason == "RuntimeError: broken client (while asking the script about attempt 2)"
    assert sorted(shelf.lines) == [0, 1]
    assert script.started == [0, 1, 2]


async def test_a_fault_cancels_what_is_in_flight_and_leaves_it_out(shelf):
    async def fail_late(_index):
        await anyio.sleep(1)
        raise RuntimeError

    script = Script({0: hang, 1: fail_late, 2: hang})
    ending = await run_attempts(script, Plan(range(9), 9), shelf, Slots(count=3))
    assert ending.stop is Stop.FAULT
    assert shelf.lines == {}
    assert sorted(script.ended) == [0, 1, 2]
    assert ending.done == 0


async def test_what_returns_although_it_was_cancelled_is_kept(shelf):
    async def stubborn(index):
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            return finished(index)

    async def shielded(_index):
        with anyio.CancelScope(shield=True):
            await anyio.sleep(5)

    async def fail_late(_index):
        await anyio.sleep(1)
        raise RuntimeError

    told = []
    script = Script({0: stubborn, 1: shielded, 2: fail_late})
    slots = Slots(count=3, progress=lambda now: told.append(now.result))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.FAULT
    assert sorted(shelf.lines) == sorted(told) == [0, 1]


async def test_an_attempt_of_many_tasks_is_timed_out_like_any_other(shelf):
    async def spread(index):
        async with anyio.create_task_group() as group:
            group.start_soon(hang, index)
            group.start_soon(hang, index)

    script = Script({1: spread, 2: spread})
    ending = await run_attempts(script, Plan(range(5), 5), shelf, Slots(timeout_s=5))
    assert (ending.stop, ending.done) == (None, 5)
    assert shelf.lines[1] == shelf.lines[2] == b'"timed out"'


async def test_what_returns_after_its_time_is_kept_and_the_run_goes_on(shelf):
    async def shielded(_index):
        with anyio.CancelScope(shield=True):
            await anyio.sleep(7)

    script = Script({0: shielded, 2: hang})
    ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots(timeout_s=5))
    assert (ending.stop, ending.done, ending.errors) == (None, 4, 1)
    assert shelf.lines[0] == b'{"n":0}'
    assert shelf.lines[2] == b'"timed out"'


async def test_the_time_for_the_run_ends_also_what_waits_for_the_budget(shelf):
    async def slow(_index):
        await anyio.sleep(9)

    script = Script({0: slow}, cost_usd=0.1)
    slots = Slots(count=3, run_timeout_s=5, limits=Limits(max_cost_usd=1))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert (ending.stop, ending.done) == (Stop.RUN_TIMEOUT, 0)
    assert script.started == [0]


async def test_only_the_first_fault_is_kept(shelf):
    first = RuntimeError("first")

    async def fail_first(_index):
        await anyio.sleep(1)
        raise first

    async def fail_when_cancelled(_index):
        try:
            await anyio.sleep_forever()
        finally:
            raise ValueError("second")

    script = Script({0: fail_when_cancelled, 1: fail_first})
    ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))
    assert ending.fault is first


async def test_an_exception_of_the_progress_receiver_stops_the_run(script, shelf):
    error = RuntimeError("receiver")
    told = []

    def progress(now):
        told.append(now.result)
        if now.result == 1:
            raise error

    ending = await run_attempts(script, Plan(range(6), 6), shelf, Slots(progress=progress))
    assert ending.fault is error
    assert sorted(shelf.lines) == told == [0, 1]
    assert script.started == [0, 1]


async def test_a_broken_receiver_is_not_called_again(shelf):
    async def shielded(_index):
        with anyio.CancelScope(shield=True):
            await anyio.sleep(5)

    told = []

    def progress(now):
        told.append(now.result)
        raise RuntimeError

    script = Script({0: shielded})
    await run_attempts(script, Plan(range(6), 6), shelf, Slots(count=2, progress=progress))
    assert told == [1]
    assert sorted(shelf.lines) == [0, 1]


@pytest.mark.parametrize(
    "error", [asyncio.CancelledError(), concurrent.futures.CancelledError()], ids=["task", "thread"]
)
async def test_foreign_cancellation_is_written_on_its_item(shelf, error):
    script = Script({1: lambda _: raise_(error)})
    ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))
    assert ending.stop is None
    assert (ending.done, ending.errors) == (4, 1)
    assert shelf.lines[1] == b'"cancelled"'


async def test_foreign_cancellation_after_a_fault_is_left_out(shelf):
    async def cancelled_by_others(_index):
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            raise asyncio.CancelledError from None

    async def fail_late(_index):
        await anyio.sleep(1)
        raise RuntimeError

    script = Script({0: cancelled_by_others, 1: fail_late})
    ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))
    assert ending.stop is Stop.FAULT
    assert shelf.lines == {}


async def test_own_cancellation_propagates_and_sends_nothing_more(script, shelf):
    with anyio.CancelScope() as scope:
        slots = Slots(progress=lambda now: scope.cancel() if now.done == 2 else None)
        await run_attempts(script, Plan(range(6), 6), shelf, slots)
        pytest.fail("the cancellation was swallowed")
    assert scope.cancelled_caught
    assert script.started == [0, 1]
    assert sorted(shelf.lines) == [0, 1]


async def test_own_cancellation_while_attempts_are_in_flight(shelf):
    script = Script(dict.fromkeys(range(6), hang))
    with anyio.move_on_after(3) as scope:
        await run_attempts(script, Plan(range(6), 6), shelf, Slots(count=3))
        pytest.fail("the cancellation was swallowed")
    assert scope.cancelled_caught
    assert script.started == [0, 1, 2]
    assert shelf.lines == {}


async def test_own_cancellation_comes_before_a_fault(shelf):
    scope = anyio.CancelScope()

    async def fail(_index):
        raise RuntimeError

    async def settle_late(_index):
        try:
            await anyio.sleep_forever()
        finally:
            scope.cancel()

    script = Script({0: settle_late, 1: fail})
    with scope:
        await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))
        pytest.fail("the fault came before the cancellation")
    assert scope.cancelled_caught


async def test_own_cancellation_is_heard_up_to_the_last_moment(shelf, anyio_backend_name):
    for _ in range(20):  # which of two tasks trio wakes first is left to chance
        with anyio.CancelScope() as scope:

            async def fail(_index, scope=scope):
                if anyio_backend_name == "trio":
                    trio.lowlevel.current_trio_token().run_sync_soon(scope.cancel)
                else:
                    asyncio.get_running_loop().call_soon(scope.cancel)
                raise RuntimeError

            await run_attempts(Script({0: fail}), Plan([0], 1), shelf, Slots())
            pytest.fail("the fault came before the cancellation")
        assert scope.cancelled_caught


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("where", ["attempt", "receiver"])
async def test_an_interrupt_is_an_own_cancellation(shelf, kind, where):
    error = kind("stop")

    def progress(now):
        if where == "receiver" and now.done == 2:
            raise error

    script = Script({1: lambda _: raise_(error)} if where == "attempt" else {})
    script.steps[0] = hang
    with pytest.raises(kind) as raised:
        await run_attempts(script, Plan(range(9), 9), shelf, Slots(count=2, progress=progress))
    assert raised.value is error
    assert 0 not in shelf.lines
    assert len(script.started) <= 3


async def test_an_interrupt_comes_before_a_fault(shelf):
    async def interrupt_late(_index):
        try:
            await anyio.sleep_forever()
        finally:
            raise KeyboardInterrupt

    script = Script({0: interrupt_late, 1: lambda _: raise_(RuntimeError())})
    with pytest.raises(KeyboardInterrupt):
        await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))


async def test_an_attempt_over_its_time_is_told_and_the_run_goes_on(shelf):
    script = Script({1: hang})
    ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots(timeout_s=5))
    assert (ending.done, ending.errors, ending.stop) == (4, 1, None)
    assert shelf.lines[1] == b'"timed out"'


async def test_the_time_for_the_run_cuts_off_what_is_in_flight(shelf):
    async def slow(_index):
        await anyio.sleep(2)

    script = Script(dict.fromkeys(range(9), slow))
    slots = Slots(run_timeout_s=5, timeout_s=60)
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.RUN_TIMEOUT
    assert ending.reason == "the time for the run is over"
    assert ending.fault is None
    assert sorted(shelf.lines) == [0, 1]
    assert script.started == [0, 1, 2]


async def test_no_attempt_starts_when_the_time_for_the_run_is_over(shelf):
    async def shielded(_index):
        with anyio.CancelScope(shield=True):
            await anyio.sleep(7)

    script = Script({0: shielded})
    ending = await run_attempts(script, Plan(range(9), 9), shelf, Slots(run_timeout_s=5))
    assert ending.stop is Stop.RUN_TIMEOUT
    assert sorted(shelf.lines) == script.started == [0]


async def test_a_spent_budget_lets_what_is_in_flight_finish(shelf):
    async def slow(_index):
        await anyio.sleep(2)

    script = Script(dict.fromkeys(range(9), slow))
    slots = Slots(count=3, limits=Limits(max_requests=5))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.BUDGET
    assert ending.reason == "the budget is spent: 5 of at most 5 requests are sent"
    assert sorted(shelf.lines) == script.started == [0, 1, 2, 3, 4]


async def test_a_time_out_while_a_budget_drains_is_told(shelf):
    async def unknown(index):
        await anyio.sleep(1)
        return finished(index, None)

    script = Script({1: hang, 2: unknown}, cost_usd=0.01)
    slots = Slots(count=2, timeout_s=5, limits=Limits(max_cost_usd=1))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.BUDGET
    assert ending.reason.startswith("the budget is spent: an answer came without a cost")
    assert shelf.lines[1] == b'"timed out"'
    assert ending.done == 3


async def test_what_failures_use_up_counts(shelf):
    async def fail(index):
        return finished(index, 0.5, is_error=True, requests=3, is_typical=False)

    script = Script(dict.fromkeys(range(9), fail))
    ending = await run_attempts(script, Plan(range(3), 3), shelf, Slots())
    assert (ending.requests, ending.cost_usd, ending.errors) == (9, 1.5, 3)


async def test_a_fault_while_a_budget_drains_is_a_fault(shelf):
    async def fail_late(_index):
        await anyio.sleep(2)
        raise RuntimeError

    script = Script({1: fail_late})
    slots = Slots(count=2, limits=Limits(max_requests=2))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.FAULT


async def test_cost_in_flight_is_reserved(shelf):
    async def slow(index):
        await anyio.sleep(1 + index)

    script = Script(dict.fromkeys(range(99), slow), cost_usd=0.1)
    slots = Slots(count=8, limits=Limits(max_cost_usd=0.55))
    ending = await run_attempts(script, Plan(range(99), 99), shelf, slots)
    assert ending.stop is Stop.BUDGET
    assert ending.cost_usd == 0.5
    assert ending.done == 5


async def test_the_budget_is_used_to_the_last_cent(shelf):
    script = Script(cost_usd=0.1)
    slots = Slots(count=4, limits=Limits(max_cost_usd=0.3))
    ending = await run_attempts(script, Plan(range(99), 99), shelf, slots)
    assert (ending.cost_usd, ending.done) == (0.3, 3)


async def test_an_unknown_cost_ends_a_run_with_a_limit_on_cost(shelf):
    async def unknown(index):
        return finished(index, None)

    script = Script({2: unknown}, cost_usd=0.001)
    slots = Slots(limits=Limits(max_cost_usd=1))
    ending = await run_attempts(script, Plan(range(9), 9), shelf, slots)
    assert ending.stop is Stop.BUDGET
    assert ending.done == 3
    assert "without a cost" in ending.reason


async def test_syncs_when_it_is_due(script, shelf):
    shelf.is_due = True
    await run_attempts(script, Plan(range(3), 3), shelf, Slots())
    assert shelf.syncs == 3


async def test_work_that_never_waits_lets_others_run(script, shelf):
    turns = 0

    async def count_turns():
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    async with anyio.create_task_group() as group:
        group.start_soon(count_turns)
        await run_attempts(script, Plan(range(500), 500), shelf, Slots())
        group.cancel_scope.cancel()
    assert turns >= 30


def test_cancelling_the_task_is_an_own_cancellation_with_its_message(shelf):
    async def main():
        script = Script(dict.fromkeys(range(4), hang))
        task = asyncio.create_task(run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2)))
        await anyio.wait_all_tasks_blocked()
        assert script.started == [0, 1]
        task.cancel("enough")
        with pytest.raises(asyncio.CancelledError) as raised:
            await task
        assert raised.value.args == ("enough",)
        assert task.cancelled()

    asyncio.run(main())
    assert shelf.lines == {}


def test_cancelling_the_task_from_the_receiver_sends_nothing_more(script, shelf):
    async def main():
        def progress(now):
            if now.done == 2:
                task.cancel()

        slots = Slots(count=3, progress=progress)
        task = asyncio.create_task(run_attempts(script, Plan(range(50), 50), shelf, slots))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert len(script.started) <= 5
    assert b'"cancelled"' not in shelf.lines.values()


def test_cancelling_the_task_after_a_fault_wins(shelf):
    async def main():
        async def settle_late(_index):
            try:
                await anyio.sleep_forever()
            finally:
                task.cancel("mine")

        script = Script({0: settle_late, 1: lambda _: raise_(RuntimeError())})
        task = asyncio.create_task(run_attempts(script, Plan(range(9), 9), shelf, Slots(count=2)))
        with pytest.raises(asyncio.CancelledError) as raised:
            await task
        assert raised.value.args == ("mine",)

    asyncio.run(main())


def test_a_provider_that_cancels_its_own_task_is_foreign(shelf):
    async def main():
        async def cancel_myself(_index):
            asyncio.current_task().cancel()
            await asyncio.sleep(0)

        async def clean(_index):
            assert asyncio.current_task().cancelling() == 0

        script = Script({1: cancel_myself, 2: clean})
        ending = await run_attempts(script, Plan(range(4), 4), shelf, Slots())
        assert (ending.done, ending.stop) == (4, None)

    asyncio.run(main())
    assert shelf.lines[1] == b'"cancelled"'


def test_a_loop_that_is_torn_down_is_no_foreign_cancellation(shelf):
    script = Script(dict.fromkeys(range(9), hang))

    async def main():
        asyncio.ensure_future(  # noqa: RUF006 (cancelled by the end of the loop)
            run_attempts(script, Plan(range(9), 9), shelf, Slots(count=2))
        )
        await anyio.wait_all_tasks_blocked()
        assert script.started == [0, 1]

    asyncio.run(main())
    assert shelf.lines == {}
    assert script.started == [0, 1]


def test_asyncio_timeouts_around_a_run_work(shelf):
    async def main():
        script = Script(dict.fromkeys(range(4), hang))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))

    asyncio.run(main())


def test_trio_cancellation_is_not_wrapped_in_a_group(shelf):
    async def main():
        script = Script(dict.fromkeys(range(4), hang))
        with trio.CancelScope(deadline=-math.inf):
            try:
                await run_attempts(script, Plan(range(4), 4), shelf, Slots(count=2))
            except BaseException as error:
                raised.append(type(error))
                raise

    raised = []
    trio.run(main)
    assert raised == [trio.Cancelled]


@pytest.mark.parametrize(
    "options", [{"count": 0}, {"timeout_s": 0}, {"run_timeout_s": -1}, {"timeout_s": math.nan}]
)
def test_slots_refuse_what_makes_no_sense(options):
    with pytest.raises(ValueError, match="must be"):
        Slots(**options)
