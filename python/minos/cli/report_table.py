"""What a report comes to, as a few lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from minos.reports.figures import counted, money, rate

if TYPE_CHECKING:
    from minos.decisions.report import CalibrationReport
    from minos.decisions.report_views import KindMetrics

_SURE = 0.9
_TITLES = ("", "answered", "accuracy", "base rate", "ECE", "at 0.90 or surer", "accuracy")


def report_lines(report: CalibrationReport) -> Iterator[str]:
    """Say how much of the data set a report is about, and show its figures by kind."""
    run = report.run
    if run.partial:
        yield f"Partial run: {run.items} of {run.partial_of} items"
    if run.selection is not None:
        meant = run.items if run.partial_of is None else run.partial_of
        yield f"Selected: {meant} of {run.selection.of} items"
    if report.overall.scored:
        rows = [_TITLES, *(_row(str(kind), metrics) for kind, metrics in report.kinds.items())]
        if len(report.kinds) > 1:
            rows.append(_row("all", report.overall))
        yield from _aligned(rows)
    else:
        yield "no question has an expected answer"
    failed = [f"{each.kind} ({each.count})" for each in report.errors]
    if failed:
        count = sum(each.count for each in report.errors)
        yield f"{counted(count, 'item')} failed: {', '.join(failed)}"
    if report.cost.total:
        least = "at least " if report.cost.is_lower_bound else ""
        yield f"cost: {least}{money(report.cost.total)} US dollars"


def _row(name: str, metrics: KindMetrics) -> tuple[str, ...]:
    sure = metrics.at(_SURE)
    figures = (metrics.accuracy, metrics.base_rate, metrics.ece, sure.coverage, sure.accuracy)
    return (
        name,
        f"{metrics.answered} of {metrics.scored}",
        *(rate(figure) or "-" for figure in figures),
    )


def _aligned(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  ".join([name.ljust(widths[0]), *aligned])
