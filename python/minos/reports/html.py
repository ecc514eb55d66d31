"""Documents as one HTML page that needs nothing else and runs nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from html import escape

from minos._native import printable
from minos.reports.document import (
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
    Strong,
    Table,
    Text,
    plain,
    stretches,
)

DASH = "—"
"""What stands for an undefined figure."""

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #cf222e; --odd: #9a6700 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
code { font: .9em ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
  background: #8882; border-radius: .25rem; padding: .1em .3em }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid var(--line); padding: .3rem .7rem; text-align: left;
  vertical-align: top }
th { font-weight: 600 }
.right { text-align: right; font-variant-numeric: tabular-nums }
.passed { color: var(--good) } .failed { color: var(--bad) } .error { color: var(--odd) }
svg { width: 16rem; height: .8rem; vertical-align: middle }
.back { fill: #8883 } .front { fill: #0969da } .mark { fill: var(--odd) }
""".strip()
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'"


def render_html(document: Document) -> str:
    r"""Render a document as one HTML page: no script, no address, nothing from elsewhere.

    Everything is escaped, and a policy in the page keeps a browser from loading or running
    anything. Control and bidirectional characters appear as `\uXXXX`; undefined cells are a dash.
    """
    return "".join(_page(document))


def _page(document: Document) -> Iterator[str]:
    title = _data(plain(document.title))
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
    )
    yield f"<h1>{_text(document.title)}</h1>\n"
    for block in document.blocks:
        yield from _block(block)
    yield "</body>\n</html>\n"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            level = min(max(block.level, 2), 6)
            yield f"<h{level}>{_text(block.text)}</h{level}>\n"
        case Paragraph():
            yield f"<p>{_text(block.text)}</p>\n"
        case Listing():
            yield "<ul>\n"
            yield from (f"<li>{_text(point)}</li>\n" for point in block.points)
            yield "</ul>\n"
        case Table():
            yield from _table(block)
        case BarChart():
            yield from _bars(block)
        case Checks():
            yield from _checks(block)


def _text(text: Text) -> str:
    return "".join(_inline(part) for part in stretches(text))


def _inline(part: Inline) -> str:
    match part:
        case Name():
            return f"<code>{_data(part.text)}</code>"
        case Strong():
            return f"<strong>{escape(printable(part.text))}</strong>"
        case str():
            return escape(printable(part))


def _data(text: str) -> str:
    """Make text of data safe to show, however long it is; its line breaks stay.

    They are written as references, so that no line of the page begins with text of data: a log
    that the page is printed to may take such a line for a command.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return "&#10;".join(
        escape("".join(printable(line[at : at + _PIECE]) for at in range(0, len(line), _PIECE)))
        for line in lines
    )


_PIECE = 200
"""As much as is printed at a time without a cut."""


def _cell(cell: Cell) -> str:
    return DASH if cell is None else _text(cell)


def _table(table: Table) -> Iterator[str]:
    sides = [f' class="{column.align}"' for column in table.columns]
    heads = zip(sides, table.columns, strict=True)
    yield "<table>\n<tr>"
    yield from (f"<th{side}>{escape(printable(column.title))}</th>" for side, column in heads)
    yield "</tr>\n"
    for row in table.rows:
        cells = zip(sides, row, strict=True)
        yield f"<tr>{''.join(f'<td{side}>{_cell(cell)}</td>' for side, cell in cells)}</tr>\n"
    yield "</table>\n"


def _bars(chart: BarChart) -> Iterator[str]:
    if chart.caption:
        yield f"<p>{_text(chart.caption)}</p>\n"
    yield "<table>\n"
    for bar in chart.bars:
        label, note = _data(bar.label), escape(printable(bar.note))
        yield f"<tr><td>{label}</td><td>{_bar(bar)}</td><td>{note}</td></tr>\n"
    yield "</table>\n"


def _bar(bar: Bar) -> str:
    width = min(max(bar.value, 0.0), 1.0) * 100
    mark = ""
    if bar.mark is not None:
        at = min(max(bar.mark, 0.0), 1.0) * 99
        mark = f'<rect class="mark" x="{at:.2f}" width="1" height="10"/>'
    return (
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" '
        f'aria-label="{bar.value:.3f}"><rect class="back" width="100" height="10"/>'
        f'<rect class="front" width="{width:.2f}" height="10"/>{mark}</svg>'
    )


def _checks(checks: Checks) -> Iterator[str]:
    yield "<table>\n<tr><th>Check</th><th>Result</th><th>Detail</th></tr>\n"
    for check in checks.checks:
        detail = "<br>".join(_text(line) for line in (check.detail, *check.notes) if line)
        yield (
            f'<tr><td>{_text(check.name)}</td><td class="{check.status}">{check.status}</td>'
            f"<td>{detail}</td></tr>\n"
        )
    yield "</table>\n"
