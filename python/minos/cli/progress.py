"""How far a run is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_LINE_EVERY_S = 10.0


class ProgressDisplay(Protocol):
    """Where a run says how far it is."""

    def update(self, done: int, *, errors: int = 0, cost_usd: float | None = None) -> None:
        """Show how many items have finished.

        Args:
            done: Finished items, those of an earlier start of the run included.
            errors: Those of them that failed.
            cost_usd: What they cost so far; None where no cost is known.
        """


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"  # noqa: PLR2004


@dataclass(slots=True)
class _Pace:
    """The words of a progress display.

    Attributes:
        total: Items of the run; None where it is not known.
        already: Items that were finished before this start; they say nothing about the rate.
        clock: Seconds that only grow.
        started_s: The clock at the start.
        shown: Writes a number of items.
    """

    total: int | None
    already: int
    clock: Callable[[], float]
    started_s: float
    shown: Callable[[float], str]

    def words(self, done: int, errors: int, cost_usd: float | None) -> str:
        of_total = "" if self.total is None else f" of {self.shown(self.total)}"
        parts = [self.shown(done) + of_total]
        elapsed_s, fresh = self.clock() - self.started_s, done - self.already
        if fresh > 0 and elapsed_s > 0:
            rate = fresh / elapsed_s
            parts.append(f"{self.shown(rate)}/s")
            if self.total is not None and done < self.total:
                parts.append(f"{_span((self.total - done) / rate)} left")
        if errors:
            parts.append("1 error" if errors == 1 else f"{errors} errors")
        if cost_usd is not None:
            parts.append(f"${cost_usd:.4f}")
        return ", ".join(parts)


class _Nothing:
    def update(self, done: int, *, errors: int = 0, cost_usd: float | None = None) -> None:
        """Show nothing."""


class _Lines:
    def __init__(self, pace: _Pace, stream: TextIO) -> None:
        self._pace = pace
        self._stream = stream
        self._next_s = pace.started_s + _LINE_EVERY_S

    def update(self, done: int, *, errors: int = 0, cost_usd: float | None = None) -> None:
        """Write a line when the last one is ten seconds old."""
        now_s = self._pace.clock()
        if now_s >= self._next_s:
            self._next_s = now_s + _LINE_EVERY_S
            self._stream.write(self._pace.words(done, errors, cost_usd) + "\n")
            self._stream.flush()


class _Bar:
    def __init__(self, pace: _Pace, progress: Progress, task: TaskID) -> None:
        self._pace = pace
        self._progress = progress
        self._task = task

    def update(self, done: int, *, errors: int = 0, cost_usd: float | None = None) -> None:
        """Move the bar; rich draws it a few times a second."""
        words = self._pace.words(done, errors, cost_usd)
        self._progress.update(self._task, completed=done, words=words)


@contextmanager
def show_progress(
    total: int | None,
    *,
    already: int = 0,
    quiet: bool = False,
    shown: Callable[[float], str] = _number,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ProgressDisplay]:
    """Show the progress of a run while the body runs: rate, time left, errors and cost so far.

    Args:
        total: Items of the run; None where it is not known.
        already: Items that an earlier start of the run finished.
        quiet: Show nothing.
        shown: Writes a number of items, or of whatever else is counted.
        stream: Where to; stderr.
        clock: Seconds that only grow.
    """
    stream = sys.stderr if stream is None else stream
    pace = _Pace(total, already, clock, clock(), shown)
    if quiet:
        yield _Nothing()
    elif not stream.isatty():
        yield _Lines(pace, stream)
    else:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, Progress, TextColumn  # noqa: PLC0415

        columns = (BarColumn(bar_width=30), TextColumn("{task.fields[words]}", markup=False))
        console = Console(file=stream)
        with Progress(*columns, console=console, transient=True, refresh_per_second=5) as progress:
            words = pace.words(already, 0, None)
            task = progress.add_task("", total=total, completed=already, words=words)
            yield _Bar(pace, progress, task)


def _span(seconds: float) -> str:
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
