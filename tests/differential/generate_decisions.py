"""Seeded decision data sets, right ones and broken ones."""

from __future__ import annotations

import json
import sys
from random import Random

from tests.differential.plain_json import DEEPEST, Members, Number

BREAKS = ("\n", "\r\n", "\r", "\n\n", "\n \t\r")
TEXTS = (
    *("", " ", "a", "'", "it's", "é", "😀", "a.b", "x" * 40),
    *("\0", "\x1c", "\u2028", "\u3000"),
)
KEYS = ("q0", "topic", "a.b", "é", "urgent", " ", "'k'")
ESCAPES = (b"\\ud83d", b"\\ude00", b"\\ud83d\\ude00", b"\\u12")
NUMBERS = ("0", "-0", "1", "2", "-1", "1.0", "1e0", "0.5", "-2.5E+3", "1e400", "9" * 30)
NAMES = (
    *("id", "state", "questions", "expected", "source", "version", "type", "instructions"),
    *("criteria", "true", "false", "description", "examples", "not_for", "0", "a", "", "é", "q0"),
)
BYTES = b'"\\{}[],:0129.eE+-tfnu \t\r\nd8cD\x00\x1f\x7f\x80\xbf\xc0\xe2\xed\xf0\xf4\xff'


def parts(value: object) -> list[object]:
    """Give the values in a value."""
    if isinstance(value, Members):
        return [inner for _, inner in value.pairs]
    return value if isinstance(value, list) else []


def size(value: object) -> int:
    """Count the values in a value, itself included."""
    return 1 + sum(map(size, parts(value)))


class Generator:
    """Draws lines and breaks them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 16 * DEEPEST))

    def file(self, count: int) -> bytes:
        """Draw a file of lines, about half of them broken."""
        parts = [b"\xef\xbb\xbf"] if self.random.random() < 0.1 else []
        for _ in range(count):
            chance = self.random.random()
            item: object = self.item(odd=chance < 0.25)
            if 0.2 < chance < 0.45:
                for _ in range(self.random.choice((1, 1, 1, 2, 3))):
                    item = self.changed(item)
            line = self.rendered(item).encode()
            if 0.35 < chance < 0.6:
                line = self.scratched(line)
            parts += [line, self.random.choice(BREAKS).encode()]
        return b"".join(parts if self.random.random() < 0.5 else parts[:-1])

    def item(self, *, odd: bool = False) -> Members:
        """Draw an item that is right, its version apart; with a question more that is odd."""
        keys = self.random.sample(KEYS, self.count(1, 3))
        questions = [(key, self.question()) for key in keys]
        if odd:
            questions.append((self.random.choice((*KEYS, "")), self.odd_question()))
        expected = [
            (key, self.answer(question))
            for key, question in questions
            if self.random.random() < 0.8
        ]
        self.random.shuffle(expected)
        members: list[tuple[str, object]] = [
            ("id", f"{self.random.choice(TEXTS)}{self.count(0, 30)}"),
            ("state", self.content()),
            ("questions", Members(questions)),
            ("expected", Members(expected)),
        ]
        if self.random.random() < 0.4:
            members.append(("source", self.random.choice(TEXTS)))
        if self.random.random() < 0.4:
            versions = ("1",) * 20 + NUMBERS
            members.append(("version", Number(self.random.choice(versions))))
        if self.random.random() < 0.3:
            self.random.shuffle(members)
        return Members(members)

    def question(self) -> Members:
        kind = self.random.choice(("noul", "choice", "score"))
        members: list[tuple[str, object]] = [("type", kind), ("instructions", self.said())]
        if kind == "noul" and self.random.random() < 0.5:
            names = self.random.sample(("true", "false"), self.count(0, 2))
            members.append(("criteria", Members([(name, self.said()) for name in names])))
        elif kind == "choice":
            names = self.random.sample([*"abcdefghijklm", "é", "card arrival"], self.count(1, 13))
            options = [(name, self.meaning(may_be_null=True)) for name in names]
            members.append(("criteria", Members(options)))
        elif kind == "score":
            levels = [self.meaning(may_be_null=False) for _ in range(self.count(2, 10))]
            members.append(("criteria", levels))
        if self.random.random() < 0.3:
            self.random.shuffle(members)
        return Members(members)

    def odd_question(self) -> Members:
        """Draw a question of parts that fit here and there."""
        meanings = [self.odd_meaning() for _ in range(self.count(0, 4))]
        names = self.random.sample((*NAMES, *KEYS), len(meanings))
        options = Members(list(zip(names, meanings, strict=True)))
        many = Members([(f"o{number}", None) for number in range(self.random.choice((255, 256)))])
        sides = Members([(name, self.odd_content()) for name in ("false", "true")])
        levels = self.random.choice((meanings, ["level"] * self.random.choice((1, 2, 10, 11))))
        kind = self.random.choice(("noul", "choice", "score", self.odd()))
        fitting = {"noul": sides, "choice": self.random.choice((options, options, many))}
        criteria = fitting.get(kind, levels) if isinstance(kind, str) else options
        if self.random.random() < 0.1:
            criteria = self.random.choice((options, sides, levels, None))
        return Members(
            [("type", kind), ("instructions", self.odd_content()), ("criteria", criteria)]
        )

    def odd_content(self) -> object:
        if self.random.random() < 0.3:
            return self.nested(self.random.choice((59, 60, 61, 62)))
        return self.random.choice((self.said(), self.odd()))

    def odd_meaning(self) -> object:
        chance = self.random.random()
        if chance < 0.5:
            return self.random.choice((None, "said", "", "\t", self.odd()))
        lists = [[self.random.choice(("one", "", " ", None, 5))] * self.count(0, 2) for _ in "ab"]
        members = [
            ("description", self.random.choice(("said", "said", "", " ", self.odd()))),
            ("examples", lists[0]),
            ("not_for", self.random.choice((lists[1], self.odd()))),
            (self.random.choice(NAMES), "more"),
        ]
        return Members(self.random.sample(members, self.count(1, 4)))

    def nested(self, levels: int) -> object:
        nested: object = "deep"
        for _ in range(levels):
            nested = [nested] if self.random.random() < 0.5 else Members([("a", nested)])
        return nested

    def meaning(self, *, may_be_null: bool) -> object:
        chance = self.random.random()
        if chance < 0.2 and may_be_null:
            return None
        if chance < 0.6:
            return "what it means"
        members: list[tuple[str, object]] = [("description", "described")]
        listed = [name for name in ("examples", "not_for") if self.random.random() < 0.5]
        members += [(name, ["one", "two"][: self.count(0, 2)]) for name in listed]
        return Members(members)

    def answer(self, question: Members) -> object:
        members = question.first()
        match members["type"], members.get("criteria"):
            case "choice", Members(pairs) if pairs:
                return self.random.choice(pairs)[0]
            case "score", list() as levels if levels:
                return Number(str(self.random.randrange(len(levels))))
            case _:
                return self.random.random() < 0.5

    def said(self) -> object:
        """Draw content that is not blank."""
        return self.random.choice(
            ("Which?", "é?", [[]], ["a", Number("1e400")], Members([("ask", "How?")]))
        )

    def content(self, levels: int = 3) -> object:
        """Draw a state."""
        if self.random.random() < 0.3:
            return self.random.choice(TEXTS)
        return self.container(levels)

    def container(self, levels: int) -> object:
        inner = [self.value(levels - 1) for _ in range(self.count(0, 3))]
        if self.random.random() < 0.5:
            return inner
        names = self.random.sample(NAMES, len(inner))
        return Members(list(zip(names, inner, strict=True)))

    def value(self, levels: int = 2) -> object:
        """Draw any JSON value."""
        if levels > 0 and self.random.random() < 0.4:
            return self.container(levels)
        return self.random.choice(
            (None, True, False, Number(self.random.choice(NUMBERS)), self.random.choice(TEXTS))
        )

    def count(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def changed(self, value: object) -> object:
        """Change something in a value: any part of it with the same chance."""
        inner = parts(value)
        if not inner or self.random.random() < 1 / size(value):
            return self.replaced(value)
        place = self.random.choices(range(len(inner)), list(map(size, inner)))[0]
        if isinstance(value, Members):
            return Members(self.changed_members(list(value.pairs), place))
        around = [] if self.random.random() < 0.1 else [self.changed(inner[place])]
        return [*inner[:place], *around, *inner[place + 1 :]]

    def replaced(self, value: object) -> object:
        chance = self.random.random()
        if isinstance(value, Members) and chance < 0.4:
            return Members([])
        if isinstance(value, list) and chance < 0.4:
            return value * self.random.choice((0, 0, 2, 12))
        return self.odd()

    def changed_members(
        self, pairs: list[tuple[str, object]], place: int
    ) -> list[tuple[str, object]]:
        name, inner = pairs[place]
        match self.random.randrange(30):
            case 0:
                del pairs[place]
            case 1:
                pairs.insert(self.random.randint(0, len(pairs)), (name, self.changed(inner)))
            case 2 | 3:
                pairs[place] = (self.random.choice(NAMES), inner)
            case 4:
                pairs.insert(place, (self.random.choice(NAMES), self.value()))
            case _:
                pairs[place] = (name, self.changed(inner))
        return pairs

    def odd(self) -> object:
        """Draw something that is often wrong where it is put."""
        chance = self.random.random()
        if chance < 0.1:
            return self.nested(self.random.choice((60, 61, 509, 510, 511, 512)))
        if chance < 0.2:
            return self.random.choice(("noul", "choice", "score", "Noul"))
        if chance < 0.4:
            return self.random.choice(("", " \u2003", [], Members([])))
        return self.value()

    def rendered(self, value: object) -> str:
        """Write a value, with white space and escapes that change nothing."""
        space = self.random.choice(("", "", "", " ", "\t "))
        match value:
            case Members(pairs):
                members = (
                    f"{self.text(name)}{space}:{self.rendered(inner)}" for name, inner in pairs
                )
                return f"{space}{{{f'{space},'.join(members)}{space}}}"
            case list():
                return f"[{space}{','.join(map(self.rendered, value))}{space}]"
            case str():
                return self.text(value)
            case Number(text):
                return text
            case _:
                return json.dumps(value)

    def text(self, text: str) -> str:
        plain = json.dumps(text, ensure_ascii=self.random.random() < 0.5)
        if text and self.random.random() < 0.05 and text.isascii():
            return f'"\\u{ord(text[0]):04x}{json.dumps(text[1:])[1:]}'
        return plain

    def scratched(self, line: bytes) -> bytes:
        """Change bytes of a line without regard to what they mean."""
        for _ in range(self.random.choice((1, 1, 1, 2, 4))):
            place = self.random.randint(0, len(line))
            bad = bytes([self.random.choice(BYTES)])
            match self.random.randrange(6):
                case 0:
                    line = line[:place]
                case 1:
                    line = line[:place] + line[place + 1 :]
                case 2:
                    line = line[:place] + bad + line[place:]
                case 3:
                    escape = self.random.choice(ESCAPES)
                    line = line[:place] + escape + line[place:]
                case _:
                    line = line[:place] + bad + line[place + 1 :]
        return line
