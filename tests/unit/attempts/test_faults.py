"""Whatever is raised while a run goes on, nothing that finished is lost."""

import asyncio

import anyio
import pytest
from tests.unit.attempts.scripted import Script

from minos.attempts.scheduler import Plan, Slots, Stop, run_attempts

pytestmark = pytest.mark.anyio


async def raise_(error):
    raise error


async def hang(_index):
    await anyio.sleep_forever()


class Unusual(BaseException):
    """What is no `Exception`: a test framework ends a test with such a class."""


class SpeechlessError(RuntimeError):
    def __str__(self):
        raise ValueError


FAULTS = [RuntimeError("no"), Unusual("no"), GeneratorExit("no"), SpeechlessError("no")]
FAULTS += [BaseExceptionGroup("several", [Unusual("no"), asyncio.CancelledError()])]


@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
async def test_a_fault_of_any_class_comes_out_as_it_was_raised(shelf, error):
    error.__notes__ = []
    script = Script({0: hang, 2: lambda _: raise_(error), 3: hang})
    ending = await run_attempts(script, Plan(range(9), 9), shelf, Slots(count=2))
    assert (ending.stop, ending.fault) == (Stop.FAULT, error)
    assert error.__notes__ == ["raised while asking the script about attempt 2"]
    assert sorted(shelf.lines) == [1]
    assert script.started == [0, 1, 2]


@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
async def test_a_receiver_may_raise_any_class_too(script, shelf, error):
    def progress(now):
        if now.result == 1:
            raise error

    error.__notes__ = []
    ending = await run_attempts(script, Plan(range(9), 9), shelf, Slots(progress=progress))
    assert (ending.stop, ending.fault) == (Stop.FAULT, error)
    assert error.__notes__ == ["raised by the progress receiver, told of attempt 1"]
    assert sorted(shelf.lines) == script.started == [0, 1]


@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
async def test_a_plan_that_breaks_off_loses_nothing(script, shelf, error):
    def indices():
        yield from range(3)
        raise error

    error.__notes__ = []
    ending = await run_attempts(script, Plan(indices(), 9), shelf, Slots(count=2))
    assert (ending.stop, ending.fault) == (Stop.FAULT, error)
    assert error.__notes__ == ["raised before asking about attempt 2"]
    assert sorted(shelf.lines) == [0, 1]


async def test_a_fault_says_what_and_where_also_when_it_cannot_speak(shelf):
    script = Script({0: lambda _: raise_(SpeechlessError())})
    ending = await run_attempts(script, Plan([0], 1), shelf, Slots())
    assert ending.reason == "SpeechlessError (while asking the script about attempt 0)"


async def test_a_group_of_cancellations_is_a_cancellation(shelf):
    group = BaseExceptionGroup("all", [asyncio.CancelledError(), asyncio.CancelledError()])
    script = Script({1: lambda _: raise_(group)})
    ending = await run_attempts(script, Plan(range(3), 3), shelf, Slots())
    assert (ending.stop, ending.done) == (None, 3)
    assert shelf.lines[1] == b'"cancelled"'


async def test_an_interrupt_in_a_group_is_an_interrupt(shelf):
    interrupt = KeyboardInterrupt()
    group = BaseExceptionGroup("all", [ValueError(), BaseExceptionGroup("in", [interrupt])])
    script = Script({1: lambda _: raise_(group)})
    with pytest.raises(KeyboardInterrupt) as raised:
        await run_attempts(script, Plan(range(3), 3), shelf, Slots())
    assert raised.value is interrupt
    assert sorted(shelf.lines) == [0]


async def test_a_result_that_cannot_be_kept_stops_the_run(script, shelf):
    shelf.error = OSError(28, "No space left on device")
    ending = await run_attempts(script, Plan(range(6), 6), shelf, Slots())
    assert ending.fault is shelf.error
    assert (ending.done, script.started) == (0, [0])
    assert shelf.error.__notes__ == ["raised while keeping the result of attempt 0"]


async def test_a_store_that_cannot_be_made_safe_stops_the_run(script, shelf):
    def sync():
        raise OSError(5, "Input/output error")

    shelf.is_due, shelf.sync = True, sync
    ending = await run_attempts(script, Plan(range(6), 6), shelf, Slots())
    assert ending.reason.endswith("(while making results safe, after attempt 0)")
    assert sorted(shelf.lines) == [0]
