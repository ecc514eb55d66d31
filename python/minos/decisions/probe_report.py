"""How much answers depend on what they should not depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from minos.answers import AnswerRecord
from minos.questions import ChoiceQuestion, QuestionKind, QuestionSet
from minos.stats.proportions import Z_95, Interval, clustered_wilson

COMPARED = ("again", "options", "questions", "alone")
"""What is compared with the base, in the order it is reported."""


@dataclass(slots=True)
class ItemProbe:
    """What was answered about one item.

    Attributes:
        id: Its id.
        questions: Its questions, as they stand in the data set.
        answers: The answers by question key, by how the item was asked about.
    """

    id: str
    questions: QuestionSet
    answers: dict[str, dict[str, AnswerRecord]] = field(default_factory=dict)

    def pairs(
        self, treatment: str, kind: QuestionKind | None = None
    ) -> Iterator[tuple[AnswerRecord, AnswerRecord]]:
        """Give the answers to the same question, as it stands and as it was asked otherwise.

        Args:
            treatment: How it was asked otherwise.
            kind: Only questions of this kind; those whose options were turned are choices.
        """
        if treatment == "options":
            kind = QuestionKind.CHOICE if kind in {None, QuestionKind.CHOICE} else kind
            if kind is not QuestionKind.CHOICE:
                return
        base, other = self.answers.get("base", {}), self.answers.get(treatment, {})
        for key, question in self.questions.items():
            if key in base and key in other and kind in {None, question.kind}:
                yield base[key], other[key]

    def position_shifts(self) -> Iterator[float]:
        """Give for each choice by how much an option gains from standing first, not last."""
        base, turned = self.answers.get("base", {}), self.answers.get("options", {})
        for key, question in self.questions.items():
            if not isinstance(question, ChoiceQuestion) or len(question.options) < 2:  # noqa: PLR2004
                continue
            if key in base and key in turned:
                first, *_, last = question.options
                gain = _mass(base[key], first) - _mass(turned[key], first)
                gain += _mass(turned[key], last) - _mass(base[key], last)
                yield gain / 2


@dataclass(frozen=True, slots=True)
class FlipShare:
    """How many answers changed.

    Attributes:
        compared: Pairs of answers to the same question.
        flips: Those of them that differ.
        interval: The interval of their share; None without a pair.
    """

    compared: int
    flips: int
    interval: Interval | None

    @property
    def rate(self) -> float | None:
        """The share of pairs that differ; None without a pair."""
        return self.flips / self.compared if self.compared else None

    def to_members(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        interval = None if self.interval is None else self.interval.to_members()
        return {
            "compared": self.compared,
            "flips": self.flips,
            "flipRate": self.rate,
            "interval": interval,
        }


@dataclass(frozen=True, slots=True)
class PositionBias:
    """What an option gains from standing first, not last.

    Attributes:
        choices: Questions it was measured on.
        mean: The mean gain in probability, from -1 to 1; above 0 favours what stands first. None
            without a question.
        interval: Its interval; None with fewer than two items.
    """

    choices: int
    mean: float | None
    interval: Interval | None

    def to_members(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        interval = None if self.interval is None else self.interval.to_members()
        return {"choices": self.choices, "mean": self.mean, "interval": interval}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReport:
    """What came of a probe.

    Attributes:
        dataset: The name of the data set.
        provider: The name of the provider.
        model: The model asked for; None where the provider names none.
        requests: Requests that finished, without their retries.
        failed: Those of them that gave no answers.
        errors: How many failed, by the kind of failure; the most frequent first.
        stopped: Why it ended early; empty where it did not.
        cost_usd: What it cost in US dollars; None where that is not known.
        items: What was answered about each item.
    """

    dataset: str
    provider: str
    model: str | None
    requests: int
    failed: int
    errors: Sequence[tuple[str, int]]
    stopped: str
    cost_usd: float | None
    items: Sequence[ItemProbe]

    def flips(self, treatment: str, kind: QuestionKind | None = None) -> FlipShare:
        """Return how many answers changed.

        Args:
            treatment: `again`, `options`, `questions` or `alone`.
            kind: Only questions of this kind.
        """
        clusters = []
        for item in self.items:
            pairs = list(item.pairs(treatment, kind))
            clusters.append((sum(a.value != b.value for a, b in pairs), len(pairs)))
        return FlipShare(
            compared=sum(total for _, total in clusters),
            flips=sum(part for part, _ in clusters),
            interval=clustered_wilson(clusters),
        )

    @property
    def position_bias(self) -> PositionBias:
        """What an option gains from standing first, not last; items count as units."""
        shifts = [list(item.position_shifts()) for item in self.items]
        means = [fmean(each) for each in shifts if each]
        if not means:
            return PositionBias(0, None, None)
        mean, interval = fmean(means), None
        if len(means) > 1:
            half = Z_95 * stdev(means) / sqrt(len(means))
            interval = Interval(max(-1.0, mean - half), min(1.0, mean + half), "normal, by item")
        return PositionBias(sum(map(len, shifts)), mean, interval)

    def to_json(self) -> str:
        """Return the report as JSON of kind `minos-probe`."""
        document = {
            "kind": "minos-probe",
            "version": 1,
            "dataset": self.dataset,
            "provider": self.provider,
            "model": self.model,
            "items": len(self.items),
            "requests": self.requests,
            "failed": self.failed,
            "errors": [{"kind": kind, "count": count} for kind, count in self.errors],
            "stopped": self.stopped or None,
            "cost": self.cost_usd,
            "flips": {name: self._members(name) for name in COMPARED},
            "positionBias": self.position_bias.to_members(),
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    def to_markdown(self) -> str:
        """Return the report as a page to read."""
        from minos.decisions.probe_document import document  # noqa: PLC0415
        from minos.reports.markdown import render_markdown  # noqa: PLC0415

        return render_markdown(document(self))

    def _members(self, treatment: str) -> Mapping[str, Any]:
        kinds = {str(kind): self.flips(treatment, kind) for kind in QuestionKind}
        return {
            "overall": self.flips(treatment).to_members(),
            **{kind: share.to_members() for kind, share in kinds.items() if share.compared},
        }


def _mass(answer: AnswerRecord, option: str) -> float:
    """Return the probability of an option, or 1 for the one chosen where there is none."""
    if isinstance(answer.probabilities, Mapping):
        return answer.probabilities.get(option, 0.0)
    return float(answer.option == option)
