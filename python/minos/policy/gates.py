"""Gates over shares of what passed: overall, by group, and rules; and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from minos.errors import ConfigError
from minos.policy.pass_rule import meets
from minos.policy.rules import Rule, RuleResult


class GateStatus(StrEnum):
    """What the gates of a run come to."""

    ERROR = "error"
    """Something could not be decided; no gate can hold then."""
    FAILED = "failed"
    NOT_CONFIGURED = "not_configured"
    """There is no gate: failures are reported, and that is all."""
    PASSED = "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """What has to hold.

    Attributes:
        threshold: The least share that must pass; None for no such gate.
        is_strict: Whether all must pass.
        group_by: What groups are made by; None for no such gate.
        group_threshold: The least share of each group that must pass.
        rules: Rules over any figure of the report.

    Raises:
        ConfigError: They contradict each other, or one half of a pair is missing.
    """

    threshold: float | None = None
    is_strict: bool = False
    group_by: str | None = None
    group_threshold: float | None = None
    rules: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        for threshold in (self.threshold, self.group_threshold):
            if threshold is not None and not 0 <= threshold <= 1:
                raise ConfigError("a threshold must be between 0.0 and 1.0")
        if self.is_strict and self.threshold is not None:
            raise ConfigError("strict cannot be combined with threshold")
        if self.group_by is None and self.group_threshold is not None:
            raise ConfigError("group_by is required with group_threshold")
        if self.group_by is not None and self.group_threshold is None:
            raise ConfigError("group_threshold is required with group_by")

    @property
    def overall(self) -> float | None:
        """The least share that must pass; 1 when strict, None without such a gate."""
        return 1.0 if self.is_strict else self.threshold

    @property
    def is_configured(self) -> bool:
        """Whether there is any gate."""
        return self.overall is not None or self.group_by is not None or bool(self.rules)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some passed.

    Attributes:
        total: How many there are.
        passed: How many passed.
        errors: How many could not be decided; none of them passed.
    """

    total: int = 0
    passed: int = 0
    errors: int = 0

    @property
    def failed(self) -> int:
        """How many did not pass, errors included."""
        return self.total - self.passed

    @property
    def pass_rate(self) -> float | None:
        """The share that passed; None of none."""
        return self.passed / self.total if self.total else None

    def meets(self, threshold: float) -> bool:
        """Whether enough passed, and nothing was an error."""
        return self.errors == 0 and meets(self.passed, self.total, threshold)


def gate_status(
    gates: Gates,
    overall: Share,
    groups: Sequence[Share],
    rules: Sequence[RuleResult],
    *,
    is_complete: bool,
) -> GateStatus:
    """Decide what the gates come to.

    Args:
        gates: What has to hold.
        overall: All of it.
        groups: Each group.
        rules: How the rules came out.
        is_complete: Whether the run came to its end; gates do not pass where it did not.
    """
    if overall.errors:
        return GateStatus.ERROR
    if overall.total == 0:
        return GateStatus.FAILED
    if not gates.is_configured:
        return GateStatus.NOT_CONFIGURED if is_complete else GateStatus.FAILED
    holds = (
        is_complete
        and (gates.overall is None or overall.meets(gates.overall))
        and all(group.meets(gates.group_threshold or 0.0) for group in groups)
        and all(rule.passed for rule in rules)
    )
    return GateStatus.PASSED if holds else GateStatus.FAILED
