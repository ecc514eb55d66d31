"""How often a model answers the same question differently: the floor under every comparison."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from minos.decisions.records import ItemResult, RunHeader
from minos.decisions.results import EvaluationResults
from minos.questions import QuestionKind
from minos.stats.proportions import wilson


@dataclass(slots=True)
class FlipRate:
    """How often answers changed between repeats of a run.

    Attributes:
        compared: Questions of an item that were answered in at least two repeats.
        changed: Those of them whose answers are not all the same.
        pairs: Pairs of repeats in which a question was answered, over all questions.
        flips: Those of them in which the two answers differ.
    """

    compared: int = 0
    changed: int = 0
    pairs: int = 0
    flips: int = 0

    @property
    def rate(self) -> float | None:
        """The share of pairs that differ; None without a pair."""
        return self.flips / self.pairs if self.pairs else None

    def add(self, values: Counter[object]) -> bool:
        """Add a question of an item by its answers; tells whether they changed."""
        count = values.total()
        is_changed = len(values) > 1
        if count > 1:
            self.compared += 1
            self.changed += is_changed
            self.pairs += comb(count, 2)
            self.flips += comb(count, 2) - sum(comb(each, 2) for each in values.values())
        return is_changed

    def to_members(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        return {
            "compared": self.compared,
            "changed": self.changed,
            "pairs": self.pairs,
            "flips": self.flips,
            "flipRate": self.rate,
        }


class RepeatReport:
    """What changed between repeats of the same run.

    Attributes:
        header: The header of the first repeat.
        repeats: How many repeats there are.
        items: Items with a question that was answered in at least two repeats.
        changed_items: Those of them of which an answer changed.
        overall: All questions together.
        kinds: The questions of a kind together, in the order noul, choice, score.
        questions: Each question by kind and key, sorted by kind and key.
    """

    def __init__(self, repeats: Sequence[EvaluationResults]) -> None:
        """Compare whole runs over the same items.

        Args:
            repeats: The results of at least two runs.

        Raises:
            ValueError: There are fewer than two, or they are not over the same items.
        """
        if len(repeats) < 2:  # noqa: PLR2004
            raise ValueError("a comparison needs at least two repeats")
        self.header: RunHeader = repeats[0].header
        self.repeats = len(repeats)
        self.items = 0
        self.changed_items = 0
        self.overall = FlipRate()
        self.kinds: dict[QuestionKind, FlipRate] = {}
        self.questions: dict[tuple[QuestionKind, str], FlipRate] = {}
        if len({len(each) for each in repeats}) > 1:
            raise ValueError("the repeats are not over the same items")
        for item in zip(*repeats, strict=True):
            self._add(item)
        order = list(QuestionKind)
        self.kinds = {kind: self.kinds[kind] for kind in order if kind in self.kinds}
        self.questions = {
            name: self.questions[name]
            for name in sorted(self.questions, key=lambda name: (order.index(name[0]), name[1]))
        }

    @property
    def changed_share(self) -> float | None:
        """The share of items of which an answer changed; None without an item."""
        return self.changed_items / self.items if self.items else None

    def to_json(self) -> str:
        """Return `repeats.json`: the same bytes for the same repeats."""
        interval = wilson(self.changed_items, self.items)
        document = {
            "kind": "minos-repeats",
            "version": 1,
            "dataset": self.header.dataset,
            "provider": self.header.provider,
            "model": self.header.model,
            "repeats": self.repeats,
            "items": {
                "compared": self.items,
                "changed": self.changed_items,
                "share": self.changed_share,
                "interval": None if interval is None else interval.to_members(),
            },
            "overall": self.overall.to_members(),
            **{str(kind): rate.to_members() for kind, rate in self.kinds.items()},
            "questions": [
                {"kind": str(kind), "key": key, **rate.to_members()}
                for (kind, key), rate in self.questions.items()
            ],
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    def _add(self, item: tuple[ItemResult, ...]) -> None:
        if len({result.id for result in item}) > 1:
            raise ValueError("the repeats are not over the same items")
        answers: dict[tuple[QuestionKind, str], Counter[object]] = {}
        for result in item:
            for key, answer in (result.answers or {}).items():
                answers.setdefault((answer.kind, key), Counter())[answer.value] += 1
        is_compared = is_changed = False
        for (kind, key), values in answers.items():
            is_compared = is_compared or values.total() > 1
            self.kinds.setdefault(kind, FlipRate()).add(values)
            self.questions.setdefault((kind, key), FlipRate()).add(values)
            is_changed = self.overall.add(values) or is_changed
        self.items += is_compared
        self.changed_items += is_changed
