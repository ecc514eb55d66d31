"""The beginning and the end of a report's page: what it comes to, and how to read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from minos.decisions.report_views import KindMetrics
from minos.reports.document import (
    Block,
    Column,
    Heading,
    Inline,
    Listing,
    Name,
    Paragraph,
    Strong,
    Table,
    Text,
)
from minos.reports.figures import counted, milliseconds, money, rate, signed_rate

if TYPE_CHECKING:
    from minos.decisions.report import CalibrationReport

_FEWEST_TO_TELL = 200
"""With fewer answers the calibration error of a perfect model is several hundredths too."""


_NOTES = (
    (
        "Accuracy is over answered questions. Abstentions lower only the coverage, and the "
        "accuracy of all scored."
    ),
    (
        "The base rate is the accuracy of always giving each question's most common expected "
        "answer. It is taken from the same answers, so it is high for a question that was "
        "answered few times: a question answered once has a base rate of 1."
    ),
    (
        "The confidence is the one that the provider reported; for a noul, the larger of p and 1 "
        "- p. Providers define confidence differently, so a threshold for one is no threshold for "
        "another. The top probability is the largest of the distribution, where one came."
    ),
    (
        "ECE is the mean distance between confidence and accuracy over ten bins of about equal "
        "size. It is above 0 for a perfect model too, the more so the fewer the answers. Bias is "
        "the mean confidence less the accuracy: above 0 is too sure."
    ),
    "All kinds together are one pool of answers, not the mean of the kinds.",
    "Answers from a cache count as answers, but not in the latency and the cost.",
)


def summary_blocks(report: CalibrationReport) -> Iterator[Block]:
    """Say what the report comes to, and first how much of the data set it is about."""
    run, counts = report.run, report.counts
    if run.partial:
        yield Paragraph(Strong(f"Partial run: {run.items} of {run.partial_of} items"))
    if run.selection is not None:
        meant = run.items if run.partial_of is None else run.partial_of
        yield Paragraph(Strong(f"Selected: {meant} of {run.selection.of} items"))
    yield Paragraph(_run(report))
    yield Paragraph(_verdict(report))
    overall = report.overall
    titles = ("Items", "Scored", "Answered", "Accuracy", "Base rate", "ECE", "Bias")
    yield Table(
        [Column(title) for title in (*titles, "US dollars for 1,000 items", "Median latency (ms)")],
        [
            (
                str(counts.items),
                str(counts.scored),
                str(counts.answered),
                rate(overall.accuracy),
                rate(overall.base_rate),
                rate(overall.ece),
                signed_rate(overall.signed_bias),
                money(report.cost.per1000),
                milliseconds(report.latency.median),
            )
        ],
    )
    yield Paragraph(_coverage(report))


def _run(report: CalibrationReport) -> Text:
    run = report.run
    text: list[Inline] = ["Provider ", Name(run.provider)]
    if run.model is not None:
        text += [", model ", Name(run.model)]
    return [*text, f", started {run.started_at:%Y-%m-%d %H:%M:%S} UTC."]


def _verdict(report: CalibrationReport) -> Text:
    overall = report.overall
    if not report.counts.items:
        return "The results hold no item, so there is nothing to judge."
    if not overall.scored:
        return "No question in the results has an expected answer, so there is nothing to judge."
    if not overall.answered:
        return [Strong("No scored question was answered"), ", so there is nothing to judge."]
    verb = "is" if overall.answered == 1 else "are"
    return [
        Strong(f"{overall.correct} of {counted(overall.answered, 'answer')} {verb} right"),
        f" (accuracy {rate(overall.accuracy)}, base rate {rate(overall.base_rate)}",
        "; no better than always giving the most common answer" if _is_idle(overall) else "",
        "). ",
        *_calibration(report),
    ]


def _is_idle(overall: KindMetrics) -> bool:
    return overall.lift is not None and overall.lift <= 0 and overall.correct < overall.answered


def _calibration(report: CalibrationReport) -> Iterator[Inline]:
    overall = report.overall
    if overall.ece is None or overall.signed_bias is None:
        yield "No answer has a confidence, so nothing is known about calibration."
        return
    yield f"The calibration error (ECE) is {rate(overall.ece)}: on average the answers are "
    bias = rate(abs(overall.signed_bias))
    if not bias or not bias.strip("0."):
        yield "as sure as they are right."
    else:
        yield f"{bias} {'surer' if overall.signed_bias > 0 else 'less sure'} than they are right."
    # Kinds that are too sure and kinds that are not sure enough make up for one another.
    kinds = {kind: each.ece for kind, each in report.kinds.items() if each.ece is not None}
    if len(kinds) > 1:
        yield f" By kind the ECE is {', '.join(f'{rate(kinds[k])} ({k})' for k in kinds)}."
    if overall.answered - overall.without_confidence < _FEWEST_TO_TELL:
        yield f" With fewer than {_FEWEST_TO_TELL} answers that is too few to tell."


def _coverage(report: CalibrationReport) -> Text:
    counts = report.counts
    asked = (
        f"{counted(counts.items, 'item')} with {counted(counts.questions, 'question')}:"
        f" {counts.scored} scored, {counts.unscored} without an expected answer."
    )
    if not counts.abstained:
        return asked
    return (
        f"{asked} Of those scored {counts.answered} answered and {counts.abstained} abstained: the"
        " request failed, or the answer was left out."
    )


def notes(report: CalibrationReport) -> Iterator[Block]:
    """Say how the figures are to be read."""
    yield Heading("How to read this")
    points: list[Text] = [*_NOTES]
    if report.run.partial:
        points.append("Items that the partial run did not reach are in no figure.")
    yield Listing(points)
