"""A calibration report as a page to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from minos.decisions.report_reliability import reliability_blocks, sweep_blocks
from minos.decisions.report_summary import notes, summary_blocks
from minos.decisions.report_views import KindMetrics
from minos.reports.document import (
    Align,
    Block,
    Cell,
    Column,
    Document,
    Heading,
    Name,
    Paragraph,
    Strong,
    Table,
)
from minos.reports.figures import counted, milliseconds, money, rate, signed_rate

if TYPE_CHECKING:
    from minos.decisions.report import CalibrationReport

_MOST_QUESTIONS = 100
_REASONS = {
    "incomplete": "an option or level has no probability",
    "sum": "the probabilities do not add up to 1",
    "notMostProbable": "another option or level is more probable than the answer",
    "outsideLevels": "the mean level lies outside the levels",
}


def document(report: CalibrationReport) -> Document:
    """Turn a report into a document: the summary first, how to read it last."""
    slices = {"all kinds": report.overall}
    slices |= {str(kind): metrics for kind, metrics in report.kinds.items()}
    blocks: list[Block] = [*summary_blocks(report)]
    if report.counts.scored:
        blocks += [*_kinds(slices), *_questions(report)]
        blocks += [*sweep_blocks(slices), *reliability_blocks(slices), *_irregular(report)]
    blocks += [*_cost(report), *_latency(report), *_errors(report), *_models(report)]
    blocks += [*_prices(report), *notes(report)]
    return Document(["Calibration report: ", Name(report.run.dataset)], blocks)


def _columns(left: tuple[str, ...], right: tuple[str, ...]) -> list[Column]:
    return [*(Column(title, Align.LEFT) for title in left), *(Column(title) for title in right)]


def _kinds(slices: dict[str, KindMetrics]) -> Iterator[Block]:
    yield Heading("By kind of question")
    counts = ("Scored", "Answered", "Abstained", "Correct", "Accuracy", "Base rate", "Lift")
    yield Table(
        _columns(("Kind",), (*counts, "Accuracy of all scored")),
        [
            (
                name,
                str(each.scored),
                str(each.answered),
                str(each.abstained),
                str(each.correct),
                rate(each.accuracy),
                rate(each.base_rate),
                signed_rate(each.lift),
                rate(each.accuracy_all),
            )
            for name, each in _kinds_first(slices)
        ],
    )
    errors = ("ECE", "ECE, equal width", "Bias", "Without confidence", "Top probability: ECE")
    yield Table(
        _columns(("Kind",), (*errors, "Answers with one")),
        [
            (
                name,
                rate(each.ece),
                rate(each.ece_equal_width),
                signed_rate(each.signed_bias),
                str(each.without_confidence),
                rate(each.top_probability.ece),
                str(each.top_probability.answered),
            )
            for name, each in _kinds_first(slices)
        ],
    )


def _kinds_first(slices: dict[str, KindMetrics]) -> list[tuple[str, KindMetrics]]:
    overall, *kinds = slices.items()
    return [*kinds, overall] if len(kinds) > 1 else kinds


def _questions(report: CalibrationReport) -> Iterator[Block]:
    yield Heading("By question")
    shown = report.questions
    if len(shown) > _MOST_QUESTIONS:
        places = sorted(range(len(shown)), key=lambda place: (-shown[place].metrics.scored, place))
        shown = tuple(shown[place] for place in sorted(places[:_MOST_QUESTIONS]))
    figures = ("Scored", "Answered", "Accuracy", "Base rate", "Lift", "ECE", "Bias")
    rows: list[tuple[Cell, ...]] = [
        (
            Name(each.key),
            str(each.kind),
            str(each.metrics.scored),
            str(each.metrics.answered),
            rate(each.metrics.accuracy),
            rate(each.metrics.base_rate),
            signed_rate(each.metrics.lift),
            rate(each.metrics.ece),
            signed_rate(each.metrics.signed_bias),
        )
        for each in shown
    ]
    yield Table(_columns(("Question", "Kind"), figures), rows)
    left_out = len(report.questions) - len(shown) + report.questions_omitted
    if left_out:
        yield Paragraph(f"{counted(left_out, 'question')} scored less often not shown.")


def _irregular(report: CalibrationReport) -> Iterator[Block]:
    irregular = Counter(report.overall.irregular)
    if irregular:
        yield Heading("Irregular answers")
        yield Paragraph(
            "These answers stand and are judged like the others; the figures of the top"
            " probability leave them out."
        )
        yield Table(
            _columns(("What is irregular",), ("Answers",)),
            [(_REASONS.get(reason, reason), str(n)) for reason, n in irregular.most_common()],
        )


def _cost(report: CalibrationReport) -> Iterator[Block]:
    cost = report.cost
    yield Heading("Cost")
    least = "at least " if cost.is_lower_bound else ""
    known = ("Reported", "Priced", "Unknown", "From a cache")
    yield Table(
        _columns((), ("Total (US dollars)", "For 1,000 items", *known)),
        [
            (
                None if cost.total is None else f"{least}{money(cost.total)}",
                money(cost.per1000),
                str(cost.reported),
                str(cost.priced),
                str(cost.unknown),
                str(cost.cached),
            )
        ],
    )
    if not cost.is_lower_bound:
        return
    unknown = f"what {counted(cost.unknown, 'item')} cost is not known"
    if cost.total is None:
        yield Paragraph(f"Nothing can be said: {unknown}. A price for the model may help.")
        return
    yield Paragraph(
        [
            Strong("Lower bound"),
            (
                f": {unknown}, so the run cost more than the total. The cost for 1,000 items"
                " is that of the items with a known cost."
            ),
        ]
    )


def _latency(report: CalibrationReport) -> Iterator[Block]:
    latency = report.latency
    yield Heading("Latency")
    titles = ("Answered items", "From a cache", "Mean (ms)", "Median", "95th percentile", "Longest")
    yield Table(
        _columns((), titles),
        [
            (
                str(latency.count),
                str(latency.cached_count),
                milliseconds(latency.mean),
                milliseconds(latency.median),
                milliseconds(latency.p95),
                milliseconds(latency.max),
            )
        ],
    )


def _errors(report: CalibrationReport) -> Iterator[Block]:
    yield Heading("Failed items")
    if not report.errors:
        yield Paragraph("No item failed.")
        return
    rows = [(error.kind, str(error.count)) for error in report.errors]
    yield Table(_columns(("Failure",), ("Items",)), rows)


def _models(report: CalibrationReport) -> Iterator[Block]:
    if report.models:
        yield Heading("Models that answered")
        rows: list[tuple[Cell, ...]] = [
            ("not named" if each.model is None else Name(each.model), str(each.count))
            for each in report.models
        ]
        yield Table(_columns(("Model",), ("Items",)), rows)


def _prices(report: CalibrationReport) -> Iterator[Block]:
    if report.prices:
        yield Heading("Prices")
        yield Paragraph("US dollars for a million tokens, for items without a reported cost.")
        rows: list[tuple[Cell, ...]] = [
            (
                Name(price.model),
                Name(price.source) if price.source else None,
                money(price.input_per_million),
                money(price.output_per_million),
                price.date.isoformat(),
            )
            for price in report.prices
        ]
        yield Table(_columns(("Model", "Source"), ("Input", "Output", "Date")), rows)
