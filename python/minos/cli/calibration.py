"""One run of a data set into a directory, with its report: the body of `minos calibrate`."""

from __future__ import annotations

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
from minos.cli.warnings_shown import provider_warnings
from minos.decisions.dataset import DecisionDataset
from minos.decisions.directory import DirectoryRun
from minos.decisions.options import DatasetRunOptions
from minos.decisions.records import ItemResult
from minos.decisions.report import CalibrationReport
from minos.decisions.run_files import RESULTS
from minos.decisions.runner import stopped
from minos.errors import RunError
from minos.providers.base import DecisionProvider
from minos.reports.figures import counted, money


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is run, and how.

    Attributes:
        provider: What is asked.
        dataset: The items.
        dataset_path: Their file, which the report reads again.
        options: How they are run.
        output: The voice of the command.
    """

    provider: DecisionProvider
    dataset: DecisionDataset
    dataset_path: Path
    options: DatasetRunOptions
    output: Output

    def into(
        self, directory: Path, *, go_on: bool = False, retry_failed: bool = False
    ) -> CalibrationReport:
        """Run into a directory and write the report.

        Args:
            directory: Where the files go, which is there.
            go_on: Ask only for what the directory does not hold already.
            retry_failed: With `go_on`, ask again for failures that may pass.

        Raises:
            ConfigError: The directory holds another run than this one.
            RunError: The run stopped before its end, or nothing was answered. Every file that
                can be written then is.
            KeyboardInterrupt: It was cancelled. Partial results are written.
        """
        run = DirectoryRun(
            self.provider,
            self.dataset,
            directory,
            self.options,
            go_on=go_on,
            retry_failed=retry_failed,
        )
        self._tell_before(run)
        if run.is_finished:
            self.output.note(f"nothing to do: {directory} holds the whole run")
            return self._report(directory / RESULTS)
        ending = self._run(run)
        if run.results_path is None:
            raise _stopped(ending, run, directory)
        self.output.wrote(run.results_path)
        report = self._report(run.results_path)
        write_report(self.output, report, directory)
        if len(report.models) > 1:
            named = ", ".join(f"{each.model} ({each.count})" for each in report.models)
            self.output.note(f"several models answered: {named}")
        if ending.stop is not None:
            raise _stopped(ending, run, directory)
        if 0 < ending.done == ending.errors:
            kinds = ", ".join(f"{each.kind} ({each.count})" for each in report.errors)
            raise RunError(f"not one of {counted(run.total, 'item')} was answered: {kinds}")
        return report

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
        with (
            show_progress(run.total, already=already, quiet=self.output.quiet) as display,
            provider_warnings(self.output),
        ):
            try:
                return run_in_own_loop(partial(run.run, partial(_show, display)))
            except KeyboardInterrupt:
                if run.results_path is not None:
                    self.output.wrote(run.results_path)
                raise

    def _report(self, results_path: Path) -> CalibrationReport:
        with reading():
            return CalibrationReport.from_files(
                results_path, self.dataset_path, self.options.prices
            ).unwrap()


def _show(display: ProgressDisplay, now: RunProgress[ItemResult]) -> None:
    is_cost_known = now.cost_usd > 0 or not now.unknown_costs
    display.update(now.done, errors=now.errors, cost_usd=now.cost_usd if is_cost_known else None)


def _stopped(ending: Ending, run: DirectoryRun, directory: Path) -> RunError:
    hint = f"go on with --resume {directory}" if run.results_path is not None else ""
    error = RunError(stopped(ending, run.total), hint=hint)
    error.__cause__ = ending.fault
    return error
