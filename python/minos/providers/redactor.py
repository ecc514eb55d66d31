"""Masks keys in what comes back, however they are spelled there."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from minos.providers.secret import MASK, Secret

_SHORTEST_MASKED = 6
_MASK = MASK.encode()
_BITS, _BITS_OF_BASE64 = 8, 6


class Redactor:
    r"""Masks every secret of a client in whatever a server sends back.

    A secret is found as it is; with any of its characters as an escape of JSON (in JSON that is
    text of other JSON, with several backslashes) or of a URL (also escaped twice); and in base64,
    where it may be a part of something longer.

    A value of fewer than six characters is left: it guards nothing, and masking it would garble
    words that only look like it.
    """

    __slots__ = ("_spellings",)

    def __init__(self, secrets: Iterable[Secret]) -> None:
        """Prepare to find the secrets.

        Args:
            secrets: The key and the values of further headers.
        """
        values = [secret.reveal() for secret in secrets]
        self._spellings = [_Spellings(value) for value in values if len(value) >= _SHORTEST_MASKED]

    def data(self, data: bytes) -> bytes:
        """Return bytes with every secret masked."""
        for spellings in self._spellings:
            data = spellings.mask(data)
        return data

    def text(self, text: str) -> str:
        """Return text with every secret masked."""
        data = text.encode("utf-8", "surrogatepass")
        masked = self.data(data)
        return text if masked == data else masked.decode("utf-8", "surrogatepass")

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Return headers with every secret masked in their values."""
        told = "\n".join(headers.values())
        if self.text(told) == told:
            return dict(headers)
        return {name: self.text(value) for name, value in headers.items()}

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


class _Spellings:
    """The ways in which a secret may be written."""

    __slots__ = ("_encoded", "_escaped", "_plain")

    def __init__(self, value: str) -> None:
        self._plain = value.encode()
        self._escaped = re.compile(b"".join(_escapes(letter) for letter in value))
        self._encoded = _encodings(self._plain)

    def mask(self, data: bytes) -> bytes:
        data = data.replace(self._plain, _MASK)
        if b"\\" in data or b"%" in data:
            masked, count = self._escaped.subn(_MASK, data)
            data = masked if count else data
        for encoded in self._encoded:
            data = data.replace(encoded, _MASK)
        return data


def _escapes(letter: str) -> bytes:
    code = ord(letter)
    literal = re.escape(letter.encode())
    return rb"(?:%b|\\{1,8}(?:%b|u(?i:%04x))|%%(?:25)*(?i:%02x))" % (literal, literal, code, code)


def _encodings(value: bytes) -> list[bytes]:
    """Return the part of the base64 that only the value decides, for each place it may begin at."""
    found = set()
    for before in range(3):
        first = -(-before * _BITS // _BITS_OF_BASE64)
        last = (before + len(value)) * _BITS // _BITS_OF_BASE64
        for encode in (b64encode, urlsafe_b64encode):
            found.add(encode(bytes(before) + value)[first:last])
    return sorted(found)
