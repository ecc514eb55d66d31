"""`minos probe`: what a model's answers depend on that they should not depend on."""

from __future__ import annotations

from typing import Any

import click

from minos.cli.command import Command
from minos.cli.options import INPUT_FILE, config_option, json_option, out_option, quiet_option

_AT_LEAST_1 = click.IntRange(min=1)


@click.command(
    cls=Command,
    examples=[
        "minos probe --dataset support.jsonl --provider embedded",
        "minos probe --dataset support.jsonl --sample 50 --max-requests 400 --parallel 4",
    ],
)
@click.option(
    "--dataset",
    "dataset_path",
    metavar="FILE",
    required=True,
    type=INPUT_FILE,
    help="The data set whose items are asked about.",
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
    help="How many requests run together.",
)
@click.option(
    "--max-requests",
    metavar="N",
    type=_AT_LEAST_1,
    default=200,
    show_default=True,
    help="The most requests: as many items are probed as fit in whole.",
)
@click.option(
    "--max-cost",
    "max_cost_usd",
    metavar="USD",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop before the probe costs more than this.",
)
@click.option("--limit", metavar="N", type=_AT_LEAST_1, help="Choose only the first N items.")
@click.option(
    "--sample",
    metavar="N",
    type=_AT_LEAST_1,
    help="Choose only N items, spread over the sources of the data set.",
)
@click.option(
    "--sample-seed",
    metavar="N",
    type=int,
    default=0,
    show_default=True,
    help="Which sample: the same seed draws the same one.",
)
@click.option(
    "--id",
    "ids",
    metavar="GLOB",
    multiple=True,
    help="Choose only items whose id matches; may be given several times.",
)
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
