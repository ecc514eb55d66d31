"""What a request is known by, so that a resumed run can tell whether it is still the same."""

from __future__ import annotations

import hashlib


def identity(*parts: bytes) -> str:
    """Return the SHA-256 of some parts, in hexadecimal.

    Each part is preceded by its length, so that what lies in which part matters.
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
