"""The options of a provider's section by name, and how each is read from text or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from types import MappingProxyType
from typing import TypeVar

from minos.config.document import Value
from minos.providers.presets import ProviderName, WireFormat
from minos.providers.secret import Secret

E = TypeVar("E", bound=StrEnum)

_SPAN = re.compile(r"(?P<hours>\d{1,6}):(?P<minutes>[0-5]?\d):(?P<seconds>[0-5]?\d(?:\.\d{1,9})?)")
_INFINITE = {"infinite", "-00:00:00.001"}
_BOOLEANS = {"true": True, "false": False}


class WrongValueError(Exception):
    """A value that an option cannot have; the message ends the sentence that names the option."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a section.

    Attributes:
        name: Its name in minos.json.
        field: The field of `DecisionClientOptions` it fills.
        read: Makes the field's value of what was written.
        is_secret: Whether its value is never shown.
    """

    name: str
    field: str
    read: Callable[[Value], object]
    is_secret: bool = False


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise WrongValueError("must be text")
    return value


def _secret(value: Value) -> Secret:
    return Secret(_text(value))


def _number(value: Value) -> float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise WrongValueError("must be a number")
    try:
        number = float(value)
    except (ValueError, OverflowError) as error:
        raise WrongValueError("must be a number") from error
    if not isfinite(number):
        raise WrongValueError("must be a finite number")
    return number


def _count(value: Value) -> int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise WrongValueError("must be a whole number")
    try:
        return int(value)
    except ValueError as error:
        raise WrongValueError("must be a whole number") from error


def _boolean(value: Value) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in _BOOLEANS:
        return _BOOLEANS[value.strip().lower()]
    raise WrongValueError("must be true or false")


def _span(value: Value) -> float:
    """Return seconds, of `hh:mm:ss[.fff]` or a number of seconds."""
    if isinstance(value, str):
        found = _SPAN.fullmatch(value.strip())
        if found:
            minutes = int(found["hours"]) * 60 + int(found["minutes"])
            return minutes * 60 + float(found["seconds"])
    try:
        return _number(value)
    except WrongValueError as error:
        told = "must be a time span such as 00:01:00, or a number of seconds"
        raise WrongValueError(told) from error


def _limit(value: Value) -> float | None:
    if isinstance(value, str) and value.strip().lower() in _INFINITE:
        return None
    return _span(value)


def _one_of(members: tuple[E, ...]) -> Callable[[Value], E]:
    by_name = {member.lower(): member for member in members}

    def read(value: Value) -> E:
        member = by_name.get(value.strip().lower()) if isinstance(value, str) else None
        if member is None:
            raise WrongValueError(f"must be one of {', '.join(members)}")
        return member

    return read


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        option.name.lower(): option
        for option in (
            Option("Provider", "provider", _one_of(tuple(ProviderName))),
            Option("ApiKey", "api_key", _secret, is_secret=True),
            Option("BaseAddress", "base_address", _text),
            Option("Model", "model", _text),
            Option("Path", "path", _text),
            Option("Timeout", "timeout_s", _limit),
            Option("MaxRetries", "max_retries", _count),
            Option("InitialBackoff", "initial_backoff_s", _span),
            Option("MaxRetryDelay", "max_retry_delay_s", _span),
            Option("Jitter", "jitter", _boolean),
            Option("Format", "format", _one_of((WireFormat.SYSTEM_ONE, WireFormat.OPENAI))),
            Option("AllowInsecureKey", "allow_insecure_key", _boolean),
            Option("AccountId", "account_id", _text),
            Option("RequestsPerMinute", "requests_per_minute", _number),
            Option("TokensPerMinute", "tokens_per_minute", _number),
        )
    }
)
"""Every option of a section but `Headers`, by lower-case name, in the order they are shown."""

HEADERS = Option("Headers", "headers", _secret, is_secret=True)
"""The option whose members are headers: each one's value is read by itself."""
