"""Finds out what a resumed run still has to do, and refuses when it would be another run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from minos.attempts.scheduler import Plan
from minos.errors import ConfigError

Result = dict[str, Any]


def resume(
    entries: Iterable[tuple[int, str, Result]],
    chosen: Sequence[int],
    identity_of: Callable[[int], str],
    *,
    is_error: Callable[[Result], bool],
    is_wanted_again: Callable[[Result], bool],
) -> Plan:
    """Plan the rest of a run from what its earlier start kept.

    Args:
        entries: What is kept: index, identity of the request, and result, each index once.
        chosen: All attempts of the run, in ascending order.
        identity_of: What a request is known by now, from its index.
        is_error: Whether a kept result is a failure.
        is_wanted_again: Whether the attempt behind a kept result is to be made again; asked once
            for each, in order.

    Raises:
        ConfigError: A kept attempt is not among the chosen ones, or its request is not what
            it was.
    """
    is_kept = bytearray(chosen[-1] + 1 if chosen else 0)
    for index in chosen:
        is_kept[index] = 1
    done = errors = 0
    for index, request, result in entries:
        name = result.get("id", index)
        if index >= len(is_kept) or not is_kept[index]:
            raise _another(f"{name!r} is no longer part of it")
        if identity_of(index) != request:
            raise _another(f"{name!r} is not what it was")
        if not is_wanted_again(result):
            is_kept[index] = 2
            done += 1
            errors += is_error(result)
    return Plan(_Left(chosen, is_kept), len(chosen) - done, done, errors)


def check_settings(
    recovered: Mapping[str, object], current: Mapping[str, object], names: Sequence[str]
) -> None:
    """Refuse to go on with a run under other settings than it was started with.

    Raises:
        ConfigError: One of the named settings differs.
    """
    for name in names:
        if recovered.get(name) != current.get(name):
            raise ConfigError(
                f"the run was started with {name} {recovered.get(name)!r},"
                f" not {current.get(name)!r}",
                hint="go on under the same settings, or start another run",
            )


class _Left:
    """The chosen indices that are not kept, without a list of them."""

    def __init__(self, chosen: Sequence[int], states: bytearray) -> None:
        self._chosen = chosen
        self._states = states

    def __iter__(self) -> Iterator[int]:
        return (index for index in self._chosen if self._states[index] != 2)  # noqa: PLR2004


def _another(what: str) -> ConfigError:
    return ConfigError(
        f"the data set has changed since the run was started: {what}",
        hint="resume with the data set as it was, or start another run",
    )
