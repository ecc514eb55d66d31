"""Requests are let through as the provider can take them; time is virtual."""

from datetime import UTC, datetime

import anyio
import pytest
import trio.testing
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.jumping_loop import JumpingLoop
from tests.unit.providers.asked import request, response

import minos.providers.client
from minos.errors import DecisionError
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName
from minos.providers.body import Body
from minos.providers.connections import Received
from minos.providers.flow import Flow

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    if request.param == "asyncio":
        return "asyncio", {"loop_factory": JumpingLoop}
    return "trio", {"clock": trio.testing.MockClock(autojump_threshold=0)}


class LoopClock:
    """The time of the event loop, which is virtual here."""

    def monotonic(self):
        return anyio.current_time()

    def now(self):
        return datetime(2026, 11, 30, tzinfo=UTC)

    async def sleep(self, seconds):
        await anyio.sleep(seconds)

    def fail_after(self, seconds):
        return anyio.fail_after(seconds)


@pytest.fixture
def start():
    return anyio.current_time


async def entries(flow, count, size=0, seconds=0.0):
    """Let some requests in together; gives when each got its turn, from the first on, and held."""
    begun = anyio.current_time()
    turns = []

    async def enter():
        admission = await flow.enter(size)
        turns.append((round(anyio.current_time() - begun, 6), round(admission.held_s, 6)))
        await anyio.sleep(seconds)
        flow.leave()

    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(enter)
    return turns


async def test_without_limits_nobody_waits():
    assert await entries(Flow(LoopClock()), 100) == [(0, 0)] * 100


async def test_requests_are_spaced_evenly():
    turns = await entries(Flow(LoopClock(), requests_per_minute=120), 5)
    assert turns == [(0, 0), (0.5, 0.5), (1, 1), (1.5, 1.5), (2, 2)]


async def test_time_that_nobody_used_is_not_saved_up():
    flow = Flow(LoopClock(), requests_per_minute=60)
    await entries(flow, 1)
    await anyio.sleep(1000)
    assert [turn for turn, _ in await entries(flow, 3)] == [0, 1, 2]


@given(rate=st.integers(1, 5000), ready=st.lists(st.floats(0, 30), min_size=1, max_size=60))
def test_no_minute_sees_more_than_its_share(rate, ready):
    class Still:
        seconds = 0.0

        def monotonic(self):
            return self.seconds

    clock = Still()
    flow = Flow(clock, requests_per_minute=rate)
    turns = []
    for seconds in sorted(ready):
        clock.seconds = seconds
        turns.append(flow._reserve(0))
    assert all(turn >= seconds for turn, seconds in zip(turns, sorted(ready), strict=True))
    for position, turn in enumerate(turns):
        within = [other for other in turns[position:] if other < turn + 60 - 1e-6]
        assert len(within) <= rate


async def test_tokens_are_estimated_then_put_right():
    flow = Flow(LoopClock(), tokens_per_minute=600)
    # 400 bytes are taken for 100 tokens: 10 seconds.
    assert [turn for turn, _ in await entries(flow, 3, size=400)] == [0, 10, 20]
    await anyio.sleep(10)
    admission = await flow.enter(400)
    # There were 150, so the next one waits 5 seconds more, and takes more for granted.
    flow.answered(admission, 150)
    flow.leave()
    first, second = await entries(flow, 2, size=400)
    assert first == (15, 15)
    assert second[0] == pytest.approx(15 + 11)


async def test_too_much_halves_the_number_in_flight_once_for_all():
    flow = Flow(LoopClock())
    admissions = [await flow.enter(0) for _ in range(9)]
    for admission in admissions:
        flow.throttled(admission)
    assert flow.ceiling == 4
    for _ in admissions:
        flow.leave()
    turns = [turn for turn, _ in await entries(flow, 12, seconds=1)]
    assert turns == [0] * 4 + [1] * 4 + [2] * 4
    for expected in (2, 1, 1):
        admissions = [await flow.enter(0) for _ in range(flow.ceiling)]
        flow.throttled(admissions[-1])
        assert flow.ceiling == expected
        for _ in admissions:
            flow.leave()


async def test_it_recovers_slowly():
    flow = Flow(LoopClock())
    admissions = [await flow.enter(0) for _ in range(6)]
    flow.throttled(admissions[0])
    for _ in admissions:
        flow.leave()
    ceilings = []
    for _ in range(12):
        admission = await flow.enter(0)
        flow.answered(admission, None)
        flow.leave()
        ceilings.append(flow.ceiling)
    assert ceilings == [3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, None]


async def test_whoever_came_first_is_let_in_first():
    flow = Flow(LoopClock())
    flow.throttled(await flow.enter(0))
    order = []

    async def enter(name):
        await flow.enter(0)
        order.append(name)
        await anyio.sleep(1)
        flow.leave()

    async with anyio.create_task_group() as tasks:
        for name in range(5):
            tasks.start_soon(enter, name)
            await anyio.sleep(0.01)
        flow.leave()
    assert order == list(range(5))


@pytest.mark.parametrize("reason", ["place", "rate", "hold"])
async def test_one_that_is_cancelled_while_it_waits_takes_no_place(reason):
    flow = Flow(LoopClock(), requests_per_minute=1 if reason == "rate" else None)
    admission = await flow.enter(0)
    if reason == "place":
        flow.throttled(admission)
    else:
        flow.leave()
    if reason == "hold":
        flow.hold(100)
    with anyio.move_on_after(5) as scope:
        await flow.enter(0)
    assert scope.cancelled_caught
    if reason == "place":
        flow.leave()
    assert flow._in_flight == 0
    assert not flow._waiting


class Server:
    """A sender that answers from a script, and knows when it was asked."""

    def __init__(self):
        self.begun = anyio.current_time()
        self.asked = []
        self.most = self.under_way = 0
        self.script = []
        self.takes_s = 1.0

    async def post(self, _body, _headers):
        self.asked.append(round(anyio.current_time() - self.begun, 6))
        step = self.script.pop(0) if self.script else (200, {})
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await anyio.sleep(self.takes_s)
        finally:
            self.under_way -= 1
        status, told = step
        body = b'{"answers":{}}' if status == 200 else b"{}"
        return Received(status, told, Body(body))

    async def aclose(self):
        pass


@pytest.fixture
async def server():
    return Server()


@pytest.fixture
def connect(server, monkeypatch):
    monkeypatch.setattr(minos.providers.client, "Connections", lambda *_, **__: server)

    def connect(**options):
        options = {"jitter": False, "model": "m", "base_address": "http://localhost", **options}
        return DecisionClient(
            DecisionClientOptions(provider=ProviderName.CUSTOM, **options), clock=LoopClock()
        )

    return connect


async def ask(client, count):
    """Ask so many at a time; gives seconds taken, seconds held and tries of each, in order."""
    told = [None] * count

    async def one(index):
        begun = anyio.current_time()
        try:
            answered = await client.decide(request())
        except DecisionError as error:
            answered = error
        took = anyio.current_time() - begun
        told[index] = (round(took, 6), round(answered.held_s, 6), answered.tries)

    async with anyio.create_task_group() as tasks:
        for index in range(count):
            tasks.start_soon(one, index)
            await anyio.lowlevel.checkpoint()
    return told


async def test_a_wish_to_wait_holds_the_whole_provider_back(server, connect):
    client = connect()
    server.script = [(503, {"retry-after": "10"})]
    told = []

    async def later():
        await anyio.sleep(3)
        told.extend(await ask(client, 2))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(later)
        first = await ask(client, 1)
    # The one that was refused waited for its own sake, the others for the provider's.
    assert first == [(12, 0, 2)]
    assert told == [(9, 8, 1)] * 2
    assert server.asked == [0, 11, 11, 11]


async def test_the_hold_is_no_longer_than_the_longest_wait(server, connect):
    client = connect(max_retries=0, max_retry_delay_s=20)
    server.script = [(429, {"retry-after": "3600"})]
    assert await ask(client, 1) == [(1, 0, 1)]
    assert await ask(client, 1) == [(21, 20, 1)]


async def test_many_refusals_at_once_halve_what_is_in_flight(server, connect):
    client = connect(initial_backoff_s=2)
    server.script = [(429, {})] * 16
    told = await ask(client, 16)
    assert client.flow.ceiling == 9
    # 16 at 0 s; after 1 s all are refused, wait 2 s, and go on in eights.
    assert server.asked == [0] * 16 + [3] * 8 + [4] * 8
    assert sorted(told) == [(4, 0, 2)] * 8 + [(5, 1, 2)] * 8
    assert server.most == 16


async def test_other_failures_halve_nothing(server, connect):
    client = connect(max_retries=0)
    server.script = [(500, {}), (503, {}), (400, {}), (529, {})]
    await ask(client, 3)
    assert client.flow.ceiling is None
    await ask(client, 1)
    assert client.flow.ceiling == 1


async def test_rates_hold_for_retries_too(server, connect):
    client = connect(requests_per_minute=6, initial_backoff_s=1)
    server.script = [(500, {})]
    assert await ask(client, 2) == [(21, 18, 2), (11, 10, 1)]
    assert server.asked == [0, 10, 20]


async def test_tokens_that_the_server_counts_slow_it_down(server, connect):
    usage = response()["usage"]
    assert sum(usage.values()) == 425
    client = connect(tokens_per_minute=425)
    body = b'{"answers":{},"usage":{"input_tokens":371,"output_tokens":54}}'

    async def post(_body, _headers):
        server.asked.append(round(anyio.current_time() - server.begun, 6))
        return Received(200, {}, Body(body))

    server.post = post
    for _ in range(3):
        await ask(client, 1)
    assert server.asked == [0, 60, 120]
