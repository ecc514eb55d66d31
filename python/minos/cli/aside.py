"""Keeps what user code prints out of the data of a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def stdout_aside() -> Iterator[None]:
    """Send to stderr what is printed while the body runs, by child processes and by C code too."""
    with redirect_stdout(sys.stderr):
        if not _is_real(1) or not _is_real(2):
            yield
            return
        sys.__stdout__.flush()  # type: ignore[union-attr]
        kept = os.dup(1)
        os.dup2(2, 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def _is_real(number: int) -> bool:
    """Whether a stream of the interpreter writes to the descriptor of the process."""
    stream = sys.__stdout__ if number == 1 else sys.__stderr__
    try:
        return stream is not None and stream.fileno() == number
    except (OSError, ValueError):
        return False
