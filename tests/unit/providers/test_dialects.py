"""Servers that speak System One each in their way, read through OpenRouter's preset or Custom."""

import pytest
from tests.loopback import Reply
from tests.unit.providers.asked import ANSWERS, QUESTIONS, request, response

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import ProviderName

pytestmark = pytest.mark.anyio

Kind = DecisionErrorKind


async def failure_of(client):
    with pytest.raises(DecisionError) as caught:
        await client.decide(request())
    return caught.value


def with_members(**by_key):
    return {key: {**answer, **by_key.get(key, {})} for key, answer in ANSWERS.items()}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            response(
                with_members(refund={"confidence": 0.82, "probabilities": {"yes": 1, "no": 0}}),
                id="dec-1",
                object="decision",
                created=1790000000,
                diagnostics={"label_mass": [0.9]},
            ),
            id="vLLM",
        ),
        pytest.param(
            response({key: {**a, "x_label_mass": 0.97} for key, a in ANSWERS.items()}),
            id="SGLang",
        ),
        pytest.param(
            response(usage={"input_tokens": 20, "output_tokens": 0}, model="model.gguf"),
            id="llama.cpp",
        ),
        pytest.param(
            response(
                with_members(
                    refund={"confidence": 0.91, "action": "yes"},
                    urgency={"legend": {"0": None, "1": None, "2": None}},
                ),
                routing={"checkpoint": "small"},
            ),
            id="laya",
        ),
        pytest.param(response(latency_ms=12.5), id="Krite"),
        pytest.param(
            response(with_members(urgency={"legend": ["Any time", "This week", "Today"]})),
            id="jev-compatible-server",
        ),
        pytest.param(response(meta={"engine": "mock"}), id="Ollama"),
        pytest.param(response(with_members(refund={"confidence": 0.9})), id="edgejev"),
    ],
)
async def test_extra_members_are_skipped_and_answers_right(server, connect, body):
    server.will(Reply(body=body))
    answers = (await connect().decide(request())).answers
    assert [answers[key].value for key in QUESTIONS] == [True, "shipping", 2]
    assert answers["refund"].confidence is None
    assert answers["queue"].confidence == 0.67


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        # TypeSafe
        (
            Reply(
                401, {"detail": {"error_type": "authentication_error", "message": "not recognised"}}
            ),
            (Kind.UNAUTHORIZED, 1, "not recognised"),
        ),
        (
            Reply(400, {"detail": "at most 255 options"}),
            (Kind.VALIDATION, 1, "at most 255 options"),
        ),
        # OpenRouter
        (
            Reply(
                402,
                {"error": {"code": 402, "message": "no credit", "metadata": {}}, "user_id": "u"},
            ),
            (Kind.HTTP, 1, "no credit"),
        ),
        (
            Reply(
                524, {"error": {"code": 524, "message": "took too long"}, "openrouter_metadata": {}}
            ),
            (Kind.SERVER, 3, "took too long"),
        ),
        # Vercel: the type decides, and is told
        (
            Reply(403, {"error": {"message": "account state", "type": "forbidden"}}),
            (Kind.UNAUTHORIZED, 1, "account state"),
        ),
        # llama.cpp
        (
            Reply(
                422,
                {
                    "error": {
                        "code": 422,
                        "message": "score 2-10",
                        "type": "unprocessable_entity_error",
                    }
                },
            ),
            (Kind.VALIDATION, 1, "score 2-10"),
        ),
        (
            Reply(
                413, {"error": {"code": 413, "message": "large", "type": "request_too_large_error"}}
            ),
            (Kind.HTTP, 1, "large"),
        ),
        (
            Reply(
                400,
                {"error": {"code": 400, "message": "long", "type": "exceed_context_size_error"}},
            ),
            (Kind.VALIDATION, 1, "long"),
        ),
        (
            Reply(
                429,
                {"error": {"code": 429, "message": "queue is full", "type": "rate_limit_error"}},
            ),
            (Kind.RATE_LIMITED, 3, "queue is full"),
        ),
        # vLLM without a way to read this model
        (
            Reply(501, {"error": {"message": "no read strategy"}}),
            (Kind.SERVER, 3, "no read strategy"),
        ),
        # SGLang, laya, jev-compatible-server, Foundry
        (Reply(422, {"detail": "too many options"}), (Kind.VALIDATION, 1, "too many options")),
        (Reply(413, {"detail": "50,000 characters"}), (Kind.HTTP, 1, "50,000 characters")),
        (
            Reply(429, {"error": {"code": "TooMany", "message": "50 a minute", "details": []}}),
            (Kind.RATE_LIMITED, 3, "50 a minute"),
        ),
        # Ollama, dev-double
        (Reply(404, {"error": "model not found"}), (Kind.HTTP, 1, "model not found")),
        (Reply(502, {"error": "cloud"}), (Kind.SERVER, 3, "cloud")),
        # Krite, edgejev
        (
            Reply(400, {"error": {"type": "state_too_long", "message": "4096", "param": "state"}}),
            (Kind.VALIDATION, 1, "4096"),
        ),
    ],
)
async def test_every_error_is_understood(server, connect, clock, sent, told):
    kind, tries, said = told
    server.otherwise = sent
    error = await failure_of(connect())
    assert (error.kind, error.status_code, error.tries) == (kind, sent.status, tries)
    assert error.message == f"The API returned HTTP {sent.status}. The server said: {said}"
    assert error.detail == sent.body
    assert len(clock.waits) == tries - 1


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("x-typesafe-request-id", "a"),
        ("x-request-id", "b"),
        ("x-generation-id", "c"),
        ("apim-request-id", "d"),
        ("cf-ai-req-id", "e"),
        ("CF-Ray", "f"),
    ],
)
async def test_the_request_is_known_by_a_header(server, connect, header, value):
    server.will(Reply(body=response(id="in-body"), headers={header: value}))
    assert (await connect().decide(request())).request_id == value


class TestOpenRouter:
    @pytest.fixture
    def client(self, server, connect):
        return connect(
            provider=ProviderName.OPENROUTER, base_address=f"{server.url}api", model="jev-1.13"
        )

    async def test_is_asked_under_its_own_path(self, server, client):
        usage = {"input_tokens": 371, "output_tokens": 18, "cost": 1.5582e-05}
        server.will(Reply(body=response(usage=usage, id="gen-dec-1", provider="TypeSafe")))
        answered = await client.decide(request())
        assert (answered.cost_usd, answered.request_id) == (1.5582e-05, "gen-dec-1")
        (sent,) = server.requests
        assert (sent.path, sent.json["questions"]) == ("/api/v1/systemone", QUESTIONS)

    @pytest.mark.parametrize(
        ("criteria", "sent"),
        [
            ({"true": "t"}, {"true": "t", "false": "Anything else."}),
            ({"false": {"a": 1}}, {"true": "Anything else.", "false": {"a": 1}}),
            ({"true": "t", "false": "f"}, {"true": "t", "false": "f"}),
        ],
    )
    async def test_gets_both_sides_of_a_noul(self, server, client, criteria, sent):
        server.will(Reply(body=response({})))
        noul = {"type": "noul", "instructions": "?", "criteria": criteria}
        plain = {"type": "noul", "instructions": "?"}
        await client.decide(request(a=noul, b=plain, **QUESTIONS))
        assert server.requests[0].json["questions"] == {
            "a": {**noul, "criteria": sent},
            "b": plain,
            **QUESTIONS,
        }

    async def test_an_error_in_a_body_of_success_is_told(self, server, client):
        error = {"code": 502, "message": "upstream"}
        server.will(Reply(body={"id": "gen-1", "error": error}))
        failed = await failure_of(client)
        assert failed.message == "The response has no answers. The server said: upstream"
        assert (failed.kind, failed.request_id) == (Kind.INVALID_RESPONSE, "gen-1")
