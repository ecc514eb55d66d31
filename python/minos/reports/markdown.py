"""Documents as Markdown (GitHub's), safe whatever the names in them hold."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from minos._native import printable
from minos.reports.document import (
    Align,
    BarChart,
    Block,
    Cell,
    Checks,
    Column,
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

DASH = "—"
"""What stands for an undefined figure."""

_BAR_WIDTH = 40
_LONGEST_NAME = 200
_MARKUP = re.compile(r"([\\`*_\[\]~|$#])")
_LIST_MARKER = re.compile(r"^(\d*)(?=[-+.)])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_STATUS = {
    Status.PASSED: "✓ passed",
    Status.FAILED: "✗ failed",
    Status.ERROR: "! error",
    Status.SKIPPED: "— skipped",
}


def render_markdown(document: Document) -> str:
    r"""Render a document as Markdown: UTF-8, `\n` line ends, one blank line between blocks.

    Names are code spans, so that nothing in them is taken for Markdown, HTML, a link or a mention.
    Control and bidirectional characters appear as `\uXXXX`. Undefined cells are a dash.
    """
    parts = [f"# {_text(document.title)}"]
    parts += ["\n".join(_block(block)) for block in document.blocks]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_text(block.text)}"
        case Paragraph():
            yield _text(block.text)
        case Listing():
            yield from (f"- {_text(point)}" for point in block.points)
        case Table():
            yield from _table(block.columns, block.rows)
        case BarChart():
            yield from _bar_chart(block)
        case Checks():
            columns = [Column(title, Align.LEFT) for title in ("Check", "Result", "Detail")]
            rows = [(check.name, _STATUS[check.status], check.detail) for check in block.checks]
            yield from _table(columns, rows)


def _text(text: Text) -> str:
    joined = "".join(_inline(part) for part in stretches(text))
    return _LIST_MARKER.sub(r"\1\\", joined.strip(" "))


def _inline(part: Inline) -> str:
    match part:
        case Name():
            return _code_span(_shown(part.text))
        case Strong():
            return f"**{_escaped(part.text)}**"
        case str():
            return _escaped(part)


def _shown(name: str) -> str:
    cut = f"{name[:_LONGEST_NAME]}…" if len(name) > _LONGEST_NAME else name
    return "".join(map(printable, cut))


def _escaped(words: str) -> str:
    marked = _MARKUP.sub(r"\\\1", "".join(map(printable, words)))
    return "".join(_ENTITIES.get(character, character) for character in marked)


def _code_span(text: str) -> str:
    if not text:
        return "(empty)"
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    is_padded = text.strip(" ") and (text[0] in "` " or text[-1] in "` ")
    return f"{fence} {text} {fence}" if is_padded else f"{fence}{text}{fence}"


def _table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    titles = [_escaped(column.title) for column in columns]
    grid = [titles, *([_cell(cell) for cell in row] for row in rows)]
    widths = [max(3, *(_width(row[place]) for row in grid)) for place in range(len(columns))]
    ruler = [
        "-" * (width - 1) + ":" if column.align is Align.RIGHT else "-" * width
        for column, width in zip(columns, widths, strict=True)
    ]
    for row in [grid[0], ruler, *grid[1:]]:
        padded = [
            _padded(cell, width, column.align)
            for cell, width, column in zip(row, widths, columns, strict=True)
        ]
        yield f"| {' | '.join(padded)} |"


def _cell(cell: Cell) -> str:
    if cell is None:
        return DASH
    return "".join(
        # A table is cut at its bars before code spans are read, so there a bar is escaped too.
        _inline(part).replace("|", r"\|") if isinstance(part, Name) else _inline(part)
        for part in stretches(cell)
    )


def _padded(cell: str, width: int, align: Align) -> str:
    space = " " * (width - _width(cell))
    return space + cell if align is Align.RIGHT else cell + space


def _width(text: str) -> int:
    """How many columns text takes in a monospaced font."""
    return sum(
        0
        if unicodedata.combining(character)
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _bar_chart(chart: BarChart) -> Iterator[str]:
    if chart.caption:
        yield _text(chart.caption)
        yield ""
    yield "```text"
    labels = [printable(bar.label) for bar in chart.bars]
    width = max((_width(label) for label in labels), default=0)
    scale = f"0{'0.5':^{_BAR_WIDTH}}1"
    yield f"{'':{width}}  {scale}"
    for label, bar in zip(labels, chart.bars, strict=True):
        drawn = _bar(bar.value, bar.mark)
        line = f"{_padded(label, width, Align.LEFT)}  {drawn}  {printable(bar.note)}"
        yield line.rstrip().replace("```", "'''")
    yield "```"


def _bar(value: float, mark: float | None) -> str:
    filled = _place(value)
    cells = ["█"] * filled + [" "] * (_BAR_WIDTH - filled)
    if mark is not None:
        cells[min(_place(mark), _BAR_WIDTH - 1)] = "┃"
    return f"▏{''.join(cells)}▏"


def _place(share: float) -> int:
    return min(_BAR_WIDTH, max(0, int(share * _BAR_WIDTH + 0.5)))
