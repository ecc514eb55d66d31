"""A long run against a server that fails in every way: each item is accounted for."""

import json
from collections import Counter
from dataclasses import dataclass

import anyio
import pytest
from tests.clocks import FakeClock
from tests.loopback import Drop, Hang, Raw, Reply, loopback
from tests.unit.decisions.asked import dataset, number_of

from minos.decisions.options import DatasetRunOptions
from minos.decisions.runner import run
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName

ITEMS = 2000

ANSWERS = {
    "topic": {
        "type": "choice",
        "choice": "card",
        "confidence": 0.8,
        "probabilities": {"card": 0.8, "loan": 0.1, "other": 0.1},
    },
    "urgent": {"type": "noul", "noul": 0.07},
    "mood": {
        "type": "score",
        "score": 1.1,
        "confidence": 0.7,
        "legend": {},
        "probabilities": {"0": 0.1, "1": 0.7, "2": 0.2},
    },
}


@dataclass(frozen=True)
class Way:
    """How the server treats an item: what it does, try by try, and what that comes to."""

    steps: tuple
    kind: str | None
    status: int | None = None
    tries: int = 1


def answered(**changes):
    answers = {key: {**ANSWERS[key], **changes.get(key, {})} for key in ANSWERS}
    usage = {"input_tokens": 5, "output_tokens": 0}
    return Reply(200, {"model": "m-1", "answers": answers, "usage": usage})


def status(code, kind, tries=1):
    return Way((Reply(code, {"error": "no"}),) * tries, kind, code, tries)


def invalid(reply):
    return Way((reply,), "InvalidResponse", 200)


WAYS = [
    Way((answered(),), None),
    status(400, "Validation"),
    status(401, "Unauthorized"),
    status(403, "Unauthorized"),
    status(404, "Http"),
    status(408, "Http", tries=3),
    status(422, "Validation"),
    status(429, "RateLimited", tries=3),
    status(500, "Server", tries=3),
    status(502, "Server", tries=3),
    status(503, "Overloaded", tries=3),
    status(529, "Overloaded", tries=3),
    Way((Reply(429, b"", {"Retry-After": "7"}), answered()), None, tries=2),
    Way((Reply(503), Drop(), answered()), None, tries=3),
    Way((Drop(), Drop(), Drop()), "Network", tries=3),
    Way((Raw(b"\x00\x01 no HTTP\r\n\r\n"),) * 3, "Network", tries=3),
    Way((Reply(200, {"a": "b"}, cut=70),) * 3, "Network", tries=3),
    Way(("hang", "hang", "hang"), "Timeout", tries=3),
    Way(("hang", answered()), None, tries=2),
    invalid(Reply(200, b"{")),
    invalid(Reply(200, b"[]")),
    invalid(Reply(200, {"answers": None})),
    invalid(answered(topic={"type": "noul"})),
    invalid(answered(topic={"choice": "cart"})),
    Way((answered(urgent={"noul": 1.5}),), "InvalidResponse"),
    Way((answered(mood={"confidence": -0.1}),), "InvalidResponse"),
    Way((Reply(200, {"model": "m-1", "answers": {}}),), "InvalidResponse"),
]


class Routed:
    """Sends an item to the client of its way: those that hang are asked one at a time."""

    name = "routed"
    model = "m"

    def __init__(self, client, patient, clock):
        self._client = client
        self._patient = patient
        self._clock = clock
        self._turn = anyio.Lock()

    async def decide(self, request):
        if "hang" not in WAYS[number_of(request) % len(WAYS)].steps:
            return await self._client.decide(request)
        async with self._turn:
            return await self._patient.decide(request)


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_every_item_of_a_long_run_is_accounted_for(anyio_backend):
    clock = FakeClock()
    tries = Counter()

    def step(request):
        number = int(request.json["state"].removeprefix("state "))
        tries[number] += 1
        told = WAYS[number % len(WAYS)].steps[tries[number] - 1]
        return Hang(clock.expire) if told == "hang" else told

    async with loopback() as server:
        server.otherwise = step
        options = DecisionClientOptions(
            provider=ProviderName.CUSTOM, base_address=server.url, model="m"
        )
        client = DecisionClient(options, clock=FakeClock())
        patient = DecisionClient(options, clock=clock)
        results = await run(
            Routed(client, patient, clock), dataset(ITEMS), DatasetRunOptions(max_parallelism=8)
        )
        await client.aclose()
        await patient.aclose()
    assert [result.id for result in results] == [f"item-{n}" for n in range(ITEMS)]
    for number, result in enumerate(results):
        way = WAYS[number % len(WAYS)]
        told = result.error
        assert (told and told.kind) == way.kind, (number, told)
        assert result.tries == tries[number] == way.tries
        assert (result.answers is None) == (way.kind is not None)
        if told is not None:
            assert told.status_code == way.status
            assert told.message
    assert len(server.requests) == sum(tries.values())
    assert {json.loads(request.body)["model"] for request in server.requests} == {"m"}
