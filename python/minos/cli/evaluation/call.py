"""A call of `minos eval`, from its options to its exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from minos.cases.batch import CaseBatch
from minos.cases.options import CaseRunOptions
from minos.cases.planning import check_groups, check_runnable, choose_cases
from minos.cases.report import CaseReport
from minos.cli.evaluation.formats import show
from minos.cli.evaluation.inputs import failed_keys, load_cases, load_registry, load_results
from minos.cli.evaluation.running import EvalRun, refuse_empty
from minos.cli.evaluation.settings import Asked, Settled, settle
from minos.cli.evaluation.subject import Chosen, choose_subject
from minos.cli.exit_codes import ExitCode
from minos.cli.outdir import claim, refuse_unfinished
from minos.cli.output import Output, plain
from minos.cli.resuming import check_directories
from minos.policy.gates import GateStatus
from minos.policy.pass_rule import PassRule
from minos.reports.figures import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCall:
    """The options of a call; see the command for what they mean."""

    files: tuple[Path, ...]
    policy_path: Path | None
    provider: str | None
    command: str | None
    url: str | None
    earlier: Path | None
    repeat: int | None
    pass_rule: str | None
    threshold: float | None
    strict: bool
    group_by: str | None
    group_threshold: float | None
    parallel: int
    workers: int | None
    timeout_s: float
    run_timeout_s: float | None
    max_cost_usd: float | None
    limit: int | None
    offset: int
    sample: int | None
    sample_seed: int
    filters: tuple[str, ...]
    failed_in: Path | None
    dry_run: bool
    plugins: tuple[str, ...]
    report_format: str
    output_path: Path | None
    out: Path | None
    resume: Path | None
    retry_failed: bool
    overwrite: bool
    quiet: bool

    def run(self) -> ExitCode:
        """Run the command.

        Raises:
            MinosError: What was asked cannot be done, or the run stopped.
        """
        output = Output("eval", quiet=self.quiet)
        check_directories(
            self.out, self.resume, retry_failed=self.retry_failed, overwrite=self.overwrite
        )
        settled = settle(self._asked())
        registry = load_registry(self.plugins)
        batch = load_cases(settled.files, registry, output)
        subject = choose_subject(
            provider=self.provider,
            command=self.command,
            url=self.url,
            earlier=self.earlier,
            count=self.workers or self.parallel,
        )
        repeat, rule = self._sampling(settled, subject)
        options = CaseRunOptions(
            repeat=repeat,
            pass_rule=rule,
            max_parallelism=self.workers or self.parallel,
            timeout_s=self.timeout_s,
            run_timeout_s=self.run_timeout_s,
            offset=self.offset,
            limit=self.limit,
            sample=self.sample,
            sample_seed=self.sample_seed,
            filters=dict(_field_and_value(each) for each in self.filters),
            max_cost_usd=self.max_cost_usd,
            registry=registry,
        )
        among = None if self.failed_in is None else failed_keys(load_results(self.failed_in))
        chosen = choose_cases(batch, options, group_by=settled.gates.group_by, among=among)
        refuse_empty(chosen, batch)
        if settled.gates.group_by is not None:
            check_groups(batch, chosen, settled.gates.group_by)
        check_runnable(batch, chosen, registry)
        if self.dry_run:
            self._tell_plan(settled, batch, chosen, subject, repeat)
            return ExitCode.OK
        if self.max_cost_usd is not None:
            output.note("--max-cost counts what answers tell of their cost, and nothing else")
        run = EvalRun(
            batch=batch,
            chosen=chosen,
            subject=subject,
            options=options,
            gates=settled.gates,
            failed_in=None if self.failed_in is None else str(self.failed_in),
            output=output,
        )
        if self.out is not None and not self.overwrite and self.resume is None:
            refuse_unfinished(self.out)
        directory = self.resume or claim(subject.source.name.rpartition(":")[2], self.out)
        report = run.into(directory, go_on=self.resume is not None, retry_failed=self.retry_failed)
        show(report, self.report_format, self.output_path)
        if self.output_path is not None:
            output.say(f"Results written to {self.output_path}")
        return _decide(report, output)

    def _asked(self) -> Asked:
        return Asked(
            files=self.files,
            policy_path=self.policy_path,
            repeat=self.repeat,
            pass_rule=self.pass_rule,
            threshold=self.threshold,
            strict=self.strict,
            group_by=self.group_by,
            group_threshold=self.group_threshold,
        )

    def _sampling(self, settled: Settled, subject: Chosen) -> tuple[int, PassRule]:
        """Return attempts and pass rule; those of an earlier run hold for its answers."""
        if subject.results is None:
            return settled.repeat or 1, settled.pass_rule or PassRule()
        header = subject.results.header
        if self.repeat is not None and self.repeat != header.attempts:
            raise click.UsageError(
                f"--repeat {self.repeat} does not fit --from: that run has"
                f" {counted(header.attempts, 'attempt')} of each case"
            )
        return header.attempts, settled.pass_rule or header.pass_rule

    def _tell_plan(
        self,
        settled: Settled,
        batch: CaseBatch,
        chosen: Sequence[int],
        subject: Chosen,
        repeat: int,
    ) -> None:
        calls = 0 if subject.subject is None else len(chosen) * repeat
        if self.report_format == "json":
            plan = {
                "subject": subject.place,
                "datasets": [str(path) for path in settled.files],
                "cases": len(batch),
                "chosen": len(chosen),
                "repeat": repeat,
                "subject_calls": calls,
                "judge_calls": 0,
            }
            Output("eval", as_json=True).finish(plan)
            return
        for path, dataset in zip(settled.files, batch.datasets, strict=True):
            click.echo(plain(f"{path}: {counted(len(dataset), 'case')}"))
        click.echo(plain(f"subject: {subject.place}"))
        of_all = "" if len(chosen) == len(batch) else f" of {len(batch)}"
        click.echo(f"cases: {len(chosen)}{of_all}, {counted(repeat, 'attempt')} each")
        click.echo(f"subject calls: {calls}")
        click.echo("judge calls: 0")


def _field_and_value(text: str) -> tuple[str, str]:
    field, sign, value = text.partition("=")
    if not sign or not field:
        raise click.BadParameter(f"{text!r} is not FIELD=VALUE", param_hint="'--filter'")
    return field, value


def _decide(report: CaseReport, output: Output) -> ExitCode:
    cases = report.tally.cases.share()
    match report.status:
        case GateStatus.PASSED:
            return ExitCode.OK
        case GateStatus.NOT_CONFIGURED:
            if cases.failed:
                output.note(
                    "no gate set: failures do not change the exit code (--threshold, --strict)"
                )
            return ExitCode.OK
        case GateStatus.ERROR:
            output.note(f"Evaluation failed: {counted(cases.errors, 'case')} could not be decided")
        case GateStatus.FAILED:
            why = "a gate does not hold" if cases.total else "there are no cases"
            output.note(f"Evaluation failed: {why}")
    return ExitCode.FAILURE
