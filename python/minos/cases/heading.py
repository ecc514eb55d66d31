"""What names a run over cases: the header of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minos.policy.pass_rule import PassRule

KIND = "minos-case-results"
VERSION = 1


@dataclass(frozen=True, slots=True)
class DatasetName:
    """A data set that was run.

    Attributes:
        name: Its file's name without folders and suffix.
        sha256: The SHA-256 of its bytes, in hexadecimal.
    """

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSelection:
    """Which of the cases were chosen.

    Attributes:
        of: How many there were to choose from.
        offset: Not the first so many.
        limit: The first so many.
        sample: So many, drawn.
        seed: Which sample.
        filters: `field=value` that the metadata had to hold.
        failed_in: The directory of the run whose failed cases were chosen.
    """

    of: int
    offset: int = 0
    limit: int | None = None
    sample: int | None = None
    seed: int | None = None
    filters: tuple[str, ...] = ()
    failed_in: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRunHeader:
    """What names a run.

    Attributes:
        datasets: The data sets, in order.
        subject: What was under test.
        attempts: Attempts of each case.
        pass_rule: How many of them must pass.
        started_at: When it started, `yyyy-MM-ddTHH:mm:ss.fffZ`.
        case_count: Cases that the run consists of.
        versions: The versions of what made it, by name.
        partial: Whether it stopped before its end.
        selection: Which of the cases were chosen; None for all.
    """

    datasets: tuple[DatasetName, ...]
    subject: str
    attempts: int
    pass_rule: PassRule
    started_at: str
    case_count: int
    versions: Mapping[str, str]
    partial: bool = False
    selection: CaseSelection | None = None


def header_json(header: CaseRunHeader) -> dict[str, Any]:
    """Return a header as a results file holds it."""
    members: dict[str, Any] = {
        "kind": KIND,
        "version": VERSION,
        "datasets": [{"name": each.name, "sha256": each.sha256} for each in header.datasets],
        "subject": header.subject,
        "judge": None,
        "attempts": header.attempts,
        "pass_rule": header.pass_rule.to_json(),
        "started_at": header.started_at,
        "case_count": header.case_count,
        "versions": dict(header.versions),
    }
    if header.partial:
        members["partial"] = True
    if header.selection is not None:
        members["selection"] = _selection_json(header.selection)
    return members


def read_header(members: Mapping[str, Any]) -> CaseRunHeader:
    """Read a header.

    Raises:
        KeyError: A member is missing.
        TypeError: A member is of the wrong kind.
        ValueError: The file is of another kind or version, or a value is out of range.
    """
    if members["kind"] != KIND or members["version"] != VERSION:
        raise ValueError(f"it is no {KIND!r} of version {VERSION}")
    selection = members.get("selection")
    return CaseRunHeader(
        datasets=tuple(DatasetName(**each) for each in members["datasets"]),
        subject=members["subject"],
        attempts=_count(members["attempts"], least=1),
        pass_rule=PassRule.of(members["pass_rule"]),
        started_at=members["started_at"],
        case_count=_count(members["case_count"], least=0),
        versions=dict(members["versions"]),
        partial=bool(members.get("partial", False)),
        selection=None if selection is None else _read_selection(selection),
    )


def _selection_json(selection: CaseSelection) -> dict[str, Any]:
    members = {
        "of": selection.of,
        "offset": selection.offset or None,
        "limit": selection.limit,
        "sample": selection.sample,
        "seed": selection.seed,
        "filter": list(selection.filters) or None,
        "failed_in": selection.failed_in,
    }
    return {name: value for name, value in members.items() if value is not None}


def _read_selection(members: Mapping[str, Any]) -> CaseSelection:
    named = {**members, "filters": tuple(members.get("filter", ()))}
    named.pop("filter", None)
    return CaseSelection(**named)


def _count(value: object, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{value!r} is no whole number from {least}")
    return value
