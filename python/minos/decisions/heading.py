"""The header of a run, and the items that it covers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from minos._native import Results
from minos.attempts.selection import Selection
from minos.decisions.dataset import DecisionDataset
from minos.decisions.options import DatasetRunOptions
from minos.decisions.record_lines import header_line
from minos.decisions.records import RunHeader, RunSelection
from minos.errors import ConfigError
from minos.providers.base import DecisionProvider, name_of


def header_of(
    provider: DecisionProvider,
    dataset: DecisionDataset,
    options: DatasetRunOptions,
    chosen: Sequence[int],
    started_at: datetime,
) -> RunHeader:
    """Return the header of a run that is about to start; its item count is not known yet.

    Args:
        provider: What is asked.
        dataset: The items.
        options: How they are run.
        chosen: The indices of those that are run.
        started_at: When the run starts.

    Raises:
        ConfigError: No results file could hold the header: a name that is no text, say.
    """
    header = RunHeader(
        dataset=options.dataset_name,
        provider=options.provider or name_of(provider),
        model=options.model or getattr(provider, "model", None),
        started_at=started_at,
        selection=_told(options.selection(), len(dataset), len(chosen)),
    )
    found = Results.parse(header_line(header, 0), is_text=False)
    if not isinstance(found, Results):  # better now than after the last request
        raise ConfigError(f"the results of this run could not be kept: {found[0][-1]}")
    return header


def choose(selection: Selection, dataset: DecisionDataset) -> Sequence[int]:
    """Return the indices of the items that run, in ascending order.

    Raises:
        ValueError: A pattern matches no id.
    """
    return selection.choose(
        len(dataset),
        id_of=lambda index: dataset[index].id,
        stratum_of=lambda index: dataset[index].source,
    )


def selection_of(told: RunSelection | None) -> Selection:
    """Return the selection that a header tells of."""
    if told is None:
        return Selection()
    return Selection(limit=told.limit, sample=told.sample, seed=told.seed or 0, ids=told.ids or ())


def _told(selection: Selection, of: int, count: int) -> RunSelection | None:
    if selection.is_everything:
        return None
    return RunSelection(
        of=of,
        count=count,
        limit=selection.limit,
        sample=selection.sample,
        seed=None if selection.sample is None else selection.seed,
        ids=selection.ids or None,
    )
