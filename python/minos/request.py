"""The request between a data set and a provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from minos.answers import AnswerRecord
from minos.questions import QuestionSet


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What a provider is asked about one item. Right answers are not in it.

    Attributes:
        state_json: The state as JSON, byte for byte as it was read: a string, object or array.
        questions: The questions to answer about it.
    """

    state_json: bytes
    questions: QuestionSet


@dataclass(frozen=True, slots=True)
class DecisionResponse:
    """What a provider answered to one request.

    Attributes:
        answers: The answers by question key; a question the provider declined is left out.
        model: The model that answered, as the provider names it.
        input_tokens: Tokens read, where known.
        output_tokens: Tokens written, where known.
        cost_usd: The cost that the provider reported, in US dollars; 0 counts as reported.
        cached: Whether the answer came from a cache, and so cost nothing and took no time.
        request_id: The provider's name for the request.
        tries: How many requests were sent, retries included; at least 1.
        held_s: Seconds of the call that were spent waiting for a rate limit or in a pause that
            another request's `Retry-After` caused; they are no part of the item's latency.
    """

    answers: Mapping[str, AnswerRecord]
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    cached: bool = False
    request_id: str | None = None
    tries: int = 1
    held_s: float = 0.0
