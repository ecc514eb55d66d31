"""`minos report`: the report of an earlier run, made again from what it paid for."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Command
from minos.cli.failures import reading
from minos.cli.options import (
    dataset_option,
    json_option,
    out_option,
    prices_option,
    quiet_option,
    threads_option,
)
from minos.cli.output import Output


@click.command(
    cls=Command,
    examples=[
        "minos report --results minos-out/embedded-20261130-120000 --dataset support.jsonl",
        "minos report --results results.jsonl --dataset support.jsonl --prices prices.json --out .",
    ],
)
@click.option(
    "--results",
    "results_path",
    metavar="PATH",
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="The results file of a run, or its directory.",
)
@dataset_option("The data set that the run was over.")
@prices_option
@out_option
@threads_option("report")
@json_option
@quiet_option
def command(
    *,
    results_path: Path,
    dataset_path: Path,
    prices_path: Path | None,
    out: Path | None,
    threads: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make the report of an earlier run again.

    Nothing is asked of a provider, so it costs nothing: this is how new prices or a corrected
    expected answer are applied. A run that was killed is reported on as far as it got.
    """
    from minos.cli.found import found_results  # noqa: PLC0415
    from minos.cli.outdir import claim  # noqa: PLC0415
    from minos.cli.report_files import summary, write_report  # noqa: PLC0415
    from minos.decisions.prices import PriceTable  # noqa: PLC0415
    from minos.decisions.report import CalibrationReport  # noqa: PLC0415

    output = Output("report", as_json=as_json, quiet=quiet)
    prices = None
    if prices_path is not None:
        with reading(prices_path):
            prices = PriceTable.load(prices_path).unwrap()
    with found_results(results_path, output) as path, reading():
        report = CalibrationReport.from_files(path, dataset_path, prices, threads=threads).unwrap()
    directory = claim(report.run.provider, out)
    write_report(output, report, directory)
    output.finish(summary(report))
