"""What stands in the tables, held against objects."""

from datetime import UTC, datetime

import pyarrow as pa
import pytest
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.plain_tables import answer_rows, bin_rows, item_rows, sweep_rows

from minos import (
    AnswerRecord,
    CalibrationReport,
    DecisionDataset,
    Err,
    EvaluationResults,
    ItemResult,
    ProblemsError,
    RunHeader,
    Table,
)

HEADER = RunHeader(
    dataset="d", provider="p", model=None, started_at=datetime(2026, 12, 1, tzinfo=UTC)
)
SEEDS = range(40)


def _read(source):
    table = pa.table(source)
    table.validate(full=True)
    assert table.schema == pa.schema(source)
    return table.to_pylist()


def _run(seed):
    run = generate(seed)
    results = EvaluationResults.parse(run.results_file).unwrap()
    return results, DecisionDataset.parse(run.dataset_file).unwrap()


@pytest.mark.parametrize("seed", SEEDS)
def test_answers(seed):
    results, _ = _run(seed)
    rows = _read(results)
    assert rows == list(answer_rows(results))
    assert sum(row["place"] == 0 for row in rows) == len(results)


@pytest.mark.parametrize("seed", SEEDS)
def test_answers_beside_the_right_ones(seed):
    results, dataset = _run(seed)
    table = results.with_expected(dataset).unwrap()
    assert isinstance(table, Table)
    rows = _read(table)
    assert rows == list(answer_rows(results, dataset))
    assert len(table) == len(rows)
    overall = CalibrationReport.create(results, dataset).unwrap().overall
    scored = [row for row in rows if row["expected"] is not None]
    assert len(scored) == overall.scored
    assert sum(row["answer"] is not None for row in scored) == overall.answered
    assert sum(row["correct"] is True for row in rows) == overall.correct


@pytest.mark.parametrize("seed", SEEDS)
def test_items(seed):
    _, dataset = _run(seed)
    assert _read(dataset) == list(item_rows(dataset))
    some = dataset[1::2]
    assert _read(some) == list(item_rows(some))


@pytest.mark.parametrize("seed", SEEDS)
def test_figures_of_a_report(seed):
    results, dataset = _run(seed)
    report = CalibrationReport.create(results, dataset).unwrap()
    assert _read(report.bins_table()) == list(bin_rows(report))
    assert _read(report.sweep_table()) == list(sweep_rows(report))


def test_the_bins_add_up_to_the_calibration_error():
    results, dataset = _run(11)
    report = CalibrationReport.create(results, dataset).unwrap()
    rows = _read(report.bins_table())
    ours = [
        row
        for row in rows
        if (row["kind"], row["measure"], row["binning"]) == (None, "confidence", "equal_mass")
    ]
    total = sum(row["count"] for row in ours)
    parts = (row["count"] * abs(row["mean_confidence"] - row["accuracy"]) for row in ours)
    assert sum(parts) / total == pytest.approx(report.overall.ece, abs=1e-12)


def test_results_made_by_hand():
    item = ItemResult(id="a", answers={"q": AnswerRecord.noul(0.07)}, cost_usd=0.5)
    results = EvaluationResults(HEADER, [item, ItemResult(id="b", answers={})])
    first, second = _read(results)
    assert (first["answer"], first["confidence"], first["probability"]) == ("false", 0.93, 0.07)
    assert (second["id"], second["place"], second["question"]) == ("b", 0, None)


def test_results_that_no_file_could_hold():
    results = EvaluationResults(HEADER, [ItemResult(id="a", answers={}, latency_ms=-1.0)])
    with pytest.raises(ProblemsError):
        pa.table(results)
    dataset = DecisionDataset.parse("").unwrap()
    assert isinstance(results.with_expected(dataset), Err)


def test_results_of_another_data_set():
    results, dataset = _run(11)
    outcome = results.with_expected(dataset[1:])
    assert isinstance(outcome, Err)
    report = CalibrationReport.create(results, dataset[1:])
    assert isinstance(report, Err)
    assert tuple(outcome.problems) == tuple(report.problems)


def test_no_row():
    results = EvaluationResults(HEADER, [])
    assert _read(results) == []
    assert _read(DecisionDataset.parse("").unwrap()) == []
    assert _read(results.with_expected(DecisionDataset.parse("").unwrap()).unwrap()) == []


def _many(count):
    """Results that fill several batches; a new model comes late, new questions all the time."""
    return EvaluationResults(
        HEADER,
        [
            ItemResult(
                id=f"item-{n}",
                answers={f"q{n % 7000}": AnswerRecord.noul(n / count), "r": AnswerRecord.score(n)},
                model="late" if n > count - 10 else "early",
            )
            for n in range(count)
        ],
    )


def test_many_rows_come_in_batches():
    count = 70_000
    reader = pa.RecordBatchReader.from_stream(_many(count))
    batches = list(reader)
    assert [len(batch) for batch in batches] == [65_536, 65_536, 2 * count - 131_072]
    table = pa.Table.from_batches(batches)
    table.validate(full=True)
    plain = table.select(["id", "question", "level", "model"]).to_pydict()
    assert plain["id"] == [f"item-{n // 2}" for n in range(2 * count)]
    assert plain["question"] == [
        f"q{n // 2 % 7000}" if n % 2 == 0 else "r" for n in range(2 * count)
    ]
    assert plain["level"] == [None if n % 2 == 0 else n // 2 for n in range(2 * count)]
    assert plain["model"].count("late") == 18


def test_batches_end_early_where_text_is_long():
    long = "x" * (1 << 20)
    items = [ItemResult(id=f"{n}{long}", answers={}) for n in range(130)]
    reader = pa.RecordBatchReader.from_stream(EvaluationResults(HEADER, items))
    assert [len(batch) for batch in reader] == [64, 64, 2]


def test_lists_of_a_table_are_of_one_length():
    with pytest.raises(ValueError, match="one length"):
        Table.of_lists([("a", ["x"], None, None), ("b", None, [], None)])
