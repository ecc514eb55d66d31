"""Repeats of a calibration, and what changed between them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minos.attempts.scheduler import Ending
from minos.cli.calibration.running import Calibration
from minos.cli.written import write_whole
from minos.decisions.options import DatasetRunOptions
from minos.decisions.repeats import RepeatReport
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import RESULTS
from minos.errors import RunError
from minos.reports.figures import counted, rate


def repeat_directory(directory: Path, number: int) -> Path:
    """Return where a repeat lies, whose number counts from 1."""
    return directory / f"repeat-{number}"


def holds_repeats(directory: Path) -> bool:
    """Whether a directory is that of a repeated run."""
    return repeat_directory(directory, 1).is_dir()


@dataclass(slots=True)
class Repeating:
    """A calibration that is run several times.

    Attributes:
        calibration: What is run, and how; its limits hold for all repeats together.
        directory: Where the directories of the repeats and `repeats.json` go, which is there.
        count: How many repeats there are.
    """

    calibration: Calibration
    directory: Path
    count: int
    _finished: list[Path] = field(default_factory=list)
    _accuracies: list[float | None] = field(default_factory=list)

    def run(self) -> Mapping[str, Any]:
        """Run all repeats and compare them.

        Returns:
            A summary as JSON values.

        Raises:
            ConfigError: A directory holds another run than this one.
            RunError: A repeat stopped before its end, or nothing was answered. The repeats that
                had ended are compared all the same.
            KeyboardInterrupt: It was cancelled.
        """
        rest = _Rest(self.calibration.options)
        try:
            for number in range(1, self.count + 1):
                directory = repeat_directory(self.directory, number)
                directory.mkdir(exist_ok=True)
                calibration = replace(self.calibration, options=rest.options(self._finished))
                self.calibration.output.say(f"repeat {number} of {self.count}")
                done = calibration.into(directory, number)
                rest.spend(done.ending)
                self._finished.append(directory)
                self._accuracies.append(done.report.overall.accuracy)
        except RunError as error:
            self._compare()
            if error.hint:
                error.hint = f"go on with --resume {self.directory} --repeat {self.count}"
            raise
        return self._compare()

    def _compare(self) -> Mapping[str, Any]:
        if len(self._finished) < 2:  # noqa: PLR2004
            return {}
        report = RepeatReport(
            [EvaluationResults.load(each / RESULTS).unwrap() for each in self._finished]
        )
        path = self.directory / "repeats.json"
        write_whole(path, report.to_json().encode())
        output = self.calibration.output
        output.wrote(path)
        for line in _lines(report, self._accuracies):
            output.say(line)
        return {
            "repeats": report.repeats,
            "items": report.items,
            "changedItems": report.changed_items,
            "flipRate": report.overall.rate,
            "accuracies": self._accuracies,
        }


class _Rest:
    """What the limits of a run leave for the repeats to come."""

    def __init__(self, options: DatasetRunOptions) -> None:
        self._options = options
        self._cost_usd = 0.0
        self._requests = 0
        self._started = time.monotonic()

    def spend(self, ending: Ending | None) -> None:
        if ending is not None:
            self._cost_usd += ending.cost_usd
            self._requests += ending.requests

    def options(self, finished: list[Path]) -> DatasetRunOptions:
        """Return the options of the next repeat.

        Raises:
            RunError: Nothing is left for it.
        """
        limits = {
            "max_cost_usd": (self._cost_usd, "the budget is spent"),
            "max_requests": (self._requests, "the budget is spent"),
            "run_timeout_s": (time.monotonic() - self._started, "the time for the run is over"),
        }
        left = {}
        for name, (used, reason) in limits.items():
            limit = getattr(self._options, name)
            if limit is not None:
                left[name] = limit - used
                if left[name] <= 0:
                    raise RunError(
                        f"the run stopped after {counted(len(finished), 'repeat')}: {reason}"
                    )
        return replace(self._options, **left)


def _lines(report: RepeatReport, accuracies: list[float | None]) -> Iterator[str]:
    overall = report.overall
    yield (
        f"between {report.repeats} repeats {counted(overall.flips, 'answer')} of {overall.pairs}"
        f" compared changed (flip rate {rate(overall.rate) or '-'}),"
        f" in {report.changed_items} of {counted(report.items, 'item')}"
    )
    yield f"accuracy: {', '.join(rate(each) or '-' for each in accuracies)}"
