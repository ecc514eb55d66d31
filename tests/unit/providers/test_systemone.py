import json

import pytest
from tests.loopback import Reply
from tests.planted import PLANTED
from tests.unit.providers.asked import ANSWERS, QUESTIONS, request, response

from minos._native import __version__
from minos.answers import AnswerRecord
from minos.errors import DecisionError, DecisionErrorKind
from minos.request import DecisionResponse

pytestmark = pytest.mark.anyio


async def failure_of(client, asked=None):
    with pytest.raises(DecisionError) as caught:
        await client.decide(asked or request())
    return caught.value


async def test_sends_the_state_as_read_and_the_questions_as_rendered(server, connect):
    server.will(Reply(body=response()))
    asked = request()
    await connect().decide(asked)
    (sent,) = server.requests
    assert (sent.method, sent.path) == ("POST", "/v1/systemone")
    assert sent.body == (
        b'{"state":'
        + asked.state_json
        + b',"model":"jev-test","questions":'
        + asked.questions.json
        + b"}"
    )
    assert list(sent.json) == ["state", "model", "questions"]
    assert sent.json["questions"] == QUESTIONS


async def test_sends_the_key_and_says_who_it_is(server, connect):
    server.will(Reply(body=response()))
    await connect().decide(request())
    headers = server.requests[0].headers
    assert headers["authorization"] == f"Bearer {PLANTED}"
    assert headers["content-type"] == headers["accept"] == "application/json"
    assert headers["user-agent"] == f"minos/{__version__}"
    assert "x-typesafe-retry-count" not in headers


async def test_sends_no_key_where_there_is_none(server, connect):
    server.will(Reply(body=response()))
    await connect(key=None).decide(request())
    assert "authorization" not in server.requests[0].headers


async def test_reads_answers_of_all_kinds(server, connect):
    server.will(Reply(body=response(), headers={"X-TypeSafe-Request-Id": "req-7"}))
    assert await connect().decide(request()) == DecisionResponse(
        answers={
            "refund": AnswerRecord.noul(0.91),
            "queue": AnswerRecord.choice(
                "shipping", 0.67, {"shipping": 0.78, "billing": 0.15, "other": 0.07}
            ),
            "urgency": AnswerRecord.score(2, 0.31, 1.54, [0.08, 0.30, 0.62]),
        },
        model="jev-1.13.0",
        input_tokens=371,
        output_tokens=54,
        request_id="req-7",
    )


async def test_reads_what_openrouter_adds(server, connect):
    usage = {"input_tokens": 371, "output_tokens": 18, "cost": 0.000015582}
    body = response(id="gen-dec-1", provider="TypeSafe", usage=usage)
    server.will(Reply(body=body))
    answered = await connect().decide(request())
    assert (answered.cost_usd, answered.request_id) == (0.000015582, "gen-dec-1")


async def test_skips_what_is_not_known_and_not_asked(server, connect):
    answers = {
        **{key: {**answer, "x_label_mass": 0.9} for key, answer in ANSWERS.items()},
        "spam": {"type": "other"},
    }
    server.will(Reply(body=response(answers, diagnostics={"a": [1]})))
    answered = await connect().decide(request())
    assert list(answered.answers) == list(QUESTIONS)


@pytest.mark.parametrize("missing", QUESTIONS)
async def test_leaves_out_what_was_not_answered(server, connect, missing):
    answers = {key: answer for key, answer in ANSWERS.items() if key != missing}
    server.will(Reply(body=response(answers)))
    answered = await connect().decide(request())
    assert set(answered.answers) == set(QUESTIONS) - {missing}


@pytest.mark.parametrize("declined", ["unsupported", "refusal"])
async def test_leaves_out_what_was_declined(server, connect, declined):
    answers = {**ANSWERS, "urgency": {"type": declined, "supported_types": ["noul"]}}
    server.will(Reply(body=response(answers)))
    answered = await connect().decide(request())
    assert set(answered.answers) == {"refund", "queue"}


async def test_no_answers_at_all_are_for_the_run_to_judge(server, connect):
    server.will(Reply(body=response({})))
    assert (await connect().decide(request())).answers == {}


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ({"choice": "other"}, AnswerRecord.choice("other")),
        ({"choice": "other", "confidence": None}, AnswerRecord.choice("other")),
        ({"choice": "other", "confidence": 1}, AnswerRecord.choice("other", 1.0)),
        (
            {"choice": "other", "probabilities": {"other": 0.2}},
            AnswerRecord.choice("other", None, {"other": 0.2}),
        ),
    ],
)
async def test_a_choice_may_lack_confidence_and_probabilities(server, connect, answer, read):
    answers = {"queue": {"type": "choice", **answer}}
    server.will(Reply(body=response(answers)))
    assert (await connect().decide(request())).answers["queue"] == read


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ({"score": 0.5}, AnswerRecord.score(0, None, 0.5)),
        ({"score": 1.5}, AnswerRecord.score(1, None, 1.5)),
        ({"score": 1.500001}, AnswerRecord.score(2, None, 1.500001)),
        ({"score": 2}, AnswerRecord.score(2, None, 2.0)),
        ({"score": 0, "probabilities": {}}, AnswerRecord.score(0, None, 0.0)),
        (
            {"probabilities": {"1": 0.4, "0": 0.4}},
            AnswerRecord.score(0, None, None, [0.4, 0.4, None]),
        ),
        ({"probabilities": {"2": 0}}, AnswerRecord.score(2, None, None, [None, None, 0.0])),
        (
            {"score": 7.5, "probabilities": {"0": 0, "1": 0, "2": 0}},
            AnswerRecord.score(0, None, 7.5, [0.0, 0.0, 0.0]),
        ),
        # Equal to twelve decimals is a tie.
        (
            {"probabilities": {"0": 0.3, "1": 0.30000000000000004, "2": 0.3}},
            AnswerRecord.score(0, None, None, [0.3, 0.30000000000000004, 0.3]),
        ),
    ],
)
async def test_a_score_is_its_most_probable_level_or_the_nearest(server, connect, answer, read):
    answers = {"urgency": {"type": "score", **answer}}
    server.will(Reply(body=response(answers)))
    assert (await connect().decide(request())).answers["urgency"] == read


PREFIX = "The response could not be read as the question set's answers: "


@pytest.mark.parametrize(
    ("key", "answer", "told"),
    [
        ("refund", None, "Expected a JSON object but found null."),
        ("refund", [1], "Expected a JSON object but found an array."),
        ("refund", {"noul": 0.5}, "The answer has no 'type' field."),
        ("refund", {"type": "boolean", "noul": 0.5}, "Expected an answer of type 'noul'."),
        ("refund", {"type": ["noul"], "noul": 0.5}, "Expected an answer of type 'noul'."),
        ("refund", {"type": "noul"}, "The answer has no 'noul' field."),
        ("refund", {"type": "noul", "noul": "0.5"}, "Expected a number but found a string."),
        ("refund", {"type": "noul", "noul": True}, "Expected a number but found a boolean."),
        ("queue", {"type": "noul", "noul": 1}, "Expected an answer of type 'choice'."),
        ("queue", {"type": "choice"}, "The answer has no 'choice' field."),
        ("queue", {"type": "choice", "choice": 1}, "Expected a string but found a number."),
        ("queue", {"type": "choice", "choice": "x\u202ey"}, "'x y' is not one of the options."),
        (
            "queue",
            {"type": "choice", "choice": "other", "probabilities": {"Other": 1}},
            "'Other' is not one of the options.",
        ),
        (
            "queue",
            {"type": "choice", "choice": "other", "probabilities": [1]},
            "Expected a JSON object but found an array.",
        ),
        (
            "queue",
            {"type": "choice", "choice": "other", "probabilities": {"other": None}},
            "Expected a number but found null.",
        ),
        (
            "queue",
            {"type": "choice", "choice": "other", "confidence": {}},
            "Expected a number but found an object.",
        ),
        ("urgency", {"type": "score"}, "The answer has no 'score' field."),
        ("urgency", {"type": "score", "score": 2.01}, "The score is outside the levels."),
        ("urgency", {"type": "score", "score": -0.01}, "The score is outside the levels."),
        (
            "urgency",
            {"type": "score", "score": 1, "probabilities": {"3": 1}},
            "'3' is not one of the options.",
        ),
        (
            "urgency",
            {"type": "score", "score": 1, "probabilities": {"01": 1}},
            "'01' is not one of the options.",
        ),
    ],
)
async def test_an_answer_that_cannot_be_read_spoils_the_response(
    server, connect, key, answer, told
):
    usage = {"input_tokens": 5, "output_tokens": 6, "cost": 0}
    server.will(Reply(body=response({**ANSWERS, key: answer}, usage=usage)))
    error = await failure_of(connect())
    assert error.kind is DecisionErrorKind.INVALID_RESPONSE
    assert error.message == f"{PREFIX}{told} (question '{key}')"
    # It was served and billed, so what it cost is known all the same.
    assert (error.status_code, error.model) == (200, "jev-1.13.0")
    assert (error.input_tokens, error.output_tokens, error.cost_usd) == (5, 6, 0.0)
    assert len(server.requests) == error.tries == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", PREFIX + "Expecting value at character 0."),
        (b'{"answers":{}', PREFIX + "Expecting ',' delimiter at character 13."),
        (b'{"answers":{}} x', PREFIX + "Extra data at character 15."),
        (
            b'{"answers":{"refund":{"type":"noul","noul":NaN}}}',
            PREFIX + "NaN at 'answers.refund.noul' is not JSON.",
        ),
        (b"NaN", PREFIX + "NaN is not JSON."),
        (b'[[],{"a":[1,NaN]}]', PREFIX + "NaN at '[1].a[1]' is not JSON."),
        (b'{"x":-Infinity,"answers":{}}', PREFIX + "-Infinity at 'x' is not JSON."),
        (b'{"answers":"\xff"}', PREFIX + "It is not UTF-8 at byte 12."),
        (b"[" * 100_000, PREFIX + "It cannot be read as JSON."),
        (b'{"n":' + b"9" * 5000 + b"}", PREFIX + "It cannot be read as JSON."),
        (b")]}'\n{}", PREFIX + "Expecting value at character 0."),
        (b"[]", "The response body is not a JSON object."),
        (b"{}", "The response has no answers."),
        (b'{"answers":null}', "The response's answers are null."),
        (b'{"answers":[]}', PREFIX + "Expected a JSON object but found an array."),
        (
            b'{"answers":{},"answers":{}}',
            "The response has more than one answers property.",
        ),
        (
            b'{"answers":{"refund":{"type":"noul","noul":1e999}}}',
            PREFIX + "Expected a number but found one that is too large. (question 'refund')",
        ),
    ],
)
async def test_a_body_that_cannot_be_read(server, connect, body, told):
    server.will(Reply(body=body))
    error = await failure_of(connect())
    assert (error.kind, error.message) == (DecisionErrorKind.INVALID_RESPONSE, told)


async def test_the_word_answers_may_stand_elsewhere(server, connect):
    server.will(Reply(body=response(note={"answers": 1})))
    assert (await connect().decide(request())).answers


async def test_a_byte_order_mark_is_dropped(server, connect):
    server.will(Reply(body=b"\xef\xbb\xbf" + json.dumps(response()).encode()))
    assert (await connect().decide(request())).answers


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (None, None, None)),
        ([], (None, None, None)),
        ({"input_tokens": 12.0, "output_tokens": 0}, (12, 0, None)),
        ({"input_tokens": 1.5, "output_tokens": -1}, (None, None, None)),
        ({"input_tokens": "5", "output_tokens": True, "cost": "1"}, (None, None, None)),
        ({"input_tokens": 10**30, "cost": -0.1}, (None, None, None)),
        ({"cost": 0}, (None, None, 0.0)),
        ({"cost": 1e999}, (None, None, None)),
        ({"cost": 10**400}, (None, None, None)),
    ],
)
async def test_counts_that_are_none_are_not_known(server, connect, usage, counts):
    server.will(Reply(body=json.dumps(response(usage=usage)).replace("Infinity", "1e999").encode()))
    read = await connect().decide(request())
    assert (read.input_tokens, read.output_tokens, read.cost_usd) == counts


@pytest.mark.parametrize("model", [None, 5, "", " "])
async def test_a_model_that_is_no_name_is_not_known(server, connect, model):
    server.will(Reply(body=response(model=model)))
    assert (await connect().decide(request())).model is None
