"""A document of which every name would like to be something else."""

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

TEXTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "</testcase><testcase name='forged'/>",
    "]]>",
    "&lt;b&gt; &amp; &#0;",
    "::error::forged",
    "a\n::error::forged\r\n::set-output name=x::y",
    "%0A::warning::forged",
    "\x1b[31mred\x1b[0m \x1b]8;;https://example.com\x07link\x1b]8;;\x07",
    "\u202egnp.exe \u2066x\u2069",
    "\x00\x08\x0b\ufffe\uffff",
    "\u2028\u2029\x85",
    "{{7*7}} ${jndi} =cmd()",
    "👩‍👩‍👧 größe 漢字",
    "",
    "x" * 30_000,
]


def document(texts=TEXTS):
    """Every kind of block, and in every place where text of data may stand each of the texts."""
    names = [Name(text) for text in texts]
    statuses = list(Status)
    return Document(
        ["Run of ", Name(texts[0])],
        [
            Paragraph(["Told: ", *names]),
            Paragraph(Strong("PASSED & done")),
            Heading(["Heading ", names[-3]], 3),
            Listing([[name, ": ", name] for name in names]),
            Table([Column("Name", Align.LEFT), Column("n")], [[name, None] for name in names]),
            BarChart([Bar(text, 0.5, 0.9, text[:100]) for text in texts], names[1]),
            Checks(
                [
                    Check(name, statuses[place % 4], name, [name], 0.25)
                    for place, name in enumerate(names)
                ]
            ),
        ],
    )
