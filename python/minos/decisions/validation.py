"""Every problem of a decision data set of any size, without loading it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import starmap
from os import PathLike, fspath
from typing import TYPE_CHECKING, BinaryIO

from minos._native import Source
from minos.problems import DatasetProblem, DatasetProblems

if TYPE_CHECKING:
    from minos._native import Problem

DEFAULT_MEMORY = 1 << 30
"""How many bytes of memory ids may take unless it is said otherwise: some 100 million lines."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How a file is validated. None of it changes what is found.

    Attributes:
        threads: Threads that check lines; 0 for one on each core.
        memory: Bytes of memory that ids may take; above that they move to a nameless file in the
            system's folder for temporary files.
        most_problems: How many problems are told; None for all. All are counted.
        chunk: Bytes that are handed to a thread at once; None for the usual.
    """

    threads: int = 0
    memory: int = DEFAULT_MEMORY
    most_problems: int | None = None
    chunk: int | None = None

    def __post_init__(self) -> None:
        for name in ("threads", "memory", "most_problems", "chunk"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise ValueError(f"{name} must not be negative")


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found in a data set.

    Attributes:
        lines: Lines, blank ones included.
        items: Lines that hold an item without a problem.
        size_bytes: Bytes, decompressed.
        problem_count: Problems, those that are not in `problems` included.
        problems: The problems, or the first of them where a limit was asked for.
    """

    lines: int
    items: int
    size_bytes: int
    problem_count: int
    problems: DatasetProblems

    @property
    def is_ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.problem_count == 0


def validate(
    source: str | PathLike[str] | BinaryIO,
    *,
    threads: int = 0,
    memory: int = DEFAULT_MEMORY,
    max_problems: int | None = None,
    on_problems: Callable[[DatasetProblems], object] | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Validation:
    """Find every problem of a data set without loading it.

    `DecisionDataset.load` finds the same ones; this reads files larger than memory, on all cores,
    in buffers of a few megabytes and about 10 bytes a line (30 where the input cannot be read
    twice: a pipe, a stream, a compressed file).

    Args:
        source: A file (it may be a named pipe, and compressed with gzip or Zstandard), or a
            binary stream that is read from where it stands.
        threads: Threads that check lines; 0 for one on each core. The result is the same.
        memory: Bytes of memory that ids may take. Above that they move to a temporary file, and
            then the problems of ids that are used twice come last.
        max_problems: How many problems are kept; None for all. All are counted.
        on_problems: Called with the problems as they are found, some at a time, in the order of
            their lines. Then they are not kept: `problems` of the result is empty.
        on_progress: Called some twenty times a second with the bytes and the lines checked so
            far. What it raises ends the validation and is raised here.

    Returns:
        What was found.

    Raises:
        OSError: The source is missing or cannot be read to its end.
        ValueError: A limit is negative.

    Example:
        >>> found = validate("examples/support.jsonl")
        >>> found.is_ok
        True
    """
    limits = Limits(threads=threads, memory=memory, most_problems=max_problems)
    kept: list[DatasetProblem] = []

    def take(problems: list[Problem]) -> None:
        told = list(starmap(DatasetProblem, problems))
        if on_problems is None:
            kept.extend(told)
        else:
            on_problems(DatasetProblems(told))

    if isinstance(source, (str, PathLike)):
        opened = Source.open(fspath(source))
    else:
        opened = Source.of(source)
    lines, items, count, size_bytes = opened.validate("objects", "", limits, take, on_progress)
    return Validation(lines, items, size_bytes, count, DatasetProblems(kept))
