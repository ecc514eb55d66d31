"""The vendors' own clients and this one send equivalent bodies, and read the same responses."""

import asyncio
import json
import random

import httpx
import httpx2
import openai
import pytest
import typesafe_sdk
from tests.planted import PLANTED

from minos.providers import DecisionClient, DecisionClientOptions, ProviderName, Secret
from minos.questions import QuestionSet
from minos.request import DecisionRequest

KEY = PLANTED

pytestmark = pytest.mark.usefixtures("planted")
WORDS = ["late", "Ware", "billing", "é", "猫", "a b", "🙂", "O'Brien", '"quoted"', "x" * 40, "\\n"]


def text(chance):
    return " ".join(chance.choices(WORDS, k=chance.randint(1, 5)))


def content(chance, *, structured):
    if not structured or chance.random() < 0.6:
        return text(chance)
    if chance.random() < 0.5:
        return {"ask": text(chance), "of": [1, 2.5, None, True]}
    return [text(chance), {"deep": {"er": []}}]


def criterion(chance):
    if chance.random() < 0.7:
        return text(chance)
    told = {"description": text(chance)}
    if chance.random() < 0.7:
        told["examples"] = [text(chance) for _ in range(2)]
    else:
        told["not_for"] = [text(chance)]
    return told


def question(chance, *, structured=True):
    asked = {"instructions": content(chance, structured=structured)}
    match chance.choice(["noul", "choice", "score"]):
        case "noul":
            sides = {
                side: content(chance, structured=structured)
                for side in ("true", "false")
                if chance.random() < 0.6
            }
            return {"type": "noul", **asked, **({"criteria": sides} if sides else {})}
        case "choice":
            options = {
                f"{text(chance)} {number}": criterion(chance) if chance.random() < 0.8 else None
                for number in range(chance.randint(2, 12))
            }
            return {"type": "choice", **asked, "criteria": options}
        case _:
            levels = [criterion(chance) for _ in range(chance.randint(2, 10))]
            return {"type": "score", **asked, "criteria": levels}


def states(chance):
    return chance.choice(
        [
            text(chance),
            {"body": text(chance), "n": chance.randint(0, 99), "list": [None, 1.5]},
            [{"turn": text(chance)}, {"turn": "x"}],
            [text(chance), 1],
        ]
    )


def cases():
    chance = random.Random(50)
    for _ in range(50):
        keys = [f"{text(chance)} {n}" for n in range(chance.randint(1, 6))]
        yield states(chance), {key: question(chance) for key in keys}


CASES = list(cases())


def answers(questions):
    """What a server might answer, as System One has it."""
    given = {}
    for key, asked in questions.items():
        match asked["type"]:
            case "noul":
                given[key] = {"type": "noul", "noul": 0.25}
            case "choice":
                names = list(asked["criteria"])
                p = {name: 1 / len(names) for name in names}
                given[key] = {
                    "type": "choice",
                    "choice": names[-1],
                    "probabilities": p,
                    "confidence": 0.5,
                }
            case _:
                count = len(asked["criteria"])
                given[key] = {
                    "type": "score",
                    "score": (count - 1) / 2,
                    "legend": {str(n): level for n, level in enumerate(asked["criteria"])},
                    "probabilities": {str(n): 1 / count for n in range(count)},
                    "confidence": 0.25,
                }
    return given


def decide(provider, state, questions, body, **options):
    """Ask through this package; gives the body that was sent, and what was read."""
    sent = []

    def handle(request):
        sent.append(request)
        return httpx.Response(200, json=body)

    async def run():
        transport = httpx.MockTransport(handle)
        async with httpx.AsyncClient(transport=transport) as http_client:
            client = DecisionClient(
                DecisionClientOptions(provider=provider, api_key=Secret(KEY), **options),
                http_client=http_client,
            )
            rendered = json.dumps(questions, separators=(",", ":")).encode()
            asked = DecisionRequest(json.dumps(state).encode(), QuestionSet(rendered))
            return await client.decide(asked)

    response = asyncio.run(run())
    (request,) = sent
    return request, response


@pytest.mark.parametrize(("state", "questions"), CASES)
def test_typesafe_sdk(state, questions):
    body = {
        "model": "jev-1.13.0",
        "answers": answers(questions),
        "usage": {"input_tokens": 5, "output_tokens": 6},
    }
    sent = []

    def handle(request):
        sent.append(request)
        return httpx2.Response(200, json=body)

    with typesafe_sdk.TypeSafeClient(
        api_key=KEY,
        model="jev-latest",
        transport=httpx2.MockTransport(handle),
        compression=False,
    ) as client:
        theirs = client.system_one(state, questions)
    request, ours = decide(ProviderName.TYPESAFE, state, questions, body)
    assert str(request.url) == str(sent[0].url)
    assert json.loads(request.content) == json.loads(sent[0].content)
    assert list(json.loads(request.content)["questions"]) == list(questions)
    for name in ("authorization", "content-type", "accept"):
        assert request.headers[name] == sent[0].headers[name]

    assert ours.model == theirs.model
    assert ours.input_tokens == theirs.usage.input_tokens
    for key, answer in ours.answers.items():
        read = theirs.answers[key]
        match read.type:
            case "noul":
                assert answer.probability == read.noul
            case "choice":
                assert (answer.option, answer.confidence) == (read.choice, read.confidence)
                assert answer.probabilities == dict(read.probabilities)
            case _:
                assert (answer.expected_level, answer.confidence) == (read.score, read.confidence)
                told = {str(level): p for level, p in enumerate(answer.probabilities)}
                assert told == {str(level): p for level, p in read.probabilities.items()}


def as_text(value):
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def described(criterion):
    if isinstance(criterion, str):
        return criterion, ""
    lines = []
    for name, title in (("examples", "Examples"), ("not_for", "Not for")):
        if name in criterion:
            lines += [f"{title}:", *(f"- {entry}" for entry in criterion[name])]
    return criterion["description"], "\n".join(lines)


def for_openai(key, asked):
    """A question as a user of the vendor's client would write it."""
    told = {"name": key, "instructions": as_text(asked["instructions"])}
    criteria = asked.get("criteria")
    match asked["type"]:
        case "noul":
            for side, word in (("true", "Yes"), ("false", "No")):
                if side in (criteria or {}):
                    told["instructions"] += f"\n\n{word} means: {as_text(criteria[side])}"
            return {"type": "predicate", **told}
        case "choice":
            choices = []
            for name, criterion in criteria.items():
                choice = {"value": name}
                if criterion is not None:
                    description, more = described(criterion)
                    choice["description"] = f"{description}\n{more}" if more else description
                choices.append(choice)
            return {"type": "choice", **told, "choices": choices}
        case _:
            levels = []
            for criterion in criteria:
                label, more = described(criterion)
                levels.append({"label": label, "description": more} if more else {"label": label})
            return {"type": "score", **told, "levels": levels}


def openai_answers(questions):
    given = []
    for key, asked in questions.items():
        match asked["type"]:
            case "noul":
                given.append({"type": "predicate", "name": key, "probability": 0.25})
            case "choice":
                names = list(asked["criteria"])
                p = [{"value": name, "probability": 1 / len(names)} for name in names]
                given.append(
                    {
                        "type": "choice",
                        "name": key,
                        "choice": names[-1],
                        "confidence": 0.5,
                        "probabilities": p,
                    }
                )
            case _:
                labels = [described(criterion)[0] for criterion in asked["criteria"]]
                p = [
                    {"value": n, "label": label, "probability": 1 / len(labels)}
                    for n, label in enumerate(labels)
                ]
                given.append(
                    {
                        "type": "score",
                        "name": key,
                        "score": (len(labels) - 1) / 2,
                        "confidence": 0.25,
                        "probabilities": p,
                    }
                )
    return given


def openai_input(state):
    if isinstance(state, str):
        return state
    if isinstance(state, dict) or all(isinstance(entry, dict) for entry in state):
        part = {"type": "input_json", "data": state}
        return [{"type": "message", "role": "user", "content": [part]}]
    return json.dumps(state)


@pytest.mark.parametrize(("state", "questions"), CASES)
def test_openai(state, questions):
    body = {
        "model": "gpt-6-luna",
        "answers": openai_answers(questions),
        "usage": {
            "input_tokens": 260,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": 0,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 260,
        },
    }
    sent = []

    def handle(request):
        sent.append(request)
        return httpx2.Response(200, json=body)

    with (
        httpx2.Client(transport=httpx2.MockTransport(handle)) as http_client,
        openai.OpenAI(api_key=KEY, http_client=http_client) as client,
    ):
        theirs = client.decisions.create(
            model="gpt-6-luna",
            input=openai_input(state),
            questions=[for_openai(key, asked) for key, asked in questions.items()],
        )
    request, ours = decide(ProviderName.OPENAI, state, questions, body)
    assert str(request.url) == str(sent[0].url)
    assert json.loads(request.content) == json.loads(sent[0].content)
    assert request.headers["authorization"] == sent[0].headers["authorization"]

    assert (ours.model, ours.input_tokens) == (theirs.model, theirs.usage.input_tokens)
    for answer, read in zip(ours.answers.values(), theirs.answers, strict=True):
        match read.type:
            case "predicate":
                assert answer.probability == read.probability
            case "choice":
                assert (answer.option, answer.confidence) == (read.choice, read.confidence)
                assert answer.probabilities == {p.value: p.probability for p in read.probabilities}
            case _:
                assert (answer.expected_level, answer.confidence) == (read.score, read.confidence)
                assert list(answer.probabilities) == [p.probability for p in read.probabilities]
