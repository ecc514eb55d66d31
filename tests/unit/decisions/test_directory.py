import gc
import json
import tracemalloc
from dataclasses import replace
from datetime import UTC, datetime

import anyio
import pytest
from tests.unit.decisions.asked import QUESTIONS, RESPONSE, Scripted, dataset

from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.scheduler import Stop
from minos.attempts.sync import run_in_own_loop
from minos.decisions.directory import DirectoryRun
from minos.decisions.options import DatasetRunOptions
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import PARTIAL, RESULTS, STILL_GOING, find_results
from minos.errors import ConfigError, DecisionError, DecisionErrorKind

pytestmark = pytest.mark.anyio

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = datetime(2026, 12, 1, tzinfo=UTC)


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def prepare(directory, provider, items, *, started_at=START, go_on=False, again=False, **options):
    return DirectoryRun(
        provider,
        items,
        directory,
        DatasetRunOptions(dataset_name="support", **options),
        go_on=go_on,
        retry_failed=again,
        clock=lambda: 0.0,
        started_at=started_at,
    )


def load(path):
    return EvaluationResults.load(path).unwrap()


def ids(path):
    return [result.id for result in load(path)]


def found_in(directory):
    with find_results(directory) as found:
        return found


async def kill(directory, count, *, total=6, **options):
    """Leave a directory as a run that was killed after some items leaves it."""
    run = prepare(directory, Scripted({count: RuntimeError()}), dataset(total), **options)
    await run.run()
    (directory / PARTIAL).unlink(missing_ok=True)
    (directory / RESULTS).unlink(missing_ok=True)


async def test_success_leaves_the_results_and_no_journal(tmp_path):
    run = prepare(tmp_path, Scripted(), dataset(5), max_parallelism=2)
    assert names(tmp_path) == []
    ending = await run.run()
    assert ending.stop is None
    assert names(tmp_path) == [RESULTS]
    assert run.results_path == tmp_path / RESULTS
    results = load(tmp_path / RESULTS)
    assert [result.id for result in results] == [f"item-{n}" for n in range(5)]
    header = results.header
    assert (header.dataset, header.provider, header.model) == ("support", "scripted", "fake")
    assert (header.started_at, header.item_count, header.partial) == (START, 5, False)


async def test_a_journal_is_there_while_the_run_goes_on(tmp_path):
    seen = []
    run = prepare(tmp_path, Scripted(), dataset(3), progress=lambda _: seen.append(names(tmp_path)))
    await run.run()
    assert seen == [[JOURNAL]] * 3


async def test_a_fault_leaves_partial_results_and_the_journal(tmp_path):
    (tmp_path / RESULTS).write_text("old")
    run = prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6))
    ending = await run.run()
    assert ending.stop is Stop.FAULT
    assert names(tmp_path) == [JOURNAL, PARTIAL]
    results = load(run.results_path)
    assert [result.id for result in results] == ["item-0", "item-1", "item-2"]
    assert results.header.partial
    assert results.header.item_count == 3


async def test_own_cancellation_leaves_partial_results_too(tmp_path):
    async def cancel():
        scope.cancel()
        await anyio.sleep_forever()

    run = prepare(tmp_path, Scripted({2: cancel}), dataset(6))
    with anyio.CancelScope() as scope:
        await run.run()
    assert scope.cancelled_caught
    assert ids(run.results_path) == ["item-0", "item-1"]


async def test_an_interrupt_leaves_partial_results_too(tmp_path):
    run = prepare(tmp_path, Scripted({2: KeyboardInterrupt()}), dataset(6))
    with pytest.raises(KeyboardInterrupt):
        await run.run()
    assert ids(run.results_path) == ["item-0", "item-1"]


async def test_without_a_finished_item_nothing_is_written_or_deleted(tmp_path):
    (tmp_path / RESULTS).write_text("old")
    run = prepare(tmp_path, Scripted({0: RuntimeError()}), dataset(6))
    await run.run()
    assert names(tmp_path) == [RESULTS]
    assert (tmp_path / RESULTS).read_text() == "old"
    assert run.results_path is None


async def test_an_empty_data_set_is_a_whole_run(tmp_path):
    run = prepare(tmp_path, Scripted(), dataset(0))
    await run.run()
    assert names(tmp_path) == [RESULTS]
    assert load(tmp_path / RESULTS).header.item_count == 0


async def test_success_deletes_partial_results(tmp_path):
    (tmp_path / PARTIAL).write_text("old")
    await prepare(tmp_path, Scripted(), dataset(2)).run()
    assert names(tmp_path) == [RESULTS]


async def test_going_on_asks_only_for_what_is_not_there(tmp_path):
    await kill(tmp_path, 2)
    assert names(tmp_path) == [JOURNAL]
    provider = Scripted()
    told = []
    run = prepare(
        tmp_path, provider, dataset(6), go_on=True, started_at=LATER, progress=told.append
    )
    assert (run.total, run.left, run.replaced, run.notes) == (6, 4, 0, [])
    await run.run()
    assert provider.asked == [2, 3, 4, 5]
    assert [now.done for now in told] == [3, 4, 5, 6]
    assert names(tmp_path) == [RESULTS]
    resumed = (tmp_path / RESULTS).read_bytes()
    await prepare(tmp_path, Scripted(), dataset(6)).run()
    assert resumed == (tmp_path / RESULTS).read_bytes()


async def test_a_torn_line_is_dropped_with_a_note(tmp_path):
    await kill(tmp_path, 3)
    path = tmp_path / JOURNAL
    path.write_bytes(path.read_bytes()[:-7])
    provider = Scripted()
    run = prepare(tmp_path, provider, dataset(6), go_on=True)
    assert len(run.notes) == 1
    assert "was being written" in run.notes[0]
    await run.run()
    assert provider.asked == [2, 3, 4, 5]
    assert ids(tmp_path / RESULTS) == [f"item-{n}" for n in range(6)]


async def test_a_run_killed_before_its_results_were_written_only_writes_them(tmp_path):
    kept = []
    run = prepare(tmp_path, Scripted(), dataset(4))
    await run.run(lambda _: kept.append((tmp_path / JOURNAL).read_bytes()))
    (tmp_path / RESULTS).unlink()
    (tmp_path / JOURNAL).write_bytes(kept[-1])
    provider = Scripted()
    again = prepare(tmp_path, provider, dataset(4), go_on=True)
    assert (again.left, again.is_finished) == (0, False)
    await again.run()
    assert provider.asked == []
    assert names(tmp_path) == [RESULTS]


async def test_a_finished_run_has_nothing_to_do(tmp_path):
    await prepare(tmp_path, Scripted(), dataset(4)).run()
    run = prepare(tmp_path, Scripted(), dataset(4), go_on=True)
    assert run.is_finished
    assert run.left == 0
    assert "no journal" in run.notes[0]


async def test_partial_results_without_a_journal_are_gone_on_with(tmp_path):
    await prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6)).run()
    (tmp_path / JOURNAL).unlink()
    provider = Scripted()
    run = prepare(tmp_path, provider, dataset(6), go_on=True, started_at=LATER)
    assert (run.left, run.is_finished) == (3, False)
    assert names(tmp_path) == [PARTIAL]
    await run.run()
    assert provider.asked == [3, 4, 5]
    assert names(tmp_path) == [RESULTS]
    assert load(tmp_path / RESULTS).header.started_at == START


async def test_nothing_kept_is_lost_when_going_on_without_a_journal_is_stopped(tmp_path):
    await prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6)).run()
    (tmp_path / JOURNAL).unlink()
    await prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6), go_on=True).run()
    assert names(tmp_path) == [JOURNAL, PARTIAL]
    assert ids(tmp_path / PARTIAL) == ["item-0", "item-1", "item-2"]


async def test_an_empty_directory_starts_anew(tmp_path):
    provider = Scripted()
    run = prepare(tmp_path, provider, dataset(2), go_on=True)
    assert run.notes == ["nothing of an earlier start is there: the run starts anew"]
    await run.run()
    assert provider.asked == [0, 1]


async def test_failures_that_may_pass_are_asked_again_when_that_is_wanted(tmp_path):
    kinds = list(DecisionErrorKind)
    passing = {"RateLimited", "Overloaded", "Server", "Network", "Timeout", "Cancelled"}
    failures = {n: DecisionError(kind, "no", cost_usd=0.5) for n, kind in enumerate(kinds)}
    total = len(kinds) + 1
    await prepare(tmp_path, Scripted(failures), dataset(total)).run()
    finished = prepare(tmp_path, Scripted(), dataset(total), go_on=True)
    assert finished.is_finished
    provider = Scripted()
    run = prepare(tmp_path, provider, dataset(total), go_on=True, again=True)
    assert (run.left, run.replaced, run.replaced_cost_usd) == (6, 6, 3.0)
    ending = await run.run()
    assert provider.asked == [n for n, kind in enumerate(kinds) if kind in passing]
    assert (ending.done, ending.errors) == (total, len(kinds) - 6)
    results = load(tmp_path / RESULTS)
    failed = {result.error.kind for result in results if result.error}
    assert failed == set(kinds) - {DecisionErrorKind(name) for name in passing}


async def test_a_stop_while_failures_are_asked_again_keeps_the_old_ones(tmp_path):
    failure = DecisionError(DecisionErrorKind.SERVER, "old")
    await prepare(tmp_path, Scripted({1: failure, 2: failure}), dataset(4)).run()
    run = prepare(tmp_path, Scripted({2: RuntimeError()}), dataset(4), go_on=True, again=True)
    ending = await run.run()
    assert ending.stop is Stop.FAULT
    assert names(tmp_path) == [JOURNAL, RESULTS]
    results = load(tmp_path / RESULTS)
    assert not results.header.partial
    assert [result.error is None for result in results] == [True, True, False, True]


@pytest.mark.parametrize("journal", [True, False])
@pytest.mark.parametrize(
    ("changes", "message"),
    [({"model": "other"}, "model 'fake', not 'other'"), ({"name": "x"}, "provider 'scripted'")],
)
async def test_another_provider_or_model_is_refused(tmp_path, journal, changes, message):
    await prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6)).run()
    if not journal:
        (tmp_path / JOURNAL).unlink()
    with pytest.raises(ConfigError, match=message):
        prepare(tmp_path, replace(Scripted(), **changes), dataset(6), go_on=True)


async def test_another_address_is_refused(tmp_path):
    await kill(tmp_path, 2)
    provider = Scripted()
    provider.address = "http://localhost:1/"
    with pytest.raises(ConfigError, match="address None, not 'http://localhost:1/'"):
        prepare(tmp_path, provider, dataset(6), go_on=True)


@pytest.mark.parametrize("journal", [True, False])
async def test_an_item_that_is_gone_is_refused(tmp_path, journal):
    await prepare(tmp_path, Scripted({3: RuntimeError()}), dataset(6)).run()
    if not journal:
        (tmp_path / JOURNAL).unlink()
    with pytest.raises(ConfigError, match="the data set has changed"):
        prepare(tmp_path, Scripted(), dataset(2), go_on=True)


async def test_an_item_whose_questions_differ_is_refused(tmp_path):
    await kill(tmp_path, 2)
    other = {**QUESTIONS, "urgent": {"type": "noul", "instructions": "Is it very urgent?"}}
    with pytest.raises(ConfigError, match="'item-0' is not what it was"):
        prepare(tmp_path, Scripted(), dataset(6, other), go_on=True)


async def test_corrected_expected_answers_do_not_matter(tmp_path):
    await kill(tmp_path, 2)
    run = prepare(tmp_path, Scripted(), dataset(6, expected={"urgent": True}), go_on=True)
    assert run.left == 4


async def test_a_data_set_that_has_grown_is_gone_on_with(tmp_path):
    await kill(tmp_path, 2)
    await prepare(tmp_path, Scripted({7: RuntimeError()}), dataset(9), go_on=True).run()
    (tmp_path / PARTIAL).unlink()
    assert found_in(tmp_path).path == tmp_path / PARTIAL
    provider = Scripted()
    await prepare(tmp_path, provider, dataset(9), go_on=True).run()
    assert provider.asked == [7, 8]
    assert ids(tmp_path / RESULTS) == [f"item-{n}" for n in range(9)]


async def test_a_selection_is_gone_on_with(tmp_path):
    await kill(tmp_path, 1, ids=("item-[0134]",), limit=3)
    provider = Scripted()
    run = prepare(tmp_path, provider, dataset(6), go_on=True)
    assert (run.total, run.left) == (3, 2)
    await run.run()
    assert provider.asked == [1, 3]
    selection = load(tmp_path / RESULTS).header.selection
    assert (selection.of, selection.limit, selection.ids) == (6, 3, ("item-[0134]",))


async def test_another_selection_is_refused(tmp_path):
    await kill(tmp_path, 2, limit=5)
    assert prepare(tmp_path, Scripted(), dataset(6), go_on=True, limit=5).left == 3
    with pytest.raises(ConfigError, match="another selection"):
        prepare(tmp_path, Scripted(), dataset(6), go_on=True, limit=6)


async def test_a_whole_run_is_not_gone_on_with_as_a_part(tmp_path):
    await kill(tmp_path, 2)
    with pytest.raises(ConfigError, match="another selection"):
        prepare(tmp_path, Scripted(), dataset(6), go_on=True, limit=5)


async def test_a_journal_of_another_family_is_refused(tmp_path):
    (tmp_path / JOURNAL).write_text(
        '{"kind":"minos-journal","version":1,"settings":{"subject":"x"}}\n'
    )
    with pytest.raises(ConfigError, match="not of a run over a decision data set"):
        prepare(tmp_path, Scripted(), dataset(6), go_on=True)


async def test_the_results_of_a_killed_run_are_made_from_its_journal(tmp_path):
    await kill(tmp_path, 2)
    found = found_in(tmp_path)
    assert (found.path, found.notes) == (tmp_path / PARTIAL, ())
    results = load(found.path)
    assert [result.id for result in results] == ["item-0", "item-1"]
    assert results.header.partial


async def test_the_journal_is_the_truth_where_there_is_one(tmp_path):
    await kill(tmp_path, 2)
    (tmp_path / RESULTS).write_text("old")
    assert found_in(tmp_path).path == tmp_path / PARTIAL
    assert names(tmp_path) == [JOURNAL, PARTIAL]


async def test_the_results_of_a_finished_run_are_found(tmp_path):
    await prepare(tmp_path, Scripted(), dataset(2)).run()
    assert found_in(tmp_path).path == tmp_path / RESULTS
    (tmp_path / RESULTS).rename(tmp_path / PARTIAL)
    assert found_in(tmp_path).path == tmp_path / PARTIAL


def test_a_directory_without_results_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="holds no results"):
        found_in(tmp_path)


async def test_the_directory_of_a_run_that_is_going_is_read_and_left_alone(tmp_path):
    seen = []

    def look(now):
        if now.done != 2:
            return
        with find_results(tmp_path) as found:
            seen.append((found.notes, load(found.path), found.path))
            assert names(tmp_path) == [JOURNAL]

    ending = await prepare(tmp_path, Scripted(), dataset(4)).run(look)
    ((notes, results, path),) = seen
    assert notes == (STILL_GOING,)
    assert [result.id for result in results] == ["item-0", "item-1"]
    assert results.header.partial
    assert not path.exists()
    assert (ending.done, names(tmp_path)) == (4, [RESULTS])


async def test_a_line_that_a_run_is_writing_is_left_out(tmp_path):
    await kill(tmp_path, 2)
    whole = (tmp_path / JOURNAL).read_bytes()
    for line in (b'{"index":2,', b'{"index":2,"request":"", "result":{}}'):
        (tmp_path / JOURNAL).write_bytes(whole + line)
        with find_results(tmp_path) as found, find_results(tmp_path) as again:
            assert found.notes == again.notes != ()
            assert [result.id for result in load(found.path)] == ["item-0", "item-1"]


async def test_a_directory_that_is_being_read_is_not_gone_on_with(tmp_path):
    await kill(tmp_path, 2)
    with find_results(tmp_path), pytest.raises(ConfigError, match="another process is writing"):
        await prepare(tmp_path, Scripted(), dataset(4), go_on=True).run()


async def test_results_that_cannot_be_written_leave_the_journal(tmp_path):
    run = prepare(tmp_path, Scripted(), dataset(3))
    (tmp_path / RESULTS).mkdir()
    with pytest.raises(OSError, match=RESULTS):
        await run.run()
    assert JOURNAL in names(tmp_path)


async def test_the_journal_holds_no_more_than_the_results_and_what_names_the_run(tmp_path):
    await kill(tmp_path, 2, limit=4)
    header, first, *_ = (tmp_path / JOURNAL).read_text().splitlines()
    assert json.loads(header)["settings"] == {
        "kind": "minos-results",
        "version": 1,
        "dataset": "support",
        "provider": "scripted",
        "model": "fake",
        "startedAt": "2026-11-30T12:00:00.000Z",
        "itemCount": 4,
        "selection": {"of": 6, "count": 4, "limit": 4},
        "address": None,
    }
    entry = json.loads(first)
    assert entry["index"] == 0
    assert len(entry["request"]) == 64
    assert entry["result"]["id"] == "item-0"


async def test_costs_of_this_start_only(tmp_path):
    provider = Scripted({2: RuntimeError()}, replace(RESPONSE, cost_usd=0.5))
    await prepare(tmp_path, provider, dataset(4)).run()
    again = Scripted({}, replace(RESPONSE, cost_usd=0.5))
    ending = await prepare(tmp_path, again, dataset(4), go_on=True).run()
    assert ending.cost_usd == 1.0


def test_a_run_takes_a_few_bytes_of_memory_an_item(tmp_path):
    sizes = {}

    def measure(now):
        if now.done in {500, 2500}:
            gc.collect()
            sizes[now.done], _ = tracemalloc.get_traced_memory()

    class Forgetful:
        async def decide(self, _request):
            return RESPONSE

    run = prepare(tmp_path, Forgetful(), dataset(2500), max_parallelism=8)
    tracemalloc.start()
    try:
        run_in_own_loop(lambda: run.run(measure))
    finally:
        tracemalloc.stop()
    assert sizes[2500] - sizes[500] < 2000 * 32
