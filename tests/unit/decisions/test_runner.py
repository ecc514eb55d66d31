import asyncio
import math
from dataclasses import replace

import anyio
import pytest
from tests.unit.decisions.asked import ANSWERS, RESPONSE, Scripted, dataset

from minos.answers import AnswerRecord
from minos.attempts.scheduler import Stop
from minos.decisions.directory import DirectoryRun
from minos.decisions.errors import DatasetRunError
from minos.decisions.options import DatasetRunOptions
from minos.decisions.results import EvaluationResults
from minos.decisions.runner import run, run_sync
from minos.errors import DecisionError, DecisionErrorKind, RunError
from minos.request import DecisionResponse

pytestmark = pytest.mark.anyio

K = DecisionErrorKind


async def hang():
    await anyio.sleep_forever()


def ids(results):
    return [result.id for result in results]


async def test_the_results_are_those_of_every_item_in_order():
    async def slow():
        await anyio.sleep(3)

    provider = Scripted({0: slow, 2: slow})
    options = DatasetRunOptions(dataset_name="support", max_parallelism=4)
    results = await run(provider, dataset(6), options)
    assert ids(results) == [f"item-{n}" for n in range(6)]
    assert dict(results[3].answers) == ANSWERS
    assert results[3].model == "fake-1"
    assert results[3].cost_usd == 0.0
    assert (results.header.dataset, results.header.provider) == ("support", "scripted")
    assert (results.header.model, results.header.item_count) == ("fake", 6)
    assert not results.header.partial
    assert results.header.selection is None


async def test_one_request_for_each_item_one_at_a_time():
    in_flight = []

    async def step():
        in_flight.append(1)
        assert len(in_flight) == 1
        await anyio.sleep(1)
        in_flight.pop()

    provider = Scripted(dict.fromkeys(range(5), step))
    await run(provider, dataset(5))
    assert provider.asked == [0, 1, 2, 3, 4]


async def test_an_empty_data_set_has_empty_results():
    results = await run(Scripted(), dataset(0))
    assert (len(results), results.header.item_count) == (0, 0)


async def test_a_decision_error_is_written_on_its_item():
    error = DecisionError(
        K.RATE_LIMITED,
        "The API returned HTTP 429.",
        status_code=429,
        model="m",
        input_tokens=3,
        output_tokens=0,
        cost_usd=0.5,
        request_id="r-1",
        tries=3,
    )
    results = await run(Scripted({1: error}), dataset(3))
    failed = results[1]
    assert failed.answers is None
    assert (failed.error.kind, failed.error.status_code) == (K.RATE_LIMITED, 429)
    assert failed.error.message == "The API returned HTTP 429."
    assert (failed.model, failed.input_tokens, failed.output_tokens) == ("m", 3, 0)
    assert (failed.cost_usd, failed.request_id, failed.tries) == (0.5, "r-1", 3)
    assert results[0].error is results[2].error is None


async def test_a_cancellation_from_elsewhere_is_written_on_its_item():
    results = await run(Scripted({1: asyncio.CancelledError()}), dataset(3))
    assert results[1].error.kind is K.CANCELLED
    assert results[1].error.message == "The request was cancelled."
    assert results[2].error is None


async def test_answers_that_do_not_fit_are_an_invalid_response():
    async def misfit():
        return DecisionResponse(
            {**ANSWERS, "mood": AnswerRecord.score(3)},
            model="fake-2",
            input_tokens=5,
            output_tokens=6,
            cost_usd=0.25,
            request_id="r-9",
        )

    results = await run(Scripted({1: misfit}), dataset(3))
    failed = results[1]
    assert failed.answers is None
    assert failed.error.kind is K.INVALID_RESPONSE
    assert failed.error.message == (
        "The answer to 'mood' names the level 3, which the question does not have."
    )
    assert (failed.model, failed.input_tokens, failed.output_tokens) == ("fake-2", 5, 6)
    assert (failed.cost_usd, failed.request_id) == (0.25, "r-9")
    assert failed.latency_ms is not None


async def test_missing_answers_are_left_out_and_none_at_all_is_an_invalid_response():
    async def some():
        return DecisionResponse({"urgent": AnswerRecord.noul(0.5)})

    async def none():
        return DecisionResponse({})

    results = await run(Scripted({0: some, 1: none}), dataset(2))
    assert list(results[0].answers) == ["urgent"]
    assert results[1].error.kind is K.INVALID_RESPONSE


async def test_an_exception_of_the_client_stops_the_run():
    error = ZeroDivisionError("broken")
    provider = Scripted({3: error})
    with pytest.raises(DatasetRunError) as raised:
        await run(provider, dataset(9))
    assert isinstance(raised.value, RunError)
    assert raised.value.__cause__ is error
    assert raised.value.stop is Stop.FAULT
    partial = raised.value.partial_results
    assert ids(partial) == ["item-0", "item-1", "item-2"]
    assert partial.header.partial
    assert partial.header.item_count == 3
    assert provider.asked == [0, 1, 2, 3]
    assert str(raised.value) == (
        "the run stopped after 3 of 9 items: ZeroDivisionError: broken"
        " (while asking scripted about item 'item-3')"
    )
    assert error.__notes__ == ["raised while asking scripted about item 'item-3'"]


class Unusual(BaseException):
    """What is no `Exception`."""


@pytest.mark.parametrize("where", ["client", "receiver"])
async def test_what_is_no_exception_stops_the_run_like_one(where, tmp_path):
    error = Unusual("enough")

    def progress(now):
        if where == "receiver" and now.done == 3:
            raise error

    options = DatasetRunOptions(progress=progress)
    provider = Scripted({3: error} if where == "client" else {})
    with pytest.raises(DatasetRunError, match="Unusual: enough") as raised:
        await run(provider, dataset(9), options)
    assert raised.value.__cause__ is error
    assert ids(raised.value.partial_results) == ["item-0", "item-1", "item-2"]
    into = DirectoryRun(provider, dataset(9), tmp_path, options)
    ending = await into.run()
    assert (ending.fault, ending.done) == (error, 3)
    assert ids(EvaluationResults.load(into.results_path).unwrap()) == ["item-0", "item-1", "item-2"]


async def test_partial_results_are_in_the_order_of_the_data_set():
    async def late():
        await anyio.sleep(5)

    async def fail_later():
        await anyio.sleep(9)
        raise RuntimeError

    provider = Scripted({0: late, 4: fail_later, 6: hang, 7: hang})
    with pytest.raises(DatasetRunError) as raised:
        await run(provider, dataset(9), DatasetRunOptions(max_parallelism=3))
    assert ids(raised.value.partial_results) == [f"item-{n}" for n in (0, 1, 2, 3, 5)]


async def test_an_exception_of_the_progress_receiver_stops_the_run():
    error = ValueError("full")

    def progress(now):
        if now.done == 2:
            raise error

    provider = Scripted()
    with pytest.raises(DatasetRunError) as raised:
        await run(provider, dataset(9), DatasetRunOptions(progress=progress))
    assert raised.value.__cause__ is error
    assert ids(raised.value.partial_results) == ["item-0", "item-1"]
    assert provider.asked == [0, 1]


async def test_a_fault_before_any_item_finished_has_empty_partial_results():
    with pytest.raises(DatasetRunError) as raised:
        await run(Scripted({0: RuntimeError()}), dataset(3))
    assert len(raised.value.partial_results) == 0
    assert raised.value.partial_results.header.partial


async def test_something_else_than_a_response_stops_the_run():
    async def nothing():
        return {"answers": {}}

    with pytest.raises(DatasetRunError) as raised:
        await run(Scripted({0: nothing}), dataset(3))
    assert isinstance(raised.value.__cause__, TypeError)


async def test_own_cancellation_is_raised_as_it_was():
    with anyio.move_on_after(5) as scope:
        await run(Scripted({1: hang}), dataset(3))
        pytest.fail("the cancellation was swallowed")
    assert scope.cancelled_caught


async def test_own_cancellation_comes_before_a_fault():
    scope = anyio.CancelScope()

    async def settle_late():
        try:
            await anyio.sleep_forever()
        finally:
            scope.cancel()

    provider = Scripted({0: settle_late, 1: RuntimeError()})
    with scope:
        await run(provider, dataset(4), DatasetRunOptions(max_parallelism=2))
        pytest.fail("the fault came before the cancellation")
    assert scope.cancelled_caught


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
async def test_interrupts_are_own_cancellation(kind):
    with pytest.raises(kind):
        await run(Scripted({1: kind()}), dataset(3))


async def test_progress_is_told_once_for_each_item():
    told = []
    provider = Scripted({1: DecisionError(K.SERVER, "no")}, replace(RESPONSE, cost_usd=0.1))
    options = DatasetRunOptions(progress=told.append, max_parallelism=2)
    await run(provider, dataset(4), options)
    assert [now.done for now in told] == [1, 2, 3, 4]
    assert {now.total for now in told} == {4}
    assert told[-1].errors == 1
    assert told[-1].cost_usd == 0.3
    assert sorted(now.result.id for now in told) == [f"item-{n}" for n in range(4)]


async def test_a_spent_budget_keeps_what_was_in_flight():
    async def slow():
        await anyio.sleep(2)

    provider = Scripted(dict.fromkeys(range(9), slow), replace(RESPONSE, cost_usd=0.25))
    options = DatasetRunOptions(max_cost_usd=1, max_parallelism=2)
    with pytest.raises(DatasetRunError) as raised:
        await run(provider, dataset(9), options)
    assert raised.value.__cause__ is None
    assert raised.value.stop is Stop.BUDGET
    assert len(raised.value.partial_results) == 4
    assert provider.asked == [0, 1, 2, 3]


async def test_an_unknown_cost_stops_a_run_with_a_limit_on_cost():
    response = DecisionResponse(ANSWERS, model="fake-1", input_tokens=100, output_tokens=200)
    with pytest.raises(DatasetRunError, match="without a cost") as raised:
        await run(Scripted(response=response), dataset(4), DatasetRunOptions(max_cost_usd=1))
    assert len(raised.value.partial_results) == 1


async def test_requests_that_were_not_sent_do_not_count():
    async def cached():
        return replace(RESPONSE, cached=True, cost_usd=None)

    unsupported = DecisionError(K.UNSUPPORTED, "no", tries=0)
    provider = Scripted({0: cached, 1: unsupported, 2: cached})
    results = await run(provider, dataset(4), DatasetRunOptions(max_requests=1))
    assert len(results) == 4
    assert results[0].cached
    assert results[1].tries == 1


async def test_the_time_for_the_run():
    options = DatasetRunOptions(run_timeout_s=5)
    with pytest.raises(DatasetRunError, match="the time for the run is over") as raised:
        await run(Scripted({2: hang}), dataset(4), options)
    assert raised.value.stop is Stop.RUN_TIMEOUT
    assert len(raised.value.partial_results) == 2


async def test_the_time_for_an_item():
    results = await run(Scripted({2: hang}), dataset(4), DatasetRunOptions(timeout_s=5))
    assert results[2].error.kind is K.TIMEOUT
    assert results[2].error.message == "The request timed out."


async def test_a_selection_is_a_whole_run_of_a_part():
    provider = Scripted()
    options = DatasetRunOptions(ids=("item-[135]",), limit=2)
    results = await run(provider, dataset(6), options)
    assert provider.asked == [1, 3]
    selection = results.header.selection
    assert (selection.of, selection.limit, selection.ids) == (6, 2, ("item-[135]",))
    assert selection.seed is selection.sample is None
    assert not results.header.partial


async def test_a_sample_tells_its_seed_and_is_spread_over_sources():
    provider = Scripted()
    results = await run(provider, dataset(40), DatasetRunOptions(sample=5, sample_seed=3))
    assert len(results) == 5
    assert (results.header.selection.sample, results.header.selection.seed) == (5, 3)


async def test_an_id_that_matches_nothing_is_told_before_anything_is_sent():
    provider = Scripted()
    with pytest.raises(ValueError, match="no id matches 'x'"):
        await run(provider, dataset(3), DatasetRunOptions(ids=("x",)))
    assert provider.asked == []


async def test_time_that_a_request_was_held_is_no_latency(monkeypatch):
    ticks = iter([10.0, 13.0, 20.0, 21.0, 30.0, 30.5])
    monkeypatch.setattr("minos.decisions.runner.time.perf_counter", lambda: next(ticks))
    held = replace(RESPONSE, held_s=2.5)

    async def respond():
        return held

    async def respond_oddly():
        return replace(held, held_s=99.0)

    failed = DecisionError(K.SERVER, "no", held_s=0.75)
    provider = Scripted({0: respond, 1: failed, 2: respond_oddly})
    results = await run(provider, dataset(3))
    assert [result.latency_ms for result in results] == [500.0, 250.0, 0.0]


async def test_numbers_that_can_be_none_are_not_known():
    async def odd():
        return replace(RESPONSE, cost_usd=math.nan, input_tokens=-1, output_tokens=2**60, tries=0)

    results = await run(Scripted({0: odd}), dataset(1))
    assert results[0].cost_usd is results[0].input_tokens is results[0].output_tokens is None
    assert results[0].tries == 1


async def test_text_that_no_file_can_hold_is_replaced():
    async def odd():
        return replace(RESPONSE, model="a\ud800b", request_id="\udfff")

    results = await run(Scripted({0: odd}), dataset(1))
    assert (results[0].model, results[0].request_id) == ("a?b", "?")


async def test_a_provider_without_a_name():
    class Bare:
        async def decide(self, _request):
            return RESPONSE

    results = await run(Bare(), dataset(1))
    assert (results.header.provider, results.header.model) == ("Bare", None)
    options = DatasetRunOptions(provider="mine", model="m")
    results = await run(Bare(), dataset(1), options)
    assert (results.header.provider, results.header.model) == ("mine", "m")


def test_the_sync_form():
    assert len(run_sync(Scripted(), dataset(3))) == 3
    with pytest.raises(DatasetRunError):
        run_sync(Scripted({1: RuntimeError()}), dataset(3))


async def test_the_sync_form_within_a_running_loop():
    results = run_sync(Scripted(), dataset(3), DatasetRunOptions(max_parallelism=2))
    assert ids(results) == ["item-0", "item-1", "item-2"]
    with pytest.raises(DatasetRunError) as raised:
        run_sync(Scripted({1: RuntimeError()}), dataset(3))
    assert ids(raised.value.partial_results) == ["item-0"]


@pytest.mark.parametrize(
    "options",
    [
        {"max_parallelism": 0},
        {"timeout_s": 0},
        {"run_timeout_s": -1},
        {"limit": 0},
        {"sample": 0},
        {"max_cost_usd": 0},
        {"max_requests": 0},
    ],
)
def test_options_that_make_no_sense(options):
    with pytest.raises(ValueError, match="must be"):
        DatasetRunOptions(**options)
