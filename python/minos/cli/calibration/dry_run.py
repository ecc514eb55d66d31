"""What `minos calibrate --dry-run` says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minos.cli.output import Output
from minos.decisions.estimate import RunEstimate
from minos.decisions.options import DatasetRunOptions
from minos.reports.figures import counted, money


def tell_estimate(
    output: Output, estimates: Sequence[RunEstimate], options: DatasetRunOptions, total: int
) -> None:
    """Say what a run would take.

    Args:
        output: The voice of the command.
        estimates: What each repeat of it would take, one at least.
        options: How it would be run; its limits hold for all repeats together.
        total: Items of one whole repeat; fewer are left where a run is gone on with.
    """
    costs = [each.cost_usd for each in estimates if each.cost_usd is not None]
    plan = _Plan(
        requests=sum(each.items for each in estimates),
        questions=sum(each.questions for each in estimates),
        input_tokens=sum(each.input_tokens for each in estimates),
        cost_usd=sum(costs) if len(costs) == len(estimates) else None,
    )
    verdict = _verdict(plan, options)
    for line in _lines(plan, estimates, total, verdict):
        output.data(line)
    output.finish(
        {
            "dryRun": True,
            "items": total,
            "repeats": len(estimates),
            "requests": plan.requests,
            "questions": plan.questions,
            "inputTokens": plan.input_tokens,
            "cost": plan.cost_usd,
            "budget": verdict,
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    requests: int
    questions: int
    input_tokens: int
    cost_usd: float | None


def _lines(
    plan: _Plan, estimates: Sequence[RunEstimate], total: int, verdict: str
) -> Iterator[str]:
    times = f", {len(estimates)} times" if len(estimates) > 1 else ""
    yield f"items: {total}{times}"
    yield f"requests: {plan.requests}, retries apart"
    yield f"questions: {plan.questions}"
    yield f"input tokens: about {plan.input_tokens}"
    yield f"cost: {_cost(plan.cost_usd, estimates[0])}"
    yield f"budget: {verdict}"
    yield "nothing was sent"


def _cost(cost_usd: float | None, estimate: RunEstimate) -> str:
    if cost_usd is None:
        return "not known, there is no price for the model that is asked"
    price = estimate.price
    if price is None:
        return "nothing"
    written = price.output_per_million
    more = f", output tokens at {written} for a million apart" if written else ""
    return (
        f"about {money(cost_usd)} US dollars, at {price.input_per_million} for a million input"
        f" tokens of {price.model}{more}"
    )


def _verdict(plan: _Plan, options: DatasetRunOptions) -> str:
    most = options.max_requests
    if most is not None and plan.requests > most:
        return f"not enough, it is {counted(most, 'request')}"
    limit = options.max_cost_usd
    if limit is None:
        return "none is set" if most is None else "enough, retries apart"
    if plan.cost_usd is None:
        return "not known"
    if plan.cost_usd > limit:
        return f"not enough, it is {limit} US dollars"
    return "enough, as far as it can be told"
