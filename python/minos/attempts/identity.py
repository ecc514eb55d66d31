"""What a request is known by, so that a resumed run can tell whether it is still the same."""

from __future__ import annotations

import hashlib


def identity(*parts: bytes) -> str:
    """Return the SHA-256 of some parts, in hexadecimal.

    Each part is preceded by its length, so that what lies in which part matters.
    """
    told = b"".join([each for part in parts for each in (len(part).to_bytes(8, "big"), part)])
    return hashlib.sha256(told).hexdigest()
