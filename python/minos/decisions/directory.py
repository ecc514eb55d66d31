"""Runs a data set into a directory, so that nothing that was paid for is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.journal import Journal
from minos.attempts.journaled import run_journaled
from minos.attempts.progress import ProgressReceiver
from minos.attempts.recovery import Recovered, recover
from minos.attempts.resume import check_settings, resume
from minos.attempts.scheduler import Ending, Plan
from minos.decisions.costs import cost_usd
from minos.decisions.dataset import DecisionDataset
from minos.decisions.earlier import (
    Again,
    check_header,
    has_error,
    indexed,
    load_results,
)
from minos.decisions.estimate import RunEstimate, check_cost_limit, estimate
from minos.decisions.heading import choose, header_of, selection_of
from minos.decisions.options import DatasetRunOptions
from minos.decisions.records import ItemResult, RunHeader
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import notes_of, read_settings, settings_of, write_results
from minos.decisions.work import ItemWork
from minos.providers.base import DecisionProvider


class DirectoryRun:
    """A run whose items are kept in a journal as they finish.

    Every orderly end writes `results.jsonl`, or `results.partial.jsonl` where the run stopped
    before its end, in the order of the data set; after success the journal is deleted. A run that
    is killed leaves the journal, from which another one may go on.

    Attributes:
        total: Items that the run consists of.
        left: Items that are to be asked for.
        is_finished: Whether the directory holds the results of the whole run already.
        replaced: Items with a failure that are asked for again.
        replaced_cost_usd: What these cost before, as far as it is known, in US dollars.
        notes: What whoever started the run should know, a line each.
        results_path: The results file once it is written; None before that, and where no item
            finished.
    """

    def __init__(
        self,
        provider: DecisionProvider,
        dataset: DecisionDataset,
        directory: Path,
        options: DatasetRunOptions,
        *,
        go_on: bool = False,
        retry_failed: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        started_at: datetime | None = None,
    ) -> None:
        """Find out what is to be done; nothing is sent or written yet.

        Args:
            provider: What is asked. It stays open.
            dataset: The items.
            directory: Where the files go, which is there.
            options: How the items are run.
            go_on: Ask only for what the directory does not hold already.
            retry_failed: With `go_on`, ask again for failures that may pass.
            clock: Seconds that only go up.
            started_at: When the run starts; now when left out.

        Raises:
            ConfigError: The directory holds another run than this one; or there is a limit on
                cost, and it is known that no answer will have one.
            ProblemsError: The results in the directory have problems.
            ValueError: A pattern matches no id.
            OSError: A file cannot be read.
        """
        check_cost_limit(provider, options.max_cost_usd, options.prices)
        self._provider = provider
        self._dataset = dataset
        self._directory = directory
        self._options = options
        self._work = ItemWork(provider, dataset, partial(cost_usd, prices=options.prices), clock)
        self._address = getattr(provider, "address", None)
        self._chosen = choose(options.selection(), dataset)
        started_at = started_at or datetime.now(UTC)
        self._header = header_of(provider, dataset, options, self._chosen, started_at)
        self._plan = Plan(self._chosen, len(self._chosen))
        self._again = Again(options, retry_failed=retry_failed)
        self.notes: list[str] = []
        self.is_finished = False
        self.results_path: Path | None = None
        self._open: Callable[[], None] | None = None
        if go_on:
            self._go_on()
        self.total = len(self._chosen)
        self.left = self._plan.count
        self.replaced = self._again.count
        self.replaced_cost_usd = self._again.cost_usd
        settings = settings_of(self._header, self.total, self._address)
        self._journal = Journal(directory, settings, self._work.identity_of)

    async def run(self, progress: ProgressReceiver[ItemResult] | None = None) -> Ending:
        """Ask for what is left, and write the results.

        Args:
            progress: Called once for each item that finishes; that of the options when left out.

        Returns:
            How the run ended; see `run_attempts`.

        Raises:
            BaseException: Your own cancellation, as it was. Partial results are written before.
            ProblemsError: The results cannot be written.
            OSError: The same; the journal stays.
        """
        if self._open is not None:
            self._open()
        slots = self._options.slots()
        if progress is not None:
            slots = replace(slots, progress=progress)
        return await run_journaled(self._work, self._plan, self._journal, slots, self._write)

    def estimate(self) -> RunEstimate:
        """Say what asking for the rest would take; nothing is sent."""
        return estimate(self._provider, self._dataset, self._plan.indices, self._options.prices)

    def _go_on(self) -> None:
        journal = self._directory / JOURNAL
        if journal.exists():
            self._go_on_with_journal(recover(journal))
            return
        results = load_results(self._directory)
        if results is not None:
            self._go_on_with_results(results)
        else:
            self.notes.append("nothing of an earlier start is there: the run starts anew")

    def _go_on_with_journal(self, recovered: Recovered) -> None:
        header, total = read_settings(recovered.settings)
        check_settings(recovered.settings, {"address": self._address}, ("address",))
        self._adopt(header)
        self._plan_rest(recovered.entries())
        self.notes += notes_of(recovered.torn_bytes)

        def reopen() -> None:
            self._journal.resume(recovered)
            if total != self.total:  # the header would be wrong
                self._journal.begin(recovered.results())

        self._open = reopen

    def _go_on_with_results(self, results: EvaluationResults) -> None:
        self._adopt(results.header)
        kept = partial(indexed, results, self._dataset, self._chosen)
        identity_of = self._work.identity_of
        self._plan_rest((at, identity_of(at), json.loads(line)) for at, line in kept())
        self.notes.append(
            "there is no journal: whether address and content are the same cannot be compared"
        )
        self.is_finished = self._plan.count == 0
        self._open = lambda: self._journal.begin(kept())

    def _adopt(self, earlier: RunHeader) -> None:
        check_header(earlier, self._header)
        self._chosen = choose(selection_of(earlier.selection), self._dataset)
        selection = earlier.selection and replace(
            earlier.selection, of=len(self._dataset), count=len(self._chosen)
        )
        self._header = replace(earlier, partial=False, item_count=None, selection=selection)

    def _plan_rest(self, entries: Iterable[tuple[int, str, dict[str, Any]]]) -> None:
        self._plan = resume(
            entries,
            self._chosen,
            self._work.identity_of,
            is_error=has_error,
            is_wanted_again=self._again.is_wanted,
        )

    def _write(self, is_stopped: bool) -> None:
        count = sum(1 for index in self._chosen if index in self._journal)
        if count == 0 and is_stopped:
            return
        lines = self._journal.results(self._chosen)
        self.results_path = write_results(
            self._directory, self._header, lines, count, is_partial=count < self.total
        )
