"""A conformance report as a document to be rendered."""

from __future__ import annotations

from collections.abc import Iterator

from minos.conformance.result import ConformanceReport, Exchange, Verdict
from minos.reports.document import (
    Block,
    Check,
    Checks,
    Document,
    Heading,
    Listing,
    Name,
    Paragraph,
    Status,
    Strong,
    Text,
)

_STATUS = {
    Verdict.PASS: Status.PASSED,
    Verdict.FAIL: Status.FAILED,
    Verdict.SKIP: Status.SKIPPED,
}


def document(report: ConformanceReport) -> Document:
    """Return the report as a document.

    Args:
        report: The report.
    """
    return Document(["Conformance of ", Name(report.provider)], list(_blocks(report)))


def _blocks(report: ConformanceReport) -> Iterator[Block]:
    counts = (
        f"{report.count(Verdict.PASS)} passed, {report.count(Verdict.FAIL)} failed,"
        f" {report.count(Verdict.SKIP)} skipped"
    )
    probes = len(report.exchanges)
    told: list[Text] = [["Model: ", Name(report.model)]]
    if report.address:
        told.append(["Address: ", Name(report.address)])
    told.append(f"Requests: {probes}{', thorough' if report.thorough else ''}")
    yield Paragraph(Strong(counts))
    yield Listing(told)
    if report.fault:
        yield Paragraph([Strong("Nothing was answered: "), Name(report.fault)])
    if report.stopped:
        yield Paragraph([Strong("It ended early: "), Name(report.stopped)])
    failed = [check for check in report.checks if check.verdict is Verdict.FAIL]
    if failed:
        yield Heading("Deviations")
        yield Listing(
            [
                [
                    Strong(check.name),
                    f": {check.rule} ",
                    Name(check.detail),
                    _shown_by(check.exchanges),
                ]
                for check in failed
            ]
        )
    yield Heading("Checks")
    yield Checks(
        [
            Check(check.name, _STATUS[check.verdict], _detail(check.detail, check.rule))
            for check in report.checks
        ]
    )
    shown = {number for check in failed for number in check.exchanges}
    if shown:
        yield Heading("Evidence")
        for exchange in report.exchanges:
            if exchange.number in shown:
                yield from _evidence(exchange)


def _detail(detail: str, rule: str) -> Text:
    return [rule, " ", Name(detail)] if detail else rule


def _shown_by(numbers: tuple[int, ...]) -> str:
    return f" (exchange {', '.join(map(str, numbers))})"


def _evidence(exchange: Exchange) -> Iterator[Block]:
    yield Heading([f"Exchange {exchange.number}: ", Name(exchange.probe)], level=3)
    answer: Text = ["No response: ", Name(exchange.fault)]
    if exchange.status_code is not None:
        answer = [f"HTTP {exchange.status_code}: ", Name(exchange.body)]
    yield Listing([["Sent: ", Name(exchange.request)], answer])
