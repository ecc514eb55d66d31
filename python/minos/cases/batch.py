"""Several data sets, run as one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from minos.cases.assertions.base import Assertion
from minos.cases.case import Case
from minos.cases.dataset import CaseDataset
from minos.cases.keys import Keys


class CaseBatch:
    """The cases of some data sets, one after the other, known by their place from 0.

    Attributes:
        datasets: The data sets.
    """

    def __init__(self, datasets: Sequence[CaseDataset]) -> None:
        """Join data sets.

        Raises:
            ConfigError: Two of them have a case with the same id.
        """
        self.datasets = tuple(datasets)
        self._starts = [0, *accumulate(len(each) for each in self.datasets)]
        if len(self.datasets) == 1:
            self._keys = self.datasets[0].keys
        else:
            self._keys = Keys.joined(each.keys for each in self.datasets)

    def __len__(self) -> int:
        return self._starts[-1]

    def pair(self, index: int) -> tuple[Case, tuple[Assertion, ...]]:
        """Return a case and its assertions."""
        dataset, place = self._place(index)
        return dataset.pair(place)

    def case(self, index: int) -> Case:
        """Return a case."""
        dataset, place = self._place(index)
        return dataset[place]

    def key(self, index: int) -> str:
        """Return what a case is known by across runs, unique among all of them."""
        return self._keys.key(index)

    def content(self, index: int) -> bytes:
        """Return a case as JSON text, with its assertions."""
        dataset, place = self._place(index)
        return dataset.content(place)

    def _place(self, index: int) -> tuple[CaseDataset, int]:
        at = bisect_right(self._starts, index) - 1
        return self.datasets[at], index - self._starts[at]
