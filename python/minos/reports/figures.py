"""Numbers as a report shows them: fixed places, no locale, None where undefined."""

from __future__ import annotations


def rate(value: float | None) -> str | None:
    """Show a share with 3 decimals."""
    return _fixed(value, ".3f")


def signed_rate(value: float | None) -> str | None:
    """Show a difference of shares with its sign and 3 decimals."""
    return _fixed(value, "+.3f")


def money(value: float | None) -> str | None:
    """Show an amount of US dollars with 6 decimals."""
    return _fixed(value, ".6f")


def milliseconds(value: float | None) -> str | None:
    """Show a time in milliseconds with 1 decimal."""
    return _fixed(value, ".1f")


def counted(count: int, one: str, many: str = "") -> str:
    """Show a number with its noun: `1 item`, `2 items`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def _fixed(value: float | None, places: str) -> str | None:
    if value is None:
        return None
    shown = format(value, places)
    # What rounds to nothing has no sign.
    return shown if shown.strip("+-0.") else format(0.0, places)
