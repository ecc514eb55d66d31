"""Cases and attempts as the JSON report holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from minos.cases.assertions.base import Evaluation, Status, Verdict
from minos.cases.attempt import Attempt
from minos.cases.case import Case
from minos.cases.reduction import CaseOutcome
from minos.policy.gates import Share

_RANK = {Status.PASSED: 0, Status.FAILED: 1, Status.ERROR: 2}


def share_json(share: Share) -> dict[str, Any]:
    """Return a share; an undefined rate is null."""
    return {
        "total": share.total,
        "passed": share.passed,
        "failed": share.failed,
        "errors": share.errors,
        "pass_rate": share.pass_rate,
    }


def case_json(outcome: CaseOutcome) -> dict[str, Any]:
    """Return a case: its last attempt, reduced by the pass rule, and all attempts."""
    case, last, share = outcome.judged_case, outcome.last, outcome.share
    return {
        "id": last.id,
        "key": last.key,
        **_attempt(last, case),
        "status": "passed" if outcome.has_passed else "failed",
        "failures": [{what: reason} for what, reason in outcome.failures],
        "execution_error": outcome.has_error,
        "duration_ms": outcome.duration_ms,
        "attempts": [
            _attempt(each, outcome.case if each.case is None else each.case)
            for each in outcome.attempts
        ],
        "sample": {
            "repeat": share.total,
            "pass_rule": outcome.rule.to_json(),
            "passed": share.passed,
            "failed": share.failed,
            "errors": share.errors,
            "pass_rate": share.pass_rate,
            "assertions": [
                {"index": index, "type": each.type, **_without_total(each.share)}
                for index, each in enumerate(outcome.assertions)
            ],
        },
    }


def _without_total(share: Share) -> dict[str, Any]:
    members = share_json(share)
    del members["total"]
    return members


def _attempt(attempt: Attempt, case: Case) -> dict[str, Any]:
    usage = None if attempt.usage is None else asdict(attempt.usage)
    return {
        "input": case.input,
        "metadata": case.metadata,
        "actual_output": attempt.output,
        "status": "passed" if attempt.has_passed else "failed",
        "failures": [{what: reason} for what, reason in attempt.failures],
        "results": _results(attempt.evaluations),
        "evaluations": [
            {"type": each.type, "result": _verdict(each.verdict)} for each in attempt.evaluations
        ],
        "execution_error": attempt.error is not None,
        "duration_ms": attempt.duration_ms,
        "latency_ms": attempt.latency_ms,
        "usage": usage,
    }


def _results(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return the verdicts by assertion; of several the worst, of equally good ones the last."""
    worst: dict[str, Verdict] = {}
    for each in evaluations:
        known = worst.get(each.type)
        rank = _RANK[each.verdict.status]
        if known is None or rank > _RANK[known.status] or rank == 0 == _RANK[known.status]:
            worst[each.type] = each.verdict
    return {name: _verdict(verdict) for name, verdict in worst.items()}


def _verdict(verdict: Verdict) -> Mapping[str, Any]:
    match verdict.status:
        case Status.PASSED:
            note = {"reason": verdict.reason} if verdict.reason else {}
            return {"pass": {**verdict.details, **note}}
        case Status.FAILED:
            return {"fail": {**verdict.details, "reason": verdict.reason}}
        case _:
            return {"error": verdict.reason}
