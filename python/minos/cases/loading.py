"""Reads a file of cases and tells all that is found in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from minos._native import CaseFile
from minos.cases.assertions.base import AssertionType
from minos.cases.assertions.registry import installed
from minos.cases.findings import Finding, Findings
from minos.cases.keys import Keys
from minos.cases.schema import check_case
from minos.problems import DatasetProblem, DatasetProblems

_FORMATS = {".json": "json", ".jsonl": "jsonl", ".yaml": "yaml", ".yml": "yaml"}
_COMPRESSED = {".gz", ".zst"}

_Told: TypeAlias = list[tuple[int | None, tuple[int, str, str, int | None, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """A file of cases and what is found in it.

    Attributes:
        file: Its cases as text; None where the file is of no known format.
        name: The file's name without folders and suffix.
        path: The file; None for what was not read from one.
        sha256: The SHA-256 of the file's bytes, in hexadecimal.
        keys: What its cases are known by.
        types: The assertions that are used in it.
        problems: What is wrong, in file order.
        warnings: What its author should know, in file order.
        count: Cases without a problem.
    """

    file: CaseFile | None
    name: str
    path: Path | None
    sha256: str
    keys: Keys
    types: frozenset[str]
    problems: DatasetProblems
    warnings: DatasetProblems
    count: int


def examine(
    path: str | PathLike[str],
    *,
    file_format: str | None = None,
    registry: Mapping[str, AssertionType] | None = None,
) -> Examined:
    """Read a file.

    Args:
        path: The file.
        file_format: `json`, `yaml` or `jsonl`; by its suffix when left out.
        registry: The assertions there are; those of minos and of installed packages when left out.

    Raises:
        OSError: The file is missing or cannot be read.
    """
    source = Path(path)
    name, suffix = _name_and_suffix(source)
    file_format = file_format or _FORMATS.get(suffix)
    with source.open("rb") as opened:
        if file_format is None:
            return _unsupported(name, source, suffix)
        digest = hashlib.file_digest(opened, "sha256").hexdigest() if source.is_file() else ""
    file, told = CaseFile.load(source, file_format)
    return _examined(file, told, _Source(name, source, digest), registry)


def examine_text(
    data: bytes,
    file_format: str,
    *,
    name: str,
    registry: Mapping[str, AssertionType] | None = None,
) -> Examined:
    """Read a file that is in memory; see `examine`."""
    file, told = CaseFile.parse(data, file_format)
    source = _Source(name, None, hashlib.sha256(data).hexdigest())
    return _examined(file, told, source, registry)


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    path: Path | None
    sha256: str


def _name_and_suffix(path: Path) -> tuple[str, str]:
    if path.suffix.lower() in _COMPRESSED:
        path = path.with_suffix("")
    return path.stem, path.suffix.lower()


def _unsupported(name: str, path: Path, suffix: str) -> Examined:
    message = f"Unsupported file format: {suffix or 'no suffix'} (.json, .yaml, .yml or .jsonl)."
    return Examined(
        file=None,
        name=name,
        path=path,
        sha256="",
        keys=Keys(),
        types=frozenset(),
        problems=DatasetProblems([DatasetProblem(1, "unsupported-format", "", None, message)]),
        warnings=DatasetProblems([]),
        count=0,
    )


def _examined(
    file: CaseFile,
    told: _Told,
    source: _Source,
    registry: Mapping[str, AssertionType] | None,
) -> Examined:
    registry = installed() if registry is None else registry
    of_text = _by_case(told)
    problems, warnings = of_text.get(None, []), list[DatasetProblem]()
    keys, ids, types = Keys(), dict[str, int](), set[str]()
    good = 0
    for index in range(len(file)):
        wrong = of_text.get(index, [])
        text = file.json(index)
        if text:
            value = _decoded(text, has_repeats=bool(wrong))
            findings = Findings()
            types.update(each.type for each in check_case(value, registry, findings))
            if isinstance(value, dict):
                _tell_repeated_id(value.get("id"), file.line(index), ids, findings)
                keys.add(value)
            wrong += _located(findings.problems, file, index)
            warnings += _located(findings.warnings, file, index)
        good += not wrong
        problems += wrong
    keys.finish()
    # What ended the reading stands in a case that is not there.
    for index in sorted(case for case in of_text if case is not None and case >= len(file)):
        problems += of_text[index]
    return Examined(
        file=file,
        name=source.name,
        path=source.path,
        sha256=source.sha256,
        keys=keys,
        types=frozenset(types),
        problems=DatasetProblems(problems),
        warnings=DatasetProblems(warnings),
        count=good,
    )


def _by_case(told: _Told) -> dict[int | None, list[DatasetProblem]]:
    sorted_: dict[int | None, list[DatasetProblem]] = {}
    for case, problem in told:
        sorted_.setdefault(case, []).append(DatasetProblem(*problem))
    return sorted_


def _decoded(text: bytes, *, has_repeats: bool) -> Any:  # noqa: ANN401 (a JSON value)
    return json.loads(text, object_pairs_hook=_first_counts if has_repeats else None)


def _first_counts(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        members.setdefault(name, value)
    return members


def _tell_repeated_id(name: object, line: int, ids: dict[str, int], findings: Findings) -> None:
    if not isinstance(name, str) or not name:
        return
    if name in ids:
        message = f"'id' '{name}' is already used on line {ids[name]}."
        findings.problem("duplicate-id", ("id",), message)
    else:
        ids[name] = line


def _located(found: Iterable[Finding], file: CaseFile, index: int) -> Iterator[DatasetProblem]:
    for each in found:
        member, value = file.lines(index, each.path)
        line = member if each.is_of_member else value
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in each.path)
        yield DatasetProblem(line, each.code, f"[{index}]{''.join(steps)}", None, each.message)
