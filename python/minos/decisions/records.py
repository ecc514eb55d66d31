"""What a results file holds: the header of a run and what came of each item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from minos.answers import AnswerRecord
from minos.errors import DecisionErrorKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSelection:
    """What was asked for, where a run was not meant to cover the whole data set.

    Attributes:
        of: How many items the data set has.
        count: How many of them were chosen.
        limit: At most this many items, from the start.
        sample: At most this many items, drawn by chance.
        seed: The seed of the draw.
        ids: The ids that were asked for; they may be patterns.
    """

    of: int
    count: int | None = None
    limit: int | None = None
    sample: int | None = None
    seed: int | None = None
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeader:
    """What names a run.

    Attributes:
        dataset: The data set's name: its file name without folders and without `.jsonl`, `.gz`
            and `.zst`.
        provider: The name of the provider's section.
        model: The model that was asked; None where the provider has no name for it.
        started_at: When the run started. It is written in UTC, to the millisecond.
        item_count: How many items the results hold. Left out, it is what they do hold.
        partial: Whether the run stopped before its end.
        selection: What was asked for, where that was not the whole data set.
    """

    dataset: str
    provider: str
    model: str | None
    started_at: datetime
    item_count: int | None = None
    partial: bool = False
    selection: RunSelection | None = None

    def __post_init__(self) -> None:
        """Bring the start to UTC, in whole milliseconds.

        Raises:
            ValueError: The start has no time zone.
        """
        if self.started_at.tzinfo is None:
            raise ValueError("the start of a run needs a time zone, such as datetime.UTC")
        utc = self.started_at.astimezone(UTC)
        whole = utc.replace(microsecond=utc.microsecond // 1000 * 1000)
        object.__setattr__(self, "started_at", whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemError:
    """Why there is no answer to an item.

    Attributes:
        kind: The kind of failure.
        message: The failure in one line.
        status_code: The HTTP status, where there was one.
    """

    kind: DecisionErrorKind
    message: str
    status_code: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """What came of one item: its answers, or why there are none.

    Nothing is checked here; saving and reporting tell every problem.

    Attributes:
        id: The item's id.
        answers: The answers by question key; a question without one is left out. None for a
            request that failed.
        error: Why the request failed; None for one that did not.
        latency_ms: Milliseconds from the start of the request to its last byte, retries included.
        model: The model that answered, as the provider names it.
        input_tokens: Tokens read, where known.
        output_tokens: Tokens written, where known.
        cost_usd: The cost that the provider reported, in US dollars; 0 counts as reported.
        cached: Whether the answer came from a cache.
        request_id: The provider's name for the request.
        tries: How many requests were sent, retries included; at least 1.
    """

    id: str
    answers: Mapping[str, AnswerRecord] | None = None
    error: ItemError | None = None
    latency_ms: float | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    cached: bool = False
    request_id: str | None = None
    tries: int = 1
