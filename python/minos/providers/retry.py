"""When a request is sent again, and how long to wait before. Pure: no clock, no chance."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus

from minos.errors import DecisionErrorKind

LONGEST_WAIT_S = 2147483.647
"""The longest wait that can be told, 2**31 - 1 milliseconds."""

_TRANSIENT = frozenset(
    {
        DecisionErrorKind.RATE_LIMITED,
        DecisionErrorKind.OVERLOADED,
        DecisionErrorKind.SERVER,
        DecisionErrorKind.NETWORK,
        DecisionErrorKind.TIMEOUT,
    }
)
_LARGEST_SHIFT = 30  # beyond it every backoff is capped anyway

_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+", re.ASCII)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAY_NAME = r"(?:mon|tue|wed|thu|fri|sat|sun)"
_LONG_DAY_NAME = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2}):(?P<second>\d{2})"
_DATES = tuple(
    re.compile(form, re.ASCII)
    for form in (
        rf"{_DAY_NAME}, (?P<day>\d{{1,2}}) {_MONTH} (?P<year>\d{{4}}) {_TIME} gmt",
        rf"{_LONG_DAY_NAME}, (?P<day>\d{{1,2}})-{_MONTH}-(?P<year>\d{{2}}) {_TIME} gmt",
        rf"{_DAY_NAME} {_MONTH} (?P<day>\d{{1,2}}) {_TIME} (?P<year>\d{{4}})",
    )
)
_CENTURY = 100
_TWO_DIGITS = 2
_LEAP_SECOND = 60
_PIVOT_YEARS = 50


def is_transient(kind: DecisionErrorKind, status_code: int | None = None) -> bool:
    """Return whether a failure of this kind may pass when the request is sent again."""
    return kind in _TRANSIENT or status_code == HTTPStatus.REQUEST_TIMEOUT


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after what waits a request is sent again.

    Attributes:
        max_retries: Requests sent after the first one.
        initial_backoff_s: The wait before the first retry; it doubles with each further one.
        max_delay_s: The longest wait, a server's wish and jitter included.
        jitter: Whether up to half of a backoff is added by chance.
    """

    max_retries: int = 2
    initial_backoff_s: float = 0.5
    max_delay_s: float = 30.0
    jitter: bool = True

    def delay_s(self, retry: int, hint_s: float | None, chance: float) -> float:
        """Return the seconds to wait before a retry.

        Args:
            retry: The retry to come, counted from 0.
            hint_s: How long the server asked to wait; it replaces the backoff, without jitter.
            chance: A number from 0 up to but not including 1 that decides the jitter.
        """
        if hint_s is not None:
            return min(hint_s, self.max_delay_s)
        backoff = min(self.initial_backoff_s * (1 << min(retry, _LARGEST_SHIFT)), self.max_delay_s)
        if self.jitter:
            backoff += chance * backoff / 2
        return min(backoff, self.max_delay_s)


def server_delay_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how long a server asks to wait, in seconds; None where it does not say.

    `retry-after-ms` (a decimal number) wins over `Retry-After` (decimal seconds, or an HTTP date
    in any of its three forms). What cannot be read is as good as absent.

    Args:
        headers: The response's headers by lower-case name.
        now: The date and time in UTC, which an HTTP date is counted from; a past date is 0.
    """
    milliseconds = _decimal(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return min(milliseconds / 1000, LONGEST_WAIT_S)
    told = headers.get("retry-after")
    if told is None:
        return None
    seconds = _decimal(told)
    if seconds is not None:
        return min(seconds, LONGEST_WAIT_S)
    until = _seconds_until(told, now)
    return None if until is None else min(max(until, 0.0), LONGEST_WAIT_S)


def _decimal(text: str | None) -> float | None:
    text = (text or "").strip(" \t")
    return float(text) if _DECIMAL.fullmatch(text) else None


def _seconds_until(text: str, now: datetime) -> float | None:
    """Read an IMF-fixdate, RFC 850 or asctime date, in any letter case and with any inner space."""
    normal = re.sub(r"\s*,\s*", ", ", " ".join(text.lower().split()))
    for form in _DATES:
        found = form.fullmatch(normal)
        if found:
            break
    else:
        return None
    year = int(found["year"])
    if len(found["year"]) == _TWO_DIGITS:
        # The latest year that ends so and is at most fifty years ahead.
        year += (now.year + _PIVOT_YEARS - year) // _CENTURY * _CENTURY
    day, hour, minute, second = (int(found[name]) for name in ("day", "hour", "minute", "second"))
    if second > _LEAP_SECOND:
        return None
    month = _MONTHS.index(found["month"]) + 1
    try:
        minute_start = datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return None
    return (minute_start - now).total_seconds() + second
