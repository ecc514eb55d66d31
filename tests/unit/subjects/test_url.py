"""URLs as subjects."""

import pytest
from tests.loopback import Drop, Reply, loopback

from minos.attempts.sync import run_in_own_loop
from minos.cases import Answer, Case
from minos.errors import ConfigError
from minos.subjects.base import Question, SubjectError
from minos.subjects.url import UrlSubject

QUESTION = Question("hello", None, ("a",), Case(input="hello", expected_output="secret"))


def ask(*steps):
    """Ask once for each step; give the requests and what came of each."""

    async def run():
        async with loopback() as server:
            server.will(*steps)
            subject = UrlSubject(server.url + "answer")
            came = []
            for _ in steps:
                try:
                    came.append((await subject.ask(QUESTION)).answer)
                except SubjectError as error:
                    came.append(str(error))
            await subject.aclose()
            return server.requests, came

    return run_in_own_loop(run)


def test_the_question_is_posted_and_the_body_is_the_answer():
    requests, came = ask(
        Reply(body=b"text\n", content_type="text/plain"),
        Reply(body={"version": 1, "output": "x", "tool_calls": ["t"]}),
        Reply(body={"answer": 5}),
    )
    assert came[0] == Answer("text")
    assert came[1].tool_calls[0].name == "t"
    assert came[2] == Answer('{"answer": 5}')
    assert requests[0].method == "POST"
    assert requests[0].path == "/answer"
    assert requests[0].json == {
        "version": 1,
        "input": "hello",
        "metadata": None,
        "context": ["a"],
    }
    assert b"secret" not in requests[0].body


def test_what_goes_wrong_is_told():
    _, came = ask(
        Reply(500, b"broken"),
        Reply(302, headers={"Location": "http://127.0.0.1:1/"}),
        Drop(),
        Reply(body=b"\xff"),
        Reply(body=b"x" * ((16 << 20) + 1), chunks=64),
        Reply(body=b"half", cut=74),
    )
    assert came[0] == "the URL answered with status 500"
    assert came[1] == "the URL answered with status 302"
    assert came[2].startswith("the URL cannot be reached: ")
    assert came[3] == "the URL's answer is not UTF-8 at byte 0"
    assert came[4] == "the URL answered with more than 16 MiB"
    assert came[5].startswith("the URL cannot be reached: ")


def test_an_address_that_nobody_listens_at_is_told():
    async def run():
        async with loopback() as server:
            url = server.url
        with pytest.raises(SubjectError, match="the URL cannot be reached"):
            await UrlSubject(url).ask(QUESTION)

    run_in_own_loop(run)


@pytest.mark.parametrize("url", ["ftp://x", "example.org", "http://", "https://a:b@c/"])
def test_other_addresses_are_refused(url):
    with pytest.raises(ConfigError, match="the URL must"):
        UrlSubject(url)


def test_the_name_holds_no_query():
    assert UrlSubject("https://example.org/answer/?key=1").name == "example.org/answer"
