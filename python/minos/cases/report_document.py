"""Turns a report over cases into documents that every format can show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from minos.cases.assertions.base import Status as Outcome
from minos.cases.case import as_text
from minos.cases.reduction import CaseOutcome
from minos.cases.report import CaseReport
from minos.policy.gates import GateStatus, Share
from minos.reports.document import (
    Align,
    Bar,
    BarChart,
    Block,
    Check,
    Checks,
    Column,
    Document,
    Heading,
    Listing,
    Name,
    Paragraph,
    Status,
    Strong,
    Table,
    Text,
)
from minos.reports.figures import counted

_STATUS = {
    Outcome.PASSED: Status.PASSED,
    Outcome.FAILED: Status.FAILED,
    Outcome.ERROR: Status.ERROR,
}
_LONGEST_INPUT = 200
_SHORT_OUTPUT = 200


def summary_document(
    report: CaseReport,
    *,
    most_failed: int | None = None,
    longest_output: int | None = _SHORT_OUTPUT,
) -> Document:
    """Describe a run: figures, gates, assertions, and the cases that did not pass.

    Args:
        report: The report.
        most_failed: How many cases that did not pass are shown; all when left out.
        longest_output: Where an answer is cut, in characters; nowhere when left out.
    """
    blocks = [Paragraph(_verdict(report)), *_partial(report)]
    blocks += [Heading("Summary"), _summary(report)]
    if report.gates.is_configured:
        blocks += [Heading("Gates"), Checks(list(_gates(report)))]
    if report.tally.metrics:
        blocks += [Heading("Results by assertion"), _metrics(report)]
    blocks += _failed_cases(report, most_failed, longest_output)
    blocks.append(Paragraph(_verdict(report)))
    return Document(["Evaluation of ", Name(report.header.subject)], blocks)


def cases_document(report: CaseReport) -> Document:
    """Describe a run as one check for each case, for formats that list checks."""
    cases = report.tally.cases.share()
    title = f"minos: {cases.passed}/{cases.total} passed ({percent(cases.pass_rate)})"
    return Document(title, [Checks([_check(outcome) for outcome in report.cases()])])


def percent(share: float | None) -> str:
    """Show a share in whole per cent, and never a failure as 100%; a dash of nothing."""
    if share is None:
        return "-"
    rounded = round(share * 100)
    return f"{min(rounded, 99) if share < 1 else rounded}%"


def _verdict(report: CaseReport) -> Text:
    gates = report.gates
    match report.status:
        case GateStatus.ERROR:
            count = report.tally.cases.errors
            words = f"FAILED: {counted(count, 'case')} could not be decided"
        case GateStatus.FAILED:
            words = "FAILED" if report.tally.cases.total else "FAILED: there are no cases"
        case GateStatus.NOT_CONFIGURED:
            words = "COMPLETED (no gate)"
        case GateStatus.PASSED:
            words = "PASSED"
    if gates.is_strict:
        words += " (strict mode)"
    elif gates.threshold is not None:
        words += f" (threshold: {percent(gates.threshold)})"
    return Strong(words)


def _partial(report: CaseReport) -> Iterator[Block]:
    header = report.header
    if header.partial:
        done, total = report.tally.attempts.total, header.case_count * header.attempts
        yield Paragraph(f"Partial run: {done} of {counted(total, 'attempt')}")
    if header.selection is not None:
        yield Paragraph(f"Selected: {header.case_count} of {counted(header.selection.of, 'case')}")


def _summary(report: CaseReport) -> Table:
    titles = ("Total", "Passed", "Failed", "Errors", "Pass rate")
    columns = [Column("", Align.LEFT), *(Column(title) for title in titles), Column("Duration")]
    rows = [["Cases", *_figures(report.tally.cases.share()), _duration(report.tally.duration_ms)]]
    if report.header.attempts > 1:
        rows.append(["Attempts", *_figures(report.tally.attempts.share()), ""])
    return Table(columns, rows)


def _figures(share: Share) -> list[str]:
    counts = (share.total, share.passed, share.failed - share.errors, share.errors)
    return [*(str(count) for count in counts), percent(share.pass_rate)]


def _duration(milliseconds: float) -> str:
    seconds = milliseconds / 1000
    return f"{milliseconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _gates(report: CaseReport) -> Iterator[Check]:
    gates = report.gates
    if gates.overall is not None:
        yield _gate("overall", report.tally.cases.share(), gates.overall)
    for value, share in report.groups:
        name = [Name(f"{gates.group_by}={as_text(value)}")]
        yield _gate(name, share, gates.group_threshold or 0.0)
    for result in report.rules:
        status = Status.PASSED if result.passed else Status.FAILED
        yield Check(Name(str(result.rule)), status, result.reason)


def _gate(name: Text, share: Share, threshold: float) -> Check:
    status = Status.PASSED if share.meets(threshold) else Status.FAILED
    detail = f"{percent(share.pass_rate)} observed, {percent(threshold)} required"
    if share.errors:
        detail += f", {counted(share.errors, 'error')}"
    return Check(name, status, detail)


def _metrics(report: CaseReport) -> BarChart:
    bars = []
    for name, counter in sorted(report.tally.metrics.items()):
        share = counter.share()
        note = f"{share.passed}/{share.total}  {percent(share.pass_rate)}"
        bars.append(Bar(name, share.pass_rate or 0.0, note=note))
    return BarChart(bars)


def _failed_cases(
    report: CaseReport, most: int | None, longest_output: int | None
) -> Iterator[Block]:
    count = report.tally.cases.share().failed
    if not count:
        return
    yield Heading(f"Failed cases ({count})")
    failed = (outcome for outcome in report.cases() if not outcome.has_passed)
    for number, outcome in enumerate(islice(failed, most), start=1):
        shown = outcome.judged_case.display_input
        yield Heading([f"{number}. ", Name(_cut(shown, _LONGEST_INPUT))], 3)
        points: list[Text] = [[Name(what), ": ", Name(reason)] for what, reason in outcome.failures]
        yield Listing([*points, _samples(outcome), *_output(outcome, longest_output)])
    if most is not None and count > most:
        yield Paragraph(f"and {count - most} more: they stand in report.json, html and junit")


def _check(outcome: CaseOutcome) -> Check:
    notes: list[Text] = []
    details = [f"{what}: {reason}" for what, reason in outcome.failures]
    if not outcome.has_passed:
        notes = [_samples(outcome), *_output(outcome, None)]
    return Check(
        Name(outcome.judged_case.display_input),
        _STATUS[outcome.status],
        Name("; ".join(details)) if details else "",
        notes,
        outcome.duration_ms / 1000,
    )


def _samples(outcome: CaseOutcome) -> str:
    share = outcome.share
    return (
        f"samples: {share.passed}/{share.total} passed, {share.failed - share.errors} failed,"
        f" {share.errors} errors, rule: {outcome.rule}"
    )


def _output(outcome: CaseOutcome, longest: int | None) -> Iterator[Text]:
    output = outcome.last.output
    if output is not None:
        yield ["output: ", Name(output if longest is None else _cut(output, longest))]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
