import pytest
from tests.loopback import Reply
from tests.unit.providers.asked import QUESTIONS, request, response

from minos.errors import ConfigError, DecisionError, DecisionErrorKind
from minos.providers import DecisionClientOptions, ProviderName, Secret

pytestmark = pytest.mark.anyio

Kind = DecisionErrorKind
UNSET = "No account is configured. Set"


def wrapped(result):
    return {"result": result, "success": True, "errors": [], "messages": []}


def refused(code, message="told"):
    return {"success": False, "errors": [{"code": code, "message": message}]}


@pytest.fixture
def client(connect, server):
    return connect(
        provider=ProviderName.CLOUDFLARE,
        base_address=f"{server.url}client/v4",
        account_id="0a1b",
        model=None,
    )


async def failure_of(client, asked=None):
    with pytest.raises(DecisionError) as caught:
        await client.decide(asked or request())
    return caught.value


async def test_asks_under_the_account_and_unwraps_the_result(server, client):
    headers = {"cf-ray": "ray-1", "cf-ai-req-id": "ai-1"}
    server.will(Reply(body=wrapped(response(model="clef-flash")), headers=headers))
    answered = await client.decide(request())
    (sent,) = server.requests
    assert sent.path == "/client/v4/accounts/0a1b/ai/run/@cf/cloudflare/clef-flash"
    assert (sent.json["model"], sent.json["questions"]) == ("clef-flash", QUESTIONS)
    assert (answered.model, answered.request_id) == ("clef-flash", "ai-1")
    assert (answered.input_tokens, len(answered.answers)) == (371, 3)


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ((401, 10000), (Kind.UNAUTHORIZED, 1)),
        ((400, 5006), (Kind.VALIDATION, 1)),
        ((400, 7000), (Kind.VALIDATION, 1)),
        ((400, 6003), (Kind.VALIDATION, 1)),
        ((422, 5012), (Kind.VALIDATION, 1)),
        ((413, 5021), (Kind.HTTP, 1)),
        ((429, 3040), (Kind.RATE_LIMITED, 3)),
        ((429, 4006), (Kind.RATE_LIMITED, 1)),
        ((529, 5012), (Kind.OVERLOADED, 3)),
    ],
)
async def test_every_row_of_its_errors(server, client, clock, refusal, told):
    status, code = refusal
    server.otherwise = Reply(status, refused(code))
    error = await failure_of(client)
    assert (error.kind, error.tries) == told
    assert error.message == f"The API returned HTTP {status}. The server said: told"
    assert len(clock.waits) == len(server.requests) - 1 == told[1] - 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (refused(3040, "no room"), "The response has no result. The server said: no room"),
        (wrapped(None), "The response has no result."),
        ({**response()}, "The response has no result."),
        (wrapped({"model": "clef"}), "The response has no answers."),
        (b"[]", "The response body is not a JSON object."),
    ],
)
async def test_an_envelope_without_a_result(server, client, body, told):
    server.will(Reply(body=body))
    error = await failure_of(client)
    assert (error.kind, error.message) == (Kind.INVALID_RESPONSE, told)


@pytest.mark.parametrize(
    "asked",
    [
        request(**{f"q{n}": {"type": "noul", "instructions": "?"} for n in range(65)}),
        request(**{"a b": {"type": "noul", "instructions": "?"}}),
        request(q={"type": "choice", "instructions": "?", "criteria": {"a": None}}),
        request(q={"type": "score", "instructions": "?", "criteria": ["a"]}),
    ],
)
async def test_what_it_does_not_take_is_not_sent(server, client, asked):
    assert (await failure_of(client, asked)).kind is Kind.UNSUPPORTED
    assert not server.requests


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, f"{UNSET} the V environment variable, or AccountId in the config file."),
        ({"account_id": "a/b"}, "The account must be letters, digits, '.', '_' and '-'."),
        (
            {"account_id": "a", "model": "../x"},
            "The model of Cloudflare is part of its path: no '../x'.",
        ),
    ],
)
def test_account_and_model_are_part_of_the_path(options, told):
    options = {"provider": ProviderName.CLOUDFLARE, "api_key": Secret("sk-0123456789"), **options}
    with pytest.raises(ConfigError) as caught:
        DecisionClientOptions(**options).endpoint(account_variable="V")
    assert str(caught.value) == told


def test_no_other_provider_has_an_account():
    options = DecisionClientOptions(api_key=Secret("sk-0123456789"), account_id="a")
    with pytest.raises(ConfigError, match="an option of Cloudflare, not of TypeSafe"):
        options.endpoint()
