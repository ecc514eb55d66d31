"""The bins and thresholds of a report as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from minos._native import Table
from minos.decisions.report_views import KindMetrics
from minos.stats.reliability import ReliabilityBin, SweepPoint

if TYPE_CHECKING:
    from minos.decisions.report import CalibrationReport


class _Slice(NamedTuple):
    """Answers that are counted together."""

    kind: str | None
    question: str | None
    metrics: KindMetrics


class _Bin(NamedTuple):
    """A bin and where it stands."""

    of: _Slice
    measure: str
    binning: str
    place: int
    bin: ReliabilityBin


def bins_table(report: CalibrationReport) -> Table:
    """Return every reliability bin of a report; see `CalibrationReport.bins_table`."""
    rows = [row for of in _slices(report) for row in _bins(of)]
    return Table.of_lists(
        [
            *_columns_of([row.of for row in rows]),
            ("measure", [row.measure for row in rows], None, None),
            ("binning", [row.binning for row in rows], None, None),
            ("bin", None, [row.place for row in rows], None),
            ("lower", None, None, [row.bin.lower for row in rows]),
            ("upper", None, None, [row.bin.upper for row in rows]),
            ("count", None, [row.bin.count for row in rows], None),
            ("correct", None, [row.bin.correct for row in rows], None),
            ("mean_confidence", None, None, [row.bin.mean_confidence for row in rows]),
            ("accuracy", None, None, [row.bin.accuracy for row in rows]),
        ]
    )


def sweep_table(report: CalibrationReport) -> Table:
    """Return every threshold of a report; see `CalibrationReport.sweep_table`."""
    rows: list[tuple[_Slice, SweepPoint]] = [
        (of, point) for of in _slices(report) for point in of.metrics.sweep
    ]
    points = [point for _, point in rows]
    return Table.of_lists(
        [
            *_columns_of([of for of, _ in rows]),
            ("threshold", None, None, [point.threshold for point in points]),
            ("covered", None, [point.covered for point in points], None),
            ("scored", None, [point.scored for point in points], None),
            ("coverage", None, None, [point.coverage for point in points]),
            ("correct", None, [point.correct for point in points], None),
            ("accuracy", None, None, [point.accuracy for point in points]),
        ]
    )


def _slices(report: CalibrationReport) -> Iterator[_Slice]:
    yield _Slice(None, None, report.overall)
    for kind, metrics in report.kinds.items():
        yield _Slice(str(kind), None, metrics)
    for question in report.questions:
        yield _Slice(str(question.kind), question.key, question.metrics)


def _bins(of: _Slice) -> Iterator[_Bin]:
    top = of.metrics.top_probability
    for measure, binning, bins in (
        ("confidence", "equal_mass", of.metrics.bins),
        ("confidence", "equal_width", of.metrics.bins_equal_width),
        ("top_probability", "equal_mass", top.bins),
        ("top_probability", "equal_width", top.bins_equal_width),
    ):
        for place, found in enumerate(bins):
            yield _Bin(of, measure, binning, place, found)


def _columns_of(slices: Sequence[_Slice]) -> Iterator[tuple[str, list[str | None], None, None]]:
    yield "kind", [of.kind for of in slices], None, None
    yield "question", [of.question for of in slices], None, None
