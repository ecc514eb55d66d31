"""What the answer took: latency_ms, cost_usd."""

from __future__ import annotations

from minos.cases.assertions.base import (
    AssertionType,
    Check,
    Observed,
    Options,
    OptionsError,
    Verdict,
)
from minos.cases.assertions.options import amount

_DEFAULT_LATENCY_MS = 5000


def _latency_ms(options: Options) -> Check:
    limit = amount(options, "latency_ms", "value", "max")
    most = _DEFAULT_LATENCY_MS if limit is None else limit
    stated = amount(options, "latency_ms", "actual", "latency")

    def check(observed: Observed) -> Verdict:
        latency = observed.latency_ms if stated is None else stated
        if latency is None:
            return Verdict.failed("No latency value provided in opts[:actual]")
        if latency <= most:
            return Verdict.passed(latency_ms=latency, max=most)
        return Verdict.failed(
            f"Latency {latency}ms exceeds max {most}ms", latency_ms=latency, max=most
        )

    return check


def _cost_usd(options: Options) -> Check:
    most = amount(options, "cost_usd", "value", "max")
    if most is None:
        raise OptionsError("cost_usd requires a number as value or max", "value")

    def check(observed: Observed) -> Verdict:
        cost = None if observed.usage is None else observed.usage.cost_usd
        if cost is None:
            return Verdict.error("The cost is not known: the subject tells of none")
        if cost <= most:
            return Verdict.passed(cost_usd=cost, max=most)
        return Verdict.failed(f"Cost of ${cost} exceeds max ${most}", cost_usd=cost, max=most)

    return check


LATENCY_MS = AssertionType(
    name="latency_ms", read=_latency_ms, options=("value", "max", "actual", "latency")
)
COST_USD = AssertionType(name="cost_usd", read=_cost_usd, options=("value", "max"))
