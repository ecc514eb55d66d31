"""A call of `minos calibrate`, with everything that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from minos.cli.calibration.dry_run import tell_estimate
from minos.cli.calibration.repeating import Repeating, holds_repeats, repeat_directory
from minos.cli.calibration.running import Calibration
from minos.cli.failures import reading
from minos.cli.outdir import claim, refuse_unfinished
from minos.cli.output import Output
from minos.cli.report_files import summary
from minos.cli.resuming import check_directories
from minos.config import Config, Overrides, load
from minos.decisions.dataset import DecisionDataset
from minos.decisions.estimate import check_cost_limit
from minos.decisions.heading import choose
from minos.decisions.options import DatasetRunOptions
from minos.decisions.prices import PriceTable
from minos.providers.base import DecisionProvider
from minos.providers.cache import ResponseCache


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateCall:
    """The options of the command, under the names of its parameters."""

    dataset_path: Path
    config_path: Path | None
    section: str | None
    model: str | None
    parallel: int
    workers: int | None
    prices_path: Path | None
    timeout_s: float | None
    run_timeout_s: float | None
    rpm: float | None
    tpm: float | None
    max_cost_usd: float | None
    max_requests: int | None
    limit: int | None
    sample: int | None
    sample_seed: int
    ids: tuple[str, ...]
    repeat: int
    cache_path: Path | None
    cache_max_age_s: float | None
    dry_run: bool
    out: Path | None
    resume: Path | None
    retry_failed: bool
    overwrite: bool
    as_json: bool
    quiet: bool

    def execute(self) -> None:
        """Do what was asked.

        Raises:
            ConfigError: Settings are wrong, or the directory holds another run.
            ProblemsError: The data set, the prices or earlier results have problems.
            InputError: A file cannot be read.
            RunError: The run stopped before its end, or got no answer.
            click.UsageError: Options contradict each other, or fit nothing in the data set.
        """
        self._check()
        output = Output("calibrate", as_json=self.as_json, quiet=self.quiet)
        config = load(self.config_path)
        provider = self._provider(config, None, 1)
        options = self._options()
        check_cost_limit(provider, options.max_cost_usd, options.prices)
        with reading(self.dataset_path):
            dataset = DecisionDataset.load(self.dataset_path).unwrap()
        try:
            choose(options.selection(), dataset)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="'--id'") from error
        if self.dry_run:
            self._tell(output, provider, dataset, options)
            return
        directory = self._directory(config.section_name(self.section))
        cache = self._cache()
        calibration = Calibration(
            lambda number: self._provider(config, cache, number),
            dataset,
            self.dataset_path,
            options,
            output,
            is_resumed=self.resume is not None,
            retry_failed=self.retry_failed,
        )
        if self.repeat == 1:
            output.finish(summary(calibration.into(directory).report))
        else:
            output.finish(Repeating(calibration, directory, self.repeat).run())

    def _check(self) -> None:
        check_directories(
            self.out, self.resume, retry_failed=self.retry_failed, overwrite=self.overwrite
        )
        if self.cache_max_age_s is not None and self.cache_path is None:
            raise click.UsageError("--cache-max-age goes with --cache")
        if self.resume is None:
            return
        if holds_repeats(self.resume) and self.repeat == 1:
            raise click.UsageError(f"{self.resume} holds a repeated run: say --repeat again")
        if self.repeat > 1 and not holds_repeats(self.resume) and _holds_run(self.resume):
            raise click.UsageError(f"{self.resume} holds a run that is not repeated")

    def _options(self) -> DatasetRunOptions:
        prices = None
        if self.prices_path is not None:
            with reading(self.prices_path):
                prices = PriceTable.load(self.prices_path).unwrap()
        return DatasetRunOptions(
            dataset_name=name_of(self.dataset_path),
            max_parallelism=self.workers or self.parallel,
            run_timeout_s=self.run_timeout_s,
            limit=self.limit,
            sample=self.sample,
            sample_seed=self.sample_seed,
            ids=self.ids,
            max_cost_usd=self.max_cost_usd,
            max_requests=self.max_requests,
            prices=prices,
        )

    def _provider(
        self, config: Config, cache: ResponseCache | None, number: int
    ) -> DecisionProvider:
        overrides = Overrides(
            model=self.model,
            timeout_s=self.timeout_s,
            requests_per_minute=self.rpm,
            tokens_per_minute=self.tpm,
        )
        return config.provider(self.section, overrides=overrides, cache=cache, repeat=number)

    def _cache(self) -> ResponseCache | None:
        if self.cache_path is None:
            return None
        return ResponseCache(self.cache_path, max_age_s=self.cache_max_age_s)

    def _directory(self, section_name: str) -> Path:
        if self.resume is not None:
            return self.resume
        if self.out is not None and not self.overwrite:
            for directory in (self.out, *sorted(self.out.glob("repeat-*"))):
                refuse_unfinished(directory)
        return claim(section_name, self.out)

    def _tell(
        self,
        output: Output,
        provider: DecisionProvider,
        dataset: DecisionDataset,
        options: DatasetRunOptions,
    ) -> None:
        calibration = Calibration(
            lambda _: provider,
            dataset,
            self.dataset_path,
            options,
            output,
            is_resumed=self.resume is not None,
            retry_failed=self.retry_failed,
        )
        directory = self.resume or Path()
        repeats = [directory]
        if self.repeat > 1:
            repeats = [repeat_directory(directory, k) for k in range(1, self.repeat + 1)]
        runs = [calibration.prepare(provider, each) for each in repeats]
        tell_estimate(output, [each.estimate() for each in runs], options, runs[0].total)


def _holds_run(directory: Path) -> bool:
    return any(directory.glob("results*.jsonl")) or any(directory.glob(".minos-journal.jsonl"))


def name_of(dataset_path: Path) -> str:
    """Return the name of a data set: that of its file, without what says how it is written."""
    name = dataset_path.name.removesuffix(".gz").removesuffix(".zst")
    # A name that is no text, which there is on some file systems, gets question marks.
    return name.removesuffix(".jsonl").encode(errors="replace").decode()
