"""Runs of any kind, for properties."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import strategies as st

from minos.answers import AnswerRecord
from minos.decisions.records import ItemError, ItemResult, RunHeader
from minos.errors import DecisionErrorKind

OPTIONS = ["a", "b", "c"]
QUESTIONS = {
    "n": {"type": "noul", "instructions": "Is it?"},
    "c": {"type": "choice", "instructions": "Which?", "criteria": dict.fromkeys(OPTIONS)},
    "s": {"type": "score", "instructions": "How much?", "criteria": ["low", "high"]},
}
EXPECTED = {"n": True, "c": "a", "s": 1}
HEADER = RunHeader(
    dataset="d", provider="p", model="m", started_at=datetime(2026, 11, 30, tzinfo=UTC)
)

shares = st.floats(0, 1) | st.integers(0, 100).map(lambda k: k / 100)
texts = st.text(st.characters(exclude_categories=["Cs"]))
amounts = st.floats(0, 1e6, allow_subnormal=False)
tokens = st.integers(0, 2**32)


def distributions(size: int):
    return st.lists(shares, min_size=size, max_size=size)


choices = st.builds(
    AnswerRecord.choice,
    st.sampled_from(OPTIONS),
    st.none() | shares,
    st.none() | distributions(3).map(lambda ps: dict(zip(OPTIONS, ps, strict=True))),
)
scores = st.builds(
    AnswerRecord.score,
    st.integers(0, 1),
    st.none() | shares,
    st.none() | st.floats(-1, 3),
    st.none() | distributions(2),
)
answers = st.fixed_dictionaries(
    {}, optional={"n": shares.map(AnswerRecord.noul), "c": choices, "s": scores}
)
errors = st.builds(
    ItemError,
    kind=st.sampled_from(DecisionErrorKind),
    message=texts,
    status_code=st.none() | st.integers(100, 999),
)
facts = {
    "latency_ms": st.none() | amounts,
    "model": st.none() | texts,
    "input_tokens": st.none() | tokens,
    "output_tokens": st.none() | tokens,
    "cost_usd": st.none() | amounts,
    "cached": st.booleans(),
    "request_id": st.none() | texts,
    "tries": st.integers(1, 5),
}
outcomes = st.builds(ItemResult, id=st.just(""), answers=answers, **facts) | st.builds(
    ItemResult, id=st.just(""), error=errors, **facts
)
runs = st.lists(outcomes, max_size=12).map(
    lambda items: [_named(item, n) for n, item in enumerate(items)]
)


def _named(item: ItemResult, place: int) -> ItemResult:
    return replace(item, id=f"item-{place}")
