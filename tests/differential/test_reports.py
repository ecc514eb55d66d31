"""The native report against the oracle's, over generated runs."""

from __future__ import annotations

import json
import math
import random

import pytest
from tests.differential import plain_dataset, plain_report, plain_results
from tests.differential.generate_runs import Run, generate

from minos.decisions.dataset import DecisionDataset
from minos.decisions.prices import PriceTable
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults

RUNS = 120


def files(tmp_path, run: Run):
    results, dataset = tmp_path / "results.jsonl", tmp_path / "data.jsonl"
    results.write_bytes(run.results_file)
    dataset.write_bytes(run.dataset_file)
    return results, dataset


def prices_of(run: Run) -> PriceTable | None:
    if not run.prices:
        return None
    return PriceTable.parse(json.dumps({"prices": run.prices})).unwrap()


def from_files(tmp_path, run: Run, threads: int = 1) -> str:
    made = CalibrationReport.from_files(*files(tmp_path, run), prices_of(run), threads=threads)
    return made.unwrap().to_json()


def from_objects(run: Run) -> str:
    results = EvaluationResults.parse(run.results_file).unwrap()
    dataset = DecisionDataset.parse(run.dataset_file).unwrap()
    return CalibrationReport.create(results, dataset, prices_of(run)).unwrap().to_json()


def assert_close(found, expected, path="report"):
    """Integers exactly, floats to 1e-12, everything else as it is."""
    if isinstance(expected, float) and isinstance(found, float):
        assert math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12), path
    elif isinstance(expected, dict):
        assert isinstance(found, dict), path
        assert set(found) == set(expected), path
        for name in expected:
            assert_close(found[name], expected[name], f"{path}.{name}")
    elif isinstance(expected, list):
        assert isinstance(found, list), path
        assert len(found) == len(expected), path
        for place, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_close(one, other, f"{path}[{place}]")
    else:
        assert found == expected, path
        assert isinstance(found, bool) == isinstance(expected, bool), path


@pytest.mark.parametrize("seed", range(RUNS))
def test_report(tmp_path, seed):
    run = generate(seed)
    expected = plain_report.report(
        plain_results.read(run.results_file), plain_dataset.read(run.dataset_file), run.prices
    )
    found = json.loads(from_files(tmp_path, run), parse_constant=pytest.fail)
    assert_close(found, expected)


@pytest.mark.parametrize("seed", range(RUNS, RUNS + 40))
def test_from_files_and_from_objects_are_the_same_bytes(tmp_path, seed):
    run = generate(seed)
    assert from_files(tmp_path, run) == from_objects(run)


@pytest.mark.parametrize("seed", range(3))
def test_threads_do_not_show(tmp_path, seed):
    run = generate(seed, most_items=4000)
    once = from_files(tmp_path, run)
    threads = [2, 3, 8, 0]
    random.Random(seed).shuffle(threads)
    assert {from_files(tmp_path, run, each) for each in threads} == {once}


@pytest.mark.parametrize("seed", range(20))
def test_results_made_by_hand_are_the_same(tmp_path, seed):
    run = generate(seed)
    results = EvaluationResults.parse(run.results_file).unwrap()
    by_hand = EvaluationResults(results.header, list(results))
    dataset = DecisionDataset.parse(run.dataset_file).unwrap()
    made = CalibrationReport.create(by_hand, dataset, prices_of(run)).unwrap()
    assert made.to_json() == from_files(tmp_path, run)
