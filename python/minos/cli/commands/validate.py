"""`minos validate`: every problem of a file, as it is found."""

from __future__ import annotations

import click

from minos.cli.command import Command
from minos.cli.exit_codes import ExitCode
from minos.cli.options import json_option, quiet_option, threads_option

KINDS = ("auto", "decisions", "results", "cases", "agents")


_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


class _Size(click.ParamType[int]):
    """A number of bytes, such as `512M`."""

    name = "size"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        text = str(value).strip().lower().removesuffix("ib").removesuffix("b")
        number = text.rstrip("kmgt")
        unit = _UNITS.get(text[len(number) :])
        if unit is None or not number.isdecimal():
            self.fail(f"{value!r} is no size, such as 512M or 4G.", param, ctx)
        return int(number) * unit


@click.command(
    cls=Command,
    examples=[
        "minos validate support.jsonl",
        "minos validate --json part-*.jsonl.gz > problems.json",
        "zcat support.jsonl.gz | minos validate --max-problems 20 -",
    ],
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="auto",
    help="What the files are; auto, the default, goes by the name and the first line.",
)
@click.option(
    "--max-problems",
    metavar="N",
    type=click.IntRange(min=0),
    help="Print at most N problems; all are counted.",
)
@threads_option("output")
@click.option(
    "--memory",
    metavar="SIZE",
    type=_Size(),
    default="1G",
    help="Memory for the ids of a file; above it they move to a temporary file; 1G.",
)
@click.option("--chunk-bytes", type=click.IntRange(min=1), hidden=True)
@json_option
@quiet_option
def command(
    *,
    files: tuple[str, ...],
    kind: str,
    max_problems: int | None,
    threads: int,
    memory: int,
    chunk_bytes: int | None,
    as_json: bool,
    quiet: bool,
) -> ExitCode:
    """Print every problem of the files, one a line, as it is found.

    A file may be compressed (gzip, Zstandard) or a pipe; `-` is the standard input. Files of any
    size are read without being kept. Exit code 2 when there is a problem.
    """
    from minos.cli.output import Output  # noqa: PLC0415
    from minos.cli.problem_printer import ProblemPrinter  # noqa: PLC0415
    from minos.cli.validation import validate_files  # noqa: PLC0415
    from minos.decisions.validation import Limits  # noqa: PLC0415

    limits = Limits(threads=threads, memory=memory, chunk=chunk_bytes)
    output = Output("validate", as_json=as_json, quiet=quiet)
    printer = ProblemPrinter(len(files), output, most_problems=max_problems)
    return validate_files(files, kind, limits, printer, quiet=quiet)
