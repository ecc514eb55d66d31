"""The results of a run: what was paid for, in memory and as a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from os import PathLike, fspath
from typing import TYPE_CHECKING, overload

from minos._native import Results, ResultsWriter, Table, item_line
from minos.decisions.record_lines import header_line, read_header, read_item
from minos.decisions.records import ItemResult, RunHeader
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems

if TYPE_CHECKING:
    from minos.decisions.dataset import DecisionDataset

_LINES_AT_ONCE = 4096


class EvaluationResults(Sequence[ItemResult]):
    """The header of a run and one result for each item, in the order of the data set. Immutable.

    What comes from a file is decoded when it is looked at. What is made from objects is checked
    when it is saved or reported on.

    Example:
        >>> from datetime import UTC, datetime
        >>> from minos.answers import AnswerRecord
        >>> header = RunHeader(
        ...     dataset="support",
        ...     provider="by hand",
        ...     model=None,
        ...     started_at=datetime(2026, 11, 30, tzinfo=UTC),
        ... )
        >>> item = ItemResult(id="msg-1", answers={"urgent": AnswerRecord.noul(0.07)})
        >>> EvaluationResults(header, [item]).header.item_count
        1
    """

    __slots__ = ("_header", "_items")

    _items: tuple[ItemResult, ...] | _Stored

    def __init__(self, header: RunHeader, items: Iterable[ItemResult]) -> None:
        """Make results by hand.

        Args:
            header: What names the run; without an `item_count` it gets the number of items.
            items: The results, in the order of the data set.
        """
        self._items = items if isinstance(items, _Stored) else tuple(items)
        counted = header.item_count is not None
        self._header = header if counted else replace(header, item_count=len(self._items))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Outcome[EvaluationResults]:
        """Read a results file.

        Args:
            path: The file, which may be compressed (gzip, Zstandard).

        Returns:
            The results, or every problem of the file with its line.

        Raises:
            OSError: The file is missing or cannot be read.
        """
        return cls._of(Results.load(fspath(path)), fspath(path))

    @classmethod
    def parse(cls, text: str | bytes) -> Outcome[EvaluationResults]:
        """Read the text of a results file; see `load`."""
        is_text = isinstance(text, str)
        data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
        return cls._of(Results.parse(data, is_text), "the results")

    @classmethod
    def _of(
        cls, found: Results | list[tuple[int, str, str, int | None, str]], title: str
    ) -> Outcome[EvaluationResults]:
        if not isinstance(found, Results):
            return _err(found, title)
        return Ok(cls(read_header(found.header_json()), _Stored(found)))

    @property
    def header(self) -> RunHeader:
        """What names the run."""
        return self._header

    def save(self, path: str | PathLike[str]) -> Outcome[None]:
        """Write the results as a file: whole, or not at all.

        Args:
            path: The file; one that is there is replaced.

        Returns:
            `Ok(None)`; or every reason why the results could not be read back (a latency that is
            not a finite number, say), and nothing is written. A problem's line is the one that
            the file would have had.

        Raises:
            OSError: The file cannot be written.
            TypeError: The key of an answer, or of an option in its probabilities, is no text.
        """
        if isinstance(self._items, _Stored):
            self._items.native.save(path)
            return Ok(None)
        writer = ResultsWriter(fspath(path), self._header_line())
        try:
            for lines in _pages(self._items):
                writer.push(lines)
            problems = writer.finish()
        except BaseException:
            writer.abort()
            raise
        return _err(problems, f"cannot save {fspath(path)}") if problems else Ok(None)

    def to_native(self) -> Outcome[Results]:
        """Return the results as the native half has them.

        Returns:
            The results, or every problem of results that were made by hand; a problem's line is
            the one that a file would have had.

        Raises:
            TypeError: The key of an answer, or of an option in its probabilities, is no text.
        """
        if isinstance(self._items, _Stored):
            return Ok(self._items.native)
        data = b"".join([self._header_line(), b"\n", *_pages(self._items)])
        found = Results.parse(data, is_text=False)
        return Ok(found) if isinstance(found, Results) else _err(found, "the results")

    def with_expected(self, dataset: DecisionDataset) -> Outcome[Table]:
        """Return the answers beside the right ones, as a table: a row a question of an item.

        It has the columns of `to_table` and, behind `answer`, `expected` and
        `correct`. A question that was not answered has a row too, so that rows with an `expected`
        are the scored questions, and those of them with an `answer` the answered ones.

        Args:
            dataset: The data set that the run was over.

        Returns:
            The table, for polars, pyarrow, DuckDB, pandas and whatever else reads Arrow; or why
            the results do not fit the data set; see `CalibrationReport.create`.
        """
        native = self.to_native()
        if isinstance(native, Err):
            return native
        made = Table.of_joined(native.value, dataset.to_native())
        if isinstance(made, Table):
            return Ok(made)
        return _err(made, "the results do not fit the data set")

    def to_table(self) -> Table:
        """Return the results as a table for whatever reads Arrow: a row an answer.

        Nothing is copied on the way to polars, pyarrow, DuckDB or pandas; rows are made as they
        are read. An item that failed or answered nothing has one row, without a `question`.

        Raises:
            ProblemsError: Results that were made by hand could not be read back.
        """
        return Table.of_results(self.to_native().unwrap())

    def __arrow_c_schema__(self) -> object:
        """Return the columns of `to_table`, for readers of Arrow."""
        return Table.of_no_answers(with_expected=False, layout_plain=False).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return `to_table` to a reader of Arrow.

        Not to polars, which takes a sequence for a list of rows: give it `to_table()`.

        Args:
            requested_schema: What the reader would like; see `Table`.

        Raises:
            ProblemsError: Results that were made by hand could not be read back.
            ValueError: The requested schema is not of so many columns.
        """
        return self.to_table().__arrow_c_stream__(requested_schema)

    def _header_line(self) -> bytes:
        return header_line(self._header, len(self))

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> ItemResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ItemResult]: ...
    def __getitem__(self, index: int | slice) -> ItemResult | Sequence[ItemResult]:
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvaluationResults):
            return NotImplemented
        return self.header == other.header and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash((self.header, len(self)))

    def __reduce__(self) -> tuple[object, ...]:
        return EvaluationResults, (self.header, tuple(self))

    def __repr__(self) -> str:
        return f"EvaluationResults({self.header!r}, {len(self)} items)"


class _Stored(Sequence[ItemResult]):
    """The items of a results file, decoded when they are looked at."""

    __slots__ = ("native",)

    def __init__(self, native: Results) -> None:
        self.native = native

    def __len__(self) -> int:
        return len(self.native)

    @overload
    def __getitem__(self, index: int) -> ItemResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[ItemResult]: ...
    def __getitem__(self, index: int | slice) -> ItemResult | Sequence[ItemResult]:
        places = range(len(self))[index]
        if isinstance(places, int):
            return read_item(self.native.item_json(places))
        return tuple(read_item(self.native.item_json(place)) for place in places)


def _pages(items: Sequence[ItemResult]) -> Iterator[bytes]:
    """Render items as lines, many at once."""
    for first in range(0, len(items), _LINES_AT_ONCE):
        page = items[first : first + _LINES_AT_ONCE]
        yield b"".join(item_line(_with_text_keys(item)) + b"\n" for item in page)


def _with_text_keys(item: ItemResult) -> ItemResult:
    """Return the item; JSON would make text of any key, and so of 1 and "1" the same."""
    for key, answer in (item.answers or {}).items():
        chances = answer.probabilities
        for name in (key, *(chances if isinstance(chances, Mapping) else ())):
            if not isinstance(name, str):
                raise TypeError(
                    f"item {item.id!r}, answer {key!r}: a key must be text, not"
                    f" {type(name).__name__}"
                )
    return item


def _err(problems: list[tuple[int, str, str, int | None, str]], title: str) -> Err:
    return Err(DatasetProblems(starmap(DatasetProblem, problems)), title)
