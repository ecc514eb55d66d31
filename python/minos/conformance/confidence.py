"""The formulas by which servers make a confidence of a distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

Formula = Callable[[Sequence[float]], float]

SLACK = 0.02


def _above_even(p: Sequence[float]) -> float:
    n = len(p)
    return 1.0 if n == 1 else (max(p) - 1 / n) / (1 - 1 / n)


def _spread_from_mode(p: Sequence[float]) -> float:
    n = len(p)
    if n == 1:
        return 1.0
    mode = p.index(max(p))
    spread = sum(value * abs(level - mode) for level, value in enumerate(p))
    even = sum(abs(level - (n - 1) / 2) for level in range(n)) / n
    return max(0.0, 1 - spread / even)


def _certainty(p: Sequence[float]) -> float:
    n = len(p)
    if n == 1:
        return 1.0
    entropy = -sum(value * math.log(value) for value in p if value > 0)
    return 1 - entropy / math.log(n)


def _margin(p: Sequence[float]) -> float:
    first, second, *_ = [*sorted(p, reverse=True), 0.0]
    return first - second


_ANY: Mapping[str, Formula] = MappingProxyType(
    {
        "the top probability above an even share": _above_even,
        "one minus the normalised entropy": _certainty,
        "the top probability": max,
        "the top probability minus the second": _margin,
    }
)

FORMULAS: Mapping[str, Mapping[str, Formula]] = MappingProxyType(
    {
        "choice": _ANY,
        "score": MappingProxyType(
            {"one minus the spread around the most probable level": _spread_from_mode, **_ANY}
        ),
    }
)
"""The known formulas by kind of question, TypeSafe's own first."""


def agreeing(
    kind: str, answers: Sequence[tuple[Sequence[float], float]], rounding: float
) -> list[str]:
    """Return the formulas that give every confidence of a kind of question.

    Args:
        kind: `choice` or `score`.
        answers: Distributions, normalised, each with the confidence reported for it.
        rounding: By how much a printed number may be off.
    """
    return [
        name
        for name, formula in FORMULAS[kind].items()
        if all(
            abs(formula(p) - told) <= SLACK + rounding * (1 + len(p) / max(len(p) - 1, 1))
            for p, told in answers
        )
    ]
