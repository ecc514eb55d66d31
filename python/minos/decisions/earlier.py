"""What an earlier start of a run left behind, and whether the run may go on from there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minos._native import item_line
from minos.attempts.resume import check_settings
from minos.decisions.costs import cost_usd
from minos.decisions.dataset import DecisionDataset
from minos.decisions.options import DatasetRunOptions
from minos.decisions.record_lines import read_item
from minos.decisions.records import RunHeader
from minos.decisions.results import EvaluationResults
from minos.decisions.run_files import PARTIAL, RESULTS
from minos.errors import ConfigError, DecisionErrorKind

PASSING = frozenset(
    {
        DecisionErrorKind.RATE_LIMITED,
        DecisionErrorKind.OVERLOADED,
        DecisionErrorKind.SERVER,
        DecisionErrorKind.NETWORK,
        DecisionErrorKind.TIMEOUT,
        DecisionErrorKind.CANCELLED,
    }
)
"""Failures that may pass, and that are asked for again when that is wanted."""


class Again:
    """Decides which kept results are asked for again, and adds up what they cost.

    Attributes:
        count: How many are.
        cost_usd: What they cost, as far as it is known, in US dollars.
    """

    def __init__(self, options: DatasetRunOptions, *, retry_failed: bool) -> None:
        self._prices = options.prices
        self._is_wanted = retry_failed
        self.count = 0
        self.cost_usd = 0.0

    def is_wanted(self, result: dict[str, Any]) -> bool:
        """Whether a result, as a line of a results file holds it, is asked for again."""
        if not self._is_wanted or not has_passing_error(result):
            return False
        self.count += 1
        self.cost_usd += cost_usd(read_item(json.dumps(result).encode()), self._prices) or 0.0
        return True


def has_error(result: dict[str, Any]) -> bool:
    """Whether a result, as a line of a results file holds it, is a failure."""
    return "error" in result


def has_passing_error(result: dict[str, Any]) -> bool:
    """Whether a result, as a line of a results file holds it, is a failure that may pass."""
    return has_error(result) and result["error"]["kind"] in PASSING


def load_results(directory: Path) -> EvaluationResults | None:
    """Read the results that lie in a directory without a journal; None where there are none.

    Raises:
        ProblemsError: They have problems.
    """
    for name in (RESULTS, PARTIAL):
        if (directory / name).exists():
            return EvaluationResults.load(directory / name).unwrap()
    return None


def indexed(
    results: EvaluationResults, dataset: DecisionDataset, chosen: Sequence[int]
) -> Iterator[tuple[int, bytes]]:
    """Yield results with the indices of their items; both stand in the order of the data set.

    Raises:
        ConfigError: A result is of none of the chosen items.
    """
    rest = iter(chosen)
    for result in results:
        for index in rest:
            if dataset[index].id == result.id:
                yield index, item_line(result)
                break
        else:
            raise ConfigError(
                f"the data set has changed since the run was started: {result.id!r} is not where"
                " it was",
                hint="resume with the data set as it was, or start another run",
            )


def check_header(earlier: RunHeader, current: RunHeader) -> None:
    """Refuse to go on with a run of another provider, model or selection.

    Raises:
        ConfigError: One of them differs. A current run without a selection takes the earlier's.
    """
    was = {"provider": earlier.provider, "model": earlier.model}
    now = {"provider": current.provider, "model": current.model}
    check_settings(was, now, ("provider", "model"))
    if current.selection is None:
        return
    if earlier.selection is None or _parts(earlier) != _parts(current):
        raise ConfigError(
            "the run was started with another selection of items",
            hint="leave the selection out, or start another run",
        )


def _parts(header: RunHeader) -> tuple[object, ...]:
    chosen = header.selection
    return (chosen.limit, chosen.sample, chosen.seed, chosen.ids) if chosen else ()
