"""Prices of models, for providers that do not report a cost."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from os import PathLike, fspath
from pathlib import Path
from typing import Any, overload

from minos._native import Prices
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems

_FEMTODOLLARS = 10**15

_BEYOND_EVERY_FLOAT = 10**400
"""Stands for NaN and infinity, which JSON cannot hold, so that the check refuses them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrice:
    """What a model costs.

    Attributes:
        model: The model; also of every model whose id starts with it, followed by `-`.
        input_per_million: US dollars for a million tokens read.
        output_per_million: US dollars for a million tokens written.
        date: When that was the price.
        source: Where that is written.
    """

    model: str
    input_per_million: float
    output_per_million: float
    date: dt.date
    source: str


class PriceTable(Sequence[ModelPrice]):
    """An immutable list of prices, at most one for a model.

    Of the prices that match a model the longest wins: `jev-1.14` matches `jev-1.14-20261014`,
    unless there is a price for `jev-1.14-20261014` itself.
    """

    __slots__ = ("_native", "_prices", "json")

    json: bytes
    """The table as compact JSON, as a prices file holds it."""

    def __init__(self, prices: Iterable[ModelPrice]) -> None:
        """Make a table.

        Raises:
            ProblemsError: A price is wrong, or two are for the same model.
        """
        self._native = _checked(_rendered(prices), "the prices").unwrap()
        self.json = self._native.to_json()
        self._prices = _read(self.json)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Outcome[PriceTable]:
        """Read a prices file: `{"prices": [{"model", "inputPerMillion", ...}]}`.

        Args:
            path: The file.

        Returns:
            The table, or every problem of the file.

        Raises:
            OSError: The file is missing or cannot be read.
        """
        return cls._of(_checked(Path(path).read_bytes(), fspath(path)))

    @classmethod
    def parse(cls, text: str | bytes) -> Outcome[PriceTable]:
        """Read the text of a prices file; see `load`."""
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        return cls._of(_checked(data, "the prices"))

    @classmethod
    def _of(cls, checked: Outcome[Prices]) -> Outcome[PriceTable]:
        return checked if isinstance(checked, Err) else Ok(cls(_read(checked.value.to_json())))

    def find(self, model: str) -> ModelPrice | None:
        """Return the price of a model; None where none fits."""
        place = self._native.find(model)
        return None if place is None else self._prices[place]

    def cost_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return what an answer costs, in US dollars, as reports count it.

        Returns:
            None where no price fits the model.
        """
        cost = self._native.cost(model, input_tokens, output_tokens)
        return None if cost is None else cost / _FEMTODOLLARS

    def __len__(self) -> int:
        return len(self._prices)

    @overload
    def __getitem__(self, index: int) -> ModelPrice: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ModelPrice]: ...
    def __getitem__(self, index: int | slice) -> ModelPrice | Sequence[ModelPrice]:
        return self._prices[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PriceTable) and self._prices == other._prices

    def __hash__(self) -> int:
        return hash(self._prices)

    def __reduce__(self) -> tuple[object, ...]:
        return PriceTable, (self._prices,)

    def __repr__(self) -> str:
        return f"PriceTable({list(self._prices)!r})"


def read_price(members: dict[str, Any]) -> ModelPrice:
    """Read one price as a prices file or a report holds it, found right."""
    return ModelPrice(
        model=members["model"],
        input_per_million=members["inputPerMillion"],
        output_per_million=members["outputPerMillion"],
        date=dt.date.fromisoformat(members["date"]),
        source=members["source"],
    )


def _read(table: bytes) -> tuple[ModelPrice, ...]:
    return tuple(read_price(members) for members in json.loads(table)["prices"])


def _checked(data: bytes, title: str) -> Outcome[Prices]:
    found = Prices.parse(data)
    if isinstance(found, Prices):
        return Ok(found)
    return Err(DatasetProblems(starmap(DatasetProblem, found)), title)


def _rendered(prices: Iterable[ModelPrice]) -> bytes:
    entries = [
        {
            "model": price.model,
            "inputPerMillion": _number(price.input_per_million),
            "outputPerMillion": _number(price.output_per_million),
            "date": price.date.isoformat(),
            "source": price.source,
        }
        for price in prices
    ]
    return json.dumps({"prices": entries}).encode()


def _number(value: float) -> float:
    return value if math.isfinite(value) else _BEYOND_EVERY_FLOAT
