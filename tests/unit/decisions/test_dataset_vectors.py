"""The known files of the decision format."""

from __future__ import annotations

import io

import pytest
from tests.decision_lines import vectors

from minos.decisions.dataset import DecisionDataset

KNOWN = vectors()


def test_every_known_file_is_here():
    assert len(KNOWN) == 115


@pytest.mark.parametrize("known", KNOWN, ids=[known["name"] for known in KNOWN])
def test_known_file(known, tmp_path):
    outcome = DecisionDataset.parse(known["data"])
    if not known["problems"]:
        assert len(outcome.unwrap()) == known["items"]
    else:
        told = [(p.line, p.code, p.path, p.byte) for p in outcome.problems]
        assert told == [(p["line"], p["code"], p["path"], p["byte"]) for p in known["problems"]]
        for problem, wanted in zip(outcome.problems, known["problems"], strict=True):
            assert wanted["message"] in (None, problem.message)

    path = tmp_path / "known.jsonl"
    path.write_bytes(known["data"])
    for other in (DecisionDataset.load(path), DecisionDataset.load(io.BytesIO(known["data"]))):
        assert other.is_ok == outcome.is_ok
        if other.is_ok:
            assert other.value == outcome.value
        else:
            assert other.problems == outcome.problems
