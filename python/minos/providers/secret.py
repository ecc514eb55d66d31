"""A value that is used and never shown."""

from __future__ import annotations

import hmac
from typing import NoReturn, final

MASK = "***"


@final
class Secret:
    """A key: `repr`, `str` and formatting show a mask; it is neither pickled nor put into JSON."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Keep a value.

        Args:
            value: The key itself.
        """
        self._value = value

    def reveal(self) -> str:
        """Return the value, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({MASK!r})"

    def __str__(self) -> str:
        return MASK

    def __format__(self, spec: str) -> str:
        return format(MASK, spec)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Secret):
            return hmac.compare_digest(self._value.encode(), other._value.encode())
        return NotImplemented

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Secret:
        return self

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a secret is not pickled")
