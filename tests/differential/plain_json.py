"""A plain, slow, strict reader of one line of JSON: the oracle of the native one.

Values are `str`, `True`, `False`, `None`, `Number`, `list`, and `Members` for objects, which keeps
every member in the order it stands, repeated names included.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

DEEPEST = 512
BLANKS = frozenset(b" \t")
NAMES = {b"true": True, b"false": False, b"null": None}
ESCAPES = {
    ord('"'): '"',
    ord("\\"): "\\",
    ord("/"): "/",
    ord("b"): "\b",
    ord("f"): "\f",
    ord("n"): "\n",
    ord("r"): "\r",
    ord("t"): "\t",
}
WHOLE = re.compile(r"-?[0-9]+")


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str

    @property
    def is_whole(self) -> bool:
        return WHOLE.fullmatch(self.text) is not None

    @property
    def value(self) -> float:
        return float(self.text)


@dataclass(frozen=True)
class Members:
    """The members of an object, as they stand."""

    pairs: list[tuple[str, object]]

    def first(self) -> dict[str, object]:
        """Of a repeated name the first one counts."""
        kept: dict[str, object] = {}
        for name, value in self.pairs:
            kept.setdefault(name, value)
        return kept


class Fault(Exception):  # noqa: N818
    """The first fault of a line, and its byte."""

    def __init__(self, code: str, byte: int, message: str) -> None:
        super().__init__(code, byte)
        self.code = code
        self.byte = byte
        self.message = message


def lines(data: bytes) -> list[bytes]:
    """Split at LF, CRLF and CR; a byte order mark at the start is no part of line 1."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    parts = re.split(rb"\r\n|\r|\n", data)
    return parts[:-1] if parts[-1] == b"" else parts


def is_blank(line: bytes) -> bool:
    return all(byte in BLANKS for byte in line)


def parse(line: bytes) -> object:
    """Read one line; raise its first fault."""
    try:
        line.decode()
    except UnicodeDecodeError as fault:
        raise Fault("invalid-utf8", fault.start, "The line is not valid UTF-8.") from None
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * DEEPEST))
    parser = _Parser(line)
    value = parser.value(1)
    parser.skip_blanks()
    if parser.at < len(line):
        raise parser.wrong("the end of the line")
    return value


class _Parser:
    def __init__(self, line: bytes) -> None:
        self.line = line
        self.at = 0

    def peek(self) -> int:
        return self.line[self.at] if self.at < len(self.line) else -1

    def wrong(self, expected: str) -> Fault:
        end = "the line ends, " if self.at == len(self.line) else ""
        where = f"The line is not valid JSON at byte {self.at}: "
        return Fault("invalid-json", self.at, f"{where}{end}expected {expected}.")

    def skip_blanks(self) -> None:
        while self.peek() in BLANKS:
            self.at += 1

    def take(self, byte: bytes, expected: str) -> None:
        if self.peek() != byte[0]:
            raise self.wrong(expected)
        self.at += 1

    def value(self, level: int, expected: str = "a value") -> object:
        self.skip_blanks()
        match self.peek():
            case 0x7B:  # {
                return self.members(level)
            case 0x5B:  # [
                return self.items(level)
            case 0x22:  # "
                return self.string()
            case first if first == ord("-") or self.is_digit():
                return self.number()
            case first:
                for name, meaning in NAMES.items():
                    if name[0] == first:
                        for position in range(len(name)):
                            self.take(name[position : position + 1], name.decode())
                        return meaning
                raise self.wrong(expected)

    def deepen(self, level: int) -> None:
        if level > DEEPEST:
            message = f"The line nests deeper than {DEEPEST} levels at byte {self.at}."
            raise Fault("too-deep", self.at, message)
        self.at += 1
        self.skip_blanks()

    def members(self, level: int) -> Members:
        self.deepen(level)
        pairs: list[tuple[str, object]] = []
        if self.peek() == ord("}"):
            self.at += 1
            return Members(pairs)
        expected = "a member name in double quotes or '}'"
        while True:
            self.skip_blanks()
            if self.peek() != ord('"'):
                raise self.wrong(expected)
            expected = "a member name in double quotes"
            name = self.string()
            self.skip_blanks()
            self.take(b":", "':'")
            pairs.append((name, self.value(level + 1)))
            self.skip_blanks()
            if self.peek() == ord("}"):
                self.at += 1
                return Members(pairs)
            self.take(b",", "',' or '}'")

    def items(self, level: int) -> list[object]:
        self.deepen(level)
        items: list[object] = []
        if self.peek() == ord("]"):
            self.at += 1
            return items
        expected = "a value or ']'"
        while True:
            items.append(self.value(level + 1, expected))
            expected = "a value"
            self.skip_blanks()
            if self.peek() == ord("]"):
                self.at += 1
                return items
            self.take(b",", "',' or ']'")

    def string(self) -> str:
        self.at += 1
        parts = bytearray()
        while True:
            byte = self.peek()
            if byte == ord('"'):
                self.at += 1
                return parts.decode()
            if byte < 0:
                raise self.wrong("the closing double quote")
            if byte < 0x20:
                raise self.wrong("an escape instead of a control character")
            if byte == ord("\\"):
                parts += self.escape().encode()
            else:
                parts.append(byte)
                self.at += 1

    def escape(self) -> str:
        start = self.at
        self.at += 1
        letter = self.peek()
        if letter in ESCAPES:
            self.at += 1
            return ESCAPES[letter]
        if letter != ord("u"):
            raise self.wrong('one of " \\ / b f n r t u after a backslash')
        first = self.unit()
        message = f"The line is not valid Unicode: unpaired surrogate at byte {start}."
        unpaired = Fault("invalid-unicode", start, message)
        if 0xDC00 <= first < 0xE000:
            raise unpaired
        if not 0xD800 <= first < 0xDC00:
            return chr(first)
        if self.line[self.at : self.at + 2] != b"\\u":
            if self.line[self.at :] in (b"", b"\\"):
                # The line ends before it is known what follows.
                self.at = len(self.line)
                raise self.wrong("the other half of a surrogate pair")
            raise unpaired
        self.at += 1
        second = self.unit()
        if not 0xDC00 <= second < 0xE000:
            raise unpaired
        return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))

    def unit(self) -> int:
        self.at += 1
        unit = 0
        for _ in range(4):
            digit = bytes([self.peek()]) if self.peek() >= 0 else b""
            if digit == b"" or digit not in b"0123456789abcdefABCDEF":
                raise self.wrong("a hexadecimal digit")
            unit = unit * 16 + int(digit, 16)
            self.at += 1
        return unit

    def is_digit(self) -> bool:
        return ord("0") <= self.peek() <= ord("9")

    def digits(self) -> None:
        if not self.is_digit():
            raise self.wrong("a digit")
        while self.is_digit():
            self.at += 1

    def number(self) -> Number:
        start = self.at
        if self.peek() == ord("-"):
            self.at += 1
        if self.peek() == ord("0"):
            self.at += 1
            if self.is_digit():
                raise self.wrong("no digit after a leading zero")
        else:
            self.digits()
        if self.peek() == ord("."):
            self.at += 1
            self.digits()
        if self.peek() in (ord("e"), ord("E")):
            self.at += 1
            if self.peek() in (ord("+"), ord("-")):
                self.at += 1
            self.digits()
        return Number(self.line[start : self.at].decode())
