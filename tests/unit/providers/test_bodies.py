"""How much of a body is read, and what a failed one says."""

import gzip
import json
import zlib

import pytest
from tests.loopback import Reply
from tests.unit.providers.asked import request, response

from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.body import Body, read_body

pytestmark = pytest.mark.anyio

MIB = 1 << 20


@pytest.fixture
def anyio_backend():
    # Under trio httpcore leaves its inner generators to the garbage collector when a body is not
    # read to its end, and trio warns of that.
    return "asyncio"


async def failure_of(client):
    with pytest.raises(DecisionError) as caught:
        await client.decide(request())
    return caught.value


def padded(size):
    body = response(pad="")
    body["pad"] = "x" * (size - len(json.dumps(body)))
    return json.dumps(body).encode()


@pytest.mark.parametrize("chunks", [None, 7])
async def test_an_answer_is_read_up_to_16_mib(server, connect, chunks):
    server.will(Reply(body=padded(16 * MIB), chunks=chunks))
    assert (await connect().decide(request())).answers
    server.will(Reply(body=padded(16 * MIB + 1), chunks=chunks))
    error = await failure_of(connect())
    assert error.kind is DecisionErrorKind.INVALID_RESPONSE
    assert error.message == "The response could not be read: it is longer than 16 MiB."
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("encoding", "compress"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("GZIP", gzip.compress)],
)
async def test_a_compressed_answer_is_read(server, connect, encoding, compress):
    body = compress(json.dumps(response()).encode())
    server.will(Reply(body=body, chunks=5, headers={"Content-Encoding": encoding}))
    assert (await connect().decide(request())).answers
    assert server.requests[0].headers["accept-encoding"] == "gzip, deflate"


async def test_a_bomb_is_not_unpacked(server, connect):
    bomb = gzip.compress(b"0" * (64 * MIB), 9)
    assert len(bomb) < MIB // 8
    server.otherwise = Reply(body=bomb, headers={"Content-Encoding": "gzip"})
    error = await failure_of(connect())
    assert error.message == "The response could not be read: it is longer than 16 MiB."
    raw = await connect().exchange(request())
    assert len(raw.body.data) == 16 * MIB


@pytest.mark.parametrize(
    ("encoding", "body", "told"),
    [
        ("gzip", gzip.compress(b"{}" * 99)[:-9], "ends in the middle of its compression"),
        ("gzip", b"{}", "is not compressed as it says"),
        ("br", b"{}", "is encoded as 'br'"),
    ],
)
async def test_a_body_that_is_not_compressed_as_it_says(server, connect, encoding, body, told):
    server.will(Reply(body=body, headers={"Content-Encoding": encoding}))
    error = await failure_of(connect())
    assert error.message == f"The response could not be read: it {told}."
    assert error.kind is DecisionErrorKind.INVALID_RESPONSE


async def test_what_follows_a_compressed_body_is_not_read():
    pulled = []

    async def chunks():
        yield gzip.compress(b"{}")
        for number in range(100):
            pulled.append(number)
            yield bytes(9)

    body = await read_body(chunks(), "gzip", MIB)
    assert (body.data, pulled) == (b"{}", [0])
    assert body.fault == "goes on after the end of its compression"


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
async def test_a_body_of_several_gzip_members_is_read_whole(size):
    data = json.dumps(response()).encode()
    parts = [data[:9], b"", data[9:300], data[300:]]
    packed = b"".join(map(gzip.compress, parts))

    async def chunks():
        for start in range(0, len(packed), size):
            yield packed[start : start + size]

    assert await read_body(chunks(), "gzip", MIB) == Body(data)
    assert (await read_body(chunks(), "deflate", MIB)).fault


async def test_members_that_hold_nothing_come_to_an_end():
    pulled = []

    async def chunks():
        while True:
            pulled.append(None)
            yield gzip.compress(b"") * 3000

    body = await read_body(chunks(), "gzip", 16 * 1024)
    assert (body.data, body.fault) == (b"", "is longer than 16 KiB")
    assert len(pulled) < 20


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
@pytest.mark.parametrize("behind", [b"\0", b"{}", b"\x1f", gzip.compress(b"{}")[:7]])
async def test_what_follows_a_compressed_body_is_told(server, connect, encoding, behind):
    compress = {"gzip": gzip.compress, "deflate": zlib.compress}[encoding]
    body = compress(json.dumps(response()).encode()) + behind
    server.will(Reply(body=body, headers={"Content-Encoding": encoding}))
    error = await failure_of(connect())
    assert error.kind is DecisionErrorKind.INVALID_RESPONSE
    is_another = encoding == "gzip" and behind[0] == 0x1F
    told = "ends in the middle" if is_another else "goes on after the end"
    assert error.message == f"The response could not be read: it {told} of its compression."


async def test_a_key_that_names_an_encoding_is_masked(server, connect):
    key = "Sk-0123456789"
    server.will(Reply(body=response(), headers={"Content-Encoding": key}))
    error = await failure_of(connect(key=key))
    assert error.message == "The response could not be read: it is encoded as '***'."


async def test_an_error_is_read_up_to_16_kib(server, connect):
    whole = {"error": "no", "pad": "x" * (16 * 1024 - len('{"error": "no", "pad": ""}'))}
    server.will(Reply(400, whole))
    error = await failure_of(connect())
    assert (error.detail, error.message) == (
        whole,
        "The API returned HTTP 400. The server said: no",
    )
    server.will(Reply(400, {**whole, "pad": whole["pad"] + "x"}))
    raw = await connect().exchange(request())
    assert (len(raw.body.data), raw.body.fault) == (16 * 1024, "is longer than 16 KiB")
    server.will(Reply(400, {**whole, "pad": whole["pad"] + "x"}))
    assert (await failure_of(connect())).detail is None


@pytest.mark.parametrize(
    ("content_type", "is_read"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("application/problem+json", True),
        ("text/plain", False),
        ("application/jsonp", False),
        (None, False),
    ],
)
async def test_detail_is_there_where_the_type_says_json(server, connect, content_type, is_read):
    server.will(Reply(400, {"error": "no"}, content_type=content_type))
    error = await failure_of(connect())
    assert (error.detail == {"error": "no"}) is is_read
    assert (error.detail is None) is not is_read


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": "text"}, "text"),
        ({"error": {"message": "inner", "type": "t", "code": 400}}, "inner"),
        ({"error": {}, "message": "outer"}, "outer"),
        ({"detail": "at most 255 options per choice"}, "at most 255 options per choice"),
        (
            {"detail": {"error_type": "api_usage_error", "message": "no model jev-0"}},
            "no model jev-0",
        ),
        ({"detail": {"error_type": "max_tokens_exceeded"}}, "max_tokens_exceeded"),
        (
            {
                "detail": [
                    {"type": "missing", "loc": ["body", "state"], "msg": "is required"},
                    {"loc": ["body", "questions", 0], "msg": "is wrong", "input": "private"},
                    "odd",
                ]
            },
            "body.state: is required; body.questions.0: is wrong",
        ),
        (
            {"success": False, "errors": [{"code": 5006, "message": "bad questions"}]},
            "bad questions",
        ),
        ({"error": "line\none\x00\x1b[31m\u2028two"}, "line one [31m two"),
        ({"error": "é" * 300}, "é" * 199 + "…"),
        ({"other": "x"}, ""),
        ([1], ""),
        ("words", "words"),
        (b"{not json", "{not json"),
        (b"<html><h1>Bad gateway</h1>", ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
async def test_what_a_server_says_is_told_in_one_line(server, connect, body, said):
    server.will(Reply(400, body))
    error = await failure_of(connect())
    told = f" The server said: {said}" if said else ""
    assert error.message == f"The API returned HTTP 400.{told}"
