"""Small data sets and results, by hand."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from minos.decisions.dataset import DecisionDataset
from minos.decisions.records import ItemResult, RunHeader
from minos.decisions.results import EvaluationResults

QUESTIONS = {
    "topic": {
        "type": "choice",
        "instructions": "Which topic is it?",
        "criteria": {"card_arrival": None, "card_not_working": None},
    },
    "urgent": {"type": "noul", "instructions": "Must we act today?"},
    "mood": {
        "type": "score",
        "instructions": "How upset is the customer?",
        "criteria": ["calm", "annoyed", "angry"],
    },
}


def dataset_of(*items: dict) -> DecisionDataset:
    """A data set with the items `item-0`, `item-1` ... of which the members are given."""
    return DecisionDataset.parse(dataset_file(*items)).unwrap()


def dataset_file(*items: dict) -> bytes:
    numbered = ({"id": f"item-{n}", "state": "text", **item} for n, item in enumerate(items))
    return b"".join(json.dumps(item).encode() + b"\n" for item in numbered)


def dataset(*expected: dict) -> DecisionDataset:
    """A data set that asks for each mapping of right answers what is answered by it."""
    return dataset_of(
        *({"questions": {k: QUESTIONS[k] for k in right}, "expected": right} for right in expected)
    )


def header(**members) -> RunHeader:
    known = {
        "dataset": "support",
        "provider": "by hand",
        "model": "jev-1.14",
        "started_at": datetime(2026, 11, 30, 12, tzinfo=UTC),
    }
    return RunHeader(**{**known, **members})


def results(*items: ItemResult, **members) -> EvaluationResults:
    return EvaluationResults(header(**members), items)
