"""The C structures, taken over and released in every order, as C would do it."""

import ctypes
import gc
import resource
import sys
import threading
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int64, c_void_p, cast
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.plain_tables import answer_rows

from minos import EvaluationResults, ItemResult
from minos._native import Table

RUN = generate(11)
RUN_HEADER = EvaluationResults.parse(RUN.results_file).unwrap().header


class Array(ctypes.Structure):
    pass


Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Schema(ctypes.Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_last_error", CFUNCTYPE(c_char_p, c_void_p)),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


def _pointer(capsule, name, kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    return cast(get(capsule, name), POINTER(kind)).contents


def _take(structure):
    """Take a structure over: copy it, and mark the original as released."""
    copy = type(structure)()
    ctypes.pointer(copy)[0] = structure
    structure.release = None
    return copy


def _release(structure):
    CFUNCTYPE(None, c_void_p)(structure.release)(ctypes.addressof(structure))
    assert structure.release is None


def _stream(results=None):
    results = results or EvaluationResults.parse(RUN.results_file).unwrap()
    capsule = results.__arrow_c_stream__()
    return _take(_pointer(capsule, b"arrow_array_stream", Stream))


def _next(stream):
    array = Array()
    assert stream.get_next(ctypes.addressof(stream), ctypes.addressof(array)) == 0
    assert stream.get_last_error(ctypes.addressof(stream)) is None
    return array


def _schema(stream):
    schema = Schema()
    assert stream.get_schema(ctypes.addressof(stream), ctypes.addressof(schema)) == 0
    return schema


def _doubles(array):
    return list(cast(array.buffers[1], POINTER(ctypes.c_double))[: array.length])


COLUMNS = pa.schema(EvaluationResults.parse(RUN.results_file).unwrap()).names
LATENCY = COLUMNS.index("latency_ms")
LATENCIES = [
    row["latency_ms"] or 0.0
    for row in answer_rows(EvaluationResults.parse(RUN.results_file).unwrap())
]


def test_a_column_outlives_its_batch_and_its_stream():
    stream = _stream()
    array = _next(stream)
    column = _take(array.children[LATENCY].contents)
    _release(array)
    _release(stream)
    gc.collect()
    assert _doubles(column) == LATENCIES
    _release(column)


def test_a_dictionary_outlives_its_column():
    stream = _stream()
    array = _next(stream)
    column = array.children[COLUMNS.index("kind")].contents
    kinds = _take(column.dictionary.contents)
    _release(stream)
    _release(array)
    ends = cast(kinds.buffers[1], POINTER(ctypes.c_int32))[: kinds.length + 1]
    text = ctypes.string_at(kinds.buffers[2], ends[-1])
    assert [text[a:b] for a, b in pairwise(ends)] == [
        b"noul",
        b"choice",
        b"score",
    ]
    _release(kinds)


def test_a_batch_outlives_its_stream():
    stream = _stream()
    array = _next(stream)
    _release(stream)
    assert _doubles(array.children[LATENCY].contents) == LATENCIES
    _release(array)


def test_a_stream_that_is_not_read_to_its_end():
    _release(_stream())
    stream = _stream()
    _release(_next(stream))
    _release(stream)


def test_behind_the_end_there_is_nothing():
    stream = _stream()
    _release(_next(stream))
    for _ in range(3):
        assert _next(stream).release is None
    _release(stream)


def test_a_schema_outlives_its_stream_and_a_field_its_schema():
    stream = _stream()
    schema, again = _schema(stream), _schema(stream)
    _release(stream)
    _release(again)
    fields = schema.children[: schema.n_children]
    assert [field.contents.name.decode() for field in fields] == COLUMNS
    assert schema.format == b"+s"
    options = _take(fields[COLUMNS.index("options")].contents)
    _release(schema)
    assert (options.name, options.format) == (b"options", b"+l")
    entries = options.children[0].contents
    assert (entries.format, entries.dictionary.contents.format) == (b"i", b"u")
    _release(options)


def test_what_is_taken_over_twice():
    capsule = EvaluationResults.parse(RUN.results_file).unwrap().__arrow_c_stream__()
    pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()
    with pytest.raises(ValueError, match="released"):
        pa.RecordBatchReader._import_from_c_capsule(capsule)


def test_capsules_that_nobody_takes():
    table = Table.of_lists([("a", ["x", None], None, None)])
    batches = []
    table.each_batch(batches.append)
    for made in (table, batches[0], EvaluationResults.parse(RUN.results_file).unwrap()):
        made.__arrow_c_schema__()
    table.__arrow_c_stream__()
    batches[0].__arrow_c_array__()
    gc.collect()
    assert pa.table(table).to_pydict() == {"a": ["x", None]}


def test_other_threads_read_and_release():
    stream = _stream()
    found = []

    def read():
        array = _next(stream)
        found.append(_doubles(array.children[LATENCY].contents))
        _release(array)
        _release(stream)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert found == [LATENCIES]


def test_many_threads_read_one_table():
    results = EvaluationResults.parse(RUN.results_file).unwrap()
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
    made = EvaluationResults(replace(RUN_HEADER, item_count=None, selection=None), items)
    made.save(tmp_path / "results.jsonl").unwrap()
    results = EvaluationResults.load(tmp_path / "results.jsonl").unwrap()

    def read_in_part():
        stream = _stream(results)
        array = _next(stream)
        column = _take(array.children[0].contents)
        _release(array)
        _release(column)
        _release(stream)
        results.__arrow_c_stream__()

    for _ in range(5):
        read_in_part()
    before = _peak_bytes()
    for _ in range(50):
        read_in_part()
    assert _peak_bytes() - before < 50 << 20  # each turn takes 4 MB


def test_the_address_of_a_structure_does_not_matter():
    stream = _stream()
    moved = Stream()
    ctypes.memmove(byref(moved), byref(stream), ctypes.sizeof(stream))
    array = _next(moved)
    elsewhere = Array()
    ctypes.memmove(byref(elsewhere), byref(array), ctypes.sizeof(array))
    assert _doubles(elsewhere.children[LATENCY].contents) == LATENCIES
    _release(moved)
    _release(elsewhere)
