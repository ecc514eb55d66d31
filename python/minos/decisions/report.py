"""The calibration report of a run: whether the answers are right, and whether they know it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import starmap
from os import PathLike, fspath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from minos._native import report_from_files, report_from_objects
from minos.decisions.prices import ModelPrice, PriceTable, read_price
from minos.decisions.report_views import (
    CostSummary,
    Counts,
    ErrorSummary,
    KindMetrics,
    LatencySummary,
    ModelCount,
    QuestionMetrics,
    RunSummary,
    read_metrics,
    read_run,
)
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems
from minos.questions import QuestionKind

if TYPE_CHECKING:
    from minos._native import Table
    from minos.decisions.dataset import DecisionDataset
    from minos.decisions.results import EvaluationResults


@dataclass(frozen=True, slots=True, init=False, repr=False)
class CalibrationReport:
    """What a run says about a model, worked out from its results and the data set.

    Attributes:
        run: The run.
        counts: How much the results hold.
        overall: The figures over all kinds of question together.
        kinds: The figures of each kind that has a scored question in the results.
        questions: The figures of each scored question, by kind, then key; of more than 1,000 those
            that are scored most often.
        questions_omitted: How many questions are not listed.
        latency: How long answers took.
        cost: What the run cost.
        errors: How many items failed, by kind of failure, most frequent first.
        models: How many items each model answered, most frequent first.
        prices: The prices that were given.
    """

    run: RunSummary
    counts: Counts
    overall: KindMetrics
    kinds: Mapping[QuestionKind, KindMetrics]
    questions: tuple[QuestionMetrics, ...]
    questions_omitted: int
    latency: LatencySummary
    cost: CostSummary
    errors: tuple[ErrorSummary, ...]
    models: tuple[ModelCount, ...]
    prices: tuple[ModelPrice, ...]
    _json: bytes

    def __init__(self, report_json: bytes) -> None:
        """Read a report that the native half has made."""
        members: dict[str, Any] = json.loads(report_json)
        latency, cost = members["latency"], members["cost"]
        read = {
            "run": read_run(members["run"]),
            "counts": Counts(**members["counts"]),
            "overall": read_metrics(members["overall"]),
            "kinds": MappingProxyType(
                {kind: read_metrics(members[kind]) for kind in QuestionKind if kind in members}
            ),
            "questions": tuple(
                QuestionMetrics(
                    kind=QuestionKind(entry["kind"]), key=entry["key"], metrics=read_metrics(entry)
                )
                for entry in members["questions"]
            ),
            "questions_omitted": members.get("questionsOmitted", 0),
            "latency": LatencySummary(
                count=latency["count"],
                cached_count=latency["cachedCount"],
                mean=latency["mean"],
                median=latency["median"],
                p95=latency["p95"],
                max=latency["max"],
            ),
            "cost": CostSummary(
                total=cost["total"],
                per1000=cost["per1000"],
                reported=cost["reported"],
                priced=cost["priced"],
                unknown=cost["unknown"],
                cached=cost["cached"],
                is_lower_bound=cost["isLowerBound"],
            ),
            "errors": tuple(ErrorSummary(**entry) for entry in members["errors"]),
            "models": tuple(ModelCount(**entry) for entry in members["models"]),
            "prices": tuple(read_price(entry) for entry in members["prices"]),
            "_json": report_json,
        }
        for name, value in read.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return CalibrationReport, (self._json,)

    @classmethod
    def from_files(
        cls,
        results_path: str | PathLike[str],
        dataset_path: str | PathLike[str],
        prices: PriceTable | None = None,
        *,
        threads: int = 0,
    ) -> Outcome[CalibrationReport]:
        """Make a report from a results file and the data set file of its run.

        Both files are read in one pass and never held.

        Args:
            results_path: The results file.
            dataset_path: The data set file. Its expected answers may have been corrected since.
            prices: Prices for answers without a reported cost.
            threads: How many threads to use; 0 for one for each core. The report does not depend
                on it.

        Returns:
            The report; or every problem of a file; or, where both files are right, every reason
            why the results do not fit the data set, with lines of the data set file.

        Raises:
            OSError: A file is missing or cannot be read.
        """
        results, dataset = fspath(results_path), fspath(dataset_path)
        made = report_from_files(results, dataset, prices.json if prices else None, threads)
        if isinstance(made, bytes):
            return Ok(cls(made))
        what, problems = made
        titles = {
            "results": results,
            "dataset": dataset,
            "fit": f"{results} does not fit {dataset}",
        }
        return _err(problems, titles[what])

    @classmethod
    def create(
        cls,
        results: EvaluationResults,
        dataset: DecisionDataset,
        prices: PriceTable | None = None,
    ) -> Outcome[CalibrationReport]:
        """Make a report from results and the data set of their run.

        Args:
            results: The results. Partial ones, and those of a selection, may leave items out.
            dataset: The data set. Its expected answers may have been corrected since the run.
            prices: Prices for answers without a reported cost.

        Returns:
            The report; or every reason why the results do not fit the data set, or could not be
            saved. The line of a problem is the line of its item in the data set file; 0 for the
            header; the line after the last item (1 for an empty data set) for an item that the
            data set does not have.
        """
        native = results.to_native()
        if isinstance(native, Err):
            lines = _dataset_lines(results, dataset)
            told = (replace(each, line=lines[each.line - 1]) for each in native.problems)
            return Err(DatasetProblems(told), native.title)
        made = report_from_objects(
            native.value, dataset.to_native(), prices.json if prices else None
        )
        if isinstance(made, bytes):
            return Ok(cls(made))
        return _err(made, "the results do not fit the data set")

    def __repr__(self) -> str:
        return f"CalibrationReport({self.run!r}, {self.counts!r})"

    @property
    def noul(self) -> KindMetrics | None:
        """The figures of yes/no questions; None where none is scored."""
        return self.kinds.get(QuestionKind.NOUL)

    @property
    def choice(self) -> KindMetrics | None:
        """The figures of choices; None where none is scored."""
        return self.kinds.get(QuestionKind.CHOICE)

    @property
    def score(self) -> KindMetrics | None:
        """The figures of scores; None where none is scored."""
        return self.kinds.get(QuestionKind.SCORE)

    def bins_table(self) -> Table:
        """Return every reliability bin of the report as a table for whatever reads Arrow.

        Its columns are `kind` and `question` (both null for all answers together, `question` null
        for all of a kind), `measure` (`confidence` or `top_probability`), `binning` (`equal_mass`
        or `equal_width`), `bin` (counted from 0) and the members of a bin.
        """
        from minos.decisions.report_tables import bins_table  # noqa: PLC0415

        return bins_table(self)

    def sweep_table(self) -> Table:
        """Return every threshold of every sweep of the report as a table, like `bins_table`.

        Its columns are `kind`, `question` and the members of a `SweepPoint`.
        """
        from minos.decisions.report_tables import sweep_table  # noqa: PLC0415

        return sweep_table(self)

    def to_json(self) -> str:
        """Return `report.json`: the same bytes for the same input, whatever made them."""
        return self._json.decode()

    def to_markdown(self) -> str:
        """Return the report as a page to read."""
        from minos.decisions.report_document import document  # noqa: PLC0415
        from minos.reports.markdown import render_markdown  # noqa: PLC0415

        return render_markdown(document(self))


def _err(problems: list[tuple[int, str, str, int | None, str]], title: str) -> Err:
    return Err(DatasetProblems(starmap(DatasetProblem, problems)), title)


def _dataset_lines(results: EvaluationResults, dataset: DecisionDataset) -> list[int]:
    """Return for each line of a results file the line in the data set file that it is about."""
    header = 0
    lines = {item.id: item.line for item in dataset}
    by_place = list(lines.values())
    beyond = max(by_place, default=0) + 1
    by_place += [beyond] * (len(results) - len(by_place))
    items = zip(results, by_place, strict=False)
    return [header, *(lines.get(result.id, line) for result, line in items)]
