"""`minos calibrate` over servers that others have written."""

import json
import logging

import pytest
from jevcompat import mock
from tests.cli.calibrate.calls import serving
from tests.loopback import Reply
from tests.planted import PLANTED
from tests.servers import sparrow_decider_server

from minos.cli.main import run
from minos.cli.output import Output
from minos.cli.warnings_shown import provider_warnings

QUESTIONS = {
    "topic": {
        "type": "choice",
        "instructions": "Which topic is this message about?",
        "criteria": {"card": "The card has not arrived.", "fee": "A fee was charged.", "x": None},
    },
    "urgent": {"type": "noul", "instructions": "Does the customer need action today?"},
    "mood": {
        "type": "score",
        "instructions": "How upset is the customer?",
        "criteria": ["calm", "annoyed", "angry"],
    },
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    items = [
        {
            "id": f"m{number}",
            "state": f"My card number {number} was meant to arrive last week!",
            "questions": QUESTIONS,
            "expected": {"topic": "card", "urgent": number % 2 == 0, "mood": 1},
        }
        for number in range(20)
    ]
    lines = "".join(json.dumps(item) + "\n" for item in items)
    (tmp_path / "support.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def configure(folder, url):
    section = {"Provider": "Custom", "BaseAddress": url, "Model": "jev-latest"}
    document = {"Minos": {"Active": "local", "Providers": {"local": section}}}
    (folder / "minos.json").write_text(json.dumps(document), encoding="utf-8")


def calibrate(*options):
    return run(["calibrate", "--dataset", "support.jsonl", "--quiet", *options])


def results(directory):
    header, *items = (directory / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return json.loads(header), [json.loads(item) for item in items]


def test_served_and_embedded_answers_agree(folder):
    with sparrow_decider_server() as url:
        configure(folder, url)
        assert calibrate("--parallel", "4", "--out", "served") == 0
    assert calibrate("--provider", "embedded", "--out", "embedded") == 0
    _, served = results(folder / "served")
    _, embedded = results(folder / "embedded")
    assert len(served) == 20
    assert [item["answers"] for item in served] == [item["answers"] for item in embedded]
    reports = [
        json.loads((folder / name / "report.json").read_text(encoding="utf-8"))
        for name in ("served", "embedded")
    ]
    assert reports[0]["overall"] == reports[1]["overall"]


def test_jevcompat_mock_that_is_busy_and_wants_a_key(folder, planted, monkeypatch):
    monkeypatch.setenv("Minos__Providers__local__ApiKey", PLANTED)
    config = mock.MockConfig(key=PLANTED, busy_every=4)
    with mock.Running(config) as server:
        configure(folder, server.url)
        assert calibrate("--parallel", "3", "--out", "out") == 0
    header, items = results(folder / "out")
    assert (header["provider"], header["model"], header["itemCount"]) == ("local", "jev-latest", 20)
    assert all("error" not in item and item["requestId"] for item in items)
    assert max(item.get("tries", 1) for item in items) > 1
    for item in items:
        position = list(QUESTIONS).index("urgent")
        state = f"My card number {item['id'][1:]} was meant to arrive last week!"
        given = mock.answer(config, state, "urgent", QUESTIONS["urgent"], position, 3)
        assert item["answers"]["urgent"]["probability"] == given["noul"]
    planted.append(items)


def test_a_wrong_key_fails_every_item_and_the_command(folder, planted, monkeypatch, capfd):
    monkeypatch.setenv("Minos__Providers__local__ApiKey", PLANTED)
    with mock.Running(mock.MockConfig(key="sk-another")) as server:
        configure(folder, server.url)
        assert calibrate("--out", "out") == 1
    told = capfd.readouterr()
    assert "not one of 20 items was answered: Unauthorized (20)" in told.err
    _, items = results(folder / "out")
    assert {item["error"]["statusCode"] for item in items} == {401}
    planted.append([told, items])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b'{"type":"noul","noul":0.1,"noul":0.9}', "'answers.urgent.noul' appears more than once."),
        (
            b'{"type":"noul","noul":"0.9"}',
            "Expected a number but found a string. (question 'urgent')",
        ),
        (
            b'{"type":"noul","noul":NaN}',
            "NaN at 'answers.urgent.noul' is not JSON.",
        ),
        (b'{"type":"noul","noul":1.5}', "The answer to 'urgent' has a probability of 1.5"),
        (
            b'{"type":"choice","choice":"x"}',
            "Expected an answer of type 'noul'. (question 'urgent')",
        ),
        (b'{"type":"noul","noul":1e400}', "one that is too large. (question 'urgent')"),
    ],
)
def test_an_answer_that_lies_is_told_with_item_and_question(folder, answer, told, capfd):
    body = b'{"model":"m","answers":{"urgent":%b},"usage":{"cost":0.25}}' % answer
    with serving(Reply(200, body)):
        assert calibrate("--limit", "2", "--out", "out") == 1
    header, items = results(folder / "out")
    assert header["provider"] == "local"
    assert [item["id"] for item in items] == ["m0", "m1"]
    for item in items:
        assert item["error"]["kind"] == "InvalidResponse"
        assert told in item["error"]["message"]
        # It was answered, and so it was paid for.
        assert (item["cost"], item["model"]) == (0.25, "m")
    report = json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["cost"]["total"] == 0.5
    assert "InvalidResponse (2)" in capfd.readouterr().err


def test_what_a_provider_warns_of_is_told(capsys):
    with provider_warnings(Output("calibrate", quiet=True)):
        logging.getLogger("minos.providers").info("not this")
        logging.getLogger("minos.providers").warning("may be billed twice")
    assert capsys.readouterr().err == "note: may be billed twice\n"
