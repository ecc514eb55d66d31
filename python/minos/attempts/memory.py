"""Keeps finished attempts in memory, for runs that nothing but their caller should see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Memory:
    """The results of one run, by index."""

    def __init__(self) -> None:
        self._lines: dict[int, bytes] = {}

    def keep(self, index: int, line: bytes) -> None:
        """Keep the result of an attempt; a later one of the same index replaces it."""
        self._lines[index] = line

    def claim_sync(self) -> bool:
        """Never: memory is as safe as it gets."""
        return False

    def sync(self) -> None:
        """Do nothing."""

    def results(self, indices: Iterable[int]) -> Iterator[bytes]:
        """Give the results of those attempts that are kept, in the order of `indices`."""
        return (self._lines[index] for index in indices if index in self._lines)
