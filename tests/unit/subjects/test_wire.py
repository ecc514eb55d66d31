"""Questions and answers between processes."""

import json

import pytest

from minos.cases import Answer, ToolCall, Usage
from minos.subjects.base import Question, SubjectError
from minos.subjects.wire import question_json, reply_of


def test_a_question_holds_nothing_of_the_right_answer():
    question = Question({"q": "é"}, {"n": 1}, ("a", "b"), object())
    assert json.loads(question_json(question)) == {
        "version": 1,
        "input": {"q": "é"},
        "metadata": {"n": 1},
        "context": ["a", "b"],
    }
    assert json.loads(question_json(Question("x", None, None, None)))["context"] is None


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"plain", "plain"),
        (b"one break\n", "one break"),
        (b"one break\r\n", "one break"),
        (b"two\n\n", "two\n"),
        (b"", ""),
        ("größe".encode(), "größe"),
        (b'{"a": 1}', '{"a": 1}'),
        (b'{"version": 1, "outputs": "x"}', '{"version": 1, "outputs": "x"}'),
        (b'{"version": 1, "output": "x", "more": 1}', '{"version": 1, "output": "x", "more": 1}'),
        (b'{"version": 2, "output": "x"}', '{"version": 2, "output": "x"}'),
        (b"{", "{"),
        (b'{"version": 1, "output": "x"}\n', "x"),
        (b"{" * 100_000, "{" * 100_000),
    ],
)
def test_text_is_an_answer_and_so_is_an_answer_object(body, text):
    assert reply_of(body, "it").answer == Answer(text)


def test_an_answer_object_says_more():
    members = {
        "version": 1,
        "output": "x",
        "tool_calls": ["a", {"name": "b", "arguments": {"c": 1}, "error": 5, "duration_ms": 2}],
        "retrieved": ["d", {"id": "e"}],
        "usage": {"input_tokens": 1, "output_tokens": 2, "cost_usd": 0.5},
    }
    assert reply_of(json.dumps(members).encode(), "it").answer == Answer(
        "x",
        (ToolCall("a"), ToolCall("b", {"c": 1}, "5", 2)),
        ("d", "e"),
        Usage(1, 2, 0.5),
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"\xff", "it is not UTF-8 at byte 0"),
        (b'{"version": 1, "error": "no luck"}', "no luck"),
        (b'{"version": 1, "output": 5}', "'output' must be text"),
        (b'{"version": 1, "output": "\\ud800"}', "an answer object with a fault"),
        (b'{"version": 1, "output": "x", "tool_calls": 5}', "must be lists"),
        (b'{"version": 1, "output": "x", "tool_calls": [5]}', "a tool call must be a name"),
        (b'{"version": 1, "output": "x", "retrieved": [5]}', "must be an id"),
        (b'{"version": 1, "output": "x", "usage": 5}', "'usage' must be an object"),
        (b'{"version": 1, "output": "x", "usage": {"cost_usd": "1"}}', "must be a number"),
        (b'{"version": 1, "output": "x", "usage": {"cost_usd": -1}}', "must be a number from 0"),
        (b'{"version": 1, "output": "x", "usage": {"cost_usd": NaN}}', "must be a number from 0"),
    ],
)
def test_faults_are_told(body, message):
    with pytest.raises(SubjectError) as caught:
        reply_of(body, "it")
    assert message in str(caught.value)
