"""Draws a sample that is spread over the parts of a data set and does not hang on its order."""

from __future__ import annotations

import hashlib
import heapq
from array import array
from collections.abc import Callable, Sequence
from fractions import Fraction


def sample(
    indices: Sequence[int],
    size: int,
    seed: int,
    stratum_of: Callable[[int], str | None],
    key_of: Callable[[int], str],
) -> Sequence[int]:
    """Draw a stratified sample.

    Each stratum gets its share of the sample, and its members with the lowest SHA-256 of seed and
    key. So another order of the file changes nothing, and a new item displaces few others.

    Args:
        indices: What to draw from, in ascending order.
        size: How many to draw; all when there are no more.
        seed: Which sample.
        stratum_of: The stratum of an index; None is a stratum too.
        key_of: What an index is known by, unique among them.

    Returns:
        The drawn indices in ascending order.
    """
    if size >= len(indices):
        return indices
    members: dict[str | None, array[int]] = {}
    for index in indices:
        members.setdefault(stratum_of(index), array("q")).append(index)
    quotas = _quotas({name: len(member) for name, member in members.items()}, size, seed)
    drawn = array("q")
    for name, member in members.items():
        drawn.extend(
            heapq.nsmallest(quotas[name], member, key=lambda index: _rank(seed, key_of(index)))
        )
    return array("q", sorted(drawn))


def _quotas(sizes: dict[str | None, int], size: int, seed: int) -> dict[str | None, int]:
    total = sum(sizes.values())
    shares = {name: Fraction(size * count, total) for name, count in sizes.items()}
    quotas = {name: int(share) for name, share in shares.items()}
    ranks = {name: (name is not None, _rank(seed, name or "")) for name in sizes}
    if size >= len(sizes):
        quotas = {name: quota or 1 for name, quota in quotas.items()}
    missing = size - sum(quotas.values())
    if missing > 0:
        by_need = sorted(sizes, key=lambda name: (quotas[name] - shares[name], ranks[name]))
        for name in by_need[:missing]:
            quotas[name] += 1
    for _ in range(-missing):
        several = (name for name in sizes if quotas[name] > 1)
        fullest = min(several, key=lambda name: (shares[name] - quotas[name], ranks[name]))
        quotas[fullest] -= 1
    return quotas


def _rank(seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{key}".encode("utf-8", "surrogatepass")).digest()
