"""Reads the journal that a run left behind."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from minos.errors import ConfigError

KIND = "minos-journal"
FORMAT = 1
ABSENT = -1
"""The offset of an attempt that is not kept."""

_MOST_ATTEMPTS = 2**27  # more than any run has; a damaged index must not fill the memory
_RESULT = b'"result":'


@dataclass(frozen=True, slots=True)
class Recovered:
    """A journal as it was read.

    Attributes:
        path: Where it lies.
        settings: What its run was started with.
        offsets: Where the last line of each attempt starts, by index; `ABSENT` without one.
        end: Where its last whole line ends, in bytes.
        torn_bytes: Bytes of a last line that was being written when the run was killed.
    """

    path: Path
    settings: dict[str, Any]
    offsets: array[int]
    end: int
    torn_bytes: int

    def indices(self) -> Iterator[int]:
        """Yield the attempts that are kept, in ascending order."""
        return (index for index, offset in enumerate(self.offsets) if offset != ABSENT)

    def results(self) -> Iterator[tuple[int, bytes]]:
        """Read the index and the result of what is kept, in the order of the indices."""
        lines = read_results(self.path, self.offsets, self.indices())
        return zip(self.indices(), lines, strict=True)

    def entries(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Read what is kept: index, identity of the request, and result."""
        with self.path.open("rb") as file:
            for index in self.indices():
                entry = json.loads(_line_at(file, self.offsets[index]))
                yield index, entry["request"], entry["result"]


def recover(path: Path) -> Recovered:
    """Read a journal. Of an attempt with several lines the last counts.

    Raises:
        ConfigError: It cannot be read, is no journal of this version, or is damaged before its last
            line.
        FileNotFoundError: There is none.
    """
    try:
        with path.open("rb") as file:
            return _recover(path, file)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error


def _recover(path: Path, file: BinaryIO) -> Recovered:
    offsets: array[int] = array("q")
    header = file.readline()
    settings = _settings(path, header)
    end, number = len(header), 1
    while line := file.readline():
        number += 1
        index = _index(line)
        if index is None:
            if line.endswith(b"\n") and file.read(1):  # else it is being written right now
                raise _damaged(path, f"is damaged at line {number}")
            break
        while index >= len(offsets):
            offsets.extend([ABSENT] * max(1024, len(offsets)))
        offsets[index] = end
        end += len(line)
    size = file.seek(0, 2)
    return Recovered(path, settings, offsets, end, size - end)


def read_results(path: Path, offsets: array[int], indices: Iterable[int]) -> Iterator[bytes]:
    """Read the results of attempts from a journal, each as its JSON object.

    Args:
        path: The journal.
        offsets: Where the lines of attempts start.
        indices: The attempts to read; those that are not kept are left out.
    """
    if not offsets:
        return
    with path.open("rb") as file:
        for index in indices:
            if index < len(offsets) and offsets[index] != ABSENT:
                line = _line_at(file, offsets[index])
                yield line[line.index(_RESULT) + len(_RESULT) : -2]


def _line_at(file: BinaryIO, offset: int) -> bytes:
    if file.tell() != offset:
        file.seek(offset)
    return file.readline()


def _settings(path: Path, header: bytes) -> dict[str, Any]:
    try:
        head = json.loads(header)
        kind, version, settings = head["kind"], head["version"], head["settings"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _damaged(path, "has no readable header") from None
    if kind != KIND or version != FORMAT or not isinstance(settings, dict):
        raise _damaged(path, "was written by another version of minos")
    return settings


def _index(line: bytes) -> int | None:
    """Return the index of a whole line, None of one that is torn or damaged."""
    if not line.endswith(b"}\n"):
        return None
    try:
        entry = json.loads(line)
        index, request, result = entry["index"], entry["request"], entry["result"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    is_sound = type(index) is int and isinstance(request, str) and isinstance(result, dict)
    if not is_sound or not 0 <= index < _MOST_ATTEMPTS:
        return None
    # A result is cut out where its name stands first: that must be the one of the line itself.
    written = b'{"index":%d,"request":%s,"result":{' % (index, json.dumps(request).encode())
    return index if line.startswith(written) else None


def _damaged(path: Path, what: str) -> ConfigError:
    return ConfigError(f"{path} {what}", hint="start the run anew with --overwrite")
