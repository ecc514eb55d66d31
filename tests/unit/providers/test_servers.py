"""Servers that others have written are asked, and answer as they do without a wire."""

import json

import pytest
from jevcompat import mock
from sparrow_decider import Decider
from tests.clocks import FakeClock
from tests.servers import sparrow_decider_server
from tests.unit.providers.asked import QUESTIONS, request

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import DecisionClient, DecisionClientOptions, ProviderName, Secret

pytestmark = pytest.mark.anyio

STATES = [
    "My card was meant to arrive last week and nothing has come.",
    {"ticket": {"body": "Kaputt! \u00fc\u2028\U0001f4a1", "n": [1, 2.5, None, True]}},
    [],
]


@pytest.fixture
def anyio_backend():
    return "asyncio"


def client_of(url, clock=None, **options):
    options = DecisionClientOptions(provider=ProviderName.CUSTOM, base_address=url, **options)
    return DecisionClient(options, clock=clock)


def as_told(answers, given):
    """What a server said, beside what was read of it, in the server's own words."""
    told = {}
    for key, answer in answers.items():
        match given[key]["type"]:
            case "noul":
                told[key] = {"noul": answer.probability}
            case "choice":
                told[key] = {
                    "choice": answer.option,
                    "confidence": answer.confidence,
                    "probabilities": answer.probabilities,
                }
            case _:
                levels = enumerate(answer.probabilities)
                told[key] = {
                    "score": answer.expected_level,
                    "confidence": answer.confidence,
                    "probabilities": {str(level): p for level, p in levels},
                }
    return told


def without_extras(given):
    kept = {"noul", "choice", "score", "confidence", "probabilities"}
    return {
        key: {name: value for name, value in answer.items() if name in kept}
        for key, answer in given.items()
    }


@pytest.mark.parametrize("state", STATES)
async def test_jevcompat_mock(state):
    config = mock.MockConfig(key="sk-mock-1")
    with mock.Running(config) as running:
        client = client_of(running.url, model="jev-1.13.0", api_key=Secret("sk-mock-1"))
        answered = await client.decide(request(json.dumps(state).encode()))
        await client.aclose()
    given = {
        key: mock.answer(config, state, key, question, position, len(QUESTIONS))
        for position, (key, question) in enumerate(QUESTIONS.items())
    }
    assert as_told(answered.answers, given) == without_extras(given)
    assert answered.request_id
    assert answered.input_tokens > 0
    assert answered.answers["urgency"].level == max(
        range(3), key=lambda level: given["urgency"]["probabilities"][str(level)]
    )


async def test_jevcompat_mock_that_is_busy_at_times():
    with mock.Running(mock.MockConfig(busy_every=2)) as running:
        client = client_of(running.url, FakeClock(), model="mock")
        tries = [(await client.decide(request())).tries for _ in range(4)]
        await client.aclose()
    assert tries == [1, 2, 2, 2]


@pytest.mark.parametrize(
    ("key", "model", "kind", "status"),
    [
        (None, "mock", DecisionErrorKind.UNAUTHORIZED, 403),
        ("sk-wrong-1", "mock", DecisionErrorKind.UNAUTHORIZED, 401),
        ("sk-mock-1", "jev-0", DecisionErrorKind.VALIDATION, 400),
    ],
)
async def test_jevcompat_mock_refuses(key, model, kind, status):
    with mock.Running(mock.MockConfig(key="sk-mock-1")) as running:
        client = client_of(running.url, model=model, api_key=Secret(key) if key else None)
        with pytest.raises(DecisionError) as caught:
            await client.decide(request())
        await client.aclose()
    assert (caught.value.kind, caught.value.status_code) == (kind, status)
    assert caught.value.detail["detail"]
    assert "The server said: " in caught.value.message


async def test_sparrow_decider_serve():
    decider = Decider.load()
    with sparrow_decider_server() as url:
        client = client_of(url, model="any")
        for state in STATES[:2]:
            answered = await client.decide(request(json.dumps(state).encode()))
            given = json.loads(json.dumps(decider.ask(state, QUESTIONS)))
            assert as_told(answered.answers, given) == without_extras(given)
            assert answered.model == decider.name
        with pytest.raises(DecisionError) as caught:
            await client.decide(
                request(one={"type": "choice", "instructions": "?", "criteria": {"a": "b"}})
            )
        await client.aclose()
    assert (caught.value.kind, caught.value.status_code) == (DecisionErrorKind.VALIDATION, 422)
