import json

import pytest
from jevcompat import mock

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
