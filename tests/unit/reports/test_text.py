"""Documents as text, for logs and terminals."""

import re

from tests.unit.reports.hostile import document

from minos.reports.console import render_console
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
from minos.reports.text import render_text

SMALL = Document(
    "Evaluation",
    [
        Paragraph(Strong("FAILED")),
        Heading("Summary"),
        Table(
            [Column("Name", Align.LEFT), Column("Rate")],
            [["a", "0.5"], [Name("größe"), None]],
        ),
        BarChart([Bar("contains", 0.52, note="1/2"), Bar("x", 2.0)], "By assertion"),
        Heading(["1. ", Name("input")], 3),
        Listing([["contains: ", Name("no")]]),
        Checks([Check("overall", Status.FAILED, "75%", ["more"]), Check("x", Status.PASSED)]),
    ],
)

ASCII = """\
Evaluation
==========

FAILED

Summary
-------

Name         Rate
a             0.5
gr\\xf6\\xdfe     -

By assertion
contains  ##########..........  1/2
x         ####################

1. input

  - contains: no

FAILED overall: 75%
    more
PASSED x
"""

CONSOLE = """\
Evaluation
══════════

FAILED

Summary
───────

Name   Rate
a       0.5
größe     —

By assertion
contains  ██████████░░░░░░░░░░  1/2
x         ████████████████████

1. input

  • contains: no

✗ overall: 75%
    more
✓ x
"""


def test_text_is_ascii():
    assert render_text(SMALL) == ASCII


def test_the_console_is_drawn_in_unicode():
    assert render_console(SMALL) == CONSOLE


def test_colours_are_the_only_control_sequences():
    coloured = render_console(SMALL, in_colour=True)
    assert "\x1b[31m✗\x1b[0m overall" in coloured
    assert "\x1b[1mFAILED\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == CONSOLE


def test_hostile_text_is_inert():
    controls = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
    text = render_text(document())
    assert not controls.findall(text)
    assert text.isascii()
    console = render_console(document(), in_colour=True)
    assert not controls.findall(re.sub(r"\x1b\[(?:0|1|2|31|32|33)m", "", console))
    assert max(map(len, text.splitlines())) < 4000
