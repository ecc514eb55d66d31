"""Values of a response, and how they are told."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TypeGuard

from minos.providers.reading import DECLINED, type_name
from minos.providers.shown import shown

_TOLD_NAMES = 3
_LARGEST = sys.float_info.max


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number that a double can hold; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_LARGEST <= value <= _LARGEST


def is_count(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number from 0 up, printed without a point."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_declined(answer: object) -> bool:
    """Return whether an answer says by its type that there is none."""
    given = answer.get("type") if isinstance(answer, dict) else None
    return isinstance(given, str) and given in DECLINED


def told(value: object) -> str:
    """Return a value of JSON as it is told in a finding."""
    if value is None:
        return "not there"
    try:
        return shown(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return type_name(value)


def names_told(names: Sequence[str]) -> str:
    """Return some names as they are told in a finding, the first three of them."""
    first = ", ".join(f"'{shown(name)}'" for name in names[:_TOLD_NAMES])
    more = len(names) - _TOLD_NAMES
    return f"{first} and {more} more" if more > 0 else first
