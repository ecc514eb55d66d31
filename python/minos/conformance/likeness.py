"""Whether answers are alike, as far as a server that is never quite the same can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from minos.conformance.values import is_number

Figures = Mapping[str, float]
"""Every probability of a response by a name of its own."""

LEAST_LIMIT = 0.05
_DEVIATIONS = 4


def figures(answers: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, float]:
    """Return every probability of some answers, as System One has them.

    A number that is no probability is told elsewhere.

    Args:
        answers: The answers by the key they were asked under.
        names: What each key stands for; others are left out.
    """
    found: dict[str, float] = {}
    for key, name in names.items():
        answer = answers.get(key)
        if not isinstance(answer, dict):
            continue
        members = answer.get("probabilities")
        values = members if isinstance(members, dict) else {"yes": answer.get("noul")}
        for member, value in values.items():
            if is_number(value) and 0 <= value <= 1:
                found[f"{name}: {member}"] = float(value)
    return found


def spread(rounds: Sequence[Figures]) -> float:
    """Return the most that any figure moves between rounds."""
    common = set.intersection(*(set(figures) for figures in rounds))
    return max((max(r[n] for r in rounds) - min(r[n] for r in rounds) for n in common), default=0.0)


def difference(base: Sequence[Figures], other: Sequence[Figures]) -> str:
    """Return which figure differs by more than chance, in words; empty where none does.

    A figure differs when its means are further apart than 0.05, and than four standard errors of
    their difference, taken from how it moves when the same request is repeated.

    Args:
        base: Rounds of the same request.
        other: Rounds of the request that should be answered alike.
    """
    common = set.intersection(*(set(figures) for figures in (*base, *other)))
    for name in sorted(common):
        values = [figures[name] for figures in base]
        moved = fmean(figures[name] for figures in other) - fmean(values)
        noise = stdev(values) if len(values) > 1 else 0.0
        limit = max(LEAST_LIMIT, _DEVIATIONS * noise * sqrt(1 / len(base) + 1 / len(other)))
        if abs(moved) > limit:
            return f"the probability of '{name}' moves by {moved:+.3f}"
    return ""
