"""Numbers with the digits they were printed with, and what rounding they allow for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Self

_COARSEST = 0.005  # two decimals: the fewest that are known of any server


class Printed(float):
    """A number as it was printed.

    Attributes:
        step: The distance between two numbers of as many decimals.
    """

    __slots__ = ("step",)

    step: float

    def __new__(cls, text: str) -> Self:
        """Read a number of JSON.

        Args:
            text: The number as it stands in the body.
        """
        number = super().__new__(cls, text)
        mantissa, _, exponent = text.lower().partition("e")
        decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
        number.step = 10.0 ** -min(max(decimals, 0), 300)
        return number


def parse_printed(data: bytes) -> Any:  # noqa: ANN401
    """Parse JSON, its fractional numbers with their digits; NaN and infinity are refused.

    Raises:
        ValueError: It is not JSON; also for RecursionError.
    """

    def refuse(name: str) -> float:
        raise ValueError(f"{name} is not JSON")

    try:
        return json.loads(data, parse_float=Printed, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("it nests too deep") from error


def rounding(document: object) -> float:
    """Return by how much a printed number may be off: half of the last digit that is printed."""
    steps = [number.step for number in _printed(document)]
    return min([_COARSEST, *(step / 2 for step in steps)])


def _printed(value: object) -> Iterator[Printed]:
    match value:
        case Printed():
            yield value
        case dict():
            for member in value.values():
                yield from _printed(member)
        case list():
            for member in value:
                yield from _printed(member)
