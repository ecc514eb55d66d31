import json
import sys
import threading

import anyio
import pytest
from tests.servers import sparrow_decider_server

from minos.decisions.dataset import DecisionDataset
from minos.errors import ConfigError, DecisionError, DecisionErrorKind
from minos.providers.client import DecisionClient
from minos.providers.embedded import Embedded
from minos.providers.options import DecisionClientOptions
from minos.providers.presets import ProviderName
from minos.request import DecisionRequest

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def embedded():
    return Embedded()


@pytest.fixture(scope="module")
def served():
    with sparrow_decider_server() as address:
        yield address


def item(questions, state="Where is my card?"):
    line = {"id": "a", "state": state, "questions": questions, "expected": {}}
    return DecisionDataset.parse(json.dumps(line)).unwrap()[0]


def request(entry):
    return DecisionRequest(entry.state_json, entry.questions)


ODD = [
    item(
        {"q": {"type": "noul", "instructions": {"text": "Is it so?", "n": 1.5}}}, {"a": [1, None]}
    ),
    item({"q": {"type": "noul", "instructions": "Is it?", "criteria": {"true": ["x", 1]}}}, [1, 2]),
    item({"q": {"type": "choice", "instructions": "?", "criteria": {"a": None, "b": None}}}, ""),
    item(
        {
            "1": {
                "type": "score",
                "instructions": "\u00fc\u20ac\U0001f600",
                "criteria": ["low", {"description": "mid", "examples": ["m"]}, "high"],
            }
        },
        {"nested": {"battery": "6%", "e": 1e300}},
    ),
]


async def test_embedded_and_served_answers_agree(embedded, served):
    examples = DecisionDataset.load("examples/support.jsonl").unwrap()
    client = DecisionClient(
        DecisionClientOptions(
            provider=ProviderName.CUSTOM, base_address=served, model=embedded.model
        )
    )
    for entry in [*examples[::10], *ODD]:
        inside = await embedded.decide(request(entry))
        outside = await client.decide(request(entry))
        assert inside.answers == outside.answers
        assert list(inside.answers) == list(entry.questions)
        assert inside.model == outside.model == embedded.model
    await client.aclose()


async def test_the_cost_is_0_and_tokens_are_left_out(embedded):
    response = await embedded.decide(request(ODD[0]))
    assert response.cost_usd == 0.0
    assert response.input_tokens is response.output_tokens is None
    assert (response.tries, response.cached, response.request_id) == (1, False, None)


async def test_what_the_model_refuses_is_unsupported(embedded):
    lonely = item({"q": {"type": "choice", "instructions": "?", "criteria": {"only": None}}})
    with pytest.raises(DecisionError) as raised:
        await embedded.decide(request(lonely))
    assert raised.value.kind is DecisionErrorKind.UNSUPPORTED
    assert raised.value.tries == 0
    assert raised.value.message == (
        "embedded cannot be asked this: a choice question needs criteria:"
        " {name: description}, at least 2"
    )


async def test_the_event_loop_goes_on_meanwhile(embedded, monkeypatch):
    release = threading.Event()
    ask = embedded._decider.ask

    def slow(*arguments):
        assert release.wait(60)
        return ask(*arguments)

    monkeypatch.setattr(embedded._decider, "ask", slow, raising=False)
    async with anyio.create_task_group() as group:
        group.start_soon(embedded.decide, request(ODD[0]))
        await anyio.lowlevel.checkpoint()
        release.set()


def test_another_model_by_name():
    provider = Embedded("nano-robot", name="robot")
    assert (provider.model, provider.name) == ("sparrow-nano-robot-v1.2", "robot")


def test_a_model_that_is_not_there():
    with pytest.raises(ConfigError, match="there is no embedded model 'huge'") as raised:
        Embedded("huge")
    assert "sparrow-nano-general" in raised.value.hint


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "sparrow_decider", None)
    with pytest.raises(ConfigError, match="needs the package sparrow-decider") as raised:
        Embedded()
    assert raised.value.hint == "pip install 'minos-eval[embedded]'"
