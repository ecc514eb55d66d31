"""The results file that a path given to a command means."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from minos.cli.output import Output
from minos.decisions.run_files import find_results


@contextmanager
def found_results(path: Path, output: Output) -> Iterator[Path]:
    """Give the file itself, or that of the run whose directory it is; notes are told.

    Args:
        path: A file or a directory.
        output: The voice of the command.

    Raises:
        ConfigError: The directory holds no results, or its journal cannot be read.
        OSError: A file cannot be read or written.
    """
    if not path.is_dir():
        yield path
        return
    with find_results(path) as found:
        for note in found.notes:
            output.note(note)
        yield found.path
