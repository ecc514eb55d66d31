"""`minos eval`: asks a subject about cases and holds its answers against their assertions."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Command, Settings
from minos.cli.exit_codes import ExitCode
from minos.cli.options import (
    ABOVE_0,
    AT_LEAST_1,
    json_option,
    out_option,
    parallel_option,
    quiet_option,
    run_timeout_option,
    sample_seed_option,
    workers_option,
)
from minos.cli.resuming import resume_options

_SHARE = click.FloatRange(min=0, max=1)
_FORMATS = ("console", "text", "json", "html", "github", "junit")
_FILE = click.Path(path_type=Path)


@click.command(
    cls=Command,
    examples=[
        "minos eval tests/evals/questions.yaml --provider my_app.rag:query --threshold 0.9",
        "minos eval --command 'node bot.js' --repeat 5 --pass-rule rate:0.8 --strict",
        "minos eval --config minos-policy.yaml --provider app.py:answer --format junit -o e.xml",
        "minos eval questions.yaml --from minos-out/query-20261130-120000",
    ],
)
@click.argument("files", nargs=-1, type=_FILE)
@click.option(
    "--config",
    "--policy",
    "policy_path",
    metavar="FILE",
    type=_FILE,
    help="A policy file: data sets, repeats, gates. Options go before it.",
)
@click.option(
    "--provider",
    metavar="NAME",
    help="Ask a Python callable: pkg.module:function, file.py:function or pkg.module.function.",
)
@click.option(
    "--command",
    metavar="CMD",
    help="Ask a command: the question as JSON on its input, the answer on its output.",
)
@click.option("--url", metavar="URL", help="Ask an address: the question is posted as JSON.")
@click.option(
    "--from",
    "earlier",
    metavar="RESULTS",
    type=_FILE,
    help="Ask nobody: take the answers of an earlier run, by its directory or results file.",
)
@click.option("--repeat", metavar="N", type=AT_LEAST_1, help="Attempts of each case; 1 without it.")
@click.option(
    "--pass-rule",
    metavar="RULE",
    help="How many attempts must pass: all, any, majority or rate:0.8; all without it.",
)
@click.option("--threshold", metavar="X", type=_SHARE, help="Fail unless this share passes.")
@click.option("--strict/--no-strict", default=False, help="Fail unless every case passes.")
@click.option("--group-by", metavar="FIELD", help="Group cases by a field of their metadata.")
@click.option(
    "--group-threshold", metavar="X", type=_SHARE, help="Fail unless this share of each passes."
)
@parallel_option("attempts")
@workers_option
@click.option(
    "--timeout",
    "timeout_s",
    metavar="S",
    type=ABOVE_0,
    default=120.0,
    show_default="120",
    help="Seconds for an attempt.",
)
@run_timeout_option
@click.option(
    "--max-cost",
    "max_cost_usd",
    metavar="USD",
    type=ABOVE_0,
    help="Stop before the run costs more than this, as far as answers tell of their cost.",
)
@click.option("--limit", metavar="N", type=AT_LEAST_1, help="Run only N cases.")
@click.option(
    "--offset",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    help="Leave out the first N cases.",
)
@click.option(
    "--sample", metavar="N", type=AT_LEAST_1, help="Run only N cases, spread over --group-by."
)
@sample_seed_option
@click.option(
    "--filter",
    "filters",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Run only cases with this metadata; may be given several times.",
)
@click.option(
    "--failed-in",
    metavar="DIR",
    type=_FILE,
    help="Run only cases that did not pass in an earlier run.",
)
@click.option("--dry-run", is_flag=True, help="Say what would be asked, and ask nothing.")
@click.option(
    "--plugin",
    "plugins",
    metavar="MODULE",
    multiple=True,
    help="Take assertions from a Python module or file; may be given several times.",
)
@click.option(
    "--format",
    "report_format",
    type=click.Choice(_FORMATS),
    default="console",
    show_default=True,
    help="How the report is shown.",
)
@click.option(
    "--output", "-o", "output_path", metavar="FILE", type=_FILE, help="Write the report to FILE."
)
@out_option
@resume_options
@json_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, /, **given: object) -> ExitCode:
    """Hold answers against the assertions of cases.

    FILES are data sets (JSON, YAML, JSONL); without any, those of the policy file, or all in
    tests/evals. Without a subject the answers recorded in the data sets are taken.
    """
    from minos.cli.evaluation.call import EvalCall  # noqa: PLC0415 (takes long to import)

    if given.pop("as_json"):
        given["report_format"] = "json"
    if given["report_format"] == "json" and given["output_path"] is None:
        ctx.ensure_object(Settings).as_json = True
    return EvalCall(**given).run()  # type: ignore[arg-type]
