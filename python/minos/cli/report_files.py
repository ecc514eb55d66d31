"""How a command ends that has made a report: two files, their figures for people, a summary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minos.cli.output import Output
from minos.cli.report_table import report_lines
from minos.cli.written import write_whole

if TYPE_CHECKING:
    from minos.decisions.report import CalibrationReport


def write_report(output: Output, report: CalibrationReport, directory: Path) -> None:
    """Write `report.json` and `report.md`, name them, and say what the report comes to.

    Args:
        output: The voice of the command.
        report: The report.
        directory: Where the files go, which is there.

    Raises:
        OSError: A file cannot be written.
    """
    for name, text in (("report.json", report.to_json()), ("report.md", report.to_markdown())):
        write_whole(directory / name, text.encode())
        output.wrote(directory / name)
    for line in report_lines(report):
        output.say(line)


def summary(report: CalibrationReport) -> Mapping[str, Any]:
    """Return what a report comes to as JSON values, under the names of `report.json`."""
    overall = report.overall
    return {
        "items": report.run.items,
        "partial": report.run.partial,
        "scored": overall.scored,
        "answered": overall.answered,
        "accuracy": overall.accuracy,
        "baseRate": overall.base_rate,
        "ece": overall.ece,
        "cost": report.cost.total,
        "errors": {error.kind: error.count for error in report.errors},
    }
