"""Decision data sets: items with typed questions and right answers, from JSON Lines."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import BinaryIO, TypeAlias, overload
from weakref import WeakValueDictionary

from minos import _native
from minos.answers import ExpectedAnswer
from minos.content import content_from_json
from minos.outcome import Err, Ok, Outcome
from minos.problems import DatasetProblem, DatasetProblems
from minos.questions import Content, QuestionSet
from minos.unpickled import Unpickled

FilePath: TypeAlias = str | os.PathLike[str]

_RECENT_SETS = 1024


class DatasetItem(Unpickled):
    """An item of a data set: what is asked about what, and what would be right.

    A view: each part is read from the item's line when it is asked for. Items compare equal when
    everything but their line is equal, the state byte by byte.
    """

    __slots__ = ("_index", "_native", "_sets")

    _instead = "pass its id, or load its data set where it is needed"

    def __init__(self, native: _native.Dataset, sets: _QuestionSets, index: int) -> None:
        self._native = native
        self._sets = sets
        self._index = index

    @property
    def id(self) -> str:
        """The id, unique in its file."""
        return self._native.id(self._index)

    @property
    def line(self) -> int:
        """The line of the file, counted from 1, blank lines included."""
        return self._native.line(self._index)

    @property
    def state(self) -> Content:
        """What the questions are about: text, or a dict or list of JSON values.

        Read anew each time, so that changing it changes nothing here. A number is an int or a
        float; a `Decimal` where a float would overflow or lose an integer.

        Raises:
            OverflowError: A number is beyond what `Decimal` holds; use `state_json`.
        """
        state: Content = content_from_json(self.state_json)
        return state

    @property
    def state_json(self) -> bytes:
        """The state as JSON, byte for byte as it was read. This is what a provider is sent."""
        return self._native.state_json(self._index)

    @property
    def questions(self) -> QuestionSet:
        """The questions. Items with equal questions share one object."""
        return self._sets.get(self._native.question_set(self._index))

    @property
    def expected(self) -> Mapping[str, ExpectedAnswer]:
        """The right answers by question key, in the order of the file; read-only.

        A question that is not in here is asked and not scored.
        """
        answers = self._native.expected(self._index)
        return MappingProxyType({key: _expected(value) for key, value in answers})

    @property
    def source(self) -> str | None:
        """Where the item came from, in free text; None where it is not said."""
        return self._native.source(self._index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DatasetItem):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.id, self.state_json))

    def __repr__(self) -> str:
        return f"DatasetItem(id={self.id!r}, line={self.line})"

    def _content(self) -> tuple[object, ...]:
        expected = dict(self.expected)
        return self.id, self.state_json, self.questions, expected, self.source


def _expected(value: bool | str | int) -> ExpectedAnswer:
    match value:
        case bool():
            return ExpectedAnswer.noul(value)
        case str():
            return ExpectedAnswer.choice(value)
        case _:
            return ExpectedAnswer.score(value)


class DecisionDataset(Unpickled, Sequence[DatasetItem]):
    """The items of a file, in its order. Immutable; a slice is a data set too and shares its bytes.

    It takes about as much memory as its file, decompressed: items are views.

    Example:
        >>> from minos.decisions.dataset import DecisionDataset
        >>> line = (
        ...     '{"id":"m1","state":"Where is my card?","questions":{"urgent":{"type":"noul",'
        ...     '"instructions":"Must we act today?"}},"expected":{"urgent":false}}'
        ... )
        >>> dataset = DecisionDataset.parse(line).unwrap()
        >>> dataset[0].expected["urgent"].value
        False
    """

    __slots__ = ("_native", "_sets")

    _instead = "save it, and load the file where it is needed"

    def __init__(self, native: _native.Dataset) -> None:
        """Wrap what the native reader read. Use `load`, `parse` or `DecisionDatasetBuilder`."""
        self._native = native
        self._sets = _QuestionSets(native)

    @classmethod
    def load(cls, source: FilePath | BinaryIO) -> Outcome[DecisionDataset]:
        """Read a file.

        Args:
            source: A path, or a binary stream, which is read to its end. Gzip and Zstandard are
                known by their first bytes.

        Returns:
            The data set, or every problem of the file.

        Raises:
            OSError: The file is missing or cannot be read, or its compressed data is damaged.
        """
        if isinstance(source, str | os.PathLike):
            return cls._outcome(_native.Dataset.load(source), os.fspath(source))
        return cls._outcome(_native.Dataset.read(source))

    @classmethod
    def parse(cls, text: str | bytes) -> Outcome[DecisionDataset]:
        """Read the text or the bytes of a file, not compressed.

        Returns:
            The data set, or every problem. Bytes that are not UTF-8 and, in a `str`, surrogates
            are problems of their lines.
        """
        is_text = isinstance(text, str)
        data = text.encode(errors="surrogatepass") if isinstance(text, str) else bytes(text)
        return cls._outcome(_native.Dataset.parse(data, is_text))

    @classmethod
    def _outcome(
        cls,
        loaded: _native.Dataset | list[_native.Problem],
        title: str = "the data set",
    ) -> Outcome[DecisionDataset]:
        if isinstance(loaded, list):
            return Err(DatasetProblems(DatasetProblem(*told) for told in loaded), title)
        return Ok(cls(loaded))

    def save(self, path: FilePath) -> None:
        """Write the items to a file, each line as it was read; a line break ends each.

        The file appears whole or not at all, and replaces one that is there. A name that ends in
        `.gz` or `.zst` is compressed so.

        Raises:
            OSError: The file cannot be written; what stood in its place is still there.
        """
        self._native.save(path)

    def to_table(self) -> _native.Table:
        """Return the data set as a table for whatever reads Arrow: a row an item.

        Rows are made as they are read.
        """
        return _native.Table.of_items(self._native, layout_plain=False)

    def __arrow_c_schema__(self) -> object:
        """Return the columns of `to_table`, for readers of Arrow."""
        return self.to_table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return `to_table` to a reader of Arrow.

        Not to polars, which takes a sequence for a list of rows: give it `to_table()`.

        Args:
            requested_schema: What the reader would like; see `Table`.

        Raises:
            ValueError: The requested schema is not of so many columns.
        """
        return self.to_table().__arrow_c_stream__(requested_schema)

    def to_native(self) -> _native.Dataset:
        """Return the data set as the native half has it."""
        return self._native

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, index: int) -> DatasetItem: ...
    @overload
    def __getitem__(self, index: slice) -> DecisionDataset: ...
    def __getitem__(self, index: int | slice) -> DatasetItem | DecisionDataset:
        places = range(len(self))[index]
        if isinstance(places, int):
            return DatasetItem(self._native, self._sets, places)
        chosen = DecisionDataset(self._native.select(places))
        chosen._sets = self._sets
        return chosen

    def __iter__(self) -> Iterator[DatasetItem]:
        return (DatasetItem(self._native, self._sets, index) for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DecisionDataset):
            return NotImplemented
        return len(self) == len(other) and all(map(DatasetItem.__eq__, self, other))

    def __hash__(self) -> int:
        return hash(tuple(item.id for item in self))

    def __repr__(self) -> str:
        return f"DecisionDataset({len(self)} items)"


class _QuestionSets:
    """The question sets of a data set, made when they are asked for.

    A set is one object as long as somebody holds it; the latest ones are held here, all of them
    are not, since a file may have one for each line.
    """

    __slots__ = ("_known", "_native", "_recent")

    def __init__(self, native: _native.Dataset) -> None:
        self._native = native
        self._known: WeakValueDictionary[int, QuestionSet] = WeakValueDictionary()
        self._recent: deque[QuestionSet] = deque(maxlen=_RECENT_SETS)

    def get(self, number: int) -> QuestionSet:
        known = self._known.get(number)
        if known is None:
            known = QuestionSet(self._native.question_set_json(number))
            self._known[number] = known
            self._recent.append(known)
        return known
