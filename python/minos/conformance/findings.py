"""What the probes found, gathered by check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from minos.conformance.result import CheckResult, Verdict
from minos.conformance.rules import RULES


@dataclass(slots=True)
class _Gathered:
    shown_by: list[int] = field(default_factory=list)
    broken_by: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: str = ""


class Findings:
    """Checks under way: each is kept until a probe shows it broken, and skipped without a probe."""

    def __init__(self) -> None:
        self._by_check = {name: _Gathered() for name in RULES}

    def keep(self, check: str, exchange: int, note: str = "") -> None:
        """Note that an exchange put a rule to the test and showed nothing wrong."""
        gathered = self._by_check[check]
        if exchange not in gathered.shown_by:
            gathered.shown_by.append(exchange)
        if note and note not in gathered.notes:
            gathered.notes.append(note)

    def fail(self, check: str, exchange: int, fault: str) -> None:
        """Note that an exchange shows a rule broken."""
        gathered = self._by_check[check]
        if exchange not in gathered.broken_by:
            gathered.broken_by.append(exchange)
        if fault not in gathered.faults:
            gathered.faults.append(fault)

    def judge(self, check: str, exchange: int, fault: str) -> None:
        """Note a fault, or that there is none where `fault` is empty."""
        if fault:
            self.fail(check, exchange, fault)
        else:
            self.keep(check, exchange)

    def skip(self, checks: Iterable[str], reason: str) -> None:
        """Say why checks are not made, where no probe makes them after all."""
        for check in checks:
            gathered = self._by_check[check]
            gathered.skipped = gathered.skipped or reason

    def results(self, otherwise: str) -> tuple[CheckResult, ...]:
        """Return every check in the order of the rules.

        Args:
            otherwise: Why a check was not made that nobody said anything about.
        """
        return tuple(self._result(name, otherwise) for name in RULES)

    def _result(self, name: str, otherwise: str) -> CheckResult:
        gathered = self._by_check[name]
        rule = RULES[name]
        if gathered.faults:
            first, *more = gathered.faults
            told = f"{first} (and {len(more)} more)" if more else first
            return CheckResult(name, rule, Verdict.FAIL, told, tuple(gathered.broken_by))
        if gathered.shown_by:
            told = "; ".join(gathered.notes)
            return CheckResult(name, rule, Verdict.PASS, told, tuple(gathered.shown_by))
        return CheckResult(name, rule, Verdict.SKIP, gathered.skipped or otherwise)
