"""Runs attempts whose results a journal keeps, and ends the journal with the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from minos.attempts.journal import Journal
from minos.attempts.scheduler import Ending, Plan, Slots, run_attempts
from minos.attempts.work import Work

T = TypeVar("T")


async def run_journaled(
    work: Work[T], plan: Plan, journal: Journal, slots: Slots[T], write: Callable[[bool], None]
) -> Ending:
    """Make every attempt of the plan, and have the results written however the run ends.

    After success the journal is deleted; otherwise it stays, safe on the disk.

    Args:
        work: What an attempt does.
        plan: Which attempts there are.
        journal: Where results are kept.
        slots: How they are run.
        write: Writes the results file from the journal; told whether the run stopped before its
            end.

    Raises:
        BaseException: The caller's own cancellation, as in `run_attempts`, or what `write` raises.
    """
    is_stopped = True
    try:
        ending = await run_attempts(work, plan, journal, slots)
        is_stopped = ending.stop is not None
    finally:
        try:
            write(is_stopped)
            if not is_stopped:
                journal.delete()
        finally:
            journal.close()
    return ending
