"""Data sets of cases: JSON, YAML and JSONL files, checked as a whole before anything runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, overload

from minos.cases.assertions.base import Assertion, AssertionType
from minos.cases.case import Case
from minos.cases.expected import known_right
from minos.cases.loading import Examined, examine, examine_text
from minos.cases.schema import case_of, written
from minos.outcome import Err, Ok, Outcome
from minos.unpickled import Unpickled


class CaseDataset(Unpickled, Sequence[Case]):
    """The cases of a file, in file order. Immutable; a case is decoded when it is asked for.

    Attributes:
        name: The file's name without folders and suffix.
        path: The file; None for what was not read from one.
        sha256: The SHA-256 of the file's bytes, in hexadecimal.
        warnings: What the author of the file should know; nothing of it is wrong.
        keys: What the cases are known by.
        types: The assertions that are used in it.
    """

    _instead = "load its file where it is needed"

    def __init__(self, examined: Examined) -> None:
        """Take a file in which nothing is wrong. Use `load` or `parse`.

        Raises:
            ValueError: Something is wrong in it.
        """
        if examined.problems or examined.file is None:
            raise ValueError("a data set has no problems")
        self.name = examined.name
        self.path = examined.path
        self.sha256 = examined.sha256
        self.warnings = examined.warnings
        self.keys = examined.keys
        self.types = examined.types
        self._file = examined.file

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        registry: Mapping[str, AssertionType] | None = None,
    ) -> Outcome[CaseDataset]:
        """Read a file: `.json`, `.yaml`, `.yml` or `.jsonl`.

        Args:
            path: The file.
            registry: The assertions there are; those of minos and of installed packages when left
                out.

        Returns:
            The data set, or every problem with its line. `unwrap()` raises them, with a text that
            begins `Failed to load dataset PATH: `.

        Raises:
            OSError: The file is missing or cannot be read.

        Example:
            ```python
            cases = CaseDataset.load("tests/evals/questions.yaml").unwrap()
            ```
        """
        return _outcome(examine(path, registry=registry), f"Failed to load dataset {path}")

    @classmethod
    def parse(
        cls,
        text: str | bytes,
        file_format: str,
        *,
        name: str = "dataset",
        registry: Mapping[str, AssertionType] | None = None,
    ) -> Outcome[CaseDataset]:
        """Read a text that is `json`, `yaml` or `jsonl`; see `load`."""
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        examined = examine_text(data, file_format, name=name, registry=registry)
        return _outcome(examined, "Failed to load dataset")

    @classmethod
    def build(
        cls,
        pairs: Iterable[tuple[Case, Mapping[str, Any] | Sequence[str]]],
        *,
        name: str = "dataset",
        registry: Mapping[str, AssertionType] | None = None,
    ) -> Outcome[CaseDataset]:
        """Make a data set of cases and what they expect: a map as in a file, or a list of names.

        Returns:
            The data set, or every problem; a problem's line is the place of its case, from 1.
        """
        lines = (json.dumps(written(case, expected)) for case, expected in pairs)
        return cls.parse("\n".join(lines), "jsonl", name=name, registry=registry)

    @classmethod
    def load_with_assertions(
        cls,
        path: str | PathLike[str],
        *,
        registry: Mapping[str, AssertionType] | None = None,
    ) -> Outcome[list[tuple[Case, tuple[Assertion, ...]]]]:
        """Read a file as pairs of a case and its assertions; see `load`."""
        loaded = cls.load(path, registry=registry)
        return loaded if isinstance(loaded, Err) else Ok(list(loaded.value.pairs()))

    def __len__(self) -> int:
        return len(self._file)

    @overload
    def __getitem__(self, index: int) -> Case: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Case]: ...
    def __getitem__(self, index: int | slice) -> Case | Sequence[Case]:
        if isinstance(index, slice):
            return [self[each] for each in range(len(self))[index]]
        place = range(len(self))[index]
        return self._case(place, json.loads(self._file.json(place)))

    def pair(self, index: int) -> tuple[Case, tuple[Assertion, ...]]:
        """Return a case and its assertions, in file order.

        Raises:
            IndexError: There is no such case.
            OSError: The file can no longer be read.
        """
        place = range(len(self))[index]
        value = json.loads(self._file.json(place))
        return self._case(place, value), known_right(value.get("expected"))

    def pairs(self) -> Iterator[tuple[Case, tuple[Assertion, ...]]]:
        """Yield each case with its assertions."""
        return (self.pair(index) for index in range(len(self)))

    def key(self, index: int) -> str:
        """Return what a case is known by across runs: its id, or else its content.

        The key of content is the start of the SHA-256 of input and context, and which of the cases
        with this content it is.
        """
        return self.keys.key(index)

    def line(self, index: int) -> int:
        """Return the line that a case starts on, counted from 1."""
        return self._file.line(index)

    def content(self, index: int) -> bytes:
        """Return a case as JSON text, with its assertions."""
        return self._file.json(index)

    def _case(self, place: int, value: dict[str, Any]) -> Case:
        return case_of(value, f"{self.name}#{place + 1}")

    def __repr__(self) -> str:
        return f"CaseDataset({self.name!r}, {len(self)} cases)"


def _outcome(examined: Examined, title: str) -> Outcome[CaseDataset]:
    return Err(examined.problems, title) if examined.problems else Ok(CaseDataset(examined))
