import json
from dataclasses import replace

import pytest
from tests.loopback import Reply
from tests.planted import PLANTED
from tests.unit.providers.asked import QUESTIONS, request, response

from minos.errors import DecisionError
from minos.providers.cache import CachedClient, ResponseCache

pytestmark = pytest.mark.anyio


@pytest.fixture
def cache(tmp_path, clock):
    return ResponseCache(tmp_path / "cache", clock=clock)


def files(tmp_path):
    return sorted((tmp_path / "cache").rglob("*.json"))


async def test_what_was_answered_once_is_not_asked_again(server, connect, cache):
    usage = {"input_tokens": 5, "output_tokens": 6, "cost": 0.25}
    server.otherwise = Reply(body=response(usage=usage), headers={"x-request-id": "req-1"})
    client = CachedClient(connect(), cache)
    first = await client.decide(request())
    again = await client.decide(request())
    assert len(server.requests) == 1
    assert not first.cached
    assert again == replace(first, cached=True, cost_usd=None)
    assert (again.request_id, again.model, again.input_tokens) == ("req-1", "jev-1.13.0", 5)


async def test_everything_that_may_change_the_answer_is_in_the_key(server, connect, cache):
    server.otherwise = Reply(body=response())
    asked = [
        (CachedClient(connect(), cache), request()),
        (CachedClient(connect(), cache, repeat=2), request()),
        (CachedClient(connect(model="other"), cache), request()),
        (CachedClient(connect(path="v2/systemone"), cache), request()),
        (CachedClient(connect(), cache), request(b"[]")),
        (CachedClient(connect(), cache), request(refund=QUESTIONS["refund"])),
    ]
    for client, what in asked:
        assert not (await client.decide(what)).cached
    for client, what in asked:
        assert (await client.decide(what)).cached
    assert len(server.requests) == len(asked)


@pytest.mark.parametrize(
    "reply",
    [
        Reply(400, {"error": "no"}),
        Reply(body={}),
        Reply(body=response({})),
        Reply(body=response({"refund": {"type": "noul", "noul": "x"}})),
    ],
)
async def test_only_answers_are_kept(server, connect, cache, tmp_path, reply):
    server.otherwise = reply
    client = CachedClient(connect(), cache)
    for _ in range(2):
        try:
            assert not (await client.decide(request())).answers
        except DecisionError:
            continue
    assert len(server.requests) == 2
    assert not files(tmp_path)


async def test_an_old_answer_is_asked_for_again(server, connect, tmp_path, clock):
    server.otherwise = Reply(body=response())
    client = CachedClient(connect(), ResponseCache(tmp_path / "cache", max_age_s=3600, clock=clock))
    await client.decide(request())
    clock.elapsed_s = 3600
    assert (await client.decide(request())).cached
    clock.elapsed_s = 3600.002
    assert not (await client.decide(request())).cached
    assert (await client.decide(request())).cached
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "",
        lambda text: text[:-20],
        lambda _: "[]",
        lambda _: "{}",
        lambda text: text.replace('"version": 1', '"version": 2'),
        lambda text: text.replace('"statusCode": 200', '"statusCode": "200"'),
        lambda text: text.replace('"storedAt": "', '"storedAt": "x'),
        lambda text: text.replace("+00:00", ""),
        lambda text: text.replace("answers", "replies"),
        lambda _: "[" * 100_000,
    ],
)
async def test_a_file_that_is_spoilt_is_as_good_as_none(server, connect, cache, tmp_path, spoil):
    server.otherwise = Reply(body=response())
    client = CachedClient(connect(), cache)
    await client.decide(request())
    (path,) = files(tmp_path)
    path.write_text(spoil(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert not (await client.decide(request())).cached
    assert (await client.decide(request())).cached


async def test_it_holds_no_key_and_no_headers(server, connect, cache, tmp_path, planted):
    body = response(note=PLANTED)
    server.otherwise = Reply(body=body, headers={"x-request-id": PLANTED, "x-secret": "s3cr3t"})
    client = CachedClient(connect(), cache)
    planted.append(await client.decide(request()))
    (path,) = files(tmp_path)
    text = path.read_text(encoding="utf-8")
    planted.append(text)
    assert "s3cr3t" not in text
    document = json.loads(text)
    assert set(document) == {
        "kind",
        "version",
        "provider",
        "address",
        "model",
        "storedAt",
        "statusCode",
        "requestId",
        "body",
    }
    assert json.loads(document["body"])["note"] == "***"
    assert (document["model"], document["storedAt"]) == (
        "jev-test",
        "2026-11-30T12:00:00.000+00:00",
    )
    assert not [other for other in path.parent.iterdir() if other != path]


async def test_a_directory_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(FileExistsError):
        ResponseCache(tmp_path / "cache")


async def test_closing_closes_the_client(connect, cache):
    client = CachedClient(connect(), cache)
    await client.aclose()
    with pytest.raises(RuntimeError, match="closed"):
        await client.decide(request())
