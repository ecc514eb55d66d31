"""The figures of a report, typed. Each view holds the members of `report.json` under its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from minos.decisions.record_lines import read_selection
from minos.decisions.records import RunSelection
from minos.questions import QuestionKind
from minos.stats.reliability import ReliabilityBin, SweepPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class TopProbability:
    """Calibration of the greatest probability of a distribution, in place of the confidence.

    Attributes:
        answered: Answers whose distribution is there and regular.
        ece: Expected calibration error over equal-mass bins; None without answers.
        ece_equal_width: The same over equal-width bins.
        bins: Equal-mass bins, none empty; left out (empty) for a question with few answers.
        bins_equal_width: Ten equal-width bins; left out (empty) likewise.
    """

    answered: int
    ece: float | None
    ece_equal_width: float | None
    bins: tuple[ReliabilityBin, ...]
    bins_equal_width: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindMetrics:
    """How right the answers of a kind, of a question, or of all kinds together are.

    A figure whose denominator is 0 is None.

    Attributes:
        scored: Questions with an expected answer.
        answered: Scored questions that have an answer.
        abstained: Scored questions that have none.
        correct: Right answers.
        without_confidence: Answers without a confidence: in no bin, never covered.
        irregular: How many answers are odd, by what is odd about them.
        accuracy: `correct / answered`.
        accuracy_all: `correct / scored`: an abstention counts as not right.
        base_rate: The accuracy of always giving each question's most common expected answer.
        lift: `accuracy - base_rate`.
        ece: Expected calibration error over equal-mass bins: the headline.
        ece_equal_width: The same over equal-width bins.
        signed_bias: Mean confidence less accuracy; above 0 is too sure.
        bins: Equal-mass bins, none empty; left out (empty) for a question with few answers.
        bins_equal_width: Ten equal-width bins; left out (empty) likewise.
        sweep: The thresholds 0.00 to 1.00 by 0.01; left out (empty) likewise.
        top_probability: Calibration of the greatest probability.
    """

    scored: int
    answered: int
    abstained: int
    correct: int
    without_confidence: int
    irregular: Mapping[str, int]
    accuracy: float | None
    accuracy_all: float | None
    base_rate: float | None
    lift: float | None
    ece: float | None
    ece_equal_width: float | None
    signed_bias: float | None
    bins: tuple[ReliabilityBin, ...]
    bins_equal_width: tuple[ReliabilityBin, ...]
    sweep: tuple[SweepPoint, ...]
    top_probability: TopProbability

    def at(self, threshold: float) -> SweepPoint:
        """Return the point of the sweep at a threshold, to the nearest hundredth.

        Raises:
            ValueError: The threshold is not between 0 and 1, or the sweep was left out.
        """
        if not 0 <= threshold <= 1:
            raise ValueError("a threshold lies between 0 and 1")
        if not self.sweep:
            raise ValueError("a question with so few answers has no sweep")
        return self.sweep[round(threshold * 100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMetrics:
    """The figures of one question, over all items that ask it.

    Attributes:
        kind: The kind of the question.
        key: The key of the question.
        metrics: Its figures.
    """

    kind: QuestionKind
    key: str
    metrics: KindMetrics


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """The run that is reported on.

    Attributes:
        dataset: The name of the data set.
        provider: The name of the provider's section.
        model: The model that was asked; None where the provider has no name for it.
        started_at: When the run started, in UTC.
        items: Items in the results.
        partial: Whether the run stopped before its end.
        partial_of: Items that were to run, for a run that stopped; else None.
        selection: What was asked for, where that was not the whole data set.
    """

    dataset: str
    provider: str
    model: str | None
    started_at: datetime
    items: int
    partial: bool
    partial_of: int | None
    selection: RunSelection | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much the results hold.

    Attributes:
        items: Items in the results.
        questions: Their questions.
        scored: Questions with an expected answer.
        unscored: Questions without one.
        answered: Scored questions that have an answer.
        abstained: Scored questions that have none.
    """

    items: int
    questions: int
    scored: int
    unscored: int
    answered: int
    abstained: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencySummary:
    """How long answers took, in milliseconds, cached ones and failures apart.

    Attributes:
        count: Answered items that did not come from a cache, with a latency.
        cached_count: Answered items that came from a cache.
        mean: The mean; like the others None where `count` is 0.
        median: The median, by nearest rank.
        p95: The 95th percentile, by nearest rank.
        max: The longest.
    """

    count: int
    cached_count: int
    mean: float | None
    median: float | None
    p95: float | None
    max: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CostSummary:
    """What the run cost, in US dollars.

    Attributes:
        total: The known costs; None where none is known.
        per1000: For 1,000 items, as the items with a known cost have it; None likewise.
        reported: Items whose cost the provider reported.
        priced: Items whose cost follows from tokens and a price.
        unknown: Items whose cost is not known.
        cached: Items from a cache, which cost nothing.
        is_lower_bound: Whether some costs are unknown, so that the run cost more than `total`.
    """

    total: float | None
    per1000: float | None
    reported: int
    priced: int
    unknown: int
    cached: int
    is_lower_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSummary:
    """How many items failed in one way."""

    kind: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCount:
    """How many items a model answered; `model` is None where the provider named none."""

    model: str | None
    count: int


def read_run(members: dict[str, Any]) -> RunSummary:
    """Read what is said about the run in `report.json`."""
    return RunSummary(
        dataset=members["dataset"],
        provider=members["provider"],
        model=members["model"],
        started_at=datetime.fromisoformat(members["startedAt"]),
        items=members["items"],
        partial=members["partial"],
        partial_of=members["partialOf"],
        selection=read_selection(members["selection"]),
    )


def read_metrics(members: dict[str, Any]) -> KindMetrics:
    """Read the figures of a slice from `report.json`."""
    top = members["topProbability"]
    return KindMetrics(
        scored=members["scored"],
        answered=members["answered"],
        abstained=members["abstained"],
        correct=members["correct"],
        without_confidence=members["withoutConfidence"],
        irregular=MappingProxyType(members["irregular"]),
        accuracy=members["accuracy"],
        accuracy_all=members["accuracyAll"],
        base_rate=members["baseRate"],
        lift=members["lift"],
        ece=members["ece"],
        ece_equal_width=members["eceEqualWidth"],
        signed_bias=members["signedBias"],
        bins=_bins(members.get("bins", [])),
        bins_equal_width=_bins(members.get("binsEqualWidth", [])),
        sweep=tuple(SweepPoint(**point) for point in members.get("sweep", [])),
        top_probability=TopProbability(
            answered=top["answered"],
            ece=top["ece"],
            ece_equal_width=top["eceEqualWidth"],
            bins=_bins(top.get("bins", [])),
            bins_equal_width=_bins(top.get("binsEqualWidth", [])),
        ),
    )


def _bins(entries: list[dict[str, Any]]) -> tuple[ReliabilityBin, ...]:
    return tuple(
        ReliabilityBin(
            lower=entry["lower"],
            upper=entry["upper"],
            count=entry["count"],
            correct=entry["correct"],
            mean_confidence=entry["meanConfidence"],
            accuracy=entry["accuracy"],
        )
        for entry in entries
    )
