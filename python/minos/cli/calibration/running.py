"""One run of a data set into a directory, with its report: the body of `minos calibrate`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from minos.attempts.progress import RunProgress
from minos.attempts.scheduler import Ending
from minos.attempts.sync import run_in_own_loop
from minos.cli.failures import reading
from minos.cli.output import Output
from minos.cli.progress import ProgressDisplay, show_progress
from minos.cli.report_files import write_report
from minos.decisions.dataset import DecisionDataset
from minos.decisions.directory import DirectoryRun
from minos.decisions.options import DatasetRunOptions
from minos.decisions.records import ItemResult
from minos.decisions.report import CalibrationReport
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import RESULTS
from minos.decisions.runner import stopped
from minos.errors import RunError
from minos.providers.base import DecisionProvider
from minos.reports.figures import counted, money


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A run that came to its end.

    Attributes:
        report: Its report.
        ending: How it ended; None where nothing was left to do.
    """

    report: CalibrationReport
    ending: Ending | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is run, and how.

    Attributes:
        provider_of: Makes what is asked, for each repeat of the run from 1 on.
        dataset: The items.
        dataset_path: Their file, which the report reads again.
        options: How they are run.
        output: The voice of the command.
        is_resumed: Whether only what a directory does not hold yet is asked for.
        retry_failed: Whether failures that may pass are asked for again then.
    """

    provider_of: Callable[[int], DecisionProvider]
    dataset: DecisionDataset
    dataset_path: Path
    options: DatasetRunOptions
    output: Output
    is_resumed: bool = False
    retry_failed: bool = False

    def into(self, directory: Path, number: int = 1) -> Calibrated:
        """Run into a directory and write the report.

        Args:
            directory: Where the files go, which is there.
            number: Which repeat of the run it is, from 1 on.

        Raises:
            ConfigError: The directory holds another run than this one.
            RunError: The run stopped before its end, or nothing was answered. Every file that
                can be written then is.
            KeyboardInterrupt: It was cancelled. Partial results are written.
        """
        provider = self.provider_of(number)
        try:
            return self._into(directory, self.prepare(provider, directory))
        finally:
            close = getattr(provider, "aclose", None)
            if close is not None:
                run_in_own_loop(close)

    def prepare(self, provider: DecisionProvider, directory: Path) -> DirectoryRun:
        """Find out what is to be done; nothing is sent or written.

        Raises:
            ConfigError: The directory holds another run than this one.
        """
        return DirectoryRun(
            provider,
            self.dataset,
            directory,
            self.options,
            go_on=self.is_resumed,
            retry_failed=self.retry_failed,
        )

    def _into(self, directory: Path, run: DirectoryRun) -> Calibrated:
        self._tell_before(run)
        if run.is_finished:
            self.output.note(f"nothing to do: {directory} holds the whole run")
            return Calibrated(self._report(directory / RESULTS), None)
        ending = self._run(run)
        if run.results_path is None:
            raise _stopped(ending, run, directory)
        self.output.wrote(run.results_path)
        report = self._report(run.results_path)
        write_report(self.output, report, directory)
        if len(report.models) > 1:
            named = ", ".join(
                f"{'not named' if each.model is None else each.model} ({each.count})"
                for each in report.models
            )
            self.output.note(f"several models answered: {named}")
        if ending.stop is not None:
            raise _stopped(ending, run, directory)
        if 0 < ending.done == ending.errors:
            kinds = ", ".join(f"{each.kind} ({each.count})" for each in report.errors)
            raise RunError(f"not one of {counted(run.total, 'item')} was answered: {kinds}")
        return Calibrated(report, ending)

    def _tell_before(self, run: DirectoryRun) -> None:
        for note in run.notes:
            self.output.note(note)
        if run.replaced:
            self.output.note(
                f"{counted(run.replaced, 'failed item')} asked for again, for which"
                f" {money(run.replaced_cost_usd)} US dollars were paid"
            )

    def _run(self, run: DirectoryRun) -> Ending:
        already = run.total - run.left
        with show_progress(run.total, already=already, quiet=self.output.quiet) as display:
            try:
                return run_in_own_loop(partial(run.run, partial(_show, display)))
            except KeyboardInterrupt:
                if run.results_path is not None:
                    self.output.wrote(run.results_path)
                raise

    def _report(self, results_path: Path) -> CalibrationReport:
        prices = self.options.prices
        with reading():
            if self.dataset_path.is_file():
                made = CalibrationReport.from_files(results_path, self.dataset_path, prices)
            else:  # a pipe, which cannot be read again
                results = EvaluationResults.load(results_path).unwrap()
                made = CalibrationReport.create(results, self.dataset, prices)
            return made.unwrap()


def _show(display: ProgressDisplay, now: RunProgress[ItemResult]) -> None:
    is_cost_known = now.cost_usd > 0 or not now.unknown_costs
    display.update(now.done, errors=now.errors, cost_usd=now.cost_usd if is_cost_known else None)


def _stopped(ending: Ending, run: DirectoryRun, directory: Path) -> RunError:
    hint = f"go on with --resume {directory}" if run.results_path is not None else ""
    error = RunError(stopped(ending, run.total), hint=hint)
    error.__cause__ = ending.fault
    return error
