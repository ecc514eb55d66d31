"""Numbers with the digits they were printed with, and what rounding they allow for."""

from __future__ import annotations

from typing import Any, Self

from minos.providers.strict_json import UnreadableError, parse_json, strict_decoder

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
    """Parse JSON as a client does, its fractional numbers with their digits.

    Raises:
        ValueError: It is not JSON, or one of its objects has a member twice.
    """
    try:
        return parse_json(data, _PRINTED)
    except UnreadableError as error:
        raise ValueError(str(error)) from error


def rounding(document: object) -> float:
    """Return by how much a printed number may be off: half of the last digit that is printed."""
    off = _COARSEST
    values = [document]
    while values:
        match values.pop():
            case Printed() as number:
                off = min(off, number.step / 2)
            case dict() as members:
                values += members.values()
            case list() as entries:
                values += entries
    return off


_PRINTED = strict_decoder(parse_float=Printed)
