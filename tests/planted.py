"""A key that must be found nowhere, and what looks for it."""

import logging
import re
import traceback
import zlib
from base64 import b64decode
from pathlib import Path
from urllib.parse import unquote_to_bytes

PLANTED = "sk-planted-5e1f00d5/b31a"

KEY_VARIABLES = (
    "CLOUDFLARE_API_TOKEN",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "TYPESAFE_API_KEY",
)

_ESCAPE = re.compile(rb"\\+(?:u00([0-9a-fA-F]{2})|([^u]))")
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{20,}")


def shows_key(told):
    """Whether the key stands in text or bytes: as it is, escaped as in JSON or a URL, in base64."""
    data = told.encode("utf-8", "surrogateescape") if isinstance(told, str) else told
    key = PLANTED.encode()
    unescaped = _ESCAPE.sub(lambda found: _letter(*found.groups()), data)
    spelled = [data, unescaped]
    for _ in range(3):
        spelled.append(unquote_to_bytes(spelled[-1]))
    for found in _BASE64.findall(unescaped):
        text = found.replace(b"-", b"+").replace(b"_", b"/")
        for start in range(4):
            part = text[start:]
            spelled.append(b64decode(part + b"A" * (-len(part) % 4)))
    return any(key in each for each in spelled)


def _unpacked(data):
    """What is in a gzip file, as far as it can be read; other data as it is."""
    try:
        return zlib.decompressobj(47).decompress(data, 1 << 24)
    except zlib.error:
        return data


def _letter(code, letter):
    return bytes([int(code, 16)]) if code else letter


class Planted(list):
    """What a test leaves behind. Whatever is appended is looked through too.

    Attributes:
        given: Files that hold the key because the test, as the user, wrote it there.
    """

    def __init__(self):
        super().__init__()
        self.given = set()
        self.told = []
        self.errors = []

    def leaks(self, folder=None):
        """Where the key stands after all: a few words for each place."""
        return [f"{place}: {told!r:.300}" for place, told in self._told(folder) if shows_key(told)]

    def _told(self, folder):
        yield from (("output", told) for told in self.told)
        for thing in (*self, *self.errors):
            if isinstance(thing, BaseException):
                yield "error", "".join(traceback.format_exception(thing))
                yield "error", repr(thing) + repr(vars(thing))
            else:
                yield "object", repr(thing) + str(thing)
        for path in Path(folder).rglob("*") if folder else ():
            if path.is_file() and path not in self.given:
                yield str(path), path.name
                yield str(path), _unpacked(path.read_bytes())


class LogKeeper(logging.Handler):
    """Keeps what is logged as text, with the tracebacks."""

    def __init__(self, told):
        super().__init__(logging.DEBUG)
        self._told = told

    def emit(self, record):
        self._told.append(self.format(record))
