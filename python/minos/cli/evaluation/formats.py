"""The formats that `minos eval` shows a report in."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from minos.cases.report import CaseReport
from minos.cases.report_document import cases_document, summary_document
from minos.cli.written import new_file
from minos.reports.console import render_console
from minos.reports.github import render_github
from minos.reports.html import render_html
from minos.reports.junit import render_junit
from minos.reports.text import render_text

FORMATS = ("console", "text", "json", "html", "github", "junit")
_SHOWN = 50
"""How many cases that did not pass are shown where a person reads along."""


def rendered(report: CaseReport, name: str, *, in_colour: bool = False) -> Iterable[str]:
    """Yield the text of a report in one of the `FORMATS`."""
    match name:
        case "json":
            return report.json_chunks()
        case "html":
            return [render_html(summary_document(report, longest_output=None))]
        case "github":
            return [render_github(cases_document(report))]
        case "junit":
            return [render_junit(cases_document(report), "eval")]
        case "text":
            return [render_text(summary_document(report, most_failed=_SHOWN))]
        case _:
            document = summary_document(report, most_failed=_SHOWN)
            return [render_console(document, in_colour=in_colour)]


def show(report: CaseReport, name: str, path: Path | None) -> None:
    """Write a report to a file, or to stdout.

    Args:
        report: The report.
        name: One of the `FORMATS`.
        path: The file; stdout when None.

    Raises:
        OSError: It cannot be written.
    """
    if path is None:
        for piece in rendered(report, name, in_colour=_is_colourful()):
            sys.stdout.write(piece)
        sys.stdout.flush()
        return
    write_text(path, rendered(report, name))


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write a file in one stroke.

    Raises:
        OSError: It cannot be written; one that was there before stays.
    """
    with new_file(path) as file:
        file.writelines(piece.encode(errors="replace") for piece in pieces)


def _is_colourful() -> bool:
    if not sys.stdout.isatty():
        return False
    from rich.console import Console  # noqa: PLC0415 (it knows the terminal, and NO_COLOR)

    console = Console()
    return console.color_system is not None and not console.no_color
