"""What came of holding a provider against the rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

SHOWN_CHARACTERS = 4_000


class Verdict(StrEnum):
    """How a check came out."""

    PASS = "pass"  # noqa: S105  # no password
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One rule, and whether it is kept.

    Attributes:
        name: The name of the check, such as `choice-distribution`.
        rule: The rule in a sentence.
        verdict: How it came out.
        detail: What broke the rule, why it was not checked, or what was found; may be empty.
        exchanges: The numbers of the exchanges that show it.
    """

    name: str
    rule: str
    verdict: Verdict
    detail: str = ""
    exchanges: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """One probe as it went over the wire; keys are masked.

    Attributes:
        number: Its place, counted from 1.
        probe: What it was for.
        request: The body sent.
        status_code: The status that came back; None where nothing did.
        headers: The headers that came back.
        body: The body that came back, up to 4,000 characters of it.
        fault: Why nothing came back; empty where something did.
    """

    number: int
    probe: str
    request: str
    status_code: int | None
    headers: dict[str, str]
    body: str
    fault: str


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """A provider held against every rule.

    Attributes:
        provider: The name of its section.
        model: The model asked for.
        address: The URL that was posted to; empty for the embedded model.
        thorough: Whether everything was probed, or the few requests of a first look were sent.
        checks: Every check, in the order of the rules.
        exchanges: The evidence: every probe.
        fault: The network fault because of which there is no answer at all; empty without one.
        stopped: Why it ended early, so that some probes were not sent; empty where it did not.
    """

    provider: str
    model: str
    address: str
    thorough: bool
    checks: Sequence[CheckResult]
    exchanges: Sequence[Exchange]
    fault: str = ""
    stopped: str = ""

    def count(self, verdict: Verdict) -> int:
        """Return how many checks came out so."""
        return sum(check.verdict is verdict for check in self.checks)

    @property
    def is_conformant(self) -> bool:
        """Whether no check failed, the provider could be reached, and every probe was sent."""
        return not self.fault and not self.stopped and not self.count(Verdict.FAIL)

    def to_json(self) -> str:
        """Return the report as JSON of kind `minos-conformance`."""
        document: dict[str, Any] = {
            "kind": "minos-conformance",
            "version": 1,
            "provider": self.provider,
            "model": self.model,
            "address": self.address,
            "thorough": self.thorough,
            "fault": self.fault or None,
            "stopped": self.stopped or None,
            "passed": self.count(Verdict.PASS),
            "failed": self.count(Verdict.FAIL),
            "skipped": self.count(Verdict.SKIP),
            "checks": [
                {
                    "id": check.name,
                    "rule": check.rule,
                    "verdict": str(check.verdict),
                    "detail": check.detail,
                    "exchanges": list(check.exchanges),
                }
                for check in self.checks
            ],
            "exchanges": [
                {
                    "number": exchange.number,
                    "probe": exchange.probe,
                    "request": exchange.request,
                    "statusCode": exchange.status_code,
                    "headers": exchange.headers,
                    "body": exchange.body,
                    "fault": exchange.fault or None,
                }
                for exchange in self.exchanges
            ],
        }
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"

    def to_markdown(self) -> str:
        """Return the report as a page to read."""
        from minos.conformance.document import document  # noqa: PLC0415
        from minos.reports.markdown import render_markdown  # noqa: PLC0415

        return render_markdown(document(self))
