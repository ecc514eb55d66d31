"""The part of a report's page that asks whether confidence can be acted on: sweep and bins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from minos.decisions.report_views import KindMetrics
from minos.reports.document import (
    Align,
    Bar,
    BarChart,
    Block,
    Cell,
    Column,
    Heading,
    Paragraph,
    Table,
)
from minos.reports.figures import counted, rate, signed_rate
from minos.stats.reliability import ReliabilityBin

_THRESHOLDS = (0.50, 0.60, 0.70, 0.80, 0.90, 0.95, 0.99)


def sweep_blocks(slices: Mapping[str, KindMetrics]) -> Iterator[Block]:
    """Show what is left when only sure answers are acted on.

    Args:
        slices: The figures by what they are about; the first is of all kinds together.
    """
    yield Heading("Acting on sure answers only")
    yield Paragraph(
        "Of all scored questions, how many are answered with at least this confidence (coverage),"
        " and how many of those answers are right (accuracy)."
    )
    overall, *kinds = slices.values()
    columns = [Column(t) for t in ("Threshold", "Covered", "Coverage", "Correct", "Accuracy")]
    points = [overall.at(threshold) for threshold in _THRESHOLDS]
    yield Table(
        columns,
        [
            (
                f"{point.threshold:.2f}",
                str(point.covered),
                rate(point.coverage),
                str(point.correct),
                rate(point.accuracy),
            )
            for point in points
        ],
    )
    if len(kinds) > 1:
        names = list(slices)[1:]
        titles = [f"{name}: {what}" for name in names for what in ("coverage", "accuracy")]
        yield Table([Column(t) for t in ("Threshold", *titles)], [*_rows_by_kind(kinds)])


def _rows_by_kind(kinds: list[KindMetrics]) -> Iterator[list[Cell]]:
    for threshold in _THRESHOLDS:
        row: list[Cell] = [f"{threshold:.2f}"]
        for metrics in kinds:
            point = metrics.at(threshold)
            row += [rate(point.coverage), rate(point.accuracy)]
        yield row


def reliability_blocks(slices: Mapping[str, KindMetrics]) -> Iterator[Block]:
    """Show how right the answers of each confidence are.

    Args:
        slices: The figures by what they are about; the first is of all kinds together.
    """
    yield Heading("Reliability")
    yield Paragraph(
        "A bar is the share of a bin's answers that are right; ┃ is how sure they are. Where a bar"
        " ends short of its mark the answers are too sure."
    )
    for name, metrics in slices.items():
        if len(slices) > 2:  # noqa: PLR2004 (with one kind all kinds together are that kind)
            yield Heading(name.capitalize(), 3)
        elif metrics is not next(iter(slices.values())):
            break
        if not metrics.bins:
            yield Paragraph("No answer has a confidence, so there is nothing to show.")
            continue
        yield _chart(metrics.bins)
        yield _table(metrics.bins)
    overall = next(iter(slices.values()))
    if overall.bins:
        yield Heading("All kinds, in bins of equal width", 3)
        yield _table(overall.bins_equal_width)


def _chart(bins: tuple[ReliabilityBin, ...]) -> BarChart:
    return BarChart(
        [
            Bar(
                _range(each),
                each.accuracy or 0.0,
                each.mean_confidence,
                counted(each.count, "answer"),
            )
            for each in bins
        ]
    )


def _table(bins: tuple[ReliabilityBin, ...]) -> Table:
    titles = ("Answers", "Correct", "Mean confidence", "Accuracy", "Gap")
    return Table(
        [Column("Confidence", Align.LEFT), *(Column(title) for title in titles)],
        [
            (
                _range(each),
                str(each.count),
                str(each.correct),
                rate(each.mean_confidence),
                rate(each.accuracy),
                signed_rate(_gap(each)),
            )
            for each in bins
        ],
    )


def _range(each: ReliabilityBin) -> str:
    lower, upper = f"{each.lower:.3f}", f"{each.upper:.3f}"
    return lower if each.lower == each.upper else f"{lower} to {upper}"


def _gap(each: ReliabilityBin) -> float | None:
    if each.mean_confidence is None or each.accuracy is None:
        return None
    return each.mean_confidence - each.accuracy
