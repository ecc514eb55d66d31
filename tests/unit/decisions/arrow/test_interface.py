"""The C structures, taken over and released in every order, as C would do it."""

import ctypes
import gc
import resource
import sys
import threading
from ctypes import POINTER, byref, cast
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.c_interface import (
    Array,
    Stream,
    doubles,
    next_array,
    open_stream,
    release,
    schema_of,
    take,
)
from tests.unit.decisions.arrow.plain_tables import answer_rows

from minos import EvaluationResults, ItemResult
from minos._native import Table

RUN = generate(11)


def _results():
    return EvaluationResults.parse(RUN.results_file).unwrap()


HEADER = replace(_results().header, item_count=None, selection=None)
COLUMNS = pa.schema(_results()).names
LATENCY = COLUMNS.index("latency_ms")
LATENCIES = [row["latency_ms"] or 0.0 for row in answer_rows(_results())]


def test_a_column_outlives_its_batch_and_its_stream():
    stream = open_stream(_results())
    array = next_array(stream)
    column = take(array.children[LATENCY].contents)
    release(array)
    release(stream)
    gc.collect()
    assert doubles(column) == LATENCIES
    release(column)


def test_a_dictionary_outlives_its_column():
    stream = open_stream(_results())
    array = next_array(stream)
    column = array.children[COLUMNS.index("kind")].contents
    kinds = take(column.dictionary.contents)
    release(stream)
    release(array)
    ends = cast(kinds.buffers[1], POINTER(ctypes.c_int32))[: kinds.length + 1]
    text = ctypes.string_at(kinds.buffers[2], ends[-1])
    assert [text[a:b] for a, b in pairwise(ends)] == [
        b"noul",
        b"choice",
        b"score",
    ]
    release(kinds)


def test_a_batch_outlives_its_stream():
    stream = open_stream(_results())
    array = next_array(stream)
    release(stream)
    assert doubles(array.children[LATENCY].contents) == LATENCIES
    release(array)


def test_a_stream_that_is_not_read_to_its_end():
    release(open_stream(_results()))
    stream = open_stream(_results())
    release(next_array(stream))
    release(stream)


def test_behind_the_end_there_is_nothing():
    stream = open_stream(_results())
    release(next_array(stream))
    for _ in range(3):
        assert next_array(stream).release is None
    release(stream)


def test_a_schema_outlives_its_stream_and_a_field_its_schema():
    stream = open_stream(_results())
    schema, again = schema_of(stream), schema_of(stream)
    release(stream)
    release(again)
    fields = schema.children[: schema.n_children]
    assert [field.contents.name.decode() for field in fields] == COLUMNS
    assert schema.format == b"+s"
    options = take(fields[COLUMNS.index("options")].contents)
    release(schema)
    assert (options.name, options.format) == (b"options", b"+l")
    entries = options.children[0].contents
    assert (entries.format, entries.dictionary.contents.format) == (b"i", b"u")
    release(options)


def test_what_is_taken_over_twice():
    capsule = _results().__arrow_c_stream__()
    pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()
    with pytest.raises(ValueError, match="released"):
        pa.RecordBatchReader._import_from_c_capsule(capsule)


def test_capsules_that_nobody_takes():
    table = Table.of_lists([("a", ["x", None], None, None)])
    batches = []
    table.each_batch(batches.append)
    for made in (table, batches[0], _results()):
        made.__arrow_c_schema__()
    table.__arrow_c_stream__()
    batches[0].__arrow_c_array__()
    gc.collect()
    assert pa.table(table).to_pydict() == {"a": ["x", None]}


def test_other_threads_read_andrelease():
    stream = open_stream(_results())
    found = []

    def read():
        array = next_array(stream)
        found.append(doubles(array.children[LATENCY].contents))
        release(array)
        release(stream)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert found == [LATENCIES]


def test_many_threads_read_one_table():
    results = _results()
    expected = list(answer_rows(results))
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(pa.table(results).to_pylist() == expected))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def _peak_bytes():
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def test_what_is_released_is_freed(tmp_path):
    id_ = "i" * 4000
    items = [ItemResult(id=f"{n}{id_}", answers={}) for n in range(1000)]
    made = EvaluationResults(HEADER, items)
    made.save(tmp_path / "results.jsonl").unwrap()
    results = EvaluationResults.load(tmp_path / "results.jsonl").unwrap()

    def read_in_part():
        stream = open_stream(results)
        array = next_array(stream)
        column = take(array.children[0].contents)
        release(array)
        release(column)
        release(stream)
        results.__arrow_c_stream__()

    for _ in range(5):
        read_in_part()
    before = _peak_bytes()
    for _ in range(50):
        read_in_part()
    assert _peak_bytes() - before < 50 << 20  # each turn takes 4 MB


def test_the_address_of_a_structure_does_not_matter():
    stream = open_stream(_results())
    moved = Stream()
    ctypes.memmove(byref(moved), byref(stream), ctypes.sizeof(stream))
    array = next_array(moved)
    elsewhere = Array()
    ctypes.memmove(byref(elsewhere), byref(array), ctypes.sizeof(array))
    assert doubles(elsewhere.children[LATENCY].contents) == LATENCIES
    release(moved)
    release(elsewhere)
