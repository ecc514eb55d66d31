"""Which cases and attempts a run consists of, and what names it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias, overload

from minos._native import __version__
from minos.cases.assertions.base import AssertionType
from minos.cases.batch import CaseBatch
from minos.cases.case import Case, as_text
from minos.cases.heading import CaseRunHeader, CaseSelection, DatasetName
from minos.cases.options import CaseRunOptions
from minos.errors import ConfigError

Scalar: TypeAlias = str | int | float | bool
"""What a group can be named by."""


class AttemptIndices(Sequence[int]):
    """The indices of all attempts of some cases, in order, without a list of them."""

    def __init__(self, cases: Sequence[int], repeat: int) -> None:
        self._cases = cases
        self._repeat = repeat

    def __len__(self) -> int:
        return len(self._cases) * self._repeat

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[each] for each in range(len(self))[index]]
        place, attempt = divmod(range(len(self))[index], self._repeat)
        return self._cases[place] * self._repeat + attempt

    def __iter__(self) -> Iterator[int]:
        repeat = self._repeat
        return (case * repeat + attempt for case in self._cases for attempt in range(repeat))


def choose_cases(
    batch: CaseBatch,
    options: CaseRunOptions,
    *,
    group_by: str | None = None,
    among: Callable[[str], bool] | None = None,
) -> Sequence[int]:
    """Choose the cases of a run.

    Args:
        batch: The cases there are.
        options: How they are chosen.
        group_by: The field of the metadata that a sample is spread over.
        among: Whether a case may be chosen, by its key; every case when left out.

    Returns:
        The places of the chosen cases, in ascending order.
    """
    candidates: Sequence[int] = range(len(batch))
    if among is not None:
        candidates = array("q", (at for at in candidates if among(batch.key(at))))
    if options.filters:
        wanted = dict(options.filters)
        candidates = array("q", (at for at in candidates if _fits(batch.case(at), wanted)))

    def stratum_of(place: int) -> str | None:
        if group_by is None:
            return None
        return as_text((batch.case(place).metadata or {}).get(group_by))

    return options.selection().choose(
        len(batch), batch.key, stratum_of, batch.key, among=candidates
    )


def check_runnable(
    batch: CaseBatch, chosen: Sequence[int], registry: Mapping[str, AssertionType]
) -> None:
    """Refuse assertions that cannot run, before anything is asked.

    Raises:
        ConfigError: A chosen case has one; it is named.
    """
    used = frozenset[str]().union(*(each.types for each in batch.datasets))
    if not any(registry[name].needs() for name in used if name in registry):
        return
    for place in chosen:
        case, assertions = batch.pair(place)
        for each in assertions:
            kind = registry.get(each.type)
            lacking = kind.needs() if kind is not None else ""
            if lacking:
                raise ConfigError(
                    f"the assertion {each.type!r} of case {case.id} needs {lacking}",
                    hint="nothing was asked; run the cases without it",
                )


def group_value(metadata: Mapping[str, Any] | None, field: str, number: int) -> Scalar:
    """Return the group of a case, as its metadata names it.

    Args:
        metadata: The metadata of the case.
        field: The field that groups are made by.
        number: Which case it is, from 1, for messages.

    Raises:
        ConfigError: The case is in no group, or in one that is named by a list or an object.
    """
    value = (metadata or {}).get(field)
    if value is None:
        raise ConfigError(f'case {number} is missing metadata group "{field}"')
    if not isinstance(value, str | int | float):
        raise ConfigError(
            f'case {number} metadata group "{field}" must be a string, number, or boolean;'
            f" got: {as_text(value)}"
        )
    return value


def check_groups(batch: CaseBatch, chosen: Sequence[int], field: str) -> None:
    """Refuse cases that are in no group, before anything is asked.

    Raises:
        ConfigError: A chosen case is in none; it is named by its place among them, from 1.
    """
    for number, place in enumerate(chosen, start=1):
        group_value(batch.case(place).metadata, field, number)


def header_of(
    batch: CaseBatch,
    options: CaseRunOptions,
    count: int,
    subject: str,
    *,
    started_at: datetime,
    failed_in: str | None = None,
) -> CaseRunHeader:
    """Return what names a run.

    Args:
        batch: The cases there are.
        options: How they are run.
        count: How many were chosen.
        subject: What is under test.
        started_at: When the run starts.
        failed_in: The directory of the run whose failed cases were chosen.
    """
    filters = tuple(f"{name}={value}" for name, value in options.filters.items())
    selection = None
    if not options.selection().is_everything or filters or failed_in is not None:
        selection = CaseSelection(
            of=len(batch),
            offset=options.offset,
            limit=options.limit,
            sample=options.sample,
            seed=None if options.sample is None else options.sample_seed,
            filters=filters,
            failed_in=failed_in,
        )
    at = started_at.astimezone(UTC)
    return CaseRunHeader(
        datasets=tuple(DatasetName(each.name, each.sha256) for each in batch.datasets),
        subject=subject if options.subject is None else options.subject,
        attempts=options.repeat,
        pass_rule=options.rule(),
        started_at=f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z",
        case_count=count,
        versions={"minos": __version__},
        selection=selection,
    )


def _fits(case: Case, wanted: Mapping[str, str]) -> bool:
    metadata = case.metadata or {}
    return all(
        field in metadata and as_text(metadata[field]) == value for field, value in wanted.items()
    )
