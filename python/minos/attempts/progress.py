"""What a progress receiver is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class RunProgress(Generic[T_co]):
    """How far a run is, told once for each attempt that finishes, one at a time.

    Attributes:
        done: Attempts that have finished, those of an earlier start included.
        total: Attempts that the run consists of.
        errors: How many of `done` failed.
        cost_usd: What the finished attempts of this start cost, as far as it is known, in US
            dollars.
        unknown_costs: Attempts of this start whose cost is not known; with any, `cost_usd` is a
            lower bound.
        result: The result of the attempt that finished just now.
    """

    done: int
    total: int
    errors: int
    cost_usd: float
    unknown_costs: int
    result: T_co


ProgressReceiver: TypeAlias = Callable[[RunProgress[T_co]], object]
"""Called in the run's own event loop, never twice at a time. What it raises stops the run."""
