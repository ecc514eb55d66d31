"""Holds a provider against the rules of the wire, over raw exchanges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.lazy import hand_on

if TYPE_CHECKING:
    from minos.conformance.checking import check
    from minos.conformance.result import CheckResult, ConformanceReport, Exchange, Verdict

_HOMES = {
    "minos.conformance.checking": ("check",),
    "minos.conformance.result": ("CheckResult", "ConformanceReport", "Exchange", "Verdict"),
}
"""Where each public name lives: the probes are imported only when they are sent."""

__all__ = ["CheckResult", "ConformanceReport", "Exchange", "Verdict", "check"]

__getattr__, __dir__ = hand_on(__name__, _HOMES)
