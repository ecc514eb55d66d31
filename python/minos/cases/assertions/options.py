"""Reads options, and says in words what is wrong with them."""

from __future__ import annotations

import json
import math
from typing import Any

from minos.cases.assertions.base import Options, OptionsError


def given(options: Options, *names: str) -> tuple[str, Any]:
    """Return the name and the value of the first option that is given and not null.

    Returns:
        The first of the names, and None, where none is given.
    """
    for name in names:
        if options.get(name) is not None:
            return name, options[name]
    return names[0], None


def text(options: Options, message: str, *names: str) -> str:
    """Return an option that is one text.

    Args:
        options: The options.
        message: What to say of anything else.
        names: The names it may stand under; the first that is given counts.
    """
    name, value = given(options, *names)
    if not isinstance(value, str):
        raise OptionsError(message, name)
    return value


def texts(options: Options, kind: str) -> list[str]:
    """Return the texts under `value` or `values`: one, or a list with at least one.

    Args:
        options: The options.
        kind: The assertion, for messages.
    """
    name, value = given(options, "value", "values")
    if isinstance(value, str):
        return [value]
    if not value and not isinstance(value, int | float):
        raise OptionsError(f"{kind} requires :value or :values", name)
    if not isinstance(value, list | tuple):
        raise OptionsError(f"{kind} requires text or a list of texts", name)
    for index, entry in enumerate(value):
        if not isinstance(entry, str):
            raise OptionsError(f"{kind} requires text or a list of texts", name, index)
    return list(value)


def count(options: Options, kind: str, *names: str) -> int | None:
    """Return an option that is a whole number from 0; None where it is not given."""
    name, value = given(options, *names)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise OptionsError(f"{kind} requires a whole number from 0 as {name}", name)
    return value


def amount(options: Options, kind: str, *names: str) -> float | None:
    """Return an option that is a number from 0; None where it is not given."""
    name, value = given(options, *names)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise OptionsError(f"{kind} requires a number as {name}", name)
    if not 0 <= value < math.inf:
        raise OptionsError(f"{kind} requires a number from 0 as {name}", name)
    return value


def share(options: Options, kind: str, name: str) -> float | None:
    """Return an option that is a number from 0 to 1; None where it is not given."""
    value = amount(options, kind, name)
    if value is not None and value > 1:
        raise OptionsError(f"{kind} requires a number from 0 to 1 as {name}", name)
    return value


def truth(options: Options, kind: str, name: str) -> bool:
    """Return an option that is true or false; false where it is not given."""
    value = options.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise OptionsError(f"{kind} requires true or false as {name}", name)
    return value


def quoted(entries: list[str]) -> str:
    """Return texts as a reason shows them: `["a", "b"]`."""
    return json.dumps(entries, ensure_ascii=False)
