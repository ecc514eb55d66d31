"""Whatever attempts do, and however many run together, a run keeps its promises."""

import asyncio

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.attempts.scripted import Script, Shelf, finished
from tests.unit.jumping_loop import JumpingLoop

from minos.attempts.budget import Limits
from minos.attempts.scheduler import Plan, Slots, Stop, run_attempts

STEPS = ["answer", "fail", "foreign", "fault", "stubborn"]
ATTEMPTS = st.lists(
    st.tuples(st.sampled_from([*["answer"] * 6, *STEPS]), st.integers(0, 3)), max_size=14
)


async def behave(kind, wait, index, faults):
    try:
        await anyio.sleep(wait)
    except anyio.get_cancelled_exc_class():
        if kind == "stubborn":
            return finished(index, 0.5)
        raise
    match kind:
        case "foreign":
            raise asyncio.CancelledError
        case "fault":
            faults.append(RuntimeError(index))
            raise faults[-1]
        case _:
            return finished(index, 0.5, is_error=kind == "fail")


def drive(attempts, slots, faults):
    steps = {
        index: lambda i, kind=kind, wait=wait: behave(kind, wait, i, faults)
        for index, (kind, wait) in enumerate(attempts)
    }
    script, shelf = Script(steps), Shelf()

    async def main():
        return await run_attempts(script, Plan(range(len(attempts)), len(attempts)), shelf, slots)

    ending = anyio.run(main, backend_options={"loop_factory": JumpingLoop})
    return script, shelf, ending


@given(ATTEMPTS, st.integers(1, 5))
def test_every_attempt_is_made_once_and_accounted_for(attempts, count):
    told, faults = [], []
    slots = Slots(count=count, progress=lambda now: told.append((now.done, now.result)))
    script, shelf, ending = drive(attempts, slots, faults)
    assert script.started == list(range(len(script.started)))
    assert sorted(script.ended) == script.started
    assert ending.done == len(shelf.lines)
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert {result for _, result in told} == set(shelf.lines)
    if faults:
        assert ending.stop is Stop.FAULT
        assert ending.fault is faults[0]
    else:
        assert ending.stop is None
        assert sorted(shelf.lines) == list(range(len(attempts)))
        assert ending.errors == sum(kind in {"fail", "foreign"} for kind, _ in attempts)


@given(ATTEMPTS, st.integers(1, 5), st.integers(1, 8))
def test_a_budget_is_never_passed(attempts, count, dollars):
    attempts = [("answer", wait) for _, wait in attempts]
    limits = Limits(max_cost_usd=dollars / 2)
    script, shelf, ending = drive(attempts, Slots(count=count, limits=limits), [])
    affordable = min(len(attempts), dollars)
    assert len(script.started) == len(shelf.lines) == affordable
    assert ending.cost_usd == affordable / 2
    assert (ending.stop is Stop.BUDGET) == (len(attempts) > dollars)


@pytest.mark.parametrize("count", [1, 3])
def test_the_time_for_the_run_is_kept(count):
    script, shelf, ending = drive([("answer", 2)] * 9, Slots(count=count, run_timeout_s=5), [])
    assert ending.stop is Stop.RUN_TIMEOUT
    assert sorted(shelf.lines) == list(range(2 * count))
    assert len(script.started) == 3 * count
