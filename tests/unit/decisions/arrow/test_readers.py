"""Tables in polars, DuckDB, pandas, pyarrow and nanoarrow: the same values, the same memory."""

import duckdb
import nanoarrow
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.plain_tables import answer_rows, item_rows

from minos import CalibrationReport, DecisionDataset, EvaluationResults, Table

RUN = generate(11)
RESULTS = EvaluationResults.parse(RUN.results_file).unwrap()
DATASET = DecisionDataset.parse(RUN.dataset_file).unwrap()
JOINED = RESULTS.with_expected(DATASET).unwrap()
TABLES = [
    pytest.param(RESULTS, list(answer_rows(RESULTS)), id="answers"),
    pytest.param(JOINED, list(answer_rows(RESULTS, DATASET)), id="joined"),
    pytest.param(DATASET, list(item_rows(DATASET)), id="items"),
]


@pytest.mark.parametrize(("table", "rows"), TABLES)
def test_polars(table, rows):
    assert pl.DataFrame(table if isinstance(table, Table) else table.to_table()).to_dicts() == rows


@pytest.mark.parametrize(("table", "rows"), TABLES)
def test_duckdb(table, rows):
    found = duckdb.from_arrow(table)
    assert [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()] == rows


@pytest.mark.parametrize(("table", "rows"), TABLES)
def test_pandas(table, rows):
    found = pd.DataFrame.from_arrow(table)
    assert list(found["id"]) == [row["id"] for row in rows]
    assert list(found.columns) == list(rows[0])


@pytest.mark.parametrize(("table", "rows"), TABLES)
def test_nanoarrow_finds_nothing_wrong(table, rows):
    stream = nanoarrow.c_array_stream(table)
    assert sum(len(array) for array in stream) == len(rows)
    for array in nanoarrow.ArrayStream(table):
        nanoarrow.c_array(array).view()
    found = nanoarrow.ArrayStream(table).read_all()
    assert [row["id"] for row in found.iter_py()] == [row["id"] for row in rows]


@pytest.mark.parametrize(("table", "rows"), TABLES)
def test_the_batches_of_a_table(table, rows):
    table = table if isinstance(table, Table) else table.to_table()
    assert len(table) == len(rows)
    assert table.column_names() == list(rows[0])
    assert [row for batch in _batches(table) for row in pa.record_batch(batch).to_pylist()] == rows


def _batches(table):
    batches = []
    table.each_batch(batches.append)
    return batches


def test_what_a_taker_of_batches_raises():
    def fail(_batch):
        raise KeyError("no")

    with pytest.raises(KeyError):
        JOINED.each_batch(fail)


def test_nobody_copies():
    sweep = CalibrationReport.create(RESULTS, DATASET).unwrap().sweep_table()
    first, again = (pa.table(sweep)["threshold"].chunk(0).buffers()[1] for _ in range(2))
    assert first.address == again.address
    assert pl.DataFrame(sweep)["threshold"].to_numpy(allow_copy=False).ctypes.data == first.address
    numbers = pa.record_batch(_batches(sweep)[0])["threshold"].to_numpy(zero_copy_only=True)
    assert numbers.ctypes.data == first.address
    assert nanoarrow.c_array(_batches(sweep)[0]).child(2).buffers[1] == first.address


def test_memory_outlives_what_it_came_from():
    results = EvaluationResults.parse(RUN.results_file).unwrap()
    column = pl.DataFrame(results.to_table())["confidence"]
    del results
    assert column.to_list() == [row["confidence"] for row in answer_rows(RESULTS)]


class _Request:
    """A schema to ask for."""

    def __init__(self, schema):
        self.schema = schema

    def of(self, table):
        stream = table.__arrow_c_stream__(self.schema.__arrow_c_schema__())
        return pa.RecordBatchReader._import_from_c_capsule(stream)


def _without_dictionaries(field):
    kind = field.type
    if pa.types.is_dictionary(kind):
        return field.with_type(kind.value_type)
    if pa.types.is_list(kind):
        return field.with_type(pa.list_(_without_dictionaries(kind.value_field)))
    return field


@pytest.mark.parametrize("table", [RESULTS, DATASET], ids=["answers", "items"])
def test_text_is_laid_out_as_it_is_asked_for(table):
    plain = pa.schema([_without_dictionaries(field) for field in pa.schema(table)])
    assert plain != pa.schema(table)
    found = _Request(plain).of(table).read_all()
    assert found.schema == plain
    assert found.to_pylist() == pa.table(table).to_pylist()
    ids = pa.dictionary(pa.int32(), pa.string())
    asked = pa.schema([field.with_type(ids) if field.name == "id" else field for field in plain])
    assert _Request(asked).of(table).schema.field("id").type == ids


@pytest.mark.parametrize("table", [RESULTS, JOINED, DATASET], ids=["answers", "joined", "items"])
def test_other_wishes_are_heard_and_not_granted(table):
    own = pa.schema(table)
    wished = own.set(own.get_field_index("line"), pa.field("line", pa.float32()))
    assert _Request(wished).of(table).schema == own


@pytest.mark.parametrize("table", [RESULTS, JOINED, DATASET], ids=["answers", "joined", "items"])
def test_a_schema_of_other_columns_is_refused(table):
    with pytest.raises(ValueError, match="columns"):
        _Request(pa.schema(list(pa.schema(table))[1:])).of(table)
    with pytest.raises(ValueError, match="columns"):
        table.__arrow_c_stream__(pa.int64().__arrow_c_schema__())
    released = pa.schema(table).__arrow_c_schema__()
    pa.Schema._import_from_c_capsule(released)
    with pytest.raises(ValueError, match="released"):
        table.__arrow_c_stream__(released)
    with pytest.raises(ValueError, match="capsule"):
        table.__arrow_c_stream__(RESULTS.__arrow_c_stream__())
    with pytest.raises(TypeError):
        table.__arrow_c_stream__("a schema")
