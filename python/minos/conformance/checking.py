"""Holds a provider against the rules."""

from __future__ import annotations

from minos.conformance.findings import Findings
from minos.conformance.result import ConformanceReport
from minos.conformance.suite import Suite
from minos.conformance.thorough import ThoroughSuite
from minos.providers.base import DecisionProvider
from minos.providers.client import DecisionClient


async def check(provider: DecisionProvider, *, thorough: bool = False) -> ConformanceReport:
    """Send probes to a provider, and hold what comes back against the rules.

    Every probe is a real request, which the provider may bill: at most 8 of them, or about 60
    when thorough. Nothing is raised for what a server does.

    Args:
        provider: The provider. One that is not asked over a wire, such as the embedded model, has
            every check skipped.
        thorough: Whether to probe everything: each feature by itself, sizes up to the limits,
            requests that are none, and what an answer depends on.
    """
    name = str(getattr(provider, "name", type(provider).__name__))
    model = str(getattr(provider, "model", ""))
    if not isinstance(provider, DecisionClient):
        checks = Findings().results("it is not asked over a wire")
        return ConformanceReport(name, model, "", thorough, checks, ())
    suite = ThoroughSuite(provider) if thorough else Suite(provider)
    await suite.run()
    suite.name_formulas()
    otherwise = "nothing was answered" if not suite.kinds else "--thorough makes it"
    if thorough and suite.kinds:
        otherwise = "no probe came to it"
    return ConformanceReport(
        provider=name,
        model=model,
        address=provider.address,
        thorough=thorough,
        checks=suite.findings.results(otherwise),
        exchanges=suite.session.exchanges,
        fault=suite.fault,
    )
