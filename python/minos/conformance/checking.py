"""Holds a provider against the rules."""

from __future__ import annotations

from minos.conformance.findings import Findings
from minos.conformance.result import ConformanceReport
from minos.conformance.session import StoppedError
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
    return await Checking(provider, thorough=thorough).run()


class Checking:
    """A provider being held against the rules, which can be asked what was found so far."""

    def __init__(self, provider: DecisionProvider, *, thorough: bool = False) -> None:
        """Prepare; nothing is sent.

        Args:
            provider: The provider.
            thorough: Whether to probe everything.
        """
        self._name = str(getattr(provider, "name", type(provider).__name__))
        self._model = str(getattr(provider, "model", ""))
        self._thorough = thorough
        self._suite: Suite | None = None
        if isinstance(provider, DecisionClient):
            self._suite = ThoroughSuite(provider) if thorough else Suite(provider)

    async def run(self) -> ConformanceReport:
        """Send the probes; nothing is raised for what a server does."""
        stopped = ""
        if self._suite is not None:
            try:
                await self._suite.run()
            except StoppedError as error:
                stopped = str(error)
        return self.report(stopped)

    def report(self, stopped: str = "") -> ConformanceReport:
        """Return what was found so far.

        Args:
            stopped: Why it ended early; empty where it did not.
        """
        suite = self._suite
        if suite is None:
            checks = Findings().results("it is not asked over a wire")
            return ConformanceReport(self._name, self._model, "", self._thorough, checks, ())
        suite.name_formulas()
        if stopped:
            otherwise = "it ended early"
        elif not suite.kinds:
            otherwise = "nothing was answered"
        else:
            otherwise = "no probe came to it" if self._thorough else "--thorough makes it"
        return ConformanceReport(
            provider=self._name,
            model=self._model,
            address=suite.client.address,
            thorough=self._thorough,
            checks=suite.findings.results(otherwise),
            exchanges=tuple(suite.session.exchanges),
            fault=suite.fault,
            stopped=stopped,
        )
