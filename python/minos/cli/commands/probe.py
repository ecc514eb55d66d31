"""`minos probe`: what a model's answers depend on that they should not depend on."""

from __future__ import annotations

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
    provider_options,
    quiet_option,
    selection_options,
)


@click.command(
    cls=Command,
    examples=[
        "minos probe --dataset support.jsonl --provider embedded",
        "minos probe --dataset support.jsonl --sample 50 --max-requests 400 --parallel 4",
    ],
)
@dataset_option("The data set whose items are asked about.")
@provider_options
@parallel_option("requests")
@click.option(
    "--max-requests",
    metavar="N",
    type=AT_LEAST_1,
    default=200,
    show_default=True,
    help="The most requests: as many items are probed as fit in whole.",
)
@click.option(
    "--max-cost",
    "max_cost_usd",
    metavar="USD",
    type=ABOVE_0,
    help="Stop before the probe costs more than this.",
)
@selection_options("Choose")
@out_option
@json_option
@quiet_option
def command(**given: Any) -> None:  # noqa: ANN401 (the parameters of ProbeCall)
    """Ask about your own items in other words, and tell which answers change.

    Each item is asked about as it stands, once more the same, with the options of its choices
    and its questions in reverse order, and one question at a time.
    """
    from minos.cli.probing import ProbeCall  # noqa: PLC0415 (takes long to import)

    ProbeCall(**given).execute()
