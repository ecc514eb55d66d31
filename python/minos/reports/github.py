"""The checks of a document as GitHub's workflow commands: annotations of a run."""

from __future__ import annotations

from collections.abc import Iterator

from minos._native import printable
from minos.reports.document import Check, Checks, Document, Status, Text, stretches

_LONGEST = 4000
"""What an annotation shows, in characters."""


def render_github(document: Document) -> str:
    """Render a document as an error for each check that failed, and a notice with its title.

    No text of data can give a command: line breaks and control characters are encoded.
    """
    return "".join(f"{line}\n" for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if isinstance(block, Checks):
            for check in block.checks:
                if check.status in {Status.FAILED, Status.ERROR}:
                    yield f"::error::{_data(_told(check))}"
    yield f"::notice::{_data(_text(document.title))}"


def _told(check: Check) -> str:
    name, detail = _text(check.name), _text(check.detail)
    parts = [f"{name}: {detail}" if detail else name, *map(_text, check.notes)]
    return " | ".join(parts)


def _text(text: Text) -> str:
    return "".join(
        printable(part if isinstance(part, str) else part.text) for part in stretches(text)
    )


def _data(text: str) -> str:
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return cut.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
