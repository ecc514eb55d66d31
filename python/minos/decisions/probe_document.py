"""A probe's report as a document to be rendered."""

from __future__ import annotations

from collections.abc import Iterator

from minos.decisions.probe_report import COMPARED, FlipShare, ProbeReport
from minos.questions import QuestionKind
from minos.reports.document import (
    Align,
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Listing,
    Name,
    Paragraph,
    Strong,
    Table,
    Text,
)
from minos.stats.proportions import Interval

_TITLES = {
    "again": "the same again",
    "options": "options in reverse order",
    "questions": "questions in reverse order",
    "alone": "each question alone",
}


def document(report: ProbeReport) -> Document:
    """Return the report as a document.

    Args:
        report: The report.
    """
    return Document(["Probe of ", Name(report.provider)], list(_blocks(report)))


def _blocks(report: ProbeReport) -> Iterator[Block]:
    told: list[Text] = [
        ["Data set: ", Name(report.dataset)],
        ["Model: ", Name(report.model or "not named")],
        f"Items: {len(report.items)}",
        f"Requests: {report.requests}, of which {report.failed} failed",
    ]
    told += [f"Failed as {kind}: {count}" for kind, count in report.errors]
    if report.cost_usd is not None:
        told.append(f"Cost: {report.cost_usd:.6f} US dollars")
    yield Listing(told)
    if report.stopped:
        yield Paragraph(Strong(f"It ended early: {report.stopped}."))
    yield Heading("Answers that changed")
    yield Paragraph(
        "Every item was asked about as it stands, and again in these ways. What changes when"
        " nothing changed is chance: the first row is the floor under the others."
    )
    columns = (
        Column("asked otherwise", Align.LEFT),
        Column("questions", Align.LEFT),
        Column("compared"),
        Column("changed"),
        Column("share"),
        Column("95% interval"),
    )
    yield Table(columns, [row for name in COMPARED for row in _rows(report, name)])
    yield Heading("Position")
    bias = report.position_bias
    if bias.mean is None:
        yield Paragraph("There was no choice to measure it on.")
        return
    yield Paragraph(
        f"An option gains {bias.mean:+.3f} in probability from standing first instead of last"
        f" (95% interval {_interval(bias.interval) or 'not known'}; {bias.choices} choices)."
    )


def _rows(report: ProbeReport, treatment: str) -> Iterator[tuple[Cell, ...]]:
    yield _row(_TITLES[treatment], "all", report.flips(treatment))
    for kind in QuestionKind:
        share = report.flips(treatment, kind)
        if share.compared:
            yield _row("", str(kind), share)


def _row(title: str, questions: str, share: FlipShare) -> tuple[Cell, ...]:
    rate = None if share.rate is None else f"{share.rate:.3f}"
    return title, questions, str(share.compared), str(share.flips), rate, _interval(share.interval)


def _interval(interval: Interval | None) -> str | None:
    return None if interval is None else f"{interval.lower:.3f} to {interval.upper:.3f}"
