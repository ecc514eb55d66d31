"""Counts what a report says of a whole run, one case after the other."""

from __future__ import annotations

from dataclasses import dataclass, field

from minos.cases.assertions.base import Status
from minos.cases.planning import Scalar
from minos.cases.reduction import CaseOutcome
from minos.policy.gates import Share


@dataclass(slots=True)
class Counter:
    """A share that grows."""

    total: int = 0
    passed: int = 0
    errors: int = 0

    def add(self, status: Status) -> None:
        """Count one more."""
        self.total += 1
        self.passed += status is Status.PASSED
        self.errors += status is Status.ERROR

    def share(self) -> Share:
        """Return what was counted."""
        return Share(self.total, self.passed, self.errors)


@dataclass(slots=True)
class Tally:
    """What was counted.

    Attributes:
        cases: Cases.
        attempts: Attempts.
        metrics: Evaluations over all attempts, by assertion.
        groups: Cases by group; groups are told apart by kind and value, 1 from "1".
        duration_ms: How long the attempts took together, in milliseconds.
    """

    cases: Counter = field(default_factory=Counter)
    attempts: Counter = field(default_factory=Counter)
    metrics: dict[str, Counter] = field(default_factory=dict)
    groups: dict[tuple[str, Scalar], Counter] = field(default_factory=dict)
    duration_ms: float = 0.0

    def add(self, outcome: CaseOutcome, group: Scalar | None = None) -> None:
        """Count a case.

        Args:
            outcome: The case and its attempts.
            group: The group that it is in; None where there are no groups.
        """
        self.cases.add(outcome.status)
        for attempt in outcome.attempts:
            self.attempts.add(attempt.status)
            self.duration_ms += attempt.duration_ms
            for each in attempt.evaluations:
                self.metrics.setdefault(each.type, Counter()).add(each.verdict.status)
        if group is not None:
            named = (type(group).__name__, group)
            self.groups.setdefault(named, Counter()).add(outcome.status)
