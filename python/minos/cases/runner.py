"""Runs cases through a subject, or holds recorded answers against their assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from os import PathLike
from typing import TypeAlias

from minos.attempts.memory import Memory
from minos.attempts.scheduler import Ending, Plan, run_attempts
from minos.attempts.sync import run_in_own_loop
from minos.cases.assertions.registry import installed
from minos.cases.batch import CaseBatch
from minos.cases.case import Case
from minos.cases.dataset import CaseDataset
from minos.cases.errors import CaseRunError
from minos.cases.judging import Judging
from minos.cases.options import CaseRunOptions
from minos.cases.planning import AttemptIndices, check_runnable, choose_cases, header_of
from minos.cases.results import CaseResults
from minos.cases.source import RecordedSource, Source, SubjectSource
from minos.cases.work import CaseWork
from minos.subjects.base import Subject
from minos.subjects.call import CallableSubject

Provider: TypeAlias = Subject | Callable[..., object]
"""A subject, or a Python callable that becomes one."""

Datasets: TypeAlias = (
    CaseDataset | str | PathLike[str] | Sequence[CaseDataset | str | PathLike[str]]
)
"""A data set or its file, or several."""


async def run(
    datasets: Datasets, provider: Provider | None = None, options: CaseRunOptions | None = None
) -> CaseResults:
    """Get an answer to every case and hold it against the assertions of the case.

    A subject that raises, takes too long or returns no answer makes its attempt an error; the run
    goes on.

    Args:
        datasets: The cases.
        provider: What is asked: a callable that gets the case, or its input where its parameter is
            named so; or a `Subject`. Without one the answers are those in the data sets
            (`actual_output`).
        options: How the cases are run; one attempt each, one at a time, without any.

    Returns:
        The attempts, in the order of the data sets.

    Raises:
        ProblemsError: A file has problems.
        ConfigError: An assertion cannot run, or the provider cannot be called with a case.
        CaseRunError: The run stopped: the progress receiver raised, the budget or the time for the
            run was spent, or too many calls hang. It carries the attempts that finished.
        BaseException: Your own cancellation, as it was.

    Example:
        ```python
        def answer(case):
            return "30 days, with a receipt"

        results = await minos.cases.run("tests/evals/questions.yaml", answer)
        ```
    """
    options = options or CaseRunOptions()
    batch = load_batch(datasets, options)
    source = source_of(provider, options)
    chosen = choose_cases(batch, options)
    registry = installed() if options.registry is None else options.registry
    check_runnable(batch, chosen, registry)
    header = header_of(batch, options, len(chosen), source.name, started_at=datetime.now(UTC))
    work = CaseWork(
        batch,
        source,
        Judging(registry, options.defaults),
        repeat=options.repeat,
        timeout_s=options.timeout_s,
    )
    store = Memory()
    indices = AttemptIndices(chosen, options.repeat)
    ending = await run_attempts(work, Plan(indices, len(indices)), store, options.slots())
    lines = list(store.results(indices))
    results = CaseResults(replace(header, partial=ending.stop is not None), lines)
    if ending.stop is not None:
        raise stopped(ending, len(indices), results) from ending.fault
    return results


def run_sync(
    datasets: Datasets, provider: Provider | None = None, options: CaseRunOptions | None = None
) -> CaseResults:
    """Do what `run` does, from code that is not asynchronous.

    It has an event loop of its own, in another thread where one is running already, so that it
    works in notebooks too.

    Example:
        ```python
        results = minos.cases.run_sync("tests/evals/questions.yaml", answer)
        ```
    """
    return run_in_own_loop(partial(run, datasets, provider, options))


def load_batch(datasets: Datasets, options: CaseRunOptions) -> CaseBatch:
    """Load what is not loaded yet, and join it.

    Raises:
        ProblemsError: A file has problems.
        OSError: A file is missing or cannot be read.
    """
    single = isinstance(datasets, CaseDataset | str | PathLike)
    several = [datasets] if single else datasets
    return CaseBatch(
        [
            each
            if isinstance(each, CaseDataset)
            else CaseDataset.load(each, registry=options.registry).unwrap()  # type: ignore[arg-type]
            for each in several  # type: ignore[union-attr]
        ]
    )


def source_of(provider: Provider | None, options: CaseRunOptions) -> Source:
    """Return where the answers come from.

    Raises:
        ConfigError: The provider cannot be called with a case.
    """
    if provider is None:
        return RecordedSource()
    if isinstance(provider, Subject):
        return SubjectSource(provider)
    return SubjectSource(
        CallableSubject(provider, case_type=Case, most_stuck=options.max_parallelism)
    )


def stopped(ending: Ending, total: int, results: CaseResults) -> CaseRunError:
    """Say why a run stopped and how far it came."""
    message = f"the run stopped after {ending.done} of {total} attempts: {ending.reason}"
    error = CaseRunError(message, results, ending.stop)  # type: ignore[arg-type]
    error.hint = str(getattr(ending.fault, "hint", ""))
    return error
