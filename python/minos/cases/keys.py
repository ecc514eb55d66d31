"""What a case is known by across runs."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Mapping
from typing import Any

_HEX_DIGITS = 12


def content_digest(value: Mapping[str, Any]) -> int:
    """Return the start of the SHA-256 of what is put to a subject, as a number of 48 bits.

    Args:
        value: The case as an object: its input and its context count.
    """
    content = {"input": value.get("input"), "context": value.get("context")}
    if isinstance(content["context"], str):
        content["context"] = [content["context"]]
    canonical = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
    return int(digest[:_HEX_DIGITS], 16)


def content_key(digest: int, occurrence: int) -> str:
    """Return the key of a case without an id: its content, and which of its like it is, from 1."""
    return f"{digest:0{_HEX_DIGITS}x}-{occurrence}"


class Keys:
    """The keys of the cases of a file; 16 bytes for a case without an id."""

    def __init__(self) -> None:
        self._digests = array("Q")
        self._occurrences = array("Q")
        self._ids: dict[int, str] = {}
        self._seen: dict[int, int] = {}

    def add(self, value: Mapping[str, Any]) -> None:
        """Take the next case, as an object."""
        digest = content_digest(value)
        name = value.get("id")
        if isinstance(name, str):
            self._ids[len(self._digests)] = name
        else:
            self._seen[digest] = self._seen.get(digest, 0) + 1
        self._digests.append(digest)
        self._occurrences.append(self._seen.get(digest, 0))

    def finish(self) -> None:
        """Let go of what only adding needs."""
        self._seen.clear()

    def key(self, index: int) -> str:
        """Return the key of a case."""
        name = self._ids.get(index)
        return name or content_key(self._digests[index], self._occurrences[index])
