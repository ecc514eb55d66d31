"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Args:
        path: The file; one that is there is replaced.
        data: What it holds then.

    Raises:
        OSError: It cannot be written.
    """
    with new_file(path) as file:
        file.write(data)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write, which takes its place once the body has ended well.

    Args:
        path: The file; one that is there is replaced.

    Raises:
        OSError: It cannot be written.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        with fresh.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        if error.filename == str(fresh):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
