"""Runs cases into a directory, so that no answer is lost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.journal import Journal
from minos.attempts.journaled import run_journaled
from minos.attempts.recovery import Recovered, recover
from minos.attempts.resume import check_settings, resume
from minos.attempts.scheduler import Ending, Plan
from minos.cases.assertions.registry import installed
from minos.cases.batch import CaseBatch
from minos.cases.heading import CaseRunHeader, header_json, read_header
from minos.cases.judging import Judging
from minos.cases.lines import attempt_line
from minos.cases.options import CaseRunOptions
from minos.cases.planning import AttemptIndices, check_runnable, header_of
from minos.cases.results import CaseResults, write_results
from minos.cases.source import Source
from minos.cases.work import CaseWork
from minos.errors import ConfigError

RESULTS = "results.jsonl"
PARTIAL = "results.partial.jsonl"

_SAME = ("datasets", "subject", "attempts", "pass_rule", "case_count", "selection")
"""What has to be the same for a run to go on."""


class CaseDirectoryRun:
    """A run whose attempts are kept in a journal as they finish.

    Every orderly end writes `results.jsonl`, or `results.partial.jsonl` where the run stopped
    before its end; after success the journal is deleted. A run that is killed leaves the journal,
    from which another one may go on.

    Attributes:
        total: Attempts that the run consists of.
        left: Attempts that are to be made.
        is_finished: Whether the directory holds the results of the whole run already.
        replaced: Attempts with an error that are made again.
        notes: What whoever started the run should know, a line each.
        results_path: The results file once it is written; None before that, and where no attempt
            finished.
    """

    def __init__(
        self,
        batch: CaseBatch,
        source: Source,
        chosen: Sequence[int],
        directory: Path,
        options: CaseRunOptions,
        *,
        go_on: bool = False,
        retry_failed: bool = False,
        failed_in: str | None = None,
        clock: Callable[[], float] = time.perf_counter,
        started_at: datetime | None = None,
    ) -> None:
        """Find out what is to be done; nothing is asked or written yet.

        Args:
            batch: The cases there are.
            source: Where answers come from.
            chosen: The places of the cases that run, in ascending order.
            directory: Where the files go, which is there.
            options: How the cases are run.
            go_on: Make only the attempts that the directory does not hold already.
            retry_failed: With `go_on`, make those again that could not be decided.
            failed_in: The directory of the run whose failed cases were chosen.
            clock: Seconds that only go up.
            started_at: When the run starts; now when left out.

        Raises:
            ConfigError: The directory holds another run than this one, or an assertion cannot run.
            ProblemsError: The results in the directory have problems.
            OSError: A file cannot be read.
        """
        registry = installed() if options.registry is None else options.registry
        check_runnable(batch, chosen, registry)
        self._batch = batch
        self._directory = directory
        self._options = options
        self._chosen = chosen
        self._indices = AttemptIndices(chosen, options.repeat)
        self._work = CaseWork(
            batch,
            source,
            Judging(registry, options.defaults),
            repeat=options.repeat,
            timeout_s=options.timeout_s,
            clock=clock,
        )
        self._header = header_of(
            batch,
            options,
            len(chosen),
            source.name,
            started_at=started_at or datetime.now(UTC),
            failed_in=failed_in,
        )
        self.total = len(self._indices)
        self.notes: list[str] = []
        self.is_finished = False
        self.replaced = 0
        self.results_path: Path | None = None
        self._written: CaseResults | None = None
        self._retries = retry_failed
        self._plan = Plan(self._indices, self.total)
        self._open: Callable[[], None] | None = None
        if go_on:
            self._go_on()
        self.left = self._plan.count
        self._journal = Journal(directory, header_json(self._header), self._work.identity_of)

    @property
    def done(self) -> int:
        """Attempts that an earlier start has made."""
        return self._plan.done

    async def run(self) -> Ending:
        """Make the attempts that are left, and write the results.

        Returns:
            How the run ended; see `run_attempts`.

        Raises:
            BaseException: Your own cancellation, as it was. Partial results are written before.
            OSError: The results cannot be written; the journal stays.
        """
        if self._open is not None:
            self._open()
        return await run_journaled(
            self._work, self._plan, self._journal, self._options.slots(), self._write
        )

    def results(self) -> CaseResults:
        """Read the results that were written, or those of the earlier run where it was finished.

        Raises:
            ProblemsError: They have problems.
            ConfigError: There are none.
        """
        if self.is_finished:
            return CaseResults.load(self._directory / RESULTS).unwrap()
        if self._written is None:
            raise ConfigError("no attempt finished, so there are no results")
        return self._written

    def _go_on(self) -> None:
        journal = self._directory / JOURNAL
        if journal.exists():
            self._go_on_with_journal(recover(journal))
            return
        for name in (RESULTS, PARTIAL):
            if (self._directory / name).exists():
                self._go_on_with_results(CaseResults.load(self._directory / name).unwrap())
                return
        self.notes.append("nothing of an earlier start is there: the run starts anew")

    def _go_on_with_journal(self, recovered: Recovered) -> None:
        try:
            self._adopt(read_header(recovered.settings))
        except (KeyError, TypeError, ValueError):
            raise ConfigError("the journal is not of a run over cases") from None
        self._plan_rest(recovered.entries())
        if recovered.torn_bytes:
            self.notes.append(
                "the journal ends in a result that was being written:"
                f" {recovered.torn_bytes} bytes dropped"
            )
        self._open = partial(self._reopen, recovered)

    def _reopen(self, recovered: Recovered) -> None:
        self._journal.resume(recovered)

    def _go_on_with_results(self, results: CaseResults) -> None:
        self._adopt(results.header)
        self._plan_rest(self._entries(results))
        self.notes.append("there is no journal: whether the cases are the same cannot be compared")
        self.is_finished = self._plan.count == 0
        self._open = lambda: self._journal.begin(self._indexed(results))

    def _adopt(self, earlier: CaseRunHeader) -> None:
        was, now = header_json(earlier), header_json(self._header)
        check_settings(was, now, _SAME)
        self._header = replace(earlier, partial=False)

    def _indexed(self, results: CaseResults) -> Iterator[tuple[int, bytes]]:
        """Yield results with their indices; both stand in the order of the cases."""
        rest = iter(self._indices)
        repeat = self._options.repeat
        for attempt in results:
            for index in rest:
                place, number = divmod(index, repeat)
                if number + 1 == attempt.attempt and self._batch.key(place) == attempt.key:
                    yield index, attempt_line(attempt)
                    break
            else:
                raise ConfigError(
                    f"the cases have changed since the run was started: {attempt.id!r} is not where"
                    " it was",
                    hint="resume with the cases as they were, or start another run",
                )

    def _entries(self, results: CaseResults) -> Iterator[tuple[int, str, dict[str, Any]]]:
        for index, line in self._indexed(results):
            yield index, self._work.identity_of(index), json.loads(line)

    def _plan_rest(self, entries: Iterable[tuple[int, str, dict[str, Any]]]) -> None:
        self._plan = resume(
            entries,
            self._indices,
            self._work.identity_of,
            is_error=_has_error,
            is_wanted_again=self._is_wanted_again,
        )

    def _is_wanted_again(self, result: dict[str, Any]) -> bool:
        is_wanted = self._retries and _has_error(result)
        self.replaced += is_wanted
        return is_wanted

    def _write(self, is_stopped: bool) -> None:
        count = sum(1 for index in self._indices if index in self._journal)
        if count == 0 and is_stopped:
            return
        is_partial = count < self.total
        name, other = (PARTIAL, RESULTS) if is_partial else (RESULTS, PARTIAL)
        path = self._directory / name
        lines = self._journal.results(self._indices)
        self._written = write_results(path, replace(self._header, partial=is_partial), lines)
        self.results_path = path
        (self._directory / other).unlink(missing_ok=True)


def _has_error(result: dict[str, Any]) -> bool:
    return bool(result["status"] == "error")
