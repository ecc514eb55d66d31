"""Calls of `minos calibrate`, what they leave, and a server that they ask."""

import json
from contextlib import contextmanager
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from tests.loopback import Reply, loopback
from tests.unit.decisions.asked import lines

from minos.cli.main import run

JOURNAL = ".minos-journal.jsonl"
REPORTS = ["report.json", "report.md"]

ANSWERS = {
    "topic": {"type": "choice", "choice": "card", "confidence": 0.8},
    "urgent": {"type": "noul", "noul": 0.07},
    "mood": {"type": "score", "score": 1.1, "confidence": 0.7, "probabilities": {"1": 1.0}},
}
ANSWERED = Reply(
    200,
    {"model": "m-1", "answers": ANSWERS, "usage": {"input_tokens": 5, "output_tokens": 2}},
)


def write_items(count, **members):
    expected = {"topic": "card", "urgent": False, "mood": 1}
    text = "\n".join(lines(count, **{"expected": expected, **members}))
    Path("items.jsonl").write_text(text + "\n", encoding="utf-8")


def calibrate(*arguments):
    return run(["calibrate", "--dataset", "items.jsonl", *arguments])


def names(directory):
    return sorted(path.name for path in Path(directory).iterdir())


def results(path):
    header, *items = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return header, items


def report(directory):
    return json.loads((Path(directory) / "report.json").read_text())


@contextmanager
def serving(step):
    """Run the loopback server in a thread, and write a minos.json that leads to it."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(loopback()) as server,
    ):
        server.otherwise = step
        section = {"Provider": "Custom", "BaseAddress": server.url, "Model": "m", "MaxRetries": 0}
        config = {"Minos": {"Active": "local", "Providers": {"local": section}}}
        Path("minos.json").write_text(json.dumps(config))
        yield server
