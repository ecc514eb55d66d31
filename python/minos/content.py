"""Content between Python values and JSON: states, instructions, the sides of a noul."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeAlias

DEEPEST: Final = 512
"""How many levels of objects and arrays a line may nest."""

_EXACT_FLOATS: Final = 2.0**53
"""Below it every integer is a float."""


def content_to_json(content: object) -> str:
    """Render text, or a mapping or list of JSON values, as compact JSON.

    Numbers keep their value: an int and a `Decimal` are written with all their digits. A surrogate
    code point is written as it is, so that the reader of the line can refuse it; encode the result
    with `surrogatepass`.

    Args:
        content: str, int, float, Decimal, bool, None; mappings with str keys, lists and tuples.

    Raises:
        TypeError: A value or the key of a mapping has another type.
        ValueError: A number is NaN or infinite, or the content nests deeper than 512 levels.
    """
    parts: list[str] = []
    # Content may nest deeper than Python calls can.
    opened: list[_Container] = []
    value = content
    while True:
        if isinstance(value, Mapping | list | tuple):
            if len(opened) >= DEEPEST:
                raise ValueError(f"the content nests deeper than {DEEPEST} levels")
            opened.append(_Container(value, parts))
        else:
            parts.append(_scalar(value))
        while opened and not opened[-1].has_next():
            opened.pop().close()
        if not opened:
            return "".join(parts)
        value = opened[-1].next_value()


_Entries: TypeAlias = Mapping[Any, Any] | list[Any] | tuple[Any, ...]


class _Container:
    """A mapping or list that is being written."""

    def __init__(self, value: _Entries, parts: list[str]) -> None:
        self._parts = parts
        self._is_mapping = isinstance(value, Mapping)
        entries = value.items() if isinstance(value, Mapping) else ((None, each) for each in value)
        self._entries: Iterator[tuple[Any, Any]] = iter(entries)
        self._next: tuple[Any, Any] | None = None
        self._before = ""
        parts.append("{" if self._is_mapping else "[")

    def has_next(self) -> bool:
        self._next = next(self._entries, None)
        return self._next is not None

    def next_value(self) -> object:
        key, value = self._next or (None, None)
        self._parts.append(self._before)
        self._before = ","
        if self._is_mapping:
            if not isinstance(key, str):
                raise TypeError(f"a key of content must be text, not {type(key).__name__}")
            self._parts += (_scalar(key), ":")
        return value

    def close(self) -> None:
        self._parts.append("}" if self._is_mapping else "]")


def _scalar(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case int():
            return _digits(value)
        case float() if math.isfinite(value):
            return float.__repr__(value)
        case Decimal() if value.is_finite():
            return str(value)
        case float() | Decimal():
            raise ValueError(f"content cannot hold the number {value}")
        case _:
            raise TypeError(f"content cannot hold a value of type {type(value).__name__}")


def _digits(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # more than 4,300 digits, unless the interpreter is told otherwise
        return format(Decimal(value), "f")


def content_from_json(data: bytes) -> Any:  # noqa: ANN401 - any JSON value
    """Read one JSON value that the native reader has found right.

    A number becomes an int or a float; a `Decimal` where a float would overflow (`1e400`) or
    would lose an integer, since it would be written as another one (`9007199254740993.0`), and for
    an integer with more digits than `int` reads.

    Raises:
        OverflowError: A number is beyond what `Decimal` holds (an exponent of more than 18
            digits).
        RecursionError: The value nests deeper than the calls that Python has left.
    """
    return json.loads(data.decode(), parse_int=_whole, parse_float=_fraction)


def _whole(digits: str) -> int | Decimal:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


def _fraction(digits: str) -> float | Decimal:
    number = float(digits)
    if -_EXACT_FLOATS < number < _EXACT_FLOATS:
        return number
    try:
        exact = Decimal(digits)
    except InvalidOperation:
        exact = Decimal("NaN")
    if not exact.is_finite():
        raise OverflowError(f"Python has no number for {digits[:40]}; use the JSON as it was read")
    if math.isinf(number):
        return exact
    is_lost = exact == exact.to_integral_value() and exact != Decimal(repr(number))
    return exact if is_lost else number
