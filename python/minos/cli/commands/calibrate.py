"""`minos calibrate`: asks a model about labelled items and reports how far it can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from minos.cli.command import Command
from minos.cli.options import (
    ABOVE_0,
    AT_LEAST_1,
    dataset_option,
    json_option,
    out_option,
    parallel_option,
    prices_option,
    provider_options,
    quiet_option,
    run_timeout_option,
    selection_options,
    workers_option,
)
from minos.cli.resuming import resume_options


@click.command(
    cls=Command,
    examples=[
        "minos calibrate --dataset support.jsonl --provider embedded",
        "minos calibrate --dataset support.jsonl --provider OpenRouter --parallel 4 --max-cost 2",
        "minos calibrate --dataset support.jsonl --resume minos-out/OpenRouter-20261130-120000",
    ],
)
@dataset_option("The data set: labelled items, JSON Lines, which may be compressed.")
@provider_options
@parallel_option("items")
@workers_option
@prices_option
@click.option(
    "--timeout", "timeout_s", metavar="S", type=ABOVE_0, help="Seconds for a try; 60 without it."
)
@run_timeout_option
@click.option(
    "--rpm",
    metavar="N",
    type=ABOVE_0,
    help="Send at most N requests a minute, spaced evenly.",
)
@click.option(
    "--tpm",
    metavar="N",
    type=ABOVE_0,
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
    type=ABOVE_0,
    help="With --cache: ask again after so many seconds.",
)
@click.option(
    "--max-cost",
    "max_cost_usd",
    metavar="USD",
    type=ABOVE_0,
    help="Stop before the run costs more than this.",
)
@click.option(
    "--max-requests",
    metavar="N",
    type=AT_LEAST_1,
    help="Stop before more requests than this are sent, retries included.",
)
@selection_options("Run")
@click.option(
    "--repeat",
    metavar="K",
    type=AT_LEAST_1,
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
