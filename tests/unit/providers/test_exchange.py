import anyio
import httpx
import httpx2
import pytest
from tests.loopback import Drop, Hang, Raw, Reply
from tests.planted import PLANTED
from tests.unit.providers.asked import request, response

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers import Secret

pytestmark = pytest.mark.anyio

Kind = DecisionErrorKind


async def failure_of(client):
    with pytest.raises(DecisionError) as caught:
        await client.decide(request())
    return caught.value


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (400, (Kind.VALIDATION, 1)),
        (401, (Kind.UNAUTHORIZED, 1)),
        (402, (Kind.HTTP, 1)),
        (403, (Kind.UNAUTHORIZED, 1)),
        (404, (Kind.HTTP, 1)),
        (408, (Kind.HTTP, 3)),
        (409, (Kind.HTTP, 1)),
        (413, (Kind.HTTP, 1)),
        (422, (Kind.VALIDATION, 1)),
        (429, (Kind.RATE_LIMITED, 3)),
        (500, (Kind.SERVER, 3)),
        (501, (Kind.SERVER, 3)),
        (502, (Kind.SERVER, 3)),
        (503, (Kind.OVERLOADED, 3)),
        (504, (Kind.SERVER, 3)),
        (524, (Kind.SERVER, 3)),
        (529, (Kind.OVERLOADED, 3)),
        (599, (Kind.SERVER, 3)),
    ],
)
async def test_every_status_has_its_kind_and_only_what_may_pass_is_tried_again(
    server, connect, clock, status, told
):
    kind, tries = told
    server.otherwise = Reply(status, content_type=None)
    error = await failure_of(connect())
    assert (error.kind, error.status_code) == (kind, status)
    assert error.message == f"The API returned HTTP {status}."
    assert str(error) == f"{kind} ({status}): The API returned HTTP {status}."
    assert error.tries == len(server.requests) == tries
    # 0.5 s and 1 s, and half of the half that chance may add.
    assert clock.waits == [0.625, 1.25][: tries - 1]
    assert clock.limits == [60.0] * tries


async def test_retries_are_counted_for_the_server(server, connect):
    server.will(Reply(500), Reply(503), Reply(body=response()))
    answered = await connect().decide(request())
    counts = [sent.headers.get("x-typesafe-retry-count") for sent in server.requests]
    assert counts == [None, "1", "2"]
    assert answered.tries == 3
    assert len({sent.body for sent in server.requests}) == 1


async def test_retries_are_as_many_as_asked_for(server, connect, clock):
    server.otherwise = Reply(500)
    await failure_of(connect(max_retries=0))
    assert (len(server.requests), clock.waits) == (1, [])
    await failure_of(connect(max_retries=10, initial_backoff_s=1, jitter=False))
    assert clock.waits == [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7),
        ({"retry-after-ms": "250", "Retry-After": "7"}, 0.25),
        ({"retry-after-ms": "-1", "Retry-After": "7"}, 7),
        ({"Retry-After": "0"}, 0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "86400"}, 30),
        ({"Retry-After": "Mon, 30 Nov 2026 12:00:09 GMT"}, 9),
        ({"Retry-After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"Retry-After": "soon"}, 0.625),
        ([("Retry-After", "3"), ("Retry-After", "20")], 3),
    ],
)
async def test_waits_as_long_as_the_server_asks(server, connect, clock, headers, wait):
    server.will(Reply(429, headers=headers), Reply(body=response()))
    await connect().decide(request())
    assert clock.waits == [wait]


async def test_tells_how_long_the_server_asked_to_wait(server, connect):
    server.otherwise = Reply(429, headers={"Retry-After": "120"})
    assert (await failure_of(connect())).retry_after_s == 120


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (Drop(), "Server disconnected without sending a response."),
        (Raw(b"HTTP/1.1 200 OK\r\nContent-Le"), "Server disconnected without sending a response."),
        (Raw(b"hello\r\n\r\n"), "illegal status line"),
        (Reply(body=response(), cut=150), "peer "),
        (Reply(body=response(), chunks=4, cut=200), "peer "),
        (Raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "illegal chunk"),
    ],
)
async def test_a_connection_that_breaks_is_a_network_fault(server, connect, clock, step, told):
    server.otherwise = step
    error = await failure_of(connect())
    assert (error.kind, error.status_code) == (Kind.NETWORK, None)
    assert told in error.message
    assert (error.tries, len(server.requests), clock.waits) == (3, 3, [0.625, 1.25])


async def test_a_server_that_is_not_there_is_a_network_fault(connect, clock):
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener:
        port = listener.extra_attributes[anyio.abc.SocketAttribute.local_port]()
    error = await failure_of(connect(base_address=f"http://127.0.0.1:{port}"))
    assert (error.kind, error.tries) == (Kind.NETWORK, 3)
    assert error.message
    assert clock.waits == [0.625, 1.25]


async def test_a_try_that_takes_too_long_is_cut_off_and_sent_again(server, connect, clock, caplog):
    server.will(Hang(clock.expire), Reply(body=response(), cut=60), Reply(body=response()))
    answered = await connect(timeout_s=7).decide(request())
    assert (answered.tries, clock.limits) == (3, [7, 7, 7])
    assert [record.message for record in caplog.records if record.name == "minos.providers"] == [
        "A request timed out and is sent again; it may be billed twice."
    ]


async def test_a_time_out_that_is_not_tried_again_is_told(server, connect, clock, caplog):
    server.will(Hang(clock.expire))
    error = await failure_of(connect(max_retries=0))
    assert (error.kind, error.message) == (Kind.TIMEOUT, "The request timed out.")
    assert not caplog.records


async def test_redirects_are_not_followed(server, connect):
    server.otherwise = Reply(307, headers={"Location": f"{server.url}elsewhere"})
    for http_client in (None, httpx.AsyncClient(follow_redirects=True)):
        error = await failure_of(connect(http_client=http_client))
        assert (error.kind, error.status_code) == (Kind.HTTP, 307)
        if http_client is not None:
            await http_client.aclose()
    assert [sent.path for sent in server.requests] == ["/v1/systemone"] * 2


@pytest.mark.parametrize("library", [httpx, httpx2])
async def test_sends_through_a_client_that_is_given(server, connect, clock, library):
    async with library.AsyncClient(headers={"x-mine": "1"}, timeout=0.000001) as http_client:
        client = connect(http_client=http_client)
        server.will(Drop(), Reply(body=response()))
        assert (await client.decide(request())).tries == 2
        assert server.requests[0].headers["x-mine"] == "1"
        assert server.requests[0].headers["user-agent"].startswith("minos/")
        server.will(Hang(clock.expire))
        server.otherwise = Reply(body=response())
        assert (await client.decide(request())).tries == 2
        await client.aclose()
        assert not http_client.is_closed


async def test_refuses_a_client_of_another_library(connect):
    with pytest.raises(TypeError, match="must be an AsyncClient of httpx or httpx2, not object"):
        connect(http_client=object())


async def test_requests_under_way_have_a_connection_each_and_share_it_later(server, connect):
    client = connect()
    together = anyio.Event()
    server.otherwise = Reply(body=response(), before=together.wait)
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(client.decide, request())
        while len(server.requests) < 5:
            await anyio.lowlevel.checkpoint()
        together.set()
    for _ in range(5):
        await client.decide(request())
    assert (server.connections, len(server.requests)) == (5, 10)


async def test_a_cancelled_request_leaves_no_broken_connection(server, connect):
    client = connect()
    with anyio.CancelScope() as scope:
        server.will(Hang(scope.cancel))
        await client.decide(request())
    assert scope.cancelled_caught
    server.will(Reply(body=response()))
    assert (await client.decide(request())).tries == 1


async def test_closing_fails_what_is_under_way(server, connect):
    client = connect()
    reached = anyio.Event()
    server.will(Hang(reached.set))
    errors = []

    async def ask():
        errors.append(await failure_of(client))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        await reached.wait()
        await client.aclose()
    (error,) = errors
    assert error.kind is Kind.DISPOSED
    assert error.message == "The client was disposed while the request was in flight."
    with pytest.raises(RuntimeError, match="the client is closed"):
        await client.decide(request())


def hostile(echo):
    return {
        "error": {"message": f"bad key {PLANTED}\u202e\x1b[31m" + "x" * 500, "key": {echo: echo}},
        "detail": [echo],
    }


@pytest.mark.parametrize("status", [200, 401, 500])
async def test_a_key_that_a_server_sends_back_is_masked(server, connect, planted, status):
    server.otherwise = Reply(
        status,
        {**hostile(PLANTED), "model": PLANTED, "answers": 5},
        headers={"x-request-id": f"id-{PLANTED}", "x-other": PLANTED},
    )
    client = connect()
    error = await failure_of(client)
    raw = await client.exchange(request())
    planted += [error, error.detail, raw, client, client.endpoint, vars(client)]
    assert (error.request_id, raw.headers["x-other"]) == ("id-***", "***")
    assert len(error.message) < 300
    assert error.message.isprintable()


async def test_a_key_with_escaped_slashes_is_masked_too(server, connect, planted):
    body = b'{"error": "no key %b"}' % PLANTED.replace("/", "\\/").encode()
    server.will(Reply(401, body))
    error = await failure_of(connect())
    planted += [error]
    assert error.message == "The API returned HTTP 401. The server said: no key ***"


async def test_values_of_headers_are_secret(server, connect, planted):
    server.will(Reply(403, {"error": PLANTED}))
    client = connect(key=None, headers={"Api-Key": Secret(PLANTED)})
    error = await failure_of(client)
    assert server.requests[0].headers["api-key"] == PLANTED
    planted += [error, client.endpoint]


async def test_an_error_without_a_response_shows_no_key(connect, planted):
    error = await failure_of(connect(base_address="http://127.0.0.1:1/"))
    planted += [error]
    assert error.kind is Kind.NETWORK
