"""`minos conformance`: holds a live provider against the rules of the wire."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from minos.cli.command import Command
from minos.cli.options import json_option, out_option, provider_options, quiet_option
from minos.cli.output import Output, plain
from minos.errors import RunError

if TYPE_CHECKING:
    from minos.conformance import ConformanceReport
    from minos.conformance.checking import Checking
    from minos.providers.base import DecisionProvider


@click.command(
    cls=Command,
    examples=[
        "minos conformance --provider local",
        "minos conformance --provider local --thorough --out conformance",
    ],
)
@provider_options
@click.option(
    "--thorough", is_flag=True, help="Probe everything: about 60 requests instead of at most 8."
)
@out_option
@json_option
@quiet_option
def command(
    *,
    config_path: Path | None,
    section: str | None,
    model: str | None,
    thorough: bool,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Send probes to a provider, and hold its answers against the rules of the wire.

    Every probe is a real request, which the provider may bill.
    """
    from minos import config  # noqa: PLC0415
    from minos.attempts.sync import run_in_own_loop  # noqa: PLC0415
    from minos.cli.outdir import claim  # noqa: PLC0415
    from minos.cli.warnings_shown import provider_warnings  # noqa: PLC0415
    from minos.conformance.checking import Checking  # noqa: PLC0415

    output = Output("conformance", as_json=as_json, quiet=quiet)
    settings = config.load(config_path)
    provider = settings.provider(section, overrides=config.Overrides(model=model))
    directory = claim(settings.section_name(section), out)
    checking = Checking(provider, thorough=thorough)
    try:
        with provider_warnings(output):
            report = run_in_own_loop(lambda: _check(checking, provider))
    except KeyboardInterrupt:
        report = checking.report("cancelled")
        if report.exchanges:
            _write(output, report, directory)
        raise
    _write(output, report, directory)
    if report.fault:
        raise RunError(f"nothing was answered: {report.fault}")
    if report.stopped:
        raise RunError(f"it ended early: {report.stopped}")
    if not report.is_conformant:
        raise RunError(f"it deviates: {_told(report)}")
    output.finish(_counts(report))


async def _check(checking: Checking, provider: DecisionProvider) -> ConformanceReport:
    try:
        return await checking.run()
    finally:
        close = getattr(provider, "aclose", None)
        if close is not None:
            await close()


def _write(output: Output, report: ConformanceReport, directory: Path) -> None:
    from minos.cli.written import write_whole  # noqa: PLC0415
    from minos.conformance import Verdict  # noqa: PLC0415

    for name, text in (
        ("conformance.json", report.to_json()),
        ("conformance.md", report.to_markdown()),
    ):
        write_whole(directory / name, text.encode())
        output.wrote(directory / name)
    for check in report.checks:
        if check.verdict is Verdict.FAIL:
            output.say(f"{check.name}: {plain(check.detail)}")
    output.say(f"{_told(report)} ({len(report.exchanges)} requests)")


def _told(report: ConformanceReport) -> str:
    return ", ".join(f"{count} {name}" for name, count in _counts(report).items())


def _counts(report: ConformanceReport) -> dict[str, Any]:
    from minos.conformance import Verdict  # noqa: PLC0415

    return {
        "passed": report.count(Verdict.PASS),
        "failed": report.count(Verdict.FAIL),
        "skipped": report.count(Verdict.SKIP),
    }
