"""Runs a data set through a provider."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from minos.attempts.memory import Memory
from minos.attempts.scheduler import Ending, Plan, run_attempts
from minos.attempts.sync import run_in_own_loop
from minos.decisions.costs import cost_usd
from minos.decisions.dataset import DecisionDataset
from minos.decisions.errors import DatasetRunError
from minos.decisions.estimate import check_cost_limit
from minos.decisions.heading import choose, header_of
from minos.decisions.options import DatasetRunOptions
from minos.decisions.record_lines import header_line
from minos.decisions.records import RunHeader
from minos.decisions.results import EvaluationResults
from minos.decisions.work import ItemWork
from minos.providers.base import DecisionProvider


async def run(
    provider: DecisionProvider, dataset: DecisionDataset, options: DatasetRunOptions | None = None
) -> EvaluationResults:
    """Send every item of a data set through a provider, one request for each.

    A request that fails with a `DecisionError` is written on its item, and so is one that
    something other than the run cancelled (`Cancelled`) and one whose answers do not fit the item
    (`InvalidResponse`); the run goes on.

    Args:
        provider: What is asked. It stays open.
        dataset: The items.
        options: How they are run; one at a time without any.

    Returns:
        The results, in the order of the data set. Save them before anything else.

    Raises:
        DatasetRunError: The provider or the progress receiver raised something else, or a budget
            or the time for the run was spent. It carries the items that finished. After a fault
            no request is sent and those in flight are cancelled; one that returns all the same is
            kept. A spent budget lets those in flight finish.
        ConfigError: There is a limit on cost, and it is known that no answer will have one; or
            the name of the provider, the model or the data set is no text.
        ValueError: A pattern in `ids` matches no item.
        BaseException: Your own cancellation, as it was, also when it comes after a fault; then
            there are no partial results.

    Example:
        ```python
        results = await minos.decisions.run(provider, dataset, DatasetRunOptions(max_parallelism=4))
        results.save("results.jsonl")
        ```
    """
    options = options or DatasetRunOptions()
    check_cost_limit(provider, options.max_cost_usd, options.prices)
    chosen = choose(options.selection(), dataset)
    header = header_of(provider, dataset, options, chosen, datetime.now(UTC))
    work = ItemWork(provider, dataset, partial(cost_usd, prices=options.prices), time.perf_counter)
    store = Memory()
    ending = await run_attempts(work, Plan(chosen, len(chosen)), store, options.slots())
    results = _results(header, ending, store.results(chosen))
    if ending.stop is not None:
        raise DatasetRunError(stopped(ending, len(chosen)), results, ending.stop) from ending.fault
    return results


def run_sync(
    provider: DecisionProvider, dataset: DecisionDataset, options: DatasetRunOptions | None = None
) -> EvaluationResults:
    """Do what `run` does, from code that is not asynchronous.

    It has an event loop of its own, in another thread where one is running already, so that it
    works in notebooks too.

    Example:
        ```python
        results = minos.decisions.run_sync(provider, dataset)
        ```
    """
    return run_in_own_loop(partial(run, provider, dataset, options))


def stopped(ending: Ending, total: int) -> str:
    """Say in one line why a run stopped and how far it came."""
    return f"the run stopped after {ending.done} of {total} items: {ending.reason}"


def _results(header: RunHeader, ending: Ending, lines: Iterable[bytes]) -> EvaluationResults:
    header = replace(header, partial=ending.stop is not None)
    text = b"\n".join((header_line(header, ending.done), *lines, b""))
    return EvaluationResults.parse(text).unwrap()
