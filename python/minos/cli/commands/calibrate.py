"""`minos calibrate`: asks a model about labelled items and reports how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from minos.cli.command import Command
from minos.cli.options import INPUT_FILE, config_option, json_option, out_option, quiet_option
from minos.cli.resuming import resume_options

_ABOVE_0 = click.FloatRange(min=0, min_open=True)
_AT_LEAST_1 = click.IntRange(min=1)


@click.command(
    cls=Command,
    examples=[
        "minos calibrate --dataset support.jsonl --provider embedded",
        "minos calibrate --dataset support.jsonl --provider OpenRouter --parallel 4 --max-cost 2",
        "minos calibrate --dataset support.jsonl --resume minos-out/OpenRouter-20261130-120000",
    ],
)
@click.option(
    "--dataset",
    "dataset_path",
    metavar="FILE",
    required=True,
    type=INPUT_FILE,
    help="The data set: labelled items, JSON Lines, which may be compressed.",
)
@config_option
@click.option("--provider", "section", metavar="NAME", help="The provider, by its section.")
@click.option("--model", metavar="NAME", help="The model, over file and environment.")
@click.option(
    "--parallel",
    metavar="N",
    type=_AT_LEAST_1,
    default=1,
    show_default=True,
    help="How many items run together.",
)
@click.option("--concurrency", "--workers", "workers", type=_AT_LEAST_1, hidden=True)
@click.option(
    "--prices",
    "prices_path",
    metavar="FILE",
    type=INPUT_FILE,
    help="Prices of models, for answers without a reported cost.",
)
@click.option(
    "--timeout", "timeout_s", metavar="S", type=_ABOVE_0, help="Seconds for a try; 60 without it."
)
@click.option(
    "--run-timeout", "run_timeout_s", metavar="S", type=_ABOVE_0, help="Seconds for the whole run."
)
@click.option(
    "--rpm",
    metavar="N",
    type=_ABOVE_0,
    help="Send at most N requests a minute, spaced evenly.",
)
@click.option(
    "--tpm",
    metavar="N",
    type=_ABOVE_0,
    help="Use at most N tokens a minute, as the provider counts them.",
)
@click.option(
    "--cache",
    "cache_path",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep answers in DIR, and ask only for what is not there.",
)
@click.option(
    "--cache-max-age",
    "cache_max_age_s",
    metavar="S",
    type=_ABOVE_0,
    help="With --cache: ask again after so many seconds.",
)
@click.option(
    "--max-cost",
    "max_cost_usd",
    metavar="USD",
    type=_ABOVE_0,
    help="Stop before the run costs more than this.",
)
@click.option(
    "--max-requests",
    metavar="N",
    type=_AT_LEAST_1,
    help="Stop before more requests than this are sent, retries included.",
)
@click.option("--limit", metavar="N", type=_AT_LEAST_1, help="Run only the first N items.")
@click.option(
    "--sample",
    metavar="N",
    type=_AT_LEAST_1,
    help="Run only N items, spread over the sources of the data set.",
)
@click.option(
    "--sample-seed",
    metavar="N",
    type=click.IntRange(0, 2**64 - 1),
    default=0,
    show_default=True,
    help="Which sample: the same seed draws the same one.",
)
@click.option(
    "--id",
    "ids",
    metavar="GLOB",
    multiple=True,
    help="Run only items whose id matches; may be given several times.",
)
@click.option(
    "--repeat",
    metavar="K",
    type=_AT_LEAST_1,
    default=1,
    show_default=True,
    help="Run it K times and say how many answers change.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be asked, and ask nothing.")
@out_option
@resume_options
@json_option
@quiet_option
def command(**given: Any) -> None:  # noqa: ANN401 (the parameters of CalibrateCall)
    """Run a data set through a provider, and report how far to trust it.

    Every item is one request. What has been answered is on disk at once: a run that stops or is
    killed can be gone on with.
    """
    from minos.cli.calibration.call import CalibrateCall  # noqa: PLC0415 (takes long to import)

    CalibrateCall(**given).execute()
