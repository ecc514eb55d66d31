"""How `minos validate` goes through its files."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from itertools import starmap
from pathlib import PurePath
from typing import TYPE_CHECKING

from minos._native import Source
from minos.cli.exit_codes import ExitCode
from minos.cli.failures import InputError, reading
from minos.cli.own_files import own_file
from minos.cli.problem_printer import ProblemPrinter
from minos.cli.progress import ProgressDisplay, show_progress
from minos.problems import DatasetProblem

if TYPE_CHECKING:
    from minos.decisions.validation import Limits

_STANDARD_INPUT = "-"
_CASE_SUFFIXES = {".json", ".yaml", ".yml"}
_COMPRESSED_SUFFIXES = {".gz", ".zst"}
_MEMBERS = (
    ("decisions", {"questions", "state"}),
    ("cases", {"expected", "actual_output", "evaluation_input", "context", "metadata"}),
    ("agents", {"input", "turns"}),
)
"""The members by which the first object of a file is known; the first row that fits."""
_LOOKED_AT_BYTES = 4096
_SHOWN_AFTER_S = 0.5
"""A file that is done sooner shows no progress."""


def validate_files(
    files: Iterable[str], kind: str, limits: Limits, printer: ProblemPrinter, *, quiet: bool
) -> ExitCode:
    """Validate one file after the other; one that cannot be read does not stop the others."""
    code = ExitCode.OK
    for file in files:
        printer.begin(file)
        try:
            with reading("the standard input" if file == _STANDARD_INPUT else file):
                problems = _validate_file(file, kind, limits, printer, quiet=quiet)
        except InputError as error:
            if printer.lost is not None:
                raise printer.lost from None
            printer.fail(error)
            problems = 1
        code = ExitCode.USAGE if problems else code
    printer.finish()
    return code


def _validate_file(
    file: str, kind: str, limits: Limits, printer: ProblemPrinter, *, quiet: bool
) -> int:
    """Validate a file and return how many problems it has."""
    source = Source.stdin() if file == _STANDARD_INPUT else Source.open(file)
    if kind == "auto":
        is_document = _suffix(file) in _CASE_SUFFIXES
        beginning = beginning_of(file) if is_document else source.first_line()
        own = own_file(beginning)
        if own is not None:
            raise InputError(f"{file} is {own.what}, no data set", hint=own.hint)
        kind = kind_of(beginning, otherwise="cases" if is_document else "decisions")
    match kind:
        case "decisions":
            items, problems = _validate_decisions(source, file, limits, printer, quiet=quiet)
        case "results":
            (_, items, problems, _), found = source.validate_results()
            printer.objects(starmap(DatasetProblem, found))
        case "cases":
            items, problems = _validate_cases(source, file, printer)
        case _:
            raise InputError(f"{file} looks like a data set of agents, which is not checked here")
    printer.end(kind, items, problems)
    return problems


def _validate_decisions(
    source: Source, file: str, limits: Limits, printer: ProblemPrinter, *, quiet: bool
) -> tuple[int, int]:
    form, before = printer.form
    limits = replace(limits, most_problems=printer.left)
    with ExitStack() as stack:
        progress = None if quiet else _Progress(file, stack)

        def print_problems(problems: bytes) -> None:
            if progress is not None:
                progress.make_room()
            printer.rendered(problems)

        _, items, problems, _ = source.validate(form, before, limits, print_problems, progress)
    return items, problems


def _validate_cases(source: Source, file: str, printer: ProblemPrinter) -> tuple[int, int]:
    from minos.cases.loading import examine, examine_text  # noqa: PLC0415

    if file == _STANDARD_INPUT:
        examined = examine_text(source.read(), "jsonl", name=file)
    else:
        is_known = _suffix(file) in _CASE_SUFFIXES
        examined = examine(file, file_format=None if is_known else "jsonl")
    printer.objects(examined.problems)
    printer.warnings(examined.warnings)
    return examined.count, len(examined.problems)


def kind_of(beginning: bytes, *, otherwise: str) -> str:
    """Say what a file is by its first object; what is unknown or broken is what it is otherwise."""
    try:
        value = json.loads(beginning.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return otherwise
    members = value if isinstance(value, dict) else {}
    kind = members.get("kind")
    if isinstance(kind, str) and kind.startswith("minos-") and kind.endswith("results"):
        return "results"
    if otherwise == "cases":
        return otherwise
    return next((kind for kind, names in _MEMBERS if names & members.keys()), otherwise)


def beginning_of(file: str) -> bytes:
    """Return the first bytes of a document, which may have its members on lines of their own."""
    if not os.path.isfile(file):  # noqa: PTH113 (what is no file cannot be read twice)
        return b""
    with open(file, "rb") as opened:  # noqa: PTH123 (pathlib takes long to import)
        return opened.read(_LOOKED_AT_BYTES)


def _suffix(file: str) -> str:
    path = PurePath(file)
    packed = path.suffix.lower() in _COMPRESSED_SUFFIXES
    return (path.with_suffix("") if packed else path).suffix.lower()


class _Progress:
    """Shows how far a file is once that takes its time."""

    def __init__(self, file: str, stack: ExitStack) -> None:
        self._file = file
        self._stack = stack
        self._started_s = time.monotonic()
        self._display: ProgressDisplay | None = None

    def __call__(self, size_bytes: int, lines: int) -> None:  # noqa: ARG002
        if time.monotonic() - self._started_s < _SHOWN_AFTER_S:
            return
        if self._display is None:
            shown = show_progress(_size(self._file), shown=_megabytes)
            self._display = self._stack.enter_context(shown)
        self._display.update(size_bytes)

    def make_room(self) -> None:
        """Show nothing any more where lines are printed on the same terminal."""
        if sys.stdout.isatty():
            self._stack.close()
            self._started_s = math.inf


def _size(file: str) -> int | None:
    """Return how many bytes are read of a file, where that is known before."""
    is_packed = PurePath(file).suffix.lower() in _COMPRESSED_SUFFIXES
    is_known = not is_packed and os.path.isfile(file)  # noqa: PTH113
    return os.path.getsize(file) if is_known else None  # noqa: PTH202


def _megabytes(size_bytes: float) -> str:
    return f"{size_bytes / 1e6:.0f} MB" if size_bytes < 1e9 else f"{size_bytes / 1e9:.1f} GB"  # noqa: PLR2004
