"""Runs attempts in slots, and ends them all in order when a run stops."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

import anyio
from anyio import to_thread
from anyio.lowlevel import checkpoint

from minos.attempts.budget import Admission, Budget, Limits
from minos.attempts.cancellation import CancelRequests, OwnCancellation
from minos.attempts.faults import in_words, interrupt_of, is_cancellation
from minos.attempts.progress import ProgressReceiver, RunProgress
from minos.attempts.work import Finished, Store, Work

T = TypeVar("T")

_Pulled: TypeAlias = tuple[int, int]
"""The index of an attempt and its weight."""

_YIELD_EVERY = 16
_OVERTIME = "the time for the run is over"


class Stop(StrEnum):
    """Why a run stopped before its end."""

    FAULT = "fault"
    """An exception of what was asked, of the progress receiver, or of keeping a result.

    Of any class, but for the caller's own cancellation, `KeyboardInterrupt` and `SystemExit`.
    """
    BUDGET = "budget"
    """The next attempt could pass the budget."""
    RUN_TIMEOUT = "run-timeout"
    """The time for the whole run is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots(Generic[T]):
    """How attempts are run.

    Attributes:
        count: How many run at a time, at least 1.
        timeout_s: Seconds that one attempt may take; None for no limit.
        run_timeout_s: Seconds that the whole run may take; None for no limit.
        limits: What the run may spend.
        progress: Called once for each attempt that finishes.
    """

    count: int = 1
    timeout_s: float | None = None
    run_timeout_s: float | None = None
    limits: Limits = field(default_factory=Limits)
    progress: ProgressReceiver[T] | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError("at least one attempt must be able to run at a time")
        for seconds in (self.timeout_s, self.run_timeout_s):
            if seconds is not None and not seconds > 0:
                raise ValueError("a time-out must be above 0 seconds")


@dataclass(frozen=True, slots=True)
class Plan:
    """Which attempts a run makes.

    Attributes:
        indices: The attempts to make, pulled one at a time.
        count: How many these are.
        done: Attempts of the run that an earlier start has made.
        errors: How many of `done` failed.
    """

    indices: Iterable[int]
    count: int
    done: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run ended, when nobody cancelled it.

    Attributes:
        done: Attempts that are kept, those of an earlier start included.
        errors: How many of `done` failed.
        stop: Why it stopped before its end; None when it did not.
        reason: That in words; empty when it did not.
        fault: The exception that stopped it, with `Stop.FAULT`, as it was raised, with a note
            that says where.
        requests: Requests that this start sent, retries included.
        cost_usd: What this start cost, as far as it is known, in US dollars.
        unknown_costs: Attempts of this start whose cost is not known.
    """

    done: int
    errors: int
    stop: Stop | None
    reason: str
    fault: BaseException | None
    requests: int
    cost_usd: float
    unknown_costs: int


async def run_attempts(work: Work[T], plan: Plan, store: Store, slots: Slots[T]) -> Ending:
    """Make every attempt of the plan, in its order as slots come free.

    Args:
        work: What an attempt does.
        plan: Which attempts there are.
        store: Where results are kept, before the progress receiver is told of them.
        slots: How they are run.

    Returns:
        How the run ended. After a fault no attempt starts and those in flight are cancelled; one
        that returns all the same is kept. A spent budget lets those in flight finish.

    Raises:
        BaseException: The caller's own cancellation as it was, also when it comes after a fault;
            `KeyboardInterrupt` and `SystemExit` count as that wherever they are raised.
    """
    return await _Run(work, plan, store, slots).run()


class _Run(Generic[T]):
    def __init__(self, work: Work[T], plan: Plan, store: Store, slots: Slots[T]) -> None:
        self._work = work
        self._indices = iter(plan.indices)
        self._next = next(self._indices, None)
        self._store = store
        self._slots = slots
        self._workers = min(slots.count, plan.count)
        self._total = plan.done + plan.count
        self._done = plan.done
        self._errors = plan.errors
        self._budget = Budget(slots.limits)
        self._is_cost_free = slots.limits.max_cost_usd is None
        self._scopes: set[anyio.CancelScope] = set()
        self._settled: anyio.Event | None = None
        self._deadline = math.inf
        self._stop: Stop | None = None
        self._reason = ""
        self._fault: BaseException | None = None
        self._interrupt: BaseException | None = None
        self._is_receiver_broken = False
        self._pulls = 0

    async def run(self) -> Ending:
        self._own = OwnCancellation()
        if self._slots.run_timeout_s is not None:
            self._deadline = anyio.current_time() + self._slots.run_timeout_s
        async with anyio.create_task_group() as workers:
            for _ in range(self._workers):
                workers.start_soon(self._work_through)
        if self._interrupt is not None:
            raise self._interrupt
        if self._stop is not None:
            await checkpoint()  # the caller's own cancellation comes before a fault
        return Ending(
            done=self._done,
            errors=self._errors,
            stop=self._stop,
            reason=self._reason,
            fault=self._fault,
            requests=self._budget.requests,
            cost_usd=self._budget.cost_usd,
            unknown_costs=self._budget.unknown_costs,
        )

    async def _work_through(self) -> None:
        """Make attempts one after another, in one scope as long as none of them is cut off."""
        foreign = CancelRequests()
        while True:
            cut_off: _Pulled | None = None
            with anyio.CancelScope(deadline=self._deadline) as scope:
                self._scopes.add(scope)
                try:
                    cut_off = await self._work_in(scope, foreign)
                finally:
                    self._scopes.discard(scope)
            if cut_off is not None:
                index, weight = cut_off
                await self._settle(index, weight, await self._ended(index, scope, foreign))
            elif self._stop is not None or self._next is None or not scope.cancel_called:
                return

    async def _work_in(self, scope: anyio.CancelScope, foreign: CancelRequests) -> _Pulled | None:
        """Make attempts; returns the one that was cut off, if one was."""
        timeout_s = self._slots.timeout_s
        while (pulled := await self._pull(scope)) is not None:
            index, weight = pulled
            if timeout_s is not None:
                scope.deadline = min(anyio.current_time() + timeout_s, self._deadline)
            finished: Finished[T] | None = None
            try:
                finished = await self._work.attempt(index)
            except BaseException as error:  # noqa: BLE001 (whatever a provider raises)
                if is_cancellation(error, self._own.types):
                    if scope.cancel_called:
                        return pulled
                    finished = await self._ended(index, scope, foreign)
                else:
                    self._fail(error, f"while asking {self._work.asked} about", index)
            await self._settle(index, weight, finished)
        return None

    async def _pull(self, scope: anyio.CancelScope) -> _Pulled | None:
        """Take the next attempt and its weight, once the budget allows it; None at the end."""
        while True:
            is_late = self._deadline != math.inf and anyio.current_time() >= self._deadline
            if is_late and self._next is not None:
                self._end(Stop.RUN_TIMEOUT, _OVERTIME)
            if self._stop is Stop.FAULT or scope.cancel_called:
                return None
            await self._hear_cancellation()
            if self._stop is not None or self._next is None:
                return None
            index = self._next
            try:
                weight = 1 if self._is_cost_free else self._work.weight(index)
                admission = self._budget.admit(weight)
                if admission is Admission.ADMITTED:
                    self._next = next(self._indices, None)
            except BaseException as error:  # noqa: BLE001 (a data set may be anybody's)
                self._fail(error, "before asking about", index)
                return None
            if admission is Admission.ADMITTED:
                return index, weight
            if admission is Admission.REFUSED:
                self._end(Stop.BUDGET, f"the budget is spent: {self._budget.reason}")
            else:
                self._settled = self._settled or anyio.Event()
                await self._settled.wait()

    async def _ended(
        self, index: int, scope: anyio.CancelScope, foreign: CancelRequests
    ) -> Finished[T] | None:
        """Tell what a cancelled attempt came to; None where the run itself is over."""
        await self._hear_cancellation()
        foreign.forget()
        if not scope.cancel_called:
            return self._work.cancelled(index)
        if self._stop in {None, Stop.BUDGET} and anyio.current_time() < self._deadline:
            return self._work.timed_out(index)
        self._end(Stop.RUN_TIMEOUT, _OVERTIME)
        return None

    async def _hear_cancellation(self) -> None:
        self._pulls += 1
        if self._pulls % _YIELD_EVERY == 0:
            await checkpoint()  # attempts that never wait let others run all the same
        if self._own.is_requested():
            await anyio.sleep_forever()  # until it arrives here by way of the task group

    async def _settle(self, index: int, weight: int, finished: Finished[T] | None) -> None:
        self._budget.settle(weight, finished.spent if finished else None)
        if self._settled is not None:
            self._settled.set()
            self._settled = None
        if finished is not None:
            self._keep(index, finished)
            if self._stop is not Stop.FAULT and self._store.claim_sync():
                await self._sync(index)

    def _keep(self, index: int, finished: Finished[T]) -> None:
        try:
            self._store.keep(index, finished.line)
        except BaseException as error:  # noqa: BLE001 (a full disk, an interrupt)
            self._fail(error, "while keeping the result of", index)
            return
        self._done += 1
        self._errors += finished.is_error
        if self._slots.progress is None or self._is_receiver_broken:
            return
        progress = RunProgress(
            done=self._done,
            total=self._total,
            errors=self._errors,
            cost_usd=self._budget.cost_usd,
            unknown_costs=self._budget.unknown_costs,
            result=finished.result,
        )
        try:
            self._slots.progress(progress)
        except BaseException as error:  # noqa: BLE001 (whatever a receiver raises)
            self._is_receiver_broken = True
            self._fail(error, "by the progress receiver, told of", index)

    async def _sync(self, index: int) -> None:
        try:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._store.sync)
        except OSError as error:
            self._fail(error, "while making results safe, after", index)

    def _fail(self, error: BaseException, where: str, index: int) -> None:
        interrupt = interrupt_of(error)
        if interrupt is not None:
            self._interrupt = self._interrupt or interrupt
            self._end(Stop.FAULT)
        elif self._stop in {None, Stop.BUDGET}:
            self._stop, self._fault = Stop.FAULT, error
            self._reason = in_words(error, f"{where} {self._work.name_of(index)}")
        for scope in self._scopes:
            scope.cancel()

    def _end(self, stop: Stop, reason: str = "") -> None:
        if self._stop is None:
            self._stop = stop
            self._reason = reason
