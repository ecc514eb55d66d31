"""Every dialect against servers that answer as no server should, over the wire."""

import gzip
import json
import traceback
from base64 import b64encode
from urllib.parse import quote

import pytest
from tests.loopback import Drop, Hang, Raw, Reply
from tests.planted import PLANTED
from tests.unit.providers.asked import request
from tests.unit.providers.dialects import DIALECTS

from minos.errors import DecisionError, DecisionErrorKind

pytestmark = pytest.mark.anyio

Kind = DecisionErrorKind
UNREADABLE = "The response could not be read: it "
NO_ANSWERS = "The response could not be read as the question set's answers: "


@pytest.fixture
def anyio_backend():
    # Under trio httpcore leaves its inner generators to the garbage collector when a body is not
    # read to its end, and trio warns of that.
    return "asyncio"


@pytest.fixture(params=DIALECTS)
def dialect(request):
    return DIALECTS[request.param]


@pytest.fixture
def client(dialect, server, connect):
    options = {"model": None, **dialect.options, "base_address": server.url + dialect.base}
    return connect(max_retries=1, jitter=False, **options)


async def failure_of(client):
    with pytest.raises(DecisionError) as caught:
        await client.decide(request())
    error = caught.value
    assert error.message.isprintable()
    assert len(error.message) < 400
    return error


def packed(body):
    return gzip.compress(json.dumps(body).encode())


def http(head, body=b""):
    return Raw(b"HTTP/1.1 " + head.replace(b"\n", b"\r\n") + b"\r\n\r\n" + body)


GZIP = {"Content-Encoding": "gzip"}


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (200, b"", NO_ANSWERS + "Expecting value at character 0."),
        (204, b"", NO_ANSWERS + "Expecting value at character 0."),
        (200, b"<html>It works!</html>", NO_ANSWERS + "Expecting value at character 0."),
        (200, b"\x1f\x8b\x08", NO_ANSWERS + "It is not UTF-8 at byte 1."),
        (200, "{}".encode("utf-16"), NO_ANSWERS + "It is not UTF-8 at byte 0."),
        (200, b"[" * 200_000, NO_ANSWERS + "It cannot be read as JSON."),
        (200, b"{}{}", NO_ANSWERS + "Extra data at character 2."),
        (200, b"data: {}\n\n", NO_ANSWERS + "Expecting value at character 0."),
        (200, [], "The response body is not a JSON object."),
        (200, "text", "The response body is not a JSON object."),
    ],
)
async def test_a_success_that_is_none(server, client, status, body, told):
    server.will(Reply(status, body))
    error = await failure_of(client)
    assert (error.kind, error.status_code, error.tries) == (Kind.INVALID_RESPONSE, status, 1)
    assert error.message == told


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"code": 502, "message": "upstream is gone"}}, "upstream is gone"),
        ({"error": "no such model"}, "no such model"),
        ({"detail": [{"loc": ["body"], "msg": "is wrong"}]}, "body: is wrong"),
        ({"success": False, "errors": [{"code": 1, "message": "told"}]}, "told"),
    ],
)
async def test_an_error_that_is_sent_as_a_success(server, client, body, said):
    server.will(Reply(200, body))
    error = await failure_of(client)
    assert error.kind is Kind.INVALID_RESPONSE
    assert error.message.startswith("The response has no ")
    assert error.message.endswith(f" The server said: {said}")


async def test_the_content_type_of_a_success_does_not_matter(server, client, dialect):
    for content_type in ("text/plain", "text/html; charset=latin-1", "", None):
        server.will(Reply(200, dialect.body, content_type=content_type))
        assert len((await client.decide(request())).answers) == 3


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        (lambda data: data[:-9], "ends in the middle of its compression"),
        (lambda data: data[:40], "ends in the middle of its compression"),
        (lambda data: data[:30] + b"?" * 30 + data[60:], "is not compressed as it says"),
        (lambda data: data + b"\0" * 8, "goes on after the end of its compression"),
        (lambda data: data + data[:20], "ends in the middle of its compression"),
        (lambda _: b"{}", "is not compressed as it says"),
        (lambda _: b"", "ends in the middle of its compression"),
    ],
)
async def test_a_body_that_is_badly_packed(server, client, dialect, cut, told):
    server.will(Reply(200, cut(packed(dialect.body)), headers=GZIP))
    error = await failure_of(client)
    assert (error.kind, error.message) == (Kind.INVALID_RESPONSE, f"{UNREADABLE}{told}.")


async def test_a_body_in_several_members_is_read(server, client, dialect):
    data = json.dumps(dialect.body).encode()
    server.will(Reply(200, gzip.compress(data[:50]) + gzip.compress(data[50:]), headers=GZIP))
    assert len((await client.decide(request())).answers) == 3


@pytest.mark.parametrize(
    "step",
    [
        Drop(),
        http(b"200 OK\nContent-Length: 900", b'{"answers":'),
        http(b"200 OK\nContent-Length: -1", b"{}"),
        http(b"200 OK\nContent-Length: 2\nContent-Length: 3", b"{}"),
        http(b"200 OK\nContent-Length: 0x2", b"{}"),
        http(b"200 OK\nContent-Length: 2 2", b"{}"),
        http(b"200 OK\nTransfer-Encoding: chunked", b"2\r\n{}\r\nzz"),
        http(b"200 OK\nTransfer-Encoding: gzip", b"{}"),
        http(b"2000 OK", b"{}"),
        http(b"twohundred", b"{}"),
        http(b"200 OK\nno colon", b"{}"),
        http(b"200 OK\nX: \0", b"{}"),
        http(b"200 OK\nX: " + b"x" * 200_000, b"{}"),
        Raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"),
        Raw(b"SSH-2.0-OpenSSH_9.9\r\n"),
    ],
)
async def test_no_whole_response_is_a_network_fault_and_is_tried_again(server, client, step):
    server.will(step, step)
    error = await failure_of(client)
    assert (error.kind, error.status_code, error.tries) == (Kind.NETWORK, None, 2)
    assert len(server.requests) == 2


async def test_what_follows_the_length_of_a_body_is_read_as_no_answer(server, client, dialect):
    right = json.dumps(dialect.body).encode()
    server.will(http(b"200 OK\nContent-Length: %d" % len(right), right + b"HTTP/1.1 200 OK\r\n"))
    server.otherwise = Reply(200, dialect.body)
    for _ in range(2):
        assert len((await client.decide(request())).answers) == 3


async def test_a_body_that_drips_is_cut_off_at_the_time_limit(server, client, clock):
    async def drip():
        clock.expire()

    server.otherwise = Hang(clock.expire)
    error = await failure_of(client)
    assert (error.kind, error.tries) == (Kind.TIMEOUT, 2)
    server.otherwise = Reply(200, b"{" * 99, before=drip)
    assert (await failure_of(client)).kind is Kind.TIMEOUT
    assert clock.limits == [60.0] * 4


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed_and_takes_no_key_along(server, client, status):
    server.will(Reply(status, headers={"Location": f"http://127.0.0.2:1/?key={PLANTED}"}))
    error = await failure_of(client)
    assert (error.kind, error.status_code, error.tries) == (Kind.HTTP, status, 1)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "wait",
    [
        *("NaN", "inf", "-1", "1e9", "0x10", "", " ", "soon", "9" * 400, "0." + "9" * 400, "1,5"),
        *("٣", "Mon, 31 Feb 2027 00:00:00 GMT", "Mon, 30 Nov 9999 12:00:09 GMT", "-0", "+5"),
        *("Mon, 30 Nov 0000 12:00:09 GMT", "Sun Nov  6 08:49:37 1994", PLANTED, "5\t"),
    ],
)
@pytest.mark.parametrize("header", ["Retry-After", "retry-after-ms"])
async def test_a_wait_that_makes_no_sense_is_bounded(server, connect, clock, header, wait):
    line = f"HTTP/1.1 429 Told\r\n{header}: {wait}\r\nContent-Length: 0\r\n\r\n"
    server.otherwise = Raw(line.encode())
    error = await failure_of(connect(max_retries=1, jitter=False))
    assert (error.kind, error.tries) == (Kind.RATE_LIMITED, 2)
    (waited,) = clock.waits
    assert 0 <= waited <= 30
    assert error.retry_after_s is None or 0 <= error.retry_after_s <= 2147483.647


ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in PLANTED)


@pytest.mark.parametrize("status", [200, 302, 401, 500])
@pytest.mark.parametrize(
    "echo",
    [
        PLANTED,
        PLANTED.replace("/", r"\/"),
        ESCAPED,
        json.dumps(json.dumps(f"\N{PILE OF POO}{PLANTED}"))[1:-1],
        quote(PLANTED, safe=""),
        b64encode(PLANTED.encode()).decode(),
        b64encode(b"user:" + PLANTED.encode()).decode(),
    ],
    ids=["plain", "slashes", "escaped", "nested", "url", "base64", "basic"],
)
async def test_a_key_that_comes_back_is_masked(server, client, planted, status, echo):
    body = f'{{"error": {{"message": "no {echo}"}}, "{echo}": "{echo}", "model": "{echo}"}}'
    headers = {"x-request-id": echo, "Location": f"/{echo}", "Set-Cookie": f"k={echo}"}
    for content_type in ("application/json", "text/plain"):
        server.will(Reply(status, body.encode(), headers=headers, content_type=content_type))
        server.will(Reply(status, body.encode(), headers=headers, content_type=content_type))
        error = await failure_of(client)
        server.script.clear()
        server.will(Reply(status, body.encode(), headers=headers, content_type=content_type))
        server.will(Reply(status, body.encode(), headers=headers, content_type=content_type))
        raw = await client.exchange(request())
        server.script.clear()
        planted += [error, error.detail, raw]


@pytest.mark.parametrize(
    "step",
    [
        Raw(f"HTTP/1.1 {PLANTED}\r\n\r\n".encode()),
        Raw(f"{PLANTED}\r\n\r\n".encode()),
        Raw(f"HTTP/1.1 200 OK\r\n{PLANTED}\r\n\r\n".encode()),
        Raw(f"HTTP/1.1 200 OK\r\nContent-Length: {PLANTED}\r\n\r\n".encode()),
        Raw(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {PLANTED}\r\n\r\n".encode()),
        Raw(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{PLANTED}\r\n".encode()),
        Reply(200, b"{}", headers={"Content-Encoding": PLANTED}),
    ],
)
async def test_a_key_in_what_is_no_http_is_masked(server, client, planted, step):
    server.otherwise = step
    error = await failure_of(client)
    planted += [error, "".join(traceback.format_exception(error))]


async def test_no_answer_that_was_cut_off_reads_as_one_that_was_not(server, client, dialect):
    whole = json.dumps(dialect.body).encode()
    for end in range(0, len(whole), 7):
        server.will(Reply(200, whole[:end]))
        assert (await failure_of(client)).kind is Kind.INVALID_RESPONSE
