"""What is wrong with a file, told as values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from minos._native import printable


@dataclass(frozen=True, slots=True)
class DatasetProblem:
    """One thing that is wrong with a file.

    Attributes:
        line: The line, counted from 1; 0 where there is none: for a header that does not fit its
            data set, and in a question set that is built in code.
        code: A stable name, such as `MIN003` or `duplicate-member`.
        path: Where in the line (`questions.topic.criteria`); empty where there is no such place.
        byte: The byte in the line, counted from 0, for problems of the text itself; else None.
        message: The problem in words, raw: it may hold any text of the file. `str()` of the
            problem is safe to print.
    """

    line: int
    code: str
    path: str
    byte: int | None
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {printable(self.message)}"


class DatasetProblems(Sequence[DatasetProblem]):
    """An immutable list of problems, in the order they stand in the file."""

    __slots__ = ("_problems",)

    def __init__(self, problems: Iterable[DatasetProblem]) -> None:
        self._problems = tuple(problems)

    def __len__(self) -> int:
        return len(self._problems)

    @overload
    def __getitem__(self, index: int) -> DatasetProblem: ...
    @overload
    def __getitem__(self, index: slice) -> DatasetProblems: ...
    def __getitem__(self, index: int | slice) -> DatasetProblem | DatasetProblems:
        if isinstance(index, slice):
            return DatasetProblems(self._problems[index])
        return self._problems[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DatasetProblems):
            return self._problems == other._problems
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._problems)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self._problems)

    def __repr__(self) -> str:
        return f"DatasetProblems({list(self._problems)!r})"
