"""Intervals of shares: of independent trials, and of trials that come in clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

Z_95 = 1.959963984540054
"""The quantile of the normal distribution for an interval of 95%."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval that holds the true value in 95% of cases.

    Attributes:
        lower: Where it begins.
        upper: Where it ends.
        method: How it is made.
    """

    lower: float
    upper: float
    method: str

    def to_members(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"lower": self.lower, "upper": self.upper, "level": 0.95, "method": self.method}


def wilson(part: float, total: float, method: str = "wilson") -> Interval | None:
    """Return the Wilson score interval of a share; None without a trial.

    Args:
        part: Trials that came out so.
        total: All trials, independent of each other; both may be fractional, where they stand
            for fewer independent trials than were made.
        method: What the interval says of how it was made.
    """
    if total <= 0:
        return None
    share, square = part / total, Z_95**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    spread = sqrt(share * (1 - share) / total + square / (4 * total**2)) * Z_95
    half = spread / (1 + square / total)
    lower = max(0.0, middle - half) if part > 0 else 0.0
    upper = min(1.0, middle + half) if part < total else 1.0
    return Interval(lower, upper, method)


def clustered_wilson(clusters: Sequence[tuple[int, int]]) -> Interval | None:
    """Return the interval of a share over trials that come in clusters; None without a trial.

    The share's variance is that of a ratio over clusters, linearised; it gives the number of
    independent trials that would be as sure, which is at least 1 and at most the trials made, and
    Wilson's interval for as many. Where every trial came out the same, clusters count as trials.

    Args:
        clusters: For each cluster the trials that came out so, and all of its trials.
    """
    used = [(part, total) for part, total in clusters if total]
    part = sum(part for part, _ in used)
    total = sum(total for _, total in used)
    if not total:
        return None
    share, count = part / total, len(used)
    effective = float(count)
    if 0 < share < 1 and count > 1:
        squares = sum((part - share * total) ** 2 for part, total in used)
        variance = squares / total**2 * count / (count - 1)
        if variance > 0:
            effective = min(max(share * (1 - share) / variance, 1.0), float(total))
        else:
            effective = float(total)
    return wilson(share * effective, effective, "wilson, items as clusters")
