"""A value that is used and never shown."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from typing import Any, NoReturn, final

MASK = "***"
_SHORTEST_REDACTED = 6


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

    def redact(self, text: str) -> str:
        """Return `text` with the value masked wherever it stands.

        A value of fewer than six characters is left: it guards nothing, and masking it would
        garble words that only look like it.
        """
        if len(self._value) < _SHORTEST_REDACTED:
            return text
        return text.replace(self._value, MASK)

    def redact_bytes(self, data: bytes) -> bytes:
        """Return `data` with the value masked wherever it stands, as `redact` does for text.

        In JSON any of its characters may be written as an escape, and in JSON that is text of
        other JSON with several backslashes.
        """
        if len(self._value) < _SHORTEST_REDACTED:
            return data
        data = data.replace(self._value.encode(), MASK.encode())
        return _spelled(self._value).sub(MASK.encode(), data) if b"\\" in data else data

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


def _spelled(value: str) -> re.Pattern[bytes]:
    letters = (
        rb"(?:%b|\\{1,8}(?:%b|u(?i:%04x)))" % (letter, letter, code)
        for letter, code in ((re.escape(each.encode()), ord(each)) for each in value)
    )
    return re.compile(b"".join(letters))


class Redactor:
    """Masks every secret of a client in whatever a server sends back."""

    __slots__ = ("_secrets",)

    def __init__(self, secrets: Iterable[Secret]) -> None:
        """Keep the secrets.

        Args:
            secrets: The key and the values of further headers.
        """
        self._secrets = tuple(secrets)

    def text(self, text: str) -> str:
        """Return text with every secret masked."""
        for secret in self._secrets:
            text = secret.redact(text)
        return text

    def data(self, data: bytes) -> bytes:
        """Return bytes with every secret masked."""
        for secret in self._secrets:
            data = secret.redact_bytes(data)
        return data

    def json(self, value: Any) -> Any:  # noqa: ANN401
        """Return a JSON value with every secret masked, in names too."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.json(entry) for entry in value]
            case dict():
                return {self.text(name): self.json(entry) for name, entry in value.items()}
            case _:
                return value
