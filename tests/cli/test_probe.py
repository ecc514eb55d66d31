import json
import signal
import subprocess
import sys
import threading

import pytest
from jevcompat import mock
from tests.cli.calibrate.calls import serving
from tests.loopback import Hang, Reply

from minos.cli.main import run

QUESTIONS = {
    "topic": {
        "type": "choice",
        "instructions": "Which topic is this message about?",
        "criteria": {"card": "The card has not arrived.", "fee": "A fee was charged.", "x": None},
    },
    "urgent": {"type": "noul", "instructions": "Does the customer need action today?"},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        json.dumps({"id": f"m{n}", "state": f"message {n}", "questions": QUESTIONS, "expected": {}})
        for n in range(8)
    ]
    (tmp_path / "support.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_it_tells_what_changes(folder, capfd):
    with mock.Running(mock.MockConfig(faults=frozenset({"order-leaks"}))) as server:
        section = {"Provider": "Custom", "BaseAddress": server.url, "Model": "mock"}
        document = {"Minos": {"Active": "it", "Providers": {"it": section}}}
        (folder / "minos.json").write_text(json.dumps(document), encoding="utf-8")
        assert run(["probe", "--dataset", "support.jsonl", "--out", "out", "--json"]) == 0
    summary = json.loads(capfd.readouterr().out)["summary"]
    assert (summary["items"], summary["requests"], summary["failed"]) == (8, 48, 0)
    assert summary["flipRates"]["again"] == summary["flipRates"]["options"] == 0
    assert summary["flipRates"]["questions"] > 0
    written = json.loads((folder / "out" / "probe.json").read_text(encoding="utf-8"))
    assert (
        written["flips"]["questions"]["overall"]["flipRate"] == (summary["flipRates"]["questions"])
    )
    assert (folder / "out" / "probe.md").read_text(encoding="utf-8").startswith("# Probe of `it`\n")


def test_a_budget_that_holds_no_item_is_told(folder, capfd):
    call = ["probe", "--dataset", "support.jsonl", "--provider", "embedded", "--max-requests", "2"]
    assert run(call) == 2
    assert "the first item takes 6 requests, and 2 may be sent" in capfd.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["support.jsonl"]


CHOSEN = {"type": "choice", "choice": "fee", "probabilities": {"fee": 1.0}}


def answered(sent, usage=None):
    answers = {"topic": CHOSEN, "urgent": {"type": "noul", "noul": 0.9}}
    given = {key: answers[key] for key in sent.json["questions"]}
    return Reply(200, {"model": "m-1", "answers": given, "usage": usage or {}})


def probe(*options):
    return ["probe", "--dataset", "support.jsonl", "--out", "out", *options]


def written(folder):
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["probe.json", "probe.md"]
    page = (folder / "out" / "probe.md").read_text(encoding="utf-8")
    return json.loads((folder / "out" / "probe.json").read_text(encoding="utf-8")), page


def interrupt(hang_at):
    """Send Ctrl-C while a request hangs; gives exit code, stdout and stderr."""
    reached = threading.Event()
    count = iter(range(1, 100))

    def step(sent):
        return Hang(reached.set) if next(count) == hang_at else answered(sent)

    with serving(step):
        process = subprocess.Popen(
            [sys.executable, "-m", "minos", *probe()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert reached.wait(60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, out.splitlines(), err.splitlines()


def test_ctrl_c_writes_what_there_is_and_exits_130(folder):
    code, out, err = interrupt(hang_at=10)
    assert code == 130
    assert out == ["out/probe.json", "out/probe.md"]
    assert err[-1] == "error: cancelled"
    assert "ended early: cancelled" in err
    document, page = written(folder)
    assert (document["stopped"], document["requests"], document["failed"]) == ("cancelled", 9, 0)
    assert document["items"] == 2
    assert document["flips"]["again"]["overall"]["compared"] == 4
    assert document["flips"]["alone"]["overall"]["compared"] == 2
    assert "**It ended early: cancelled.**" in page


def test_ctrl_c_before_any_answer_leaves_nothing(folder):
    code, out, err = interrupt(hang_at=1)
    assert (code, out, err[-1]) == (130, [], "error: cancelled")
    assert list((folder / "out").iterdir()) == []


def test_a_spent_budget_writes_what_there_is_and_exits_1(folder, capfd):
    usage = {"input_tokens": 1, "output_tokens": 1, "cost": 0.25}
    with serving(lambda sent: answered(sent, usage)) as server:
        assert run(probe("--max-cost", "2")) == 1
    assert len(server.requests) == 8
    told = capfd.readouterr()
    assert told.out.splitlines() == ["out/probe.json", "out/probe.md"]
    assert told.err.splitlines()[-1].startswith("error: the budget is spent: ")
    document, _ = written(folder)
    assert (document["requests"], document["cost"]) == (8, 2.0)
    # Six requests to an item: only two items were asked about at all.
    assert document["items"] == 2


def test_a_server_that_answers_nothing_fails_the_command(folder, capfd):
    with serving(Reply(401, {"error": "no such key"})):
        assert run(probe("--max-requests", "6", "--json")) == 1
    told = capfd.readouterr()
    error = json.loads(told.out)["error"]
    assert error["message"] == "not one of 6 requests was answered: Unauthorized (6)"
    document, page = written(folder)
    assert document["errors"] == [{"kind": "Unauthorized", "count": 6}]
    assert "- Failed as Unauthorized: 6" in page
