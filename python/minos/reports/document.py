"""What a report is made of, whatever it reports on and whatever format it ends in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Name:
    """Text that comes from data, a model or a server: shown as it is, and never as markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that should not be missed."""

    text: str


Inline: TypeAlias = str | Name | Strong
"""A stretch of text. A `str` holds the report's own words, and no markup."""

Text: TypeAlias = Inline | Sequence[Inline]
"""One stretch of text, or several in a row, with no space put between them."""

Cell: TypeAlias = Text | None
"""What stands in a table; None is undefined and shown as a dash."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the document's title; level 2 is the highest."""

    text: Text
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: Text


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of points, in no order that matters."""

    points: Sequence[Text]


class Align(StrEnum):
    """On which side the cells of a column stand."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; numbers are aligned on the right."""

    title: str
    align: Align = Align.RIGHT


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has a cell for each column."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart.

    Attributes:
        label: What stands before it.
        value: Its length, from 0 to 1.
        mark: Where it would end if all were well, from 0 to 1; None for no mark.
        note: What stands behind it.
    """

    label: str
    value: float
    mark: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class BarChart:
    """Horizontal bars on one scale from 0 to 1, such as a reliability diagram."""

    bars: Sequence[Bar]
    caption: Text = ""


class Status(StrEnum):
    """How a check came out."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was checked: a gate, a case, a probe.

    Attributes:
        name: What was checked.
        status: How it came out.
        detail: Why, in a line; may be empty.
        notes: What else there is to say, a line each.
        duration_s: How long it took, in seconds; None where that is not known.
    """

    name: Text
    status: Status
    detail: Text = ""
    notes: Sequence[Text] = ()
    duration_s: float | None = None


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks, in order."""

    checks: Sequence[Check]


Block: TypeAlias = Heading | Paragraph | Listing | Table | BarChart | Checks


@dataclass(frozen=True, slots=True)
class Document:
    """A report to be read.

    Attributes:
        title: The title.
        blocks: What stands below it, in order.
    """

    title: Text
    blocks: Sequence[Block]


def plain(text: Text) -> str:
    """Return text without its marks, raw."""
    return "".join(part if isinstance(part, str) else part.text for part in stretches(text))


def stretches(text: Text) -> Sequence[Inline]:
    """Return text as stretches, one or several."""
    return [text] if isinstance(text, str | Name | Strong) else text
