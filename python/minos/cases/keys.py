"""What a case is known by across runs."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from minos.errors import ConfigError

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

    @classmethod
    def joined(cls, parts: Iterable[Keys]) -> Keys:
        """Return the keys of several files that are read as one.

        Raises:
            ConfigError: Two cases have one id.
        """
        keys, known = cls(), set[str]()
        for part in parts:
            for digest, name in part:
                if name in known:
                    raise ConfigError(
                        f"two data sets have a case with the id {name!r}",
                        hint="run them apart, or give each case an id of its own",
                    )
                if name is not None:
                    known.add(name)
                keys._add(digest, name)
        keys.finish()
        return keys

    def __iter__(self) -> Iterator[tuple[int, str | None]]:
        return ((digest, self._ids.get(at)) for at, digest in enumerate(self._digests))

    def add(self, value: Mapping[str, Any]) -> None:
        """Take the next case, as an object."""
        name = value.get("id")
        self._add(content_digest(value), name if isinstance(name, str) else None)

    def finish(self) -> None:
        """Let go of what only adding needs."""
        self._seen.clear()

    def key(self, index: int) -> str:
        """Return the key of a case."""
        name = self._ids.get(index)
        return name or content_key(self._digests[index], self._occurrences[index])

    def _add(self, digest: int, name: str | None) -> None:
        if name is not None:
            self._ids[len(self._digests)] = name
        else:
            self._seen[digest] = self._seen.get(digest, 0) + 1
        self._digests.append(digest)
        self._occurrences.append(self._seen.get(digest, 0))
