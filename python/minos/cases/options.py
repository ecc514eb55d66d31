"""How cases are run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from minos.attempts.budget import Limits
from minos.attempts.progress import ProgressReceiver
from minos.attempts.scheduler import Slots
from minos.attempts.selection import Selection
from minos.cases.assertions.base import AssertionType
from minos.cases.attempt import Attempt
from minos.errors import ConfigError
from minos.policy.pass_rule import PassRule

_LONGEST_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRunOptions:
    """How cases are run.

    Attributes:
        repeat: Attempts of each case.
        pass_rule: How many of them must pass; a rule, its text, or `{"rate": 0.8}`.
        max_parallelism: How many attempts run at a time.
        timeout_s: Seconds that one attempt may take, judges included.
        run_timeout_s: Seconds that the whole run may take.
        progress: Called once for each attempt that finishes, one at a time. What it raises stops
            the run.
        offset: Leave out the first so many cases.
        limit: Run only so many cases.
        sample: Run only so many cases, drawn.
        sample_seed: Which sample.
        filters: Run only cases whose metadata holds these values, by field.
        max_cost_usd: Stop before the run would cost more than this, in US dollars, as far as the
            subject tells of its costs.
        defaults: Options for all assertions; each gets those that it takes.
        registry: The assertions there are; those of minos and of installed packages when left out.
        subject: What the results call the subject; its own name when left out.

    Raises:
        ValueError: An option makes no sense, such as a parallelism of 0.
        ConfigError: The time-out looks like milliseconds.
    """

    repeat: int = 1
    pass_rule: PassRule | str | Mapping[str, float] = field(default_factory=PassRule)
    max_parallelism: int = 1
    timeout_s: float = 120.0
    run_timeout_s: float | None = None
    progress: ProgressReceiver[Attempt] | None = None
    offset: int = 0
    limit: int | None = None
    sample: int | None = None
    sample_seed: int = 0
    filters: Mapping[str, str] = field(default_factory=dict)
    max_cost_usd: float | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    registry: Mapping[str, AssertionType] | None = None
    subject: str | None = None

    def __post_init__(self) -> None:
        # Each of these checks its part.
        self.rule()
        self.selection()
        self.slots()
        if isinstance(self.repeat, bool) or self.repeat < 1:
            raise ValueError("repeat must be a positive integer")
        if self.timeout_s > _LONGEST_S:
            raise ConfigError(
                f"a time-out of {self.timeout_s:g} s is more than an hour",
                hint="time-outs are in seconds: 120_000 ms is 120",
            )

    def rule(self) -> PassRule:
        """Return how many attempts of a case must pass."""
        return PassRule.of(self.pass_rule)

    def selection(self) -> Selection:
        """Return which cases run, filters aside."""
        return Selection(
            offset=self.offset, limit=self.limit, sample=self.sample, seed=self.sample_seed
        )

    def slots(self) -> Slots[Attempt]:
        """Return how the attempts are run."""
        return Slots(
            count=self.max_parallelism,
            timeout_s=self.timeout_s,
            run_timeout_s=self.run_timeout_s,
            limits=Limits(max_cost_usd=self.max_cost_usd),
            progress=self.progress,
        )
