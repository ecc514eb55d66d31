"""Makes one outcome of the attempts of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from minos.cases.assertions.base import Status
from minos.cases.attempt import Attempt
from minos.cases.case import Case
from minos.policy.gates import Share
from minos.policy.pass_rule import PassRule


@dataclass(frozen=True, slots=True)
class AssertionShare:
    """How one assertion of a case came out over its attempts.

    Attributes:
        type: Its name.
        share: Attempts in which it passed, failed, could not be decided.
    """

    type: str
    share: Share


def share_of(attempts: Sequence[Attempt]) -> Share:
    """Count the attempts that passed and those that could not be decided."""
    statuses = [attempt.status for attempt in attempts]
    return Share(len(statuses), statuses.count(Status.PASSED), statuses.count(Status.ERROR))


def has_passed(share: Share, rule: PassRule) -> bool:
    """Whether enough attempts passed, and every one could be decided."""
    return share.errors == 0 and rule.is_met(share.passed, share.total)


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """A case and its attempts.

    Attributes:
        case: The case as it stands in the data set.
        attempts: Its attempts, at least one.
        rule: How many of them must pass.
    """

    case: Case
    attempts: Sequence[Attempt]
    rule: PassRule

    @property
    def share(self) -> Share:
        """Attempts that passed, failed, could not be decided."""
        return share_of(self.attempts)

    @property
    def has_error(self) -> bool:
        """Whether an attempt could not be decided; the case has not passed then."""
        return any(attempt.status is Status.ERROR for attempt in self.attempts)

    @property
    def has_passed(self) -> bool:
        """Whether enough attempts passed, and every one could be decided."""
        return has_passed(self.share, self.rule)

    @property
    def status(self) -> Status:
        """How the case came out."""
        if self.has_error:
            return Status.ERROR
        return Status.PASSED if self.has_passed else Status.FAILED

    @property
    def last(self) -> Attempt:
        """The last attempt, which stands for the case in a report."""
        return self.attempts[-1]

    @property
    def judged_case(self) -> Case:
        """The case that was judged: the one that the subject returned, where it returned one."""
        return self.case if self.last.case is None else self.last.case

    @property
    def duration_ms(self) -> float:
        """How long the attempts took together, in milliseconds."""
        return round(sum(attempt.duration_ms for attempt in self.attempts), 3)

    @property
    def failures(self) -> list[tuple[str, str]]:
        """What went wrong, where the case has not passed: what, and why.

        With several attempts each reason begins with its attempt.
        """
        if len(self.attempts) == 1:
            return self.last.failures
        if self.has_passed:
            return []
        return [
            (what, f"Attempt {attempt.attempt}: {reason}")
            for attempt in self.attempts
            for what, reason in attempt.failures
        ]

    @property
    def assertions(self) -> list[AssertionShare]:
        """How each assertion came out over the attempts."""
        columns = zip(*(attempt.evaluations for attempt in self.attempts), strict=False)
        shares = []
        for column in columns:
            statuses = [each.verdict.status for each in column]
            passed, errors = statuses.count(Status.PASSED), statuses.count(Status.ERROR)
            shares.append(AssertionShare(column[0].type, Share(len(statuses), passed, errors)))
        return shares
