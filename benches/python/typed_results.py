"""A results file as msgspec types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec


class Noul(msgspec.Struct, tag_field="type", tag="noul"):
    """A yes or no."""

    probability: float
    distribution: tuple[()] = ()

    @property
    def number(self) -> float:
        return self.probability


class Choice(msgspec.Struct, tag_field="type", tag="choice"):
    """An option."""

    choice: str
    confidence: float
    probabilities: dict[str, float]

    @property
    def number(self) -> float:
        return self.confidence

    @property
    def distribution(self) -> Iterable[float]:
        return self.probabilities.values()


class Score(msgspec.Struct, tag_field="type", tag="score", rename="camel"):
    """A level."""

    level: int
    confidence: float
    expected_level: float
    probabilities: list[float]

    @property
    def number(self) -> float:
        return self.confidence

    @property
    def distribution(self) -> Iterable[float]:
        return self.probabilities


class Item(msgspec.Struct, rename="camel"):
    """What came of an item."""

    id: str
    answers: dict[str, Noul | Choice | Score]
    latency_ms: float


def decoder() -> Callable[[bytes], Any]:
    """Return what reads a line."""
    return msgspec.json.Decoder(Item).decode
