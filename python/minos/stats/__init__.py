"""Statistics of answers whose truth is known, and of shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minos.lazy import hand_on

if TYPE_CHECKING:
    from minos.stats.proportions import Interval, clustered_wilson, wilson
    from minos.stats.reliability import Calibration, ReliabilityBin, SweepPoint, calibration

_HOMES = {
    "minos.stats.proportions": ("Interval", "clustered_wilson", "wilson"),
    "minos.stats.reliability": ("Calibration", "ReliabilityBin", "SweepPoint", "calibration"),
}
"""Where each public name lives. A module is imported when one of its names is first used."""

__all__ = [
    "Calibration",
    "Interval",
    "ReliabilityBin",
    "SweepPoint",
    "calibration",
    "clustered_wilson",
    "wilson",
]

__getattr__, __dir__ = hand_on(__name__, _HOMES)
