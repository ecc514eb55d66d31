"""Where a command's words go: stdout carries data, stderr what is said to people."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from minos._native import printable
from minos.cli.failures import Failure

_ESCAPES = re.compile(
    r"""
      (?: \x1b\] | \x9d ) [^\x07\x1b\x9c]* (?: \x07 | \x1b\\ | \x9c )?  # OSC: titles, hyperlinks
    | (?: \x1b[PX^_] | [\x90\x98\x9e\x9f] ) [^\x1b\x9c]* (?: \x1b\\ | \x9c )?  # other strings
    | (?: \x1b\[ | \x9b ) [0-?]* [ -/]* [@-~]  # CSI: colours, cursor
    | \x1b [ -/]* [0-~]  # two-character sequences
    """,
    re.VERBOSE,
)


def plain(text: str) -> str:
    r"""Return text of data, a model or a server as it is safe to show in one line of a terminal.

    Control sequences are dropped, line breaks and tabs become spaces, and any other control or
    bidirectional character is written as `\uXXXX`.
    """
    without = _ESCAPES.sub("", text)
    return printable(re.sub(r"[\t\n\v\f\r]+", " ", without))


@dataclass(slots=True)
class Output:
    """The voice of one command.

    Attributes:
        command: Its name, such as `calibrate`.
        as_json: Whether stdout carries one JSON document and nothing else.
        quiet: Whether only data, problems and failures are told.
    """

    command: str
    as_json: bool = False
    quiet: bool = False
    _files: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """Tell people something, on stderr; nothing when quiet."""
        if not self.quiet:
            print(text, file=sys.stderr)

    def note(self, text: str) -> None:
        """Tell people what they should not miss, on stderr, quiet or not."""
        print(f"note: {plain(text)}", file=sys.stderr)

    def data(self, text: str) -> None:
        """Print a line of data on stdout; not for a command that prints JSON."""
        if not self.as_json:
            print(text, flush=True)  # in its place between the lines for people

    def wrote(self, path: str | PathLike[str]) -> None:
        """Name a file that was written: a line on stdout, or an entry of the JSON document."""
        self._files.append(fspath(path))
        self.data(plain(fspath(path)))

    def finish(self, summary: Mapping[str, Any]) -> None:
        """End with the JSON document, where one was asked for.

        Args:
            summary: What the command found, as JSON values; numbers are finite.
        """
        if self.as_json:
            document = {
                "kind": "minos-output",
                "command": self.command,
                "files": self._files,
                "summary": summary,
            }
            print(json.dumps(document, ensure_ascii=False, allow_nan=False))


def tell(failure: Failure, *, as_json: bool) -> None:
    """Print a failure: its problems and one line on stderr, a hint where there is one.

    Args:
        failure: What went wrong.
        as_json: Whether stdout also gets it as a JSON document.
    """
    lines = [str(problem) for problem in failure.problems]
    lines.append(f"error: {plain(failure.message)}")
    if failure.hint:
        lines.append(f"hint: {plain(failure.hint)}")
    print("\n".join(lines), file=sys.stderr)
    if as_json:
        problems = [
            {"line": p.line, "code": p.code, "path": p.path, "byte": p.byte, "message": p.message}
            for p in failure.problems
        ]
        error = {"code": failure.code, "message": failure.message, "problems": problems}
        print(json.dumps({"error": error}, ensure_ascii=False))
