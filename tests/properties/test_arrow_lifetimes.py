"""Structures of Arrow's interface, taken over, read and released in any order."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.differential.generate_runs import generate
from tests.unit.decisions.arrow.c_interface import (
    Array,
    doubles,
    next_array,
    open_stream,
    release,
    take,
)
from tests.unit.decisions.arrow.plain_tables import answer_rows

from minos import EvaluationResults

RUN = generate(11)
RESULTS = EvaluationResults.parse(RUN.results_file).unwrap()
COLUMNS = pa.schema(RESULTS).names
LATENCY = COLUMNS.index("latency_ms")
LATENCIES = [row["latency_ms"] or 0.0 for row in answer_rows(RESULTS)]


@given(st.lists(st.tuples(st.sampled_from("otcdr"), st.integers(0, 50)), max_size=60))
def test_any_order(steps):
    """o: open a stream; t: take a batch; c: take a column; d: take a dictionary; r: release."""
    live = []
    for step, number in steps:
        if step == "o":
            live.append(open_stream(EvaluationResults.parse(RUN.results_file).unwrap()))
        elif live:
            _step(step, live, number % len(live))
        _check(live)
    while live:
        release(live.pop())
        _check(live)


def _step(step, live, place):
    chosen = live[place]
    if step == "r":
        release(live.pop(place))
    elif step == "t" and not isinstance(chosen, Array):
        batch = next_array(chosen)
        if batch.release:
            live.append(batch)
    elif step == "c" and isinstance(chosen, Array) and chosen.n_children == len(COLUMNS):
        column = chosen.children[LATENCY].contents
        if column.release:
            live.append(take(column))
    elif step == "d" and isinstance(chosen, Array) and chosen.n_children == len(COLUMNS):
        kinds = chosen.children[COLUMNS.index("kind")].contents
        if kinds.release and kinds.dictionary.contents.release:
            live.append(take(kinds.dictionary.contents))


def _check(live):
    for each in live:
        if isinstance(each, Array) and each.n_buffers == 2:
            assert doubles(each) == LATENCIES
        if isinstance(each, Array) and each.n_children and each.children[LATENCY].contents.release:
            assert doubles(each.children[LATENCY].contents) == LATENCIES
