"""Documents as Markdown: read back by a Markdown reader, whatever the names hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from minos._native import printable
from minos.reports.document import (
    Align,
    Bar,
    BarChart,
    Check,
    Checks,
    Column,
    Document,
    Heading,
    Listing,
    Name,
    Paragraph,
    Status,
    Strong,
    Table,
)
from minos.reports.markdown import render_markdown

HOSTILE = [
    "a|b",
    "a\\|b",
    "`",
    "``` ```",
    "` leading and trailing `",
    "<script>alert(1)</script>",
    "&lt;b&gt;",
    "[x](https://example.com)",
    "![x](https://example.com/x.png)",
    "https://example.com",
    "@somebody #1",
    "**strong** _em_ ~~gone~~",
    "\x1b[31mred\x1b[0m",
    "two\nlines\r\n| and | a row |",
    "\u202egnp.exe",
    "\u2028\u2029\x85",
    "",
    " ",
    "  ",
    "\\",
    "trailing\\",
    "<!-- -->",
    "$x$",
    "漢字",
    "x" * 300,
    "it's " * 100,
]


def reader() -> MarkdownIt:
    return MarkdownIt("gfm-like", {"linkify": False, "html": True})


def inlines(markdown: str):
    return [t for t in reader().parse(markdown) if t.type == "inline"]


def shown(name: str) -> str:
    cut = name if len(name) <= 200 else f"{name[:200]}…"
    return "".join(printable(character) for character in cut) or "(empty)"


def assert_only_code(inline) -> None:
    kinds = {child.type for child in inline.children}
    assert kinds <= {"text", "code_inline", "strong_open", "strong_close"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name):
    columns = [Column("Name", Align.LEFT), Column("n")]
    document = Document(
        ["Report of ", Name(name)],
        [
            Heading(Name(name)),
            Paragraph(["See ", Name(name), "."]),
            Listing([Name(name)]),
            Table(columns, [(Name(name), "1"), (["x ", Name(name)], None)]),
            Checks([Check(Name(name), Status.FAILED, Name(name))]),
        ],
    )
    found = inlines(render_markdown(document))
    for inline in found:
        assert_only_code(inline)
    texts = ["".join(child.content for child in inline.children) for inline in found]
    told = shown(name)
    assert texts == [
        f"Report of {told}",
        told,
        f"See {told}.",
        told,
        *["Name", "n", told, "1", f"x {told}", "—"],
        *["Check", "Result", "Detail", told, "✗ failed", told],
    ]


@given(st.text())
def test_any_name_stays_a_name_in_a_table(name):
    document = Document("t", [Table([Column("c", Align.LEFT)], [[Name(name)], ["end"]])])
    *_, cell, end = inlines(render_markdown(document))
    assert_only_code(cell)
    assert "".join(child.content for child in cell.children) == shown(name)
    assert end.content == "end"


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1))
def test_any_words_stay_words(words):
    document = Document("t", [Paragraph(words), Listing([Strong("x"), words])])
    _title, paragraph, _strong, point = inlines(render_markdown(document))
    for inline in (paragraph, point):
        assert {child.type for child in inline.children} <= {"text"}
        assert "".join(child.content for child in inline.children) == words


def test_a_page():
    document = Document(
        "Report",
        [
            Paragraph([Strong("Partial run: 1 of 2 items"), "."]),
            Heading("Numbers"),
            Table(
                [Column("Kind", Align.LEFT), Column("Accuracy")],
                [("choice", "0.500"), ("漢字", None)],
            ),
            BarChart(
                [Bar("0.50 to 0.60", 0.25, 0.55, "n = 4"), Bar("1.00", 1.0, 1.0)],
                "How sure and how right.",
            ),
        ],
    )
    assert render_markdown(document) == (
        "# Report\n"
        "\n"
        "**Partial run: 1 of 2 items**.\n"
        "\n"
        "## Numbers\n"
        "\n"
        "| Kind   | Accuracy |\n"
        "| ------ | -------: |\n"
        "| choice |    0.500 |\n"
        "| 漢字   |        — |\n"
        "\n"
        "How sure and how right.\n"
        "\n"
        "```text\n"
        "              0                  0.5                   1\n"
        "0.50 to 0.60  ▏██████████            ┃                 ▏  n = 4\n"
        "1.00          ▏███████████████████████████████████████┃▏\n"
        "```\n"
    )


def test_a_chart_cannot_be_left():
    document = Document("t", [BarChart([Bar("```", 2.0, None, "```\n<b>")], "c")])
    tokens = reader().parse(render_markdown(document))
    assert [t.type for t in tokens if t.type in ("fence", "html_block")] == ["fence"]
    assert tokens[-1].type == "fence"
