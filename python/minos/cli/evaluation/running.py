"""One run of cases into a directory, with its report: the body of `minos eval`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from minos.attempts.progress import RunProgress
from minos.attempts.scheduler import Ending
from minos.attempts.sync import run_in_own_loop
from minos.cases.attempt import Attempt
from minos.cases.batch import CaseBatch
from minos.cases.directory import CaseDirectoryRun
from minos.cases.options import CaseRunOptions
from minos.cases.report import CaseReport
from minos.cli.aside import stdout_aside
from minos.cli.evaluation.formats import write_text
from minos.cli.evaluation.subject import Chosen
from minos.cli.output import Output
from minos.cli.progress import ProgressDisplay, show_progress
from minos.errors import ConfigError, RunError
from minos.policy.gates import Gates
from minos.reports.figures import counted

REPORT = "report.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRun:
    """What is run, and how.

    Attributes:
        batch: The cases there are.
        chosen: The places of those that run.
        subject: What is asked.
        options: How they are run.
        gates: What has to hold.
        failed_in: The directory of the run whose failed cases were chosen.
        output: The voice of the command.
    """

    batch: CaseBatch
    chosen: Sequence[int]
    subject: Chosen
    options: CaseRunOptions
    gates: Gates
    failed_in: str | None
    output: Output

    def into(
        self, directory: Path, *, go_on: bool = False, retry_failed: bool = False
    ) -> CaseReport:
        """Run into a directory and write the report.

        Args:
            directory: Where the files go, which is there.
            go_on: Make only the attempts that the directory does not hold already.
            retry_failed: With `go_on`, make those again that could not be decided.

        Raises:
            ConfigError: The directory holds another run than this one.
            RunError: The run stopped before its end. Every file that can be written then is.
            KeyboardInterrupt: It was cancelled. Partial results are written.
        """
        display = _Display()
        run = CaseDirectoryRun(
            self.batch,
            self.subject.source,
            self.chosen,
            directory,
            replace(self.options, progress=display.show),
            go_on=go_on,
            retry_failed=retry_failed,
            failed_in=self.failed_in,
        )
        for note in run.notes:
            self.output.note(note)
        if run.replaced:
            self.output.note(f"{counted(run.replaced, 'attempt')} with an error made again")
        if run.is_finished:
            self.output.note(f"nothing to do: {directory} holds the whole run")
            return self._report(run, directory)
        ending = self._run(run, display)
        if run.results_path is None:
            raise _stopped(ending, run, directory)
        self.output.say(f"Results written to {run.results_path}")
        report = self._report(run, directory)
        if ending.stop is not None:
            raise _stopped(ending, run, directory)
        return report

    def _run(self, run: CaseDirectoryRun, display: _Display) -> Ending:
        with show_progress(run.total, already=run.done, quiet=self.output.quiet) as shown:
            display.shown = shown
            try:
                with stdout_aside():
                    ending = run_in_own_loop(lambda: self._run_and_close(run))
            except KeyboardInterrupt:
                if run.results_path is not None:
                    self.output.say(f"Results written to {run.results_path}")
                raise
        late = self.subject.late_answers
        if late:
            self.output.note(
                f"{counted(late, 'answer')} came after the time for the attempt was over, and"
                f" {'was' if late == 1 else 'were'} dropped"
            )
        return ending

    async def _run_and_close(self, run: CaseDirectoryRun) -> Ending:
        try:
            return await run.run()
        finally:
            if self.subject.subject is not None:
                await self.subject.subject.aclose()

    def _report(self, run: CaseDirectoryRun, directory: Path) -> CaseReport:
        report = CaseReport.create(run.results(), self.batch, self.gates)
        path = directory / REPORT
        write_text(path, report.json_chunks())
        self.output.say(f"Report written to {path}")
        return report


class _Display:
    """Hands progress on to what shows it, once that is there."""

    def __init__(self) -> None:
        self.shown: ProgressDisplay | None = None

    def show(self, now: RunProgress[Attempt]) -> None:
        if self.shown is not None:
            cost_usd = now.cost_usd or None
            self.shown.update(now.done, errors=now.errors, cost_usd=cost_usd)


def _stopped(ending: Ending, run: CaseDirectoryRun, directory: Path) -> RunError:
    message = f"the run stopped after {ending.done} of {run.total} attempts: {ending.reason}"
    hint = str(getattr(ending.fault, "hint", ""))
    if not hint and run.results_path is not None:
        hint = f"go on with --resume {directory}"
    error = RunError(message, hint=hint)
    error.__cause__ = ending.fault
    return error


def refuse_empty(chosen: Sequence[int], batch: CaseBatch) -> None:
    """Refuse a choice that leaves nothing of cases that are there.

    Raises:
        ConfigError: Nothing was chosen.
    """
    if len(batch) and not len(chosen):
        raise ConfigError("no case was chosen", hint="widen --filter, --offset or --failed-in")
