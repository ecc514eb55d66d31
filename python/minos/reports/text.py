"""Documents as plain text: ASCII, for any terminal, log or mail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from minos._native import grapheme_length, printable
from minos.reports.document import (
    Align,
    Bar,
    BarChart,
    Block,
    Cell,
    Checks,
    Document,
    Heading,
    Inline,
    Listing,
    Name,
    Paragraph,
    Status,
    Strong,
    Table,
    Text,
    stretches,
)

_BAR_WIDTH = 20


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What a text is drawn with.

    Attributes:
        dash: An undefined figure.
        title: The line below a title.
        heading: The line below a heading.
        filled: A cell of a bar.
        empty: A cell behind a bar.
        point: What stands before a point of a list.
        status: The word for how a check came out.
        is_ascii: Whether other characters are written as escapes.
        emphasise: Sets words that should not be missed.
    """

    dash: str
    title: str
    heading: str
    filled: str
    empty: str
    point: str
    status: Callable[[Status], str]
    is_ascii: bool
    emphasise: Callable[[str], str]


ASCII = Glyphs(
    dash="-",
    title="=",
    heading="-",
    filled="#",
    empty=".",
    point="-",
    status=lambda status: str(status).upper(),
    is_ascii=True,
    emphasise=lambda words: words,
)


def render_text(document: Document) -> str:
    r"""Render a document as plain ASCII text; other characters appear as `\uXXXX`."""
    return render_with(document, ASCII)


def render_with(document: Document, glyphs: Glyphs) -> str:
    """Render a document as text that is drawn with some glyphs."""
    page = _Page(glyphs)
    title = page.text(document.title)
    parts = [[title, glyphs.title * grapheme_length(title)]]
    parts += [list(page.block(block)) for block in document.blocks]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


class _Page:
    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def block(self, block: Block) -> Iterator[str]:
        match block:
            case Heading():
                text = self.text(block.text)
                yield text
                if block.level <= 2:  # noqa: PLR2004 (the highest level of a document)
                    yield self._glyphs.heading * grapheme_length(text)
            case Paragraph():
                yield self.text(block.text)
            case Listing():
                yield from (f"  {self._glyphs.point} {self.text(each)}" for each in block.points)
            case Table():
                yield from self._table(block)
            case BarChart():
                yield from self._bars(block)
            case Checks():
                yield from self._checks(block)

    def text(self, text: Text) -> str:
        return "".join(self._inline(part) for part in stretches(text))

    def _inline(self, part: Inline) -> str:
        match part:
            case Name():
                return self._safe(part.text)
            case Strong():
                return self._glyphs.emphasise(self._safe(part.text))
            case str():
                return self._safe(part)

    def _safe(self, text: str) -> str:
        shown = printable(text)
        if not self._glyphs.is_ascii:
            return shown
        return shown.encode("ascii", "backslashreplace").decode()

    def _cell(self, cell: Cell) -> str:
        return self._glyphs.dash if cell is None else self.text(cell)

    def _table(self, table: Table) -> Iterator[str]:
        grid = [[column.title for column in table.columns]]
        grid += [[self._cell(cell) for cell in row] for row in table.rows]
        sides = [column.align for column in table.columns]
        yield from _aligned(grid, sides)

    def _bars(self, chart: BarChart) -> Iterator[str]:
        if chart.caption:
            yield self.text(chart.caption)
        grid = [[self._safe(bar.label), self._bar(bar), self._safe(bar.note)] for bar in chart.bars]
        yield from _aligned(grid, [Align.LEFT] * 3)

    def _bar(self, bar: Bar) -> str:
        filled = min(_BAR_WIDTH, max(0, int(bar.value * _BAR_WIDTH + 0.5)))
        return self._glyphs.filled * filled + self._glyphs.empty * (_BAR_WIDTH - filled)

    def _checks(self, checks: Checks) -> Iterator[str]:
        for check in checks.checks:
            detail = self.text(check.detail)
            told = f"{self._glyphs.status(check.status)} {self.text(check.name)}"
            yield f"{told}: {detail}" if detail else told
            yield from (f"    {self.text(note)}" for note in check.notes)


def _aligned(grid: Sequence[Sequence[str]], sides: Sequence[Align]) -> Iterator[str]:
    if not grid:
        return
    widths = [max(map(grapheme_length, column)) for column in zip(*grid, strict=True)]
    for row in grid:
        cells = []
        for cell, width, side in zip(row, widths, sides, strict=True):
            space = " " * (width - grapheme_length(cell))
            cells.append(cell + space if side is Align.LEFT else space + cell)
        yield "  ".join(cells).rstrip()
