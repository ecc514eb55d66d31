"""The options of commands that can go on with an earlier run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def resume_options(function: F) -> F:
    """Add `--resume DIR` (a Path, or None), `--retry-failed` and `--overwrite`."""
    for option in (
        click.option("--overwrite", is_flag=True, help="Replace a run in --out that did not end."),
        click.option(
            "--retry-failed",
            is_flag=True,
            help="With --resume: ask again for failures that may pass.",
        ),
        click.option(
            "--resume",
            metavar="DIR",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="Go on with the run in DIR: ask only for what it does not hold.",
        ),
    ):
        function = option(function)
    return function


def check_directories(
    out: Path | None, resume: Path | None, *, retry_failed: bool, overwrite: bool
) -> None:
    """Refuse directories and flags that contradict each other.

    Raises:
        click.UsageError: They do.
    """
    if resume is None and retry_failed:
        raise click.UsageError("--retry-failed goes with --resume")
    if resume is not None and overwrite:
        raise click.UsageError("--resume and --overwrite contradict each other")
    if resume is not None and out is not None and out.resolve() != resume.resolve():
        raise click.UsageError("--resume writes into its own directory, not into --out")
