"""`minos export`: results, items and figures as tables, for other tools."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Command
from minos.cli.options import dataset_option, json_option, quiet_option, threads_option

TABLES = ("answers", "items", "bins", "sweep")


@click.command(
    cls=Command,
    examples=[
        "minos export results.jsonl -o results.parquet",
        "minos export results.jsonl --dataset support.jsonl -o answers.csv",
        "minos export results.jsonl --dataset support.jsonl --table bins -o bins.csv",
        "minos export support.jsonl -o items.arrow",
    ],
)
@click.argument("input_path", metavar="INPUT", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out",
    "-o",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write: .csv, or with the extra 'parquet' .parquet or .arrow.",
)
@dataset_option("The data set of the results: adds the right answers.", required=False)
@click.option(
    "--table",
    type=click.Choice(TABLES),
    help="What to write: the answers or items of INPUT, or the bins or the sweep of its report.",
)
@click.option("--overwrite", is_flag=True, help="Replace FILE where it is there.")
@threads_option("file")
@json_option
@quiet_option
def command(
    *,
    input_path: Path,
    out: Path,
    dataset_path: Path | None,
    table: str | None,
    overwrite: bool,
    threads: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a table for a spreadsheet, a data frame or a database.

    INPUT is a results file, the directory of a run, or a data set. Results are read in pieces, so
    that they may be larger than memory.
    """
    from minos.cli.exporting import Export  # noqa: PLC0415
    from minos.cli.output import Output  # noqa: PLC0415

    output = Output("export", as_json=as_json, quiet=quiet)
    export = Export(
        input_path=input_path, dataset_path=dataset_path, out=out, table=table, threads=threads
    )
    export.check(overwrite=overwrite)
    export.run(output)
