"""`minos calibrate`: asks a model about labelled items and reports how far it can be trusted."""

from __future__ import annotations

from pathlib import Path

import click

from minos.cli.command import Command
from minos.cli.failures import reading
from minos.cli.options import INPUT_FILE, config_option, json_option, out_option, quiet_option
from minos.cli.output import Output

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
    help="Run only items whose id matches; may be given several times.",
)
@out_option
@click.option(
    "--resume",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Go on with the run in DIR: ask only for what it does not hold.",
)
@click.option("--retry-failed", is_flag=True, help="With --resume: ask again where it may pass.")
@click.option("--overwrite", is_flag=True, help="Replace a run in --out that did not end.")
@json_option
@quiet_option
def command(
    *,
    dataset_path: Path,
    config_path: Path | None,
    section: str | None,
    model: str | None,
    parallel: int,
    prices_path: Path | None,
    timeout_s: float | None,
    run_timeout_s: float | None,
    rpm: float | None,
    tpm: float | None,
    cache_path: Path | None,
    cache_max_age_s: float | None,
    max_cost_usd: float | None,
    max_requests: int | None,
    limit: int | None,
    sample: int | None,
    sample_seed: int,
    ids: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    retry_failed: bool,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run a data set through a provider, and report how far to trust it.

    Every item is one request. What has been answered is on disk at once: a run that stops or is
    killed can be gone on with.
    """
    _check_directories(out, resume, retry_failed=retry_failed, overwrite=overwrite)

    from minos import config  # noqa: PLC0415
    from minos.attempts.sync import run_in_own_loop  # noqa: PLC0415
    from minos.cli.calibration import Calibration  # noqa: PLC0415
    from minos.cli.outdir import claim, refuse_unfinished  # noqa: PLC0415
    from minos.cli.report_files import summary  # noqa: PLC0415
    from minos.decisions.dataset import DecisionDataset  # noqa: PLC0415
    from minos.decisions.heading import choose  # noqa: PLC0415
    from minos.decisions.options import DatasetRunOptions  # noqa: PLC0415
    from minos.decisions.prices import PriceTable  # noqa: PLC0415

    output = Output("calibrate", as_json=as_json, quiet=quiet)
    settings = config.load(config_path)
    overrides = config.Overrides(
        model=model, timeout_s=timeout_s, requests_per_minute=rpm, tokens_per_minute=tpm
    )
    cache = None
    if cache_path is not None:
        from minos.providers.cache import ResponseCache  # noqa: PLC0415

        cache = ResponseCache(cache_path, max_age_s=cache_max_age_s)
    provider = settings.provider(section, overrides=overrides, cache=cache)
    prices = None
    if prices_path is not None:
        with reading(prices_path):
            prices = PriceTable.load(prices_path).unwrap()
    with reading(dataset_path):
        dataset = DecisionDataset.load(dataset_path).unwrap()
    options = DatasetRunOptions(
        dataset_name=_name_of(dataset_path),
        max_parallelism=parallel,
        run_timeout_s=run_timeout_s,
        limit=limit,
        sample=sample,
        sample_seed=sample_seed,
        ids=ids,
        max_cost_usd=max_cost_usd,
        max_requests=max_requests,
        prices=prices,
    )
    try:
        choose(options.selection(), dataset)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'--id'") from error
    if out is not None and not overwrite:
        refuse_unfinished(out)
    directory = resume or claim(settings.section_name(section), out)
    calibration = Calibration(provider, dataset, dataset_path, options, output)
    try:
        report = calibration.into(directory, go_on=resume is not None, retry_failed=retry_failed)
    finally:
        close = getattr(provider, "aclose", None)
        if close is not None:
            run_in_own_loop(close)
    output.finish(summary(report))


def _check_directories(
    out: Path | None, resume: Path | None, *, retry_failed: bool, overwrite: bool
) -> None:
    if resume is None and retry_failed:
        raise click.UsageError("--retry-failed goes with --resume")
    if resume is not None and overwrite:
        raise click.UsageError("--resume and --overwrite contradict each other")
    if resume is not None and out is not None and out.resolve() != resume.resolve():
        raise click.UsageError("--resume writes into its own directory, not into --out")


def _name_of(dataset_path: Path) -> str:
    name = dataset_path.name.removesuffix(".gz").removesuffix(".zst")
    return name.removesuffix(".jsonl")
