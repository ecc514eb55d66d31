"""Why results do not fit a data set, against the oracle, over broken runs."""

from __future__ import annotations

import pytest
from tests.differential import plain_dataset, plain_fit, plain_results
from tests.differential.break_results import break_fit
from tests.differential.generate_runs import generate
from tests.differential.plain_results import as_told

from minos.decisions.dataset import DecisionDataset
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults
from minos.outcome import Err

FILES = 300


@pytest.mark.parametrize("seed", range(FILES))
def test_results_that_do_not_fit(tmp_path, seed):
    run = generate(seed, most_items=12)
    data = break_fit(run, seed)
    plain = plain_results.read(data)
    assert as_told(EvaluationResults.parse(data)) == plain.problems
    if plain.problems:
        return
    results, dataset = tmp_path / "results.jsonl", tmp_path / "data.jsonl"
    results.write_bytes(data)
    dataset.write_bytes(run.dataset_file)
    expected = plain_fit.fit(plain, plain_dataset.read(run.dataset_file))
    from_files = CalibrationReport.from_files(results, dataset)
    from_objects = CalibrationReport.create(
        EvaluationResults.load(results).unwrap(), DecisionDataset.load(dataset).unwrap()
    )
    assert as_told(from_files) == expected
    assert as_told(from_objects) == expected
    if isinstance(from_files, Err) and isinstance(from_objects, Err):
        assert from_files.problems == from_objects.problems
        assert all(problem.message for problem in from_files.problems)
