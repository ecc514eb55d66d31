import json

import pytest
from tests.loopback import Reply
from tests.unit.providers.asked import request

from minos.answers import AnswerRecord
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import ProviderName, WireFormat
from minos.request import DecisionResponse

pytestmark = pytest.mark.anyio

ASKED = [
    {
        "type": "predicate",
        "name": "refund",
        "instructions": "Would a refund do?\n\nYes means: A refund is named"
        "\n\nNo means: Only a new one is wanted",
    },
    {
        "type": "choice",
        "name": "queue",
        "instructions": "Which queue owns it?",
        "choices": [
            {
                "value": "shipping",
                "description": "Damage in transit\nExamples:\n- box crushed\nNot for:\n- defects",
            },
            {"value": "billing", "description": "Charges"},
            {"value": "other"},
        ],
    },
    {
        "type": "score",
        "name": "urgency",
        "instructions": '{"ask":"How soon?"}',
        "levels": [{"label": "Any time"}, {"label": "This week"}, {"label": "Today"}],
    },
]

ANSWERS = [
    {"type": "predicate", "name": "refund", "probability": 0.93},
    {
        "type": "choice",
        "name": "queue",
        "choice": "shipping",
        "confidence": 0.67,
        "probabilities": [
            {"value": "shipping", "probability": 0.78},
            {"value": "billing", "probability": 0.15},
            {"value": "other", "probability": 0.07},
        ],
    },
    {
        "type": "score",
        "name": "urgency",
        "score": 1.54,
        "confidence": 0.31,
        "probabilities": [
            {"value": 0, "label": "Any time", "probability": 0.08},
            {"value": 1, "label": "This week", "probability": 0.30},
            {"value": 2, "label": "Today", "probability": 0.62},
        ],
    },
]

USAGE = {
    "input_tokens": 260,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 0,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 260,
}

READ = {
    "refund": AnswerRecord.noul(0.93),
    "queue": AnswerRecord.choice(
        "shipping", 0.67, {"shipping": 0.78, "billing": 0.15, "other": 0.07}
    ),
    "urgency": AnswerRecord.score(2, 0.31, 1.54, [0.08, 0.30, 0.62]),
}


def response(answers=None, **members):
    answers = ANSWERS if answers is None else answers
    return {"model": "gpt-6-luna", "answers": answers, "usage": USAGE, **members}


@pytest.fixture
def client(connect, server):
    return connect(provider=ProviderName.OPENAI, base_address=f"{server.url}v1", model=None)


async def failure_of(client, asked=None):
    with pytest.raises(DecisionError) as caught:
        await client.decide(asked or request())
    return caught.value


async def test_asks_and_reads_in_openai_s_words(server, client):
    server.will(Reply(body=response(), headers={"x-request-id": "req-1"}))
    assert await client.decide(request()) == DecisionResponse(
        READ, model="gpt-6-luna", input_tokens=260, output_tokens=0, request_id="req-1"
    )
    (sent,) = server.requests
    assert (sent.method, sent.path) == ("POST", "/v1/decisions")
    assert sent.json == {
        "model": "gpt-6-luna",
        "input": [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {
                        "type": "input_json",
                        "data": {"ticket": "The lamp is broken.", "plan": "basic"},
                    }
                ],
            }
        ],
        "questions": ASKED,
    }
    assert request().state_json in sent.body


async def test_a_custom_server_may_speak_it_too(server, connect):
    server.will(Reply(body=response()))
    client = connect(format=WireFormat.OPENAI)
    assert (await client.decide(request())).answers == READ
    assert server.requests[0].path == "/v1/decisions"


def nested(levels):
    return b'{"a":' * levels + b"1" + b"}" * levels


@pytest.mark.parametrize(
    ("state", "is_json"),
    [
        (b' { "a" : 1.50 }', True),
        (b'[{"a": 1}, {}]', True),
        (b'[{"a": 1}, "b"]', False),
        (b"[]", False),
        (b"{}", False),
        (nested(32), True),
        (nested(33), False),
        (b'{"a":[%b]}' % b",".join([b"1"] * 9_998), True),
        (b'{"a":[%b]}' % b",".join([b"1"] * 9_999), False),
        (b'{"a":"%b"}' % (b"x" * (256 * 1024 - 8)), True),
        (b'{"a":"%b"}' % (b"x" * (256 * 1024 - 7)), False),
    ],
)
async def test_a_state_goes_as_json_where_openai_takes_it(server, client, state, is_json):
    server.will(Reply(body=response()))
    await client.decide(request(state))
    given = server.requests[0].json["input"]
    if is_json:
        assert given[0]["content"] == [{"type": "input_json", "data": json.loads(state)}]
        assert state in server.requests[0].body
    else:
        assert given == state.decode()


async def test_a_text_is_a_text(server, client):
    server.will(Reply(body=response()))
    await client.decide(request(rb'"caf\u00e9 \ud83d\ude00"'))
    assert server.requests[0].json["input"] == "café \U0001f600"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            {"type": "noul", "instructions": "?", "criteria": {"true": {"a": ["é"]}}},
            {"type": "predicate", "name": "q", "instructions": '?\n\nYes means: {"a":["é"]}'},
        ),
        (
            {"type": "noul", "instructions": ["x"], "criteria": {"false": "n"}},
            {"type": "predicate", "name": "q", "instructions": '["x"]\n\nNo means: n'},
        ),
        (
            {
                "type": "score",
                "instructions": "?",
                "criteria": ["a", {"description": "b", "examples": ["c", "d"]}],
            },
            {
                "type": "score",
                "name": "q",
                "instructions": "?",
                "levels": [
                    {"label": "a"},
                    {"label": "b", "description": "Examples:\n- c\n- d"},
                ],
            },
        ),
    ],
)
async def test_what_openai_has_no_place_for_is_written_into_text(server, client, question, asked):
    server.will(Reply(body=response([])))
    await client.decide(request(q=question))
    assert server.requests[0].json["questions"] == [asked]


async def test_a_refusal_is_no_answer(server, client):
    refused = {"type": "refusal", "name": "urgency"}
    server.will(Reply(body=response([*ANSWERS[:2], refused])))
    assert set((await client.decide(request())).answers) == {"refund", "queue"}


@pytest.mark.parametrize("name", ["absent", None])
async def test_unnamed_answers_are_matched_by_position(server, client, name):
    unnamed = [
        {k: v for k, v in answer.items() if k != "name"} | ({} if name else {"name": None})
        for answer in ANSWERS
    ]
    server.will(Reply(body=response(unnamed)))
    assert (await client.decide(request())).answers == READ


async def test_fewer_answers_are_matched_by_name(server, client):
    extra = {"type": "predicate", "name": "other", "probability": 1}
    server.will(Reply(body=response([extra, ANSWERS[2]])))
    server.will(Reply(body=response([*ANSWERS, extra])))
    assert (await client.decide(request())).answers == {"urgency": READ["urgency"]}
    assert (await client.decide(request())).answers == READ


PREFIX = "The response could not be read as the question set's answers: "


def changed(position, **members):
    answers = list(ANSWERS)
    answers[position] = {**answers[position], **members}
    return answers


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({}, "Expected a JSON array but found an object."),
        ([1, 2, 3], "Expected a JSON object but found a number."),
        ([1], "Expected a JSON object but found a number."),
        ([ANSWERS[1], ANSWERS[0], ANSWERS[2]], "Answer 0 is to another question."),
        (changed(0, name=["refund"]), "Answer 0 is to another question."),
        (changed(0, name=None)[:2], "Expected 3 answers but found 2, not all named."),
        (changed(0, type="noul"), "Expected an answer of type 'predicate'. (question 'refund')"),
        (
            changed(0, probability=None),
            "The answer has no 'probability' field. (question 'refund')",
        ),
        (changed(1, choice=True), "Expected a string but found a boolean. (question 'queue')"),
        (changed(1, choice="Other"), "'Other' is not one of the options. (question 'queue')"),
        (
            changed(1, probabilities={"other": 1}),
            "Expected a JSON array but found an object. (question 'queue')",
        ),
        (
            changed(1, probabilities=[{"value": True, "probability": 1}]),
            "true is not one of the options. (question 'queue')",
        ),
        (
            changed(1, probabilities=[{"value": "other"}]),
            "Expected a number but found null. (question 'queue')",
        ),
        (
            changed(2, probabilities=[{"value": "0", "probability": 1}]),
            "\"0\" is not one of the options. (question 'urgency')",
        ),
        (
            changed(2, probabilities=[{"value": 3, "probability": 1}]),
            "'3' is not one of the options. (question 'urgency')",
        ),
        (
            changed(2, probabilities=[{"value": False, "probability": 1}]),
            "false is not one of the options. (question 'urgency')",
        ),
    ],
)
async def test_answers_that_cannot_be_read(server, client, answers, told):
    server.will(Reply(body=response(answers)))
    error = await failure_of(client)
    assert (error.kind, error.message) == (DecisionErrorKind.INVALID_RESPONSE, PREFIX + told)
    assert (error.model, error.input_tokens) == ("gpt-6-luna", 260)


@pytest.mark.parametrize(
    ("status", "header", "tries"),
    [
        (400, None, 1),
        (409, None, 1),
        (409, "true", 3),
        (429, None, 3),
        (429, "false", 1),
        (500, "False", 1),
        (500, "perhaps", 3),
    ],
)
async def test_openai_may_say_whether_to_try_again(server, client, status, header, tries):
    headers = {} if header is None else {"x-should-retry": header}
    error = {"message": "no", "type": "t", "param": None, "code": "c"}
    server.otherwise = Reply(status, {"error": error}, headers=headers)
    failed = await failure_of(client)
    assert (failed.status_code, failed.tries, len(server.requests)) == (status, tries, tries)
    assert failed.message == f"The API returned HTTP {status}. The server said: no"
    assert not any("retry-count" in name for sent in server.requests for name in sent.headers)


async def test_one_option_and_many_questions_are_not_sent(server, client):
    one = {"type": "choice", "instructions": "?", "criteria": {"a": None}}
    noul = {"type": "noul", "instructions": "?"}
    for asked in (request(q=one), request(**{f"q{n}": noul for n in range(401)})):
        assert (await failure_of(client, asked)).kind is DecisionErrorKind.UNSUPPORTED
    assert not server.requests
