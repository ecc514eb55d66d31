"""Results in memory and as files."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.decisions.small_runs import header, results

from minos.answers import AnswerRecord
from minos.decisions.records import ItemError, ItemResult, RunSelection
from minos.decisions.results import EvaluationResults
from minos.errors import DecisionErrorKind, ProblemsError
from minos.outcome import Err, Ok

ITEMS = [
    ItemResult(
        id="é",
        answers={
            "urgent": AnswerRecord.noul(0.07),
            "topic": AnswerRecord.choice("a", 0.1 + 0.2, {"a": 0.30000000000000004, "b": 0.7}),
            "mood": AnswerRecord.score(1, None, 1.25, [0.25, None, 0.75]),
        },
        latency_ms=3.25,
        model="m",
        input_tokens=61,
        output_tokens=0,
        cost_usd=0.0,
        cached=True,
        request_id="r",
        tries=2,
    ),
    ItemResult(
        id="b", error=ItemError(kind=DecisionErrorKind.TIMEOUT, message="m", status_code=504)
    ),
]


def test_what_is_saved_comes_back(tmp_path):
    made = results(*ITEMS, partial=True, selection=RunSelection(of=5, sample=2, seed=7))
    path = tmp_path / "results.jsonl"
    assert made.save(path) == Ok(None)
    loaded = EvaluationResults.load(path).unwrap()
    assert loaded == made
    assert loaded.header == replace(made.header, item_count=2)
    assert list(loaded) == ITEMS
    assert loaded[-1] == ITEMS[1]
    assert tuple(loaded[:1]) == (ITEMS[0],)
    assert [each.name for each in tmp_path.iterdir()] == ["results.jsonl"]


def test_saving_what_was_loaded_gives_the_same_bytes(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    results(*ITEMS).save(first).unwrap()
    EvaluationResults.load(first).unwrap().save(second).unwrap()
    assert first.read_bytes() == second.read_bytes()


def test_what_is_written(tmp_path):
    path = tmp_path / "results.jsonl"
    results(*ITEMS).save(path).unwrap()
    assert path.read_text() == (
        '{"kind":"minos-results","version":1,"dataset":"support","provider":"by hand",'
        '"model":"jev-1.14","startedAt":"2026-11-30T12:00:00.000Z","itemCount":2}\n'
        '{"id":"é","answers":{"urgent":{"type":"noul","probability":0.07},'
        '"topic":{"type":"choice","choice":"a","confidence":0.30000000000000004,'
        '"probabilities":{"a":0.30000000000000004,"b":0.7}},'
        '"mood":{"type":"score","level":1,"expectedLevel":1.25,"probabilities":[0.25,null,0.75]}},'
        '"latencyMs":3.25,"model":"m","inputTokens":61,"outputTokens":0,"cost":0.0,"cached":true,'
        '"requestId":"r","tries":2}\n'
        '{"id":"b","error":{"kind":"Timeout","statusCode":504,"message":"m"}}\n'
    )


def test_saving_lists_every_reason_against_it_and_writes_nothing(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("what was there")
    made = results(
        ItemResult(id="a", answers={}, latency_ms=math.inf),
        ItemResult(id="a", answers={}, latency_ms=-1.0, input_tokens=-1),
        ItemResult(id="c", answers={"urgent": AnswerRecord.noul(math.nan)}),
        ItemResult(id="d"),
        item_count=5,
    )
    outcome = made.save(path)
    assert isinstance(outcome, Err)
    assert [(p.line, p.code, p.path) for p in outcome.problems] == [
        (1, "count-mismatch", "itemCount"),
        (2, "invalid-number", "latencyMs"),
        (3, "invalid-number", "latencyMs"),
        (3, "invalid-number", "inputTokens"),
        (3, "duplicate-id", "id"),
        (4, "invalid-number", "answers.urgent.probability"),
        (5, "missing-member", "answers"),
    ]
    assert path.read_text() == "what was there"
    assert [each.name for each in tmp_path.iterdir()] == ["results.jsonl"]
    with pytest.raises(ProblemsError, match="cannot save"):
        outcome.unwrap()


def test_saving_many(tmp_path):
    made = results(*(ItemResult(id=f"item-{n}", answers={}) for n in range(10_000)))
    made.save(tmp_path / "results.jsonl").unwrap()
    loaded = EvaluationResults.load(tmp_path / "results.jsonl").unwrap()
    assert len(loaded) == 10_000
    assert loaded[9_999].id == "item-9999"


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        results(*ITEMS).save(tmp_path / "none" / "results.jsonl")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        EvaluationResults.load(tmp_path / "none.jsonl")


@pytest.mark.parametrize("as_text", [True, False])
def test_problems_have_lines(as_text):
    text = (
        '{"kind":"minos-results","version":1,"dataset":"d","provider":"p","model":null,'
        '"startedAt":"2026-11-30T12:00:00.000Z","itemCount":2}\n'
        "\n"
        '{"id":"a","answers":{},"expect":1}\n'
        '{"id":"b"\n'
    )
    outcome = EvaluationResults.parse(text if as_text else text.encode())
    assert isinstance(outcome, Err)
    assert [(p.line, p.code, p.path, p.byte) for p in outcome.problems] == [
        (3, "unknown-member", "expect", None),
        (4, "invalid-json", "", 9),
    ]


def test_text_with_a_lone_surrogate():
    outcome = EvaluationResults.parse('{"\ud800":1}')
    assert isinstance(outcome, Err)
    assert [(p.line, p.code, p.byte) for p in outcome.problems] == [(1, "invalid-unicode", 2)]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_compressed_files(tmp_path, suffix):
    path = tmp_path / f"results.jsonl{suffix}"
    plain = tmp_path / "results.jsonl"
    results(*ITEMS).save(plain).unwrap()
    path.write_bytes(_compressed(plain, suffix))
    assert list(EvaluationResults.load(path).unwrap()) == ITEMS


def _compressed(path: Path, suffix: str) -> bytes:
    import gzip  # noqa: PLC0415

    import zstandard  # noqa: PLC0415

    data = path.read_bytes()
    return gzip.compress(data) if suffix == ".gz" else zstandard.compress(data)


def test_results_are_equal_by_what_they_hold():
    assert results(*ITEMS) == results(*ITEMS)
    assert hash(results(*ITEMS)) == hash(results(*ITEMS))
    assert results(*ITEMS) != results(ITEMS[0])
    assert results(*ITEMS) != EvaluationResults(header(dataset="other"), ITEMS)


def test_results_can_be_pickled_from_memory_and_from_a_file(tmp_path):
    in_memory = results(*ITEMS)
    in_memory.save(tmp_path / "results.jsonl").unwrap()
    for made in (in_memory, EvaluationResults.load(tmp_path / "results.jsonl").unwrap()):
        assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made  # noqa: S301


@pytest.mark.parametrize(
    "answers",
    [
        {1: AnswerRecord.noul(0.5)},
        {None: AnswerRecord.noul(0.5)},
        {True: AnswerRecord.noul(0.5), "true": AnswerRecord.noul(0.5)},
        {("a",): AnswerRecord.noul(0.5)},
        {"topic": AnswerRecord.choice("1", 0.5, {1: 1.0})},
    ],
)
def test_a_key_that_is_no_text_is_not_made_to_be_one(tmp_path, answers):
    made = results(ItemResult(id="a", answers=answers))
    for use in (made.to_native, lambda: made.save(tmp_path / "results.jsonl")):
        with pytest.raises(TypeError, match=r"item 'a', answer .*: a key must be text, not "):
            use()
    assert not list(tmp_path.iterdir())
