"""One request for one item, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from operator import index as whole
from typing import TypeAlias

from minos._native import item_line
from minos.attempts.identity import identity
from minos.attempts.work import Finished, Spent
from minos.decisions.dataset import DecisionDataset
from minos.decisions.fitting import MisfitError, fit
from minos.decisions.records import ItemError, ItemResult
from minos.errors import DecisionError, DecisionErrorKind
from minos.providers.base import DecisionProvider, name_of
from minos.questions import QuestionSet
from minos.request import DecisionRequest, DecisionResponse

_MOST_COUNTED = 2**53
"""What every reader of JSON takes for a whole number."""

_LARGEST_AMOUNT = 1e12
"""The largest cost and the longest latency that a results file holds."""

_STATUS_CODES = range(100, 1000)

CostOf: TypeAlias = Callable[[ItemResult], float | None]
"""The cost of an item in US dollars; None where it is not known."""


class ItemWork:
    """Asks a provider about the items of a data set, one request for each."""

    def __init__(
        self,
        provider: DecisionProvider,
        dataset: DecisionDataset,
        cost_of: CostOf,
        clock: Callable[[], float],
    ) -> None:
        """Describe the work; nothing is sent yet.

        Args:
            provider: What is asked.
            dataset: What it is asked about.
            cost_of: What an item that was served cost.
            clock: Seconds that only go up.
        """
        self._provider = provider
        self._dataset = dataset
        self._cost_of = cost_of
        self._clock = clock

    async def attempt(self, index: int) -> Finished[ItemResult]:
        """Ask about one item.

        Raises:
            TypeError: The provider returns something else than a `DecisionResponse`, or one with
                members that are none of their kind.
        """
        item = self._dataset[index]
        name, questions = item.id, item.questions
        request = DecisionRequest(item.state_json, questions)
        started = self._clock()
        try:
            response = await self._provider.decide(request)
        except DecisionError as error:
            return self._finished(_failed(name, error, self._latency_ms(started, error.held_s)))
        if not isinstance(response, DecisionResponse):
            raise TypeError(f"decide() returned no DecisionResponse but {type(response).__name__}")
        latency_ms = self._latency_ms(started, response.held_s)
        result = _answered(name, response, questions, latency_ms)
        return self._finished(result, is_sent=not response.cached)

    def cancelled(self, index: int) -> Finished[ItemResult]:
        """Tell of a request that something other than the run cancelled."""
        return self._broken_off(index, DecisionErrorKind.CANCELLED, "The request was cancelled.")

    def timed_out(self, index: int) -> Finished[ItemResult]:
        """Tell of a request that took longer than it may."""
        return self._broken_off(index, DecisionErrorKind.TIMEOUT, "The request timed out.")

    @property
    def asked(self) -> str:
        """What the provider is called."""
        return name_of(self._provider)

    def name_of(self, index: int) -> str:
        """Return what people call the item."""
        return f"item {self._dataset[index].id!r}"

    def weight(self, index: int) -> int:
        """Return the bytes of the item's state and questions."""
        item = self._dataset[index]
        return len(item.state_json) + len(item.questions.json)

    def identity_of(self, index: int) -> str:
        """Return what the request is known by: the SHA-256 of its id, state and questions."""
        item = self._dataset[index]
        return identity(item.id.encode(), item.state_json, item.questions.json)

    def _broken_off(
        self, index: int, kind: DecisionErrorKind, message: str
    ) -> Finished[ItemResult]:
        error = ItemError(kind=kind, message=message)
        return self._finished(ItemResult(id=self._dataset[index].id, error=error))

    def _latency_ms(self, started: float, held_s: float) -> float:
        latency_ms = (self._clock() - started - held_s) * 1000
        return min(max(0.0, latency_ms), _LARGEST_AMOUNT)

    def _finished(self, result: ItemResult, *, is_sent: bool = True) -> Finished[ItemResult]:
        spent = Spent(0) if not is_sent else self._spent(result)
        return Finished(result, item_line(result), result.error is not None, spent)

    def _spent(self, result: ItemResult) -> Spent:
        if result.error is None or result.error.kind is DecisionErrorKind.INVALID_RESPONSE:
            return Spent(result.tries, self._cost_of(result))
        requests = 0 if result.error.kind is DecisionErrorKind.UNSUPPORTED else result.tries
        return Spent(requests, result.cost_usd or 0.0, is_typical=False)


def _answered(
    name: str, response: DecisionResponse, questions: QuestionSet, latency_ms: float
) -> ItemResult:
    answers, misfit = None, None
    try:
        answers = fit(response.answers, questions)
    except MisfitError as error:
        misfit = ItemError(kind=DecisionErrorKind.INVALID_RESPONSE, message=_text(str(error)) or "")
    return ItemResult(
        id=name,
        answers=answers,
        error=misfit,
        latency_ms=latency_ms,
        model=_text(response.model),
        input_tokens=_count(response.input_tokens),
        output_tokens=_count(response.output_tokens),
        cost_usd=amount(response.cost_usd),
        cached=bool(response.cached),
        request_id=_text(response.request_id),
        tries=tries_of(response.tries),
    )


def _failed(name: str, error: DecisionError, latency_ms: float) -> ItemResult:
    return ItemResult(
        id=name,
        error=ItemError(
            kind=DecisionErrorKind(error.kind),
            message=_text(error.message) or "",
            status_code=_status(error.status_code),
        ),
        latency_ms=latency_ms,
        model=_text(error.model),
        input_tokens=_count(error.input_tokens),
        output_tokens=_count(error.output_tokens),
        cost_usd=amount(error.cost_usd),
        request_id=_text(error.request_id),
        tries=tries_of(error.tries),
    )


def _text(text: str | None) -> str | None:
    """Return text that a file can hold: an unpaired surrogate becomes a question mark."""
    return None if text is None else text.encode("utf-8", "replace").decode()


def _count(value: int | None) -> int | None:
    """Return a count; None for what can be none, which is the same as not known."""
    return int(whole(value)) if value is not None and 0 <= value <= _MOST_COUNTED else None


def tries_of(value: int) -> int:
    """Return how many requests were sent, within what a file holds."""
    return min(max(1, int(whole(value))), _MOST_COUNTED)


def _status(value: int | None) -> int | None:
    return int(whole(value)) if value is not None and value in _STATUS_CODES else None


def amount(value: float | None) -> float | None:
    """Return a cost; None for what can be none, which is the same as not known."""
    return float(value) if value is not None and 0 <= value <= _LARGEST_AMOUNT else None
