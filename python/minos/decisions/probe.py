"""Asks about the same items in other words: what an answer should not depend on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from typing import Any

from minos.answers import AnswerRecord
from minos.attempts.budget import Limits
from minos.attempts.memory import Memory
from minos.attempts.progress import ProgressReceiver
from minos.attempts.scheduler import Plan, Slots, run_attempts
from minos.attempts.selection import Selection
from minos.attempts.work import Finished, Spent
from minos.decisions.dataset import DecisionDataset
from minos.decisions.fitting import MisfitError, fit
from minos.decisions.heading import choose
from minos.decisions.probe_report import ItemProbe, ProbeReport
from minos.decisions.work import amount, tries_of
from minos.errors import DecisionError, DecisionErrorKind, RunError
from minos.providers.base import DecisionProvider, name_of
from minos.questions import QuestionKind, QuestionSet
from minos.request import DecisionRequest


class Treatment(StrEnum):
    """How an item is asked about."""

    BASE = "base"
    """As it stands in the data set."""
    AGAIN = "again"
    """The same once more: the floor under the others."""
    OPTIONS = "options"
    """The options of every choice in reverse order."""
    QUESTIONS = "questions"
    """The questions in reverse order."""
    ALONE = "alone"
    """One question by itself; as many requests as there are questions."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a probe.

    Attributes:
        item: The index of the item.
        treatment: How it is asked about.
        questions: What is asked.
    """

    item: int
    treatment: Treatment
    questions: QuestionSet


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOptions:
    """How a data set is probed.

    Attributes:
        dataset_name: The name of the data set, for the report.
        max_requests: The most requests: as many of the chosen items are probed as fit in whole.
            Retries come on top.
        max_cost_usd: Stop before the probe would cost more than this, in US dollars.
        max_parallelism: How many requests run at a time.
        limit: Choose only the first so many items.
        sample: Choose only so many items, spread over the sources of the data set.
        sample_seed: Which sample.
        ids: Choose only the items whose id is one of these or matches one as a pattern.
        progress: Called once for each request that finishes.
    """

    dataset_name: str = "dataset"
    max_requests: int = 200
    max_cost_usd: float | None = None
    max_parallelism: int = 1
    limit: int | None = None
    sample: int | None = None
    sample_seed: int = 0
    ids: tuple[str, ...] = ()
    progress: ProgressReceiver[None] | None = None


def plan(dataset: DecisionDataset, options: ProbeOptions) -> list[Ask]:
    """Return the requests of a probe, in the order they are sent.

    Args:
        dataset: The items.
        options: How they are probed.

    Raises:
        ValueError: A pattern matches no id, or not even one item fits into the requests.
    """
    selection = Selection(
        limit=options.limit, sample=options.sample, seed=options.sample_seed, ids=options.ids
    )
    asks: list[Ask] = []
    for index in choose(selection, dataset):
        more = list(_asks(index, dataset[index].questions))
        if len(asks) + len(more) > options.max_requests:
            if not asks:
                raise ValueError(
                    f"the first item takes {len(more)} requests, and {options.max_requests} may"
                    " be sent"
                )
            break
        asks += more
    return asks


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


def _asks(item: int, questions: QuestionSet) -> Iterator[Ask]:
    yield Ask(item, Treatment.BASE, questions)
    yield Ask(item, Treatment.AGAIN, questions)
    members: dict[str, dict[str, Any]] = json.loads(questions.json)
    choices = [key for key, q in questions.items() if q.kind is QuestionKind.CHOICE]
    if any(len(members[key]["criteria"]) > 1 for key in choices):
        turned = {
            key: {**member, "criteria": dict(reversed(member["criteria"].items()))}
            if key in choices
            else member
            for key, member in members.items()
        }
        yield Ask(item, Treatment.OPTIONS, _rendered(turned))
    if len(members) > 1:
        yield Ask(item, Treatment.QUESTIONS, _rendered(dict(reversed(members.items()))))
        for key, member in members.items():
            yield Ask(item, Treatment.ALONE, _rendered({key: member}))


def _rendered(members: dict[str, Any]) -> QuestionSet:
    return QuestionSet(json.dumps(members, separators=(",", ":")).encode())
