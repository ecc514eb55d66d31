"""One attempt of one case, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from minos.attempts.identity import identity
from minos.attempts.work import Finished, Spent
from minos.cases.attempt import Attempt, ErrorKind
from minos.cases.batch import CaseBatch
from minos.cases.case import Case
from minos.cases.judging import Given, Judged, Judging, attempt_of, unanswered
from minos.cases.lines import attempt_line
from minos.cases.source import NoAnswerError, Source


class CaseWork:
    """Makes the attempts of a run. Attempt `a` of case `c`, both from 0, is `c * repeat + a`."""

    def __init__(
        self,
        batch: CaseBatch,
        source: Source,
        judging: Judging,
        *,
        repeat: int,
        timeout_s: float | None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Describe the work; nothing is asked yet.

        Args:
            batch: The cases.
            source: Where answers come from.
            judging: How they are judged.
            repeat: Attempts of each case.
            timeout_s: What an attempt may take, in seconds; for what is told of those that take
                longer.
            clock: Seconds that only go up.
        """
        self._batch = batch
        self._source = source
        self._judging = judging
        self._repeat = repeat
        self._timeout_s = timeout_s
        self._clock = clock

    async def attempt(self, index: int) -> Finished[Attempt]:
        """Get an answer to a case and hold it against the assertions."""
        place, number = divmod(index, self._repeat)
        case, assertions = self._batch.pair(place)
        key = self._batch.key(place)
        started = self._clock()
        try:
            given = await self._source.give(key, number + 1, case)
        except NoAnswerError as error:
            judged = unanswered(assertions, error.kind, str(error))
            given = Given(None, error.latency_ms)
            return self._finished(index, case, judged, given, self._since(started))
        judged = await self._judging.judge(case, assertions, given)
        return self._finished(index, case, judged, given, self._since(started))

    def cancelled(self, index: int) -> Finished[Attempt]:
        """Tell of an attempt that something other than the run cancelled."""
        return self._broken_off(index, ErrorKind.INFRA, "The attempt was cancelled", 0.0)

    def timed_out(self, index: int) -> Finished[Attempt]:
        """Tell of an attempt that took longer than it may."""
        limit = self._timeout_s or 0.0
        message = f"The attempt took longer than {limit:g} s"
        return self._broken_off(index, ErrorKind.TIMEOUT, message, limit * 1000)

    @property
    def asked(self) -> str:
        """What the source of the answers is called."""
        return self._source.name

    def name_of(self, index: int) -> str:
        """Return what people call the attempt."""
        place, number = divmod(index, self._repeat)
        name = f"case {self._batch.pair(place)[0].id or self._batch.key(place)!r}"
        return name if self._repeat == 1 else f"attempt {number + 1} of {name}"

    def weight(self, index: int) -> int:  # noqa: ARG002
        """Return 1: attempts are alike as far as anybody knows."""
        return 1

    def identity_of(self, index: int) -> str:
        """Return what an attempt is known by: its case with its assertions, and its number."""
        place, number = divmod(index, self._repeat)
        key, content = self._batch.key(place), self._batch.content(place)
        return identity(key.encode(), content, b"%d" % number)

    def _broken_off(
        self, index: int, kind: ErrorKind, message: str, duration_ms: float
    ) -> Finished[Attempt]:
        case, assertions = self._batch.pair(index // self._repeat)
        judged = unanswered(assertions, kind, message)
        return self._finished(index, case, judged, Given(None), duration_ms)

    def _since(self, started: float) -> float:
        return round((self._clock() - started) * 1000, 3)

    def _finished(
        self, index: int, case: Case, judged: Judged, given: Given, duration_ms: float
    ) -> Finished[Attempt]:
        place, number = divmod(index, self._repeat)
        key = self._batch.key(place)
        attempt = attempt_of(case, key, judged, given, attempt=number + 1, duration_ms=duration_ms)
        cost = None if attempt.usage is None else attempt.usage.cost_usd
        # A subject that tells of no cost is taken to have none: the budget then covers the rest.
        spent = Spent(requests=1, cost_usd=cost or 0.0)
        return Finished(attempt, attempt_line(attempt), judged.error is not None, spent)
