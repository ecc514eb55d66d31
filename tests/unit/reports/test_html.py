"""Documents as HTML: one inert page."""

import base64
import hashlib
import re
from html.parser import HTMLParser

from tests.unit.reports.hostile import TEXTS, document

from minos.reports.document import Document, Name, Paragraph
from minos.reports.html import render_html

_TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h3", "p", "ul", "li", "table", "tr",
    "th", "td", "code", "strong", "svg", "rect", "br",
}  # fmt: skip


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.policy = set(), set(), [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        values = dict(attrs)
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]

    def handle_data(self, data):
        self.text.append(data)


def read(page):
    reader = Reader()
    reader.feed(page)
    return reader


def test_hostile_text_is_inert():
    page = render_html(document())
    reader = read(page)
    assert reader.tags == _TAGS
    assert not {name for name in reader.attributes if name.startswith("on")}
    assert not reader.attributes & {"href", "src", "style", "srcset", "action"}
    assert not re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", page)
    text = "".join(reader.text)
    for harmless in ("<script>alert(1)</script>", "]]>", "&lt;b&gt;", "größe", "x" * 30_000):
        assert harmless in text
    assert "\\u001b[31mred" in text


def test_a_policy_allows_its_style_and_nothing_else():
    page = render_html(document())
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert read(page).policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "@import" not in style
    assert "url(" not in style


def test_line_breaks_of_a_name_stay():
    page = render_html(Document("t", [Paragraph(Name("a\r\nb\nc"))]))
    assert "<p><code>a&#10;b&#10;c</code></p>" in page


def test_the_same_document_gives_the_same_page():
    assert render_html(document(TEXTS)) == render_html(document(TEXTS))
