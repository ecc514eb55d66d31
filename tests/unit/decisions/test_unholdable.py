"""Providers that return what no results file can hold: no run is lost over it."""

import math
from dataclasses import replace

import pytest
from tests.unit.decisions.asked import RESPONSE, Scripted, dataset

from minos.decisions.directory import DirectoryRun
from minos.decisions.errors import DatasetRunError
from minos.decisions.options import DatasetRunOptions
from minos.decisions.runner import run, run_sync
from minos.errors import ConfigError, DecisionError, DecisionErrorKind

pytestmark = pytest.mark.anyio

NOT_KNOWN = [
    {"cost_usd": 1e300},
    {"cost_usd": math.nan},
    {"cost_usd": -1.0},
    {"input_tokens": 2**70},
    {"output_tokens": -1},
]


@pytest.mark.parametrize("members", NOT_KNOWN)
async def test_a_number_that_can_be_none_counts_as_not_known(members):
    results = await run(Scripted(response=replace(RESPONSE, **members)), dataset(1))
    (name,) = members
    assert getattr(results[0], name) is None
    assert results[0].answers


@pytest.mark.parametrize("members", [*NOT_KNOWN, {"status_code": 42}, {"status_code": 1000}])
async def test_also_one_of_a_failure(members):
    error = DecisionError(DecisionErrorKind.SERVER, "no", **members)
    results = await run(Scripted({0: error}), dataset(1))
    (name,) = members
    holder = results[0].error if name == "status_code" else results[0]
    assert getattr(holder, name) is None
    assert results[0].error.kind is DecisionErrorKind.SERVER


@pytest.mark.parametrize("held_s", [math.inf, -math.inf, math.nan, -1e30])
async def test_a_wait_that_can_be_none_gives_a_latency_all_the_same(held_s):
    results = await run(Scripted(response=replace(RESPONSE, held_s=held_s)), dataset(1))
    assert 0 <= results[0].latency_ms <= 1e12


@pytest.mark.parametrize(
    ("members", "kept"),
    [({"cached": 1}, True), ({"tries": True}, 1), ({"tries": 2**70}, 2**53), ({"tries": -3}, 1)],
)
async def test_what_is_nearly_right_is_put_right(members, kept):
    results = await run(Scripted(response=replace(RESPONSE, **members)), dataset(1))
    (name,) = members
    assert getattr(results[0], name) == kept


@pytest.mark.parametrize(
    "members",
    [
        {"input_tokens": 1.5},
        {"output_tokens": "7"},
        {"cost_usd": "0.5"},
        {"tries": 1.5},
        {"tries": None},
        {"model": 5},
        {"request_id": b"x"},
        {"answers": None},
        {"held_s": "1"},
    ],
)
async def test_another_type_is_a_fault_of_the_client_and_what_was_paid_for_is_kept(
    tmp_path, members
):
    async def answer():
        return replace(RESPONSE, **members)

    provider = Scripted({2: answer})
    with pytest.raises(DatasetRunError) as caught:
        await run(provider, dataset(4))
    assert isinstance(caught.value.__cause__, TypeError | AttributeError)
    assert len(caught.value.partial_results) == 2
    into = DirectoryRun(provider, dataset(4), tmp_path, DatasetRunOptions())
    ending = await into.run()
    assert (ending.done, into.results_path.name) == (2, "results.partial.jsonl")


async def test_an_error_of_no_kind_is_a_fault_too():
    error = DecisionError("Tired", "no")
    with pytest.raises(DatasetRunError, match="'Tired' is not a valid DecisionErrorKind"):
        await run(Scripted({1: error}), dataset(2))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"provider": 5}, "'provider' must be a string"),
        ({"model": ["m"]}, "'model' must be a string or null"),
        ({"dataset_name": None}, "'dataset' must be a string"),
        ({"dataset_name": "\udcff"}, "unpaired surrogate"),
    ],
)
def test_a_header_that_no_file_can_hold_is_refused_before_any_request(options, told):
    provider = Scripted()
    with pytest.raises(ConfigError, match=told):
        run_sync(provider, dataset(1), DatasetRunOptions(**options))
    assert provider.asked == []


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_no_header_can_hold_is_refused(seed):
    with pytest.raises(ValueError, match="the seed must be from 0"):
        DatasetRunOptions(sample=1, sample_seed=seed)
