"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Args:
        path: The file; one that is there is replaced.
        data: What it holds then.

    Raises:
        OSError: It cannot be written.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.write_bytes(data)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
