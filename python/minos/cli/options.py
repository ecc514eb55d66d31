"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from minos.cli.command import Settings

F = TypeVar("F", bound=Callable[..., Any])

INPUT_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
"""A file that must be there; a usage error otherwise."""


def json_option(function: F) -> F:
    """Add `--json` (the parameter `as_json`): one JSON document on stdout, failures included."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        is_eager=True,
        callback=_remember_json,
        help="Print one JSON document on stdout.",
    )(function)


def config_option(function: F) -> F:
    """Add `--config FILE` (the parameter `config_path`): the config file, or None."""
    return click.option(
        "--config",
        "config_path",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="The config file; minos.json without it.",
    )(function)


def quiet_option(function: F) -> F:
    """Add `--quiet`: no progress and no summary."""
    return click.option(
        "--quiet", "-q", is_flag=True, help="Print no progress and no summary; failures still."
    )(function)


def out_option(function: F) -> F:
    """Add `--out DIR` (a Path, or None)."""
    return click.option(
        "--out",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Write into DIR instead of minos-out/<provider>-<time>.",
    )(function)


def _remember_json(ctx: click.Context, _param: click.Parameter, value: bool) -> bool:
    if value:
        ctx.ensure_object(Settings).as_json = True
    return value
