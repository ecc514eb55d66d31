"""What the native reader finds wrong, against the oracle, over broken files."""

from __future__ import annotations

import pytest
from tests.differential import plain_results
from tests.differential.break_results import TEXTS, break_members, break_text
from tests.differential.generate_runs import generate
from tests.differential.plain_results import as_told

from minos.decisions.results import EvaluationResults
from minos.outcome import Err

FILES = 300


def assert_same(data: bytes) -> None:
    outcome = EvaluationResults.parse(data)
    expected = plain_results.read(data)
    assert as_told(outcome) == expected.problems
    if not isinstance(outcome, Err):
        assert len(outcome.value) == len(expected.items)
        assert [item.id for item in outcome.value] == [item["id"] for item in expected.items]


@pytest.mark.parametrize("seed", range(FILES))
def test_broken_text(seed):
    assert_same(break_text(generate(seed, most_items=8), seed))


@pytest.mark.parametrize("seed", range(FILES))
def test_broken_members(seed):
    assert_same(break_members(generate(seed, most_items=8), seed))


@pytest.mark.parametrize("line", TEXTS)
def test_every_broken_line(line):
    header = generate(0).results_file.split(b"\n")[0]
    assert_same(line)
    assert_same(header + b"\n" + line)
    assert_same(b"\xef\xbb\xbf\r\n" + header + b"\r \t\n" + line + b"\r\n")
