"""Problems of one or several files on stdout, as lines or as one JSON document."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from minos.cli.failures import describe
from minos.cli.output import Output, plain, tell
from minos.problems import DatasetProblem

_SEPARATOR = b",\n"


class ProblemPrinter:
    """Prints problems as they are found, and at the end what was found in each file.

    Attributes:
        left: How many more problems are printed; None for all.
        lost: Why stdout took no more, where that happened.
    """

    def __init__(self, file_count: int, output: Output, *, most_problems: int | None) -> None:
        """Begin.

        Args:
            file_count: How many files there are; with several, each problem names its file.
            output: Whether to print lines or one JSON document, and where to say what was found.
            most_problems: How many problems are printed; None for all.
        """
        self.left = most_problems
        self.lost: OSError | None = None
        self._names_files = file_count > 1
        self._as_json = output.as_json
        self._output = output
        self._files: list[dict[str, Any]] = []
        self._warnings: list[dict[str, Any]] = []
        self._printed = self._found = 0
        self._out = sys.stdout.buffer

    def begin(self, name: str) -> None:
        """Begin a file."""
        self._files.append({"file": name})
        if self._as_json and len(self._files) == 1:
            self._out.write(b'{"problems":[')

    @property
    def form(self) -> tuple[str, str]:
        """The form that the native half renders problems in, and what stands in front of each."""
        name = self._files[-1]["file"]
        if self._as_json:
            return "json", f'"file":{json.dumps(name)},' if self._names_files else ""
        return "text", f"{plain(name)}: " if self._names_files else ""

    def rendered(self, problems: bytes) -> None:
        """Print problems that the native half has rendered, no more than are left."""
        count = problems.count(b"\n")
        if self._as_json and not self._printed:
            problems = problems.removeprefix(_SEPARATOR)
        self._printed += count
        if self.left is not None:
            self.left -= count
        try:
            self._out.write(problems)
            self._out.flush()
        except OSError as error:
            self.lost = error
            raise

    def objects(self, problems: Iterable[DatasetProblem]) -> None:
        """Print problems, as many as are left."""
        _, before = self.form
        for problem in problems:
            if self.left == 0:
                return
            if self._as_json:
                members = {name: getattr(problem, name) for name in DatasetProblem.__slots__}
                line = _SEPARATOR + b"{" + before.encode() + _json(members)[1:].encode()
            else:
                line = f"{before}{problem}\n".encode()
            self.rendered(line)

    def warnings(self, warnings: Iterable[DatasetProblem]) -> None:
        """Print warnings, all of them; they are not counted as problems."""
        _, before = self.form
        for warning in warnings:
            if self._as_json:
                named = {"file": self._files[-1]["file"]} if self._names_files else {}
                members = {name: getattr(warning, name) for name in DatasetProblem.__slots__}
                self._warnings.append(named | members)
            else:
                line = warning_line(warning)
                self._out.write(f"{before}{line}\n".encode())

    def end(self, kind: str, items: int, problems: int) -> None:
        """End a file in which so many items and problems were found."""
        self._found += problems
        self._files[-1] |= {"items": items, "problems": problems}
        name = plain(self._files[-1]["file"])
        self._output.say(f"{name}: {kind}, {_count(items, 'item')}, {_count(problems, 'problem')}")

    def fail(self, error: Exception) -> None:
        """End a file that cannot be read."""
        failure = describe(error)
        self._found = max(self._found, self._printed)
        told = {"code": failure.code, "message": failure.message, "problems": []}
        self._files[-1]["error"] = told
        self._out.flush()
        tell(failure, as_json=False)

    def finish(self) -> None:
        """End what was begun."""
        more = max(self._found - self._printed, 0)
        if not self._as_json:
            self._out.write(f"and {more} more\n".encode() if more else b"")
        else:
            document: dict[str, Any] = {"more": more} if more else {}
            if self._warnings:
                document["warnings"] = self._warnings
            if self._names_files:
                document["files"] = self._files
            else:
                members = self._files[-1].items()
                document |= {name: value for name, value in members if name in ("items", "error")}
            self._out.write(b"]," + _json(document)[1:].encode() + b"\n")
        self._out.flush()


def warning_line(warning: DatasetProblem) -> str:
    """Return the line that tells a warning: `line N: warning: ...`."""
    place = f"line {warning.line}: "
    return f"{place}warning: {str(warning).removeprefix(place)}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
