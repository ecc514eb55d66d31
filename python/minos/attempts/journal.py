"""Keeps finished attempts on disk while a run goes on, so that a killed run loses none."""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minos.attempts.recovery import ABSENT, FORMAT, KIND, Recovered, read_results
from minos.errors import ConfigError

NAME = ".minos-journal.jsonl"
"""The file in a run's directory."""

_SYNC_EVERY_S = 1.0
_FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)


class Journal:
    """The journal of one run: a header, then a line for each attempt as it finishes.

    The file is made with the first attempt, in place of an older one, so that a run which
    finishes nothing leaves nothing. Each line is one write. Of an attempt that was made again the
    last line counts. In memory an attempt takes 8 bytes.
    """

    def __init__(
        self,
        directory: Path,
        settings: Mapping[str, Any],
        identity_of: Callable[[int], str],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Describe a journal; nothing is read or written yet.

        Args:
            directory: The directory of the run, which is there.
            settings: What the run was started with, for whoever reads the journal; JSON values.
            identity_of: What a request is known by, from its index: the `identity` of its parts.
            clock: Seconds that only go up.
        """
        self.path = directory / NAME
        self._settings = settings
        self._identity_of = identity_of
        self._clock = clock
        self._offsets: array[int] = array("q")
        self._end = 0
        self._file: int | None = None
        self._is_dirty = False
        self._synced_at = clock()

    def resume(self, recovered: Recovered) -> None:
        """Go on with the journal that an earlier start left.

        Args:
            recovered: The journal as it was read. A torn last line is cut off.

        Raises:
            ConfigError: Another process is writing to it.
            OSError: It cannot be written.
        """
        self._offsets = recovered.offsets
        self._end = recovered.end
        self._file = self._open()
        os.ftruncate(self._file, self._end)

    def __contains__(self, index: int) -> bool:
        return index < len(self._offsets) and self._offsets[index] != ABSENT

    def begin(self, results: Iterable[tuple[int, bytes]]) -> None:
        """Make the file with these results in it, in place of an older one, at one stroke.

        Args:
            results: Index and result of attempts.

        Raises:
            ConfigError: Another process is writing to it.
            OSError: It cannot be written; an older one is left as it was.
        """
        header = {"kind": KIND, "version": FORMAT, "settings": self._settings}
        offsets: array[int] = array("q")
        fresh = self.path.with_name(f"{NAME}.new")
        with fresh.open("wb") as file:
            end = file.write(json.dumps(header, ensure_ascii=False).encode() + b"\n")
            for index, line in results:
                _note(offsets, index, end)
                end += file.write(self._entry(index, line))
        self.close()
        fresh.replace(self.path)
        self._file, self._offsets, self._end = self._open(), offsets, end
        self._is_dirty = True

    def keep(self, index: int, line: bytes) -> None:
        """Append the result of an attempt.

        Raises:
            OSError: It cannot be written; the file is left as it was before.
        """
        if self._file is None:
            self.begin([(index, line)])
            return
        entry, start = self._entry(index, line), self._end
        try:
            self._end += self._write(self._file, entry)
        except BaseException:  # an interrupt may come between any two steps
            os.ftruncate(self._file, self._end)
            raise
        _note(self._offsets, index, start)
        self._is_dirty = True

    def claim_sync(self) -> bool:
        """Whether the file should be made safe now; at most one caller a second is told so."""
        now = self._clock()
        if not self._is_dirty or now - self._synced_at < _SYNC_EVERY_S:
            return False
        self._synced_at = now
        self._is_dirty = False
        return True

    def sync(self) -> None:
        """Have the disk hold what was written."""
        if self._file is not None:
            os.fsync(self._file)

    def close(self) -> None:
        """Make the file safe and let go of it; may be called twice."""
        try:
            self.sync()
        finally:
            self._let_go()

    def delete(self) -> None:
        """Remove the file, once the results stand elsewhere."""
        self._let_go()
        self.path.unlink(missing_ok=True)

    def results(self, indices: Iterable[int]) -> Iterator[bytes]:
        """Read back the results of those attempts that are kept, in the order of `indices`."""
        return read_results(self.path, self._offsets, indices)

    def _write(self, file: int, entry: bytes) -> int:
        written = os.write(file, entry)
        if written != len(entry):
            raise OSError(f"{self.path}: only {written} of {len(entry)} bytes could be written")
        return written

    def _let_go(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            os.close(file)

    def _entry(self, index: int, line: bytes) -> bytes:
        identity = self._identity_of(index).encode()
        return b'{"index":%d,"request":"%s","result":%s}\n' % (index, identity, line)

    def _open(self) -> int:
        file = os.open(self.path, _FLAGS)
        if not _locked(file):
            os.close(file)
            raise ConfigError(
                f"another process is writing to {self.path.parent}",
                hint="wait for its end, or choose another directory",
            )
        return file


@contextmanager
def hold(path: Path) -> Iterator[bool]:
    """Keep every run from going on with a journal; gives whether none is writing to it.

    Raises:
        FileNotFoundError: There is no journal.
        OSError: It cannot be opened.
    """
    file = os.open(path, _FLAGS)
    try:
        yield _locked(file, is_shared=True)
    finally:
        os.close(file)


def _note(offsets: array[int], index: int, offset: int) -> None:
    while index >= len(offsets):
        offsets.extend([ABSENT] * max(1024, len(offsets)))
    offsets[index] = offset


def _locked(file: int, *, is_shared: bool = False) -> bool:
    try:
        import fcntl  # noqa: PLC0415 (not everywhere)
    except ImportError:
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
