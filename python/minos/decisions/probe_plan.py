"""Which requests a probe sends: the same items, asked about in other words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from minos.attempts.progress import ProgressReceiver
from minos.attempts.selection import Selection
from minos.decisions.dataset import DecisionDataset
from minos.decisions.heading import choose
from minos.questions import QuestionKind, QuestionSet


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
