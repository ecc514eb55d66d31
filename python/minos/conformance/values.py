"""Values of a response, and how they are told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from typing import TypeGuard

from minos.providers.shown import shown

_TOLD_NAMES = 3


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_count(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number from 0 up, printed without a point."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def told(value: object) -> str:
    """Return a value of JSON as it is told in a finding."""
    return "not there" if value is None else shown(json.dumps(value, ensure_ascii=False))


def names_told(names: Sequence[str]) -> str:
    """Return some names as they are told in a finding, the first three of them."""
    first = ", ".join(f"'{shown(name)}'" for name in names[:_TOLD_NAMES])
    more = len(names) - _TOLD_NAMES
    return f"{first} and {more} more" if more > 0 else first
