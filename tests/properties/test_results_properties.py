"""What holds for all results."""

from __future__ import annotations

from hypothesis import given
from tests.properties.run_strategies import HEADER, runs

from minos.decisions.results import EvaluationResults


@given(runs)
def test_saved_results_come_back_and_stay(tmp_path_factory, items):
    directory = tmp_path_factory.mktemp("saved")
    first, second = directory / "first.jsonl", directory / "second.jsonl"
    made = EvaluationResults(HEADER, items)
    made.save(first).unwrap()
    loaded = EvaluationResults.load(first).unwrap()
    assert loaded == made
    loaded.save(second).unwrap()
    assert first.read_bytes() == second.read_bytes()
