"""The checks of a document as JUnit XML, which every CI reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from minos.reports.document import Check, Checks, Document, Status, Text, plain

_LONGEST_NAME = 500
_LONGEST_LINE = 10_000
_BREAKS = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ILLEGAL = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
_TAGS = {
    Status.FAILED: ("failure", "Assertion failed"),
    Status.ERROR: ("error", "Operational error"),
    Status.SKIPPED: ("skipped", "Skipped"),
}


def render_junit(document: Document, suite: str) -> str:
    """Render the checks of a document as a JUnit test suite; errors apart from failures.

    Characters that XML cannot hold, and bidirectional controls, appear as the replacement
    character.

    Args:
        document: The document.
        suite: The name of the suite.
    """
    checks = [
        check for block in document.blocks if isinstance(block, Checks) for check in block.checks
    ]
    return "".join(_lines(checks, suite))


def _lines(checks: Sequence[Check], suite: str) -> Iterator[str]:
    counts = {status: sum(check.status is status for check in checks) for status in Status}
    taken_s = sum(check.duration_s or 0.0 for check in checks)
    totals = (
        f'tests="{len(checks)}" failures="{counts[Status.FAILED]}"'
        f' errors="{counts[Status.ERROR]}" skipped="{counts[Status.SKIPPED]}" time="{taken_s:.3f}"'
    )
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="minos" {totals}>\n  <testsuite name={_attribute(suite)} {totals}>\n'
    for check in checks:
        yield from _case(check, suite)
    yield "  </testsuite>\n</testsuites>\n"


def _case(check: Check, suite: str) -> Iterator[str]:
    name = _attribute(_text(check.name) or "(empty)")
    head = f"    <testcase classname={_attribute(suite)} name={name}"
    head += f' time="{check.duration_s or 0.0:.3f}"'
    if check.status not in _TAGS:
        yield f"{head}/>\n"
        return
    tag, message = _TAGS[check.status]
    body = "\n".join(_body(line) for line in (check.detail, *check.notes) if line)
    yield f'{head}>\n      <{tag} message="{message}">{body}</{tag}>\n    </testcase>\n'


def _text(text: Text) -> str:
    return _ILLEGAL.sub("\ufffd", plain(text))


def _body(text: Text) -> str:
    # Line breaks are written as references, so that no line begins with text of data: a log that
    # the file is printed to may take such a line for a command.
    return escape(_cut(_text(text), _LONGEST_LINE), _BREAKS)


def _attribute(text: str) -> str:
    return quoteattr(_cut(_ILLEGAL.sub("\ufffd", text), _LONGEST_NAME), _BREAKS)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
