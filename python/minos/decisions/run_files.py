"""The files that a run leaves in its directory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from minos._native import ResultsWriter
from minos.attempts.journal import NAME as JOURNAL
from minos.attempts.journal import hold
from minos.attempts.recovery import recover
from minos.decisions.record_lines import header_line, read_header
from minos.decisions.records import RunHeader
from minos.errors import ConfigError, ProblemsError
from minos.problems import DatasetProblem, DatasetProblems

RESULTS = "results.jsonl"
PARTIAL = "results.partial.jsonl"

STILL_GOING = "the run is still going: this is what it has so far"

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class FoundResults:
    """The results file of a directory.

    Attributes:
        path: Where it is.
        notes: What the reader of the file should know, a line each.
    """

    path: Path
    notes: tuple[str, ...] = ()


@contextmanager
def find_results(directory: Path) -> Iterator[FoundResults]:
    """Find the results file of a run's directory, made from its journal where there is one.

    While the run is still going nothing is written into its directory: what it has so far is
    there for as long as the context is.

    Raises:
        ConfigError: The directory holds no results, or its journal cannot be read.
        OSError: A file cannot be read or written.
    """
    with ExitStack() as stack:
        try:
            found = _from_journal(directory, stack)
        except FileNotFoundError:  # none is there, or none any more: the run has just ended
            found = _from_end(directory)
        yield found


def _from_journal(directory: Path, stack: ExitStack) -> FoundResults:
    journal = directory / JOURNAL
    is_over = stack.enter_context(hold(journal))
    recovered = recover(journal)
    header, total = read_settings(recovered.settings)
    count = sum(1 for _ in recovered.indices())
    notes = notes_of(recovered.torn_bytes) if is_over else (STILL_GOING,)
    if not is_over:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="minos-")))
    lines = (line for _, line in recovered.results())
    path = write_results(directory, header, lines, count, is_partial=count < total)
    return FoundResults(path, notes)


def _from_end(directory: Path) -> FoundResults:
    for name in (RESULTS, PARTIAL):
        if (directory / name).exists():
            return FoundResults(directory / name)
    raise ConfigError(
        f"{directory} holds no results", hint="name the directory of a run, or its results file"
    )


def write_results(
    directory: Path, header: RunHeader, lines: Iterable[bytes], count: int, *, is_partial: bool
) -> Path:
    """Write the results of a run in one stroke, and delete those of an earlier end.

    Args:
        directory: The directory of the run.
        header: What names the run.
        lines: The results in the order of the data set, as lines without their breaks.
        count: How many these are.
        is_partial: Whether the run stopped before its end.

    Returns:
        The file: `results.jsonl` or `results.partial.jsonl`; the other of the two is deleted.

    Raises:
        ProblemsError: A result cannot be held by a file.
        OSError: The file cannot be written; nothing is deleted.
    """
    path, other = directory / RESULTS, directory / PARTIAL
    if is_partial:
        path, other = other, path
    head = header_line(replace(header, partial=is_partial, item_count=None), count)
    writer = ResultsWriter(str(path), head)
    try:
        for chunk in _chunks(lines):
            writer.push(chunk)
    except BaseException:
        writer.abort()
        raise
    problems = writer.finish()
    if problems:
        told = DatasetProblems(DatasetProblem(*problem) for problem in problems)
        raise ProblemsError(told, f"the results cannot be written to {path}")
    other.unlink(missing_ok=True)
    for name in (RESULTS, PARTIAL):
        for torso in directory.glob(f".{name}.*.tmp"):  # of a start that was killed here
            torso.unlink(missing_ok=True)
    return path


def settings_of(header: RunHeader, total: int, address: str | None) -> dict[str, Any]:
    """Return what a journal tells of its run.

    Args:
        header: What names the run.
        total: How many items it covers.
        address: Where the provider is; None for one that is nowhere.
    """
    members: dict[str, Any] = json.loads(header_line(replace(header, item_count=None), total))
    return {**members, "address": address}


def read_settings(settings: Mapping[str, Any]) -> tuple[RunHeader, int]:
    """Return the header of a journal's run and how many items it covers.

    Raises:
        ConfigError: The journal is not of a run over a decision data set.
    """
    try:
        header = read_header(json.dumps(settings).encode())
    except (KeyError, TypeError, ValueError):
        raise ConfigError("the journal is not of a run over a decision data set") from None
    return header, header.item_count or 0


def notes_of(torn_bytes: int) -> tuple[str, ...]:
    """Say what was lost of a journal, where something was."""
    if not torn_bytes:
        return ()
    return (f"the journal ends in a result that was being written: {torn_bytes} bytes dropped",)


def _chunks(lines: Iterable[bytes]) -> Iterable[bytes]:
    chunk = bytearray()
    for line in lines:
        chunk += line
        chunk += b"\n"
        if len(chunk) >= _CHUNK:
            yield bytes(chunk)
            chunk.clear()
    if chunk:
        yield bytes(chunk)
