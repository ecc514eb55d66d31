"""Holds a provider against the rules of the wire, over raw exchanges."""

from __future__ import annotations

from minos.conformance.check import check
from minos.conformance.result import CheckResult, ConformanceReport, Exchange, Verdict

__all__ = ["CheckResult", "ConformanceReport", "Exchange", "Verdict", "check"]
