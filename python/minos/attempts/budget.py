"""What a run may spend, and when to stop so that it does not spend more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from minos.attempts.work import Spent

_PER_DOLLAR = 10**15
"""Money is counted in whole femtodollars, so that sums are exact."""

_MOST = 2**128 - 1
"""What one cost counts at most, as in a report."""


class Admission(Enum):
    """Whether an attempt may start."""

    ADMITTED = auto()
    LATER = auto()
    """Not now: it depends on what the attempts in flight turn out to use."""
    REFUSED = auto()
    """Not at all: with it the run could pass its budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The budget of a run; None is no limit.

    Attributes:
        max_cost_usd: US dollars, above 0.
        max_requests: Requests, retries included, at least 1.
    """

    max_cost_usd: float | None = None
    max_requests: int | None = None

    def __post_init__(self) -> None:
        if self.max_cost_usd is not None and not 0 < self.max_cost_usd < float("inf"):
            raise ValueError("the most that a run may cost must be above 0 US dollars")
        if self.max_requests is not None and self.max_requests < 1:
            raise ValueError("the most requests that a run may send must be at least 1")


class Budget:
    """Keeps account of a run and reserves for attempts in flight what they may yet cost.

    An attempt is taken to cost as much as the dearest one so far; one that is heavier than all so
    far, more in proportion. Until a first cost is known one attempt is in flight at a time. An
    attempt whose cost stays unknown ends a run with a limit on cost, since nothing can be said
    about the next one. Sums are exact.

    Attributes:
        requests: Requests sent by finished attempts.
        unknown_costs: Finished attempts whose cost is not known.
        reason: Why an attempt was refused, in words; empty before that.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._max_cost = _exact(limits.max_cost_usd) if limits.max_cost_usd is not None else None
        self._spent = 0
        self._dearest: int | None = None
        self._heaviest = 1
        self._in_flight: list[int] = []
        self.requests = 0
        self.unknown_costs = 0
        self.reason = ""

    @property
    def cost_usd(self) -> float:
        """What the finished attempts cost, as far as it is known, in US dollars."""
        return self._spent / _PER_DOLLAR

    def admit(self, weight: int) -> Admission:
        """Ask whether an attempt may start; when admitted it is in flight until `settle`.

        Args:
            weight: How heavy the attempt is beside the others: the bytes of its request, say.
        """
        reason = self._requests_reason() or self._cost_reason(weight)
        if not reason:
            self._in_flight.append(weight)
            return Admission.ADMITTED
        if self._in_flight and not (self.unknown_costs and self._max_cost is not None):
            return Admission.LATER
        self.reason = reason
        return Admission.REFUSED

    def settle(self, weight: int, spent: Spent | None) -> None:
        """Take an attempt out of flight.

        Args:
            weight: What it was admitted with.
            spent: What it used up; None when it was cut off and is in no account.
        """
        self._in_flight.remove(weight)
        if spent is None:
            return
        self.requests += spent.requests
        if spent.cost_usd is None:
            self.unknown_costs += 1
            return
        cost = _exact(spent.cost_usd)
        self._spent += cost
        if spent.requests and spent.is_typical:
            self._dearest = max(cost, self._dearest or 0)
            self._heaviest = max(weight, self._heaviest)

    def _requests_reason(self) -> str:
        limit = self._limits.max_requests
        if limit is None or self.requests + len(self._in_flight) < limit:
            return ""
        return f"{self.requests} of at most {limit} requests are sent"

    def _cost_reason(self, weight: int) -> str:
        if self._max_cost is None:
            return ""
        limit = f"at most {self._limits.max_cost_usd} US dollars"
        if self.unknown_costs:
            return f"an answer came without a cost, so {limit} cannot be kept to"
        if self._dearest is None:
            return "the first cost is not known yet" if self._in_flight else ""
        needed = sum(self._estimate(each) for each in (*self._in_flight, weight))
        if self._spent + needed <= self._max_cost:
            return ""
        return f"{self.cost_usd:.6f} of {limit} are spent, and the next request may pass that"

    def _estimate(self, weight: int) -> int:
        dearest = self._dearest or 0
        if weight <= self._heaviest:
            return dearest
        return -(-dearest * weight // self._heaviest)


def _exact(cost_usd: float) -> int:
    return round(min(cost_usd * _PER_DOLLAR, _MOST))
