"""The directory a command writes into: made before anything is asked, and never one in use."""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from errno import ENOTDIR
from pathlib import Path

from minos.errors import ConfigError

MARKER = ".minos-run"
"""The empty file that marks a default directory as taken by one run."""

_UNFINISHED = (".minos-journal.jsonl", "results.partial.jsonl")


def _now() -> datetime:
    return datetime.now(UTC)


def claim(
    section: str,
    out: Path | None = None,
    *,
    root: Path = Path(),
    now: Callable[[], datetime] = _now,
) -> Path:
    """Make the output directory of a command, ready to be written into.

    Args:
        section: The name of the provider's section; its unusual characters become `-`.
        out: The directory the user named. It is made where it is missing, gets no marker, and the
            files in it are overwritten. Without it, `minos-out/<section>-<yyyyMMdd-HHmmss>` (UTC)
            is made and marked; where that is taken, the name ends in `-2`, `-3` and so on.
        root: The directory in which `minos-out` lies; the current one.
        now: The clock.

    Raises:
        OSError: The directory cannot be made or cannot be written.
    """
    if out is not None:
        if out.exists() and not out.is_dir():
            raise NotADirectoryError(ENOTDIR, "is not a directory to write into", str(out))
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            return out
    parent = root / "minos-out"
    parent.mkdir(parents=True, exist_ok=True)
    name = f"{_file_name(section)}-{now().astimezone(UTC):%Y%m%d-%H%M%S}"
    for count in itertools.count(1):
        path = parent / (name if count == 1 else f"{name}-{count}")
        try:
            path.mkdir()
        except FileExistsError:
            continue
        (path / MARKER).touch(exist_ok=False)
        return path
    raise AssertionError("counting does not end")


def refuse_unfinished(out: Path) -> None:
    """Refuse a directory that holds a run which did not end.

    For commands that send requests, before the first of them; not with `--resume` or
    `--overwrite`.

    Raises:
        ConfigError: The directory holds a journal or partial results.
    """
    for name in _UNFINISHED:
        if (out / name).exists():
            raise ConfigError(
                f"{out} holds a run that did not end ({name})",
                hint=f"finish it with --resume {out}, or replace it with --overwrite",
            )


def _file_name(section: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", section).strip(".") or "provider"
