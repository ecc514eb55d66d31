"""Documents as text for a terminal: drawn with Unicode, in colour where that is wanted."""

from __future__ import annotations

from minos.reports.document import Document, Status
from minos.reports.text import Glyphs, render_with

_MARKS = {Status.PASSED: "✓", Status.FAILED: "✗", Status.ERROR: "!", Status.SKIPPED: "-"}
_COLOURS = {Status.PASSED: 32, Status.FAILED: 31, Status.ERROR: 33, Status.SKIPPED: 2}


def render_console(document: Document, *, in_colour: bool = False) -> str:
    r"""Render a document for a terminal.

    Text of data cannot move the cursor or change colours: control and bidirectional characters
    appear as `\uXXXX`.

    Args:
        document: The document.
        in_colour: Whether to set colours with control sequences of its own.
    """

    def paint(words: str, code: int) -> str:
        return f"\x1b[{code}m{words}\x1b[0m" if in_colour else words

    glyphs = Glyphs(
        dash="—",
        title="═",
        heading="─",
        filled="█",
        empty="░",
        point="•",
        status=lambda status: paint(_MARKS[status], _COLOURS[status]),
        is_ascii=False,
        emphasise=lambda words: paint(words, 1),
    )
    return render_with(document, glyphs)
