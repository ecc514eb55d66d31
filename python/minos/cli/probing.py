"""A call of `minos probe`, with everything that was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from minos.attempts.progress import ProgressReceiver
from minos.attempts.sync import run_in_own_loop
from minos.cli.calibration.call import name_of
from minos.cli.failures import reading
from minos.cli.outdir import claim
from minos.cli.output import Output
from minos.cli.progress import show_progress
from minos.cli.warnings_shown import provider_warnings
from minos.cli.written import write_whole
from minos.config import Overrides, load
from minos.decisions.dataset import DecisionDataset
from minos.decisions.probe import Probe
from minos.decisions.probe_plan import ProbeOptions, plan
from minos.decisions.probe_report import COMPARED, FlipShare, ProbeReport
from minos.errors import RunError
from minos.providers.base import DecisionProvider

_TITLES = {
    "again": "asked the same again",
    "options": "options in reverse order",
    "questions": "questions in reverse order",
    "alone": "each question alone",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeCall:
    """The options of the command, under the names of its parameters."""

    dataset_path: Path
    config_path: Path | None
    section: str | None
    model: str | None
    parallel: int
    max_requests: int
    max_cost_usd: float | None
    limit: int | None
    sample: int | None
    sample_seed: int
    ids: tuple[str, ...]
    out: Path | None
    as_json: bool
    quiet: bool

    def execute(self) -> None:
        """Probe, and write what came of it."""
        output = Output("probe", as_json=self.as_json, quiet=self.quiet)
        config = load(self.config_path)
        with reading(self.dataset_path):
            dataset = DecisionDataset.load(self.dataset_path).unwrap()
        try:
            requests = len(plan(dataset, self._options()))
        except ValueError as error:
            raise click.UsageError(str(error)) from error
        provider = config.provider(self.section, overrides=Overrides(model=self.model))
        directory = claim(config.section_name(self.section), self.out)
        with (
            show_progress(requests, quiet=self.quiet) as display,
            provider_warnings(output),
        ):
            options = self._options(lambda now: display.update(now.done, errors=now.errors))
            probe = Probe(provider, dataset, options)
            end = _run(probe, provider)
        report = probe.report("" if end is None else str(end) or "cancelled")
        if report.requests or end is None:
            _write(output, report, directory)
        if end is not None:
            raise end
        if 0 < report.requests == report.failed:
            kinds = ", ".join(f"{kind} ({count})" for kind, count in report.errors)
            raise RunError(f"not one of {report.requests} requests was answered: {kinds}")
        output.finish(_summary(report))

    def _options(self, progress: ProgressReceiver[None] | None = None) -> ProbeOptions:
        return ProbeOptions(
            dataset_name=name_of(self.dataset_path),
            max_requests=self.max_requests,
            max_cost_usd=self.max_cost_usd,
            max_parallelism=self.parallel,
            limit=self.limit,
            sample=self.sample,
            sample_seed=self.sample_seed,
            ids=self.ids,
            progress=progress,
        )


def _run(probe: Probe, provider: DecisionProvider) -> BaseException | None:
    """Send the requests; gives what ended it early, None where nothing did."""
    try:
        report = run_in_own_loop(lambda: _ask(probe, provider))
    except (RunError, KeyboardInterrupt) as end:
        return end
    return RunError(report.stopped) if report.stopped else None


async def _ask(probe: Probe, provider: DecisionProvider) -> ProbeReport:
    try:
        return await probe.run()
    finally:
        close = getattr(provider, "aclose", None)
        if close is not None:
            await close()


def _write(output: Output, report: ProbeReport, directory: Path) -> None:
    for name, text in (("probe.json", report.to_json()), ("probe.md", report.to_markdown())):
        write_whole(directory / name, text.encode())
        output.wrote(directory / name)
    for line in _told(report):
        output.say(line)


def _told(report: ProbeReport) -> Iterator[str]:
    items, requests = len(report.items), report.requests
    yield f"{items} items, {requests} requests, {report.failed} of them failed"
    if report.stopped:
        yield f"ended early: {report.stopped}"
    for name in COMPARED:
        yield f"{_TITLES[name]}: {_share(report.flips(name))}"
    bias = report.position_bias.mean
    if bias is not None:
        yield f"standing first instead of last: {bias:+.3f} in probability"


def _share(share: FlipShare) -> str:
    if share.interval is None:
        return "nothing to compare"
    within = f"{share.interval.lower:.1%} to {share.interval.upper:.1%}"
    return f"{share.flips} of {share.compared} answers change ({within})"


def _summary(report: ProbeReport) -> dict[str, Any]:
    return {
        "items": len(report.items),
        "requests": report.requests,
        "failed": report.failed,
        "flipRates": {name: report.flips(name).rate for name in COMPARED},
        "positionBias": report.position_bias.mean,
    }
