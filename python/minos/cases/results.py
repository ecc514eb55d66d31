"""The results of a run over cases: a header and its attempts, in memory or in a file."""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, overload

from minos.cases.attempt import Attempt
from minos.cases.heading import CaseRunHeader, header_json, read_header
from minos.cases.lines import read_attempt
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems


class Lines(Protocol):
    """The lines of attempts, without their breaks."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> bytes: ...
    def __iter__(self) -> Iterator[bytes]: ...


class CaseResults(Sequence[Attempt]):
    """The attempts of a run, in the order of the data sets, then of the attempts. Immutable.

    An attempt is decoded when it is asked for; those of a file stay in the file.

    Attributes:
        header: What names the run.
    """

    def __init__(self, header: CaseRunHeader, lines: Lines) -> None:
        """Take a header and lines that have been found right. Use `load`."""
        self.header = header
        self._lines = lines

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Outcome[CaseResults]:
        """Read a results file.

        Returns:
            The results, or every problem with its line.

        Raises:
            OSError: The file is missing or cannot be read.
        """
        source = Path(path)
        offsets = array("Q")
        problems: list[DatasetProblem] = []
        header: CaseRunHeader | None = None
        with source.open("rb") as file:
            at = 0
            for number, line in enumerate(file, start=1):
                told = _check(line, is_header=number == 1)
                if isinstance(told, CaseRunHeader):
                    header = told
                elif told is None:
                    offsets.append(at)
                else:
                    code, message = told
                    problems.append(DatasetProblem(number, code, "", None, message))
                at += len(line)
        if header is None and not problems:
            problems.append(DatasetProblem(1, "invalid-header", "", None, "The file is empty."))
        if header is None or problems:
            return Err(DatasetProblems(problems), f"Failed to load results {source}")
        return Ok(cls(header, _FileLines(source, offsets)))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the results in one stroke.

        Raises:
            OSError: The file cannot be written; one that was there before stays.
        """
        write_results(Path(path), self.header, self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> Attempt: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Attempt]: ...
    def __getitem__(self, index: int | slice) -> Attempt | Sequence[Attempt]:
        if isinstance(index, slice):
            return [self[each] for each in range(len(self))[index]]
        return read_attempt(json.loads(self._lines[range(len(self))[index]]))

    def __iter__(self) -> Iterator[Attempt]:
        return (read_attempt(json.loads(line)) for line in self._lines)

    def by_case(self) -> Iterator[tuple[str, list[Attempt]]]:
        """Yield the key of each case with its attempts."""
        grouped = groupby(self, key=lambda attempt: attempt.key)
        return ((key, list(attempts)) for key, attempts in grouped)

    def __repr__(self) -> str:
        return f"CaseResults({self.header.subject!r}, {len(self)} attempts)"


def write_results(path: Path, header: CaseRunHeader, lines: Iterable[bytes]) -> CaseResults:
    """Write a results file in one stroke: a temporary file in the same folder, then a rename.

    Returns:
        The results, as they stand in the file.

    Raises:
        OSError: It cannot be written; a file that was there before stays.
    """
    fresh = path.with_name(f".{path.name}.new")
    offsets = array("Q")
    try:
        with fresh.open("wb") as file:
            at = file.write(json.dumps(header_json(header), ensure_ascii=False).encode() + b"\n")
            for line in lines:
                offsets.append(at)
                at += file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    return CaseResults(header, _FileLines(path, offsets))


class _FileLines:
    """The lines of a file, read where they are asked for; 8 bytes a line."""

    def __init__(self, path: Path, offsets: array[int]) -> None:
        self._path = path
        self._offsets = offsets

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> bytes:
        with self._path.open("rb") as file:
            file.seek(self._offsets[index])
            return file.readline().rstrip(b"\r\n")

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as file:
            file.readline()
            for line in file:
                yield line.rstrip(b"\r\n")


def _check(line: bytes, *, is_header: bool) -> CaseRunHeader | tuple[str, str] | None:
    """Read a line: a header, nothing for an attempt that is right, or what is wrong."""
    code = "invalid-header" if is_header else "invalid-member"
    try:
        members: Any = json.loads(line)
    except ValueError:
        return "invalid-json", "The line is not valid JSON."
    if not isinstance(members, dict):
        return "not-an-object", "The line must be a JSON object."
    try:
        if is_header:
            return read_header(members)
        read_attempt(members)
    except KeyError as error:
        return code, f"'{error.args[0]}' is required."
    except (TypeError, ValueError, AttributeError) as error:
        return code, f"The line cannot be read: {error}."
    return None
