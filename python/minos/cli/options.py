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

ABOVE_0 = click.FloatRange(min=0, min_open=True)
AT_LEAST_1 = click.IntRange(min=1)


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


def dataset_option(told: str, *, required: bool = True) -> Callable[[F], F]:
    """Add `--dataset FILE` (the parameter `dataset_path`).

    Args:
        told: What the help says of it.
        required: Whether the command cannot do without it.
    """
    return click.option(
        "--dataset",
        "dataset_path",
        metavar="FILE",
        required=required,
        type=INPUT_FILE,
        help=told,
    )


def prices_option(function: F) -> F:
    """Add `--prices FILE` (the parameter `prices_path`, or None)."""
    return click.option(
        "--prices",
        "prices_path",
        metavar="FILE",
        type=INPUT_FILE,
        help="Prices of models, for answers without a reported cost.",
    )(function)


def threads_option(result: str) -> Callable[[F], F]:
    """Add `--threads N`, 0 without it: one for each core.

    Args:
        result: What comes out the same with any number of threads: `report`, say.
    """
    return click.option(
        "--threads",
        metavar="N",
        type=click.IntRange(min=0),
        default=0,
        help=f"Threads to use; 0, the default, is one for each core. The {result} is the same.",
    )


def provider_options(function: F) -> F:
    """Add what names a provider: `--config`, `--provider` (`section`) and `--model`."""
    return _all(
        config_option,
        click.option("--provider", "section", metavar="NAME", help="The provider, by its section."),
        click.option("--model", metavar="NAME", help="The model, over file and environment."),
    )(function)


def parallel_option(what: str) -> Callable[[F], F]:
    """Add `--parallel N`, 1 without it.

    Args:
        what: What runs together: `items`, say.
    """
    return click.option(
        "--parallel",
        metavar="N",
        type=AT_LEAST_1,
        default=1,
        show_default=True,
        help=f"How many {what} run together.",
    )


def workers_option(function: F) -> F:
    """Add the names that other tools have for `--parallel` (the parameter `workers`, or None)."""
    return click.option("--concurrency", "--workers", "workers", type=AT_LEAST_1, hidden=True)(
        function
    )


def run_timeout_option(function: F) -> F:
    """Add `--run-timeout S` (the parameter `run_timeout_s`, or None)."""
    return click.option(
        "--run-timeout",
        "run_timeout_s",
        metavar="S",
        type=ABOVE_0,
        help="Seconds for the whole run.",
    )(function)


def selection_options(verb: str) -> Callable[[F], F]:
    """Add what chooses items: `--limit`, `--sample`, `--sample-seed` and `--id` (`ids`).

    Args:
        verb: What is done with the chosen ones: `Run`, say.
    """
    return _all(
        click.option(
            "--limit", metavar="N", type=AT_LEAST_1, help=f"{verb} only the first N items."
        ),
        click.option(
            "--sample",
            metavar="N",
            type=AT_LEAST_1,
            help=f"{verb} only N items, spread over the sources of the data set.",
        ),
        sample_seed_option,
        click.option(
            "--id",
            "ids",
            metavar="GLOB",
            multiple=True,
            help=f"{verb} only items whose id matches; may be given several times.",
        ),
    )


def sample_seed_option(function: F) -> F:
    """Add `--sample-seed N`, 0 without it."""
    return click.option(
        "--sample-seed",
        metavar="N",
        type=click.IntRange(0, 2**64 - 1),
        default=0,
        show_default=True,
        help="Which sample: the same seed draws the same one.",
    )(function)


def _all(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Add several options, which the help shows in this order."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def _remember_json(ctx: click.Context, _param: click.Parameter, value: bool) -> bool:
    if value:
        ctx.ensure_object(Settings).as_json = True
    return value
