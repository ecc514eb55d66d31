"""Asks about the same items in other words: what an answer should not depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum

from minos.answers import AnswerRecord
from minos.attempts.budget import Limits
from minos.attempts.memory import Memory
from minos.attempts.scheduler import Plan, Slots, run_attempts
from minos.attempts.work import Finished, Spent
from minos.decisions.dataset import DecisionDataset
from minos.decisions.fitting import MisfitError, fit
from minos.decisions.probe_plan import Ask, ProbeOptions, plan
from minos.decisions.probe_report import ItemProbe, ProbeReport
from minos.decisions.work import amount, tries_of
from minos.errors import DecisionError, DecisionErrorKind, RunError
from minos.providers.base import DecisionProvider, name_of
from minos.request import DecisionRequest


async def run_probe(
    provider: DecisionProvider, dataset: DecisionDataset, options: ProbeOptions | None = None
) -> ProbeReport:
    """Ask about items as they are, again, with other orders and one question at a time.

    A request that fails is left out of every comparison.

    Args:
        provider: What is asked.
        dataset: The items.
        options: How they are probed.

    Raises:
        ValueError: A pattern matches no id, or not even one item fits into the requests.
        RunError: The provider or the progress receiver raised something else than a
            `DecisionError`.
    """
    return await Probe(provider, dataset, options or ProbeOptions()).run()


class Probe:
    """A probe under way, which can be asked for what it has found also when it was cut off."""

    def __init__(
        self, provider: DecisionProvider, dataset: DecisionDataset, options: ProbeOptions
    ) -> None:
        """Plan the requests; nothing is sent.

        Args:
            provider: What is asked.
            dataset: The items.
            options: How they are probed.

        Raises:
            ValueError: A pattern matches no id, or not even one item fits into the requests.
        """
        self._provider = provider
        self._options = options
        self._work = _ProbeWork(provider, dataset, plan(dataset, options))

    async def run(self) -> ProbeReport:
        """Send the requests.

        Raises:
            RunError: The provider or the progress receiver raised something else than a
                `DecisionError`.
        """
        options = self._options
        slots = Slots(
            count=options.max_parallelism,
            limits=Limits(max_cost_usd=options.max_cost_usd),
            progress=options.progress,
        )
        count = len(self._work.asks)
        ending = await run_attempts(self._work, Plan(range(count), count), Memory(), slots)
        if ending.fault is not None:
            raise RunError(ending.reason) from ending.fault
        return self.report(ending.reason)

    def report(self, stopped: str = "") -> ProbeReport:
        """Return what was found so far.

        Args:
            stopped: Why it ended early; empty where it did not.
        """
        work = self._work
        spent = [each.spent for each in work.finished.values()]
        costs = [each.cost_usd for each in spent if each.cost_usd is not None]
        return ProbeReport(
            dataset=self._options.dataset_name,
            provider=name_of(self._provider),
            model=getattr(self._provider, "model", None),
            requests=len(work.finished),
            failed=work.failures.total(),
            errors=sorted(work.failures.items(), key=lambda each: (-each[1], each[0])),
            stopped=stopped,
            cost_usd=fsum(costs) if len(costs) == len(spent) else None,
            items=list(work.items()),
        )


class _ProbeWork:
    """Sends the requests of a probe, and keeps what was answered.

    Attributes:
        asks: The requests.
        finished: Those that have finished, by their index.
        failures: How many failed, by the kind of failure.
    """

    def __init__(
        self, provider: DecisionProvider, dataset: DecisionDataset, asks: Sequence[Ask]
    ) -> None:
        self.asks = asks
        self.finished: dict[int, Finished[None]] = {}
        self.failures: Counter[str] = Counter()
        self._provider = provider
        self._dataset = dataset
        self._answers: dict[int, dict[str, AnswerRecord]] = {}

    async def attempt(self, index: int) -> Finished[None]:
        """Send one request."""
        ask = self.asks[index]
        request = DecisionRequest(self._dataset[ask.item].state_json, ask.questions)
        try:
            response = await self._provider.decide(request)
        except DecisionError as error:
            paid_usd = amount(error.cost_usd) or 0.0
            return self._failed(index, error.kind, tries_of(error.tries), paid_usd)
        tries, cost_usd = tries_of(response.tries), amount(response.cost_usd)
        try:
            self._answers[index] = fit(response.answers, ask.questions)
        except MisfitError:
            return self._failed(index, DecisionErrorKind.INVALID_RESPONSE, tries, cost_usd)
        spent = Spent(tries, cost_usd)
        return self._finished(index, Finished(None, b"", is_error=False, spent=spent))

    def cancelled(self, index: int) -> Finished[None]:
        """Tell of a request that something other than the probe cancelled."""
        return self._failed(index, DecisionErrorKind.CANCELLED, 1, 0.0)

    def timed_out(self, index: int) -> Finished[None]:
        """Tell of a request that took longer than it may."""
        return self._failed(index, DecisionErrorKind.TIMEOUT, 1, 0.0)

    def _failed(
        self, index: int, kind: DecisionErrorKind, tries: int, cost_usd: float | None
    ) -> Finished[None]:
        self.failures[str(kind)] += 1
        spent = Spent(tries, cost_usd, is_typical=False)
        return self._finished(index, Finished(None, b"", is_error=True, spent=spent))

    def _finished(self, index: int, finished: Finished[None]) -> Finished[None]:
        self.finished[index] = finished
        return finished

    @property
    def asked(self) -> str:
        """What the provider is called."""
        return name_of(self._provider)

    def name_of(self, index: int) -> str:
        """Return what people call the item that a request is about."""
        return f"item {self._dataset[self.asks[index].item].id!r}"

    def weight(self, index: int) -> int:
        """Return the bytes of the request's state and questions."""
        ask = self.asks[index]
        return len(self._dataset[ask.item].state_json) + len(ask.questions.json)

    def items(self) -> Iterator[ItemProbe]:
        """Give what was answered about each item that was asked about, in order."""
        by_item: dict[int, ItemProbe] = {}
        for index in sorted(self.finished):
            ask = self.asks[index]
            item = self._dataset[ask.item]
            found = by_item.setdefault(ask.item, ItemProbe(item.id, item.questions))
            answers = self._answers.get(index, {})
            found.answers.setdefault(str(ask.treatment), {}).update(answers)
        yield from by_item.values()
